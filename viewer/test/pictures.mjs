// Pictures of the page beside golden ones. CONDYLE_GOLDEN=write takes them anew.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const folder = path.join(path.dirname(new URL(import.meta.url).pathname), 'golden');
const latest = path.join(path.dirname(new URL(import.meta.url).pathname), '../../target/viewer-pictures');

/** A picture of the page that a second look finds unchanged: what was drawn last reaches the screen some frames later. */
async function settled(page) {
  for (let picture = await page.screenshot({ scale: 'css' }), look = 0; ; look++) {
    await page.waitForTimeout(100);
    const next = await page.screenshot({ scale: 'css' });
    if (next.equals(picture) || look === 50) return next;
    picture = next;
  }
}

/**
 * Compares a picture of the page with the golden one: mean difference of colours, and share of pixels that differ clearly. What the page
 * shows must become right and stay so; a busy processor draws it late, so there are ten seconds for it.
 */
export async function compare(page, name) {
  const golden = path.join(folder, name), shown = path.join(latest, name);
  await mkdir(latest, { recursive: true });
  if (process.env.CONDYLE_GOLDEN === 'write' || !existsSync(golden)) {
    assert.equal(process.env.CONDYLE_GOLDEN, 'write', `there is no golden picture ${name}`);
    await mkdir(folder, { recursive: true });
    await writeFile(golden, await settled(page));
    return;
  }
  const wanted = await readFile(golden), end = Date.now() + 10_000;
  let text = '';
  do {
    const picture = await settled(page);
    await writeFile(shown, picture);
    const { mean, different } = await difference(page, picture, wanted);
    if (mean < 3 && different < 0.03) return;
    text = `mean difference ${mean.toFixed(2)} of 255, ${(100 * different).toFixed(2)} % of pixels differ`;
  } while (Date.now() < end);
  assert.fail(`${name}: ${text}; see ${latest}`);
}

/** The browser decodes the pictures. */
async function difference(page, first, second) {
  return page.evaluate(async (pictures) => {
    const read = async (text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [a, b] = [await read(pictures[0]), await read(pictures[1])];
    if (a.width !== b.width || a.height !== b.height) return { mean: 255, different: 1 };
    let sum = 0, clear = 0;
    for (let k = 0; k < a.data.length; k += 4) {
      const d = Math.abs(a.data[k] - b.data[k]) + Math.abs(a.data[k + 1] - b.data[k + 1]) + Math.abs(a.data[k + 2] - b.data[k + 2]);
      sum += d / 3;
      if (d > 60) clear++;
    }
    return { mean: sum / (a.data.length / 4), different: clear / (a.data.length / 4) };
  }, [first.toString('base64'), second.toString('base64')]);
}
