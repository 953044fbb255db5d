// Numbers of the engine for JavaScript: the same in Node.js and in a browser, and those of a native program with the same math functions.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { load } from '../../crates/condyle-wasm/npm/index.js';
import { browse, plain, root, stopAll } from './harness.mjs';
import { fingerprints, MODELS } from './hashes.mjs';

const STEPS = 1000;
const npm = path.join(root, 'crates/condyle-wasm/npm');
const run = promisify(execFile);

/** Fingerprints of a native program. */
async function native(program) {
  const files = MODELS.map((name) => path.join(root, 'models', `${name}.xml`));
  const { stdout } = await run(path.join(root, 'target/debug/examples', program), [String(STEPS), ...files]);
  return Object.fromEntries(stdout.trim().split('\n').map((line, index) => [MODELS[index], line.split(' ')[0]]));
}

describe('the engine for JavaScript', () => {
  const texts = {};
  let here;
  before(async () => {
    for (const name of MODELS) texts[name] = await readFile(path.join(root, 'models', `${name}.xml`), 'utf8');
    here = fingerprints(await load(await readFile(path.join(npm, 'condyle.wasm'))), texts, STEPS);
  });
  after(stopAll);

  it('gives the same bits in Node.js and in a browser', async () => {
    const server = await plain(npm);
    const browser = await browse();
    const page = await (await browser.newContext()).newPage();
    await page.goto(server.url);
    const there = await page.evaluate(`(async () => {
      ${fingerprints}
      const { load } = await import('/models/index.js');
      return fingerprints(await load('/models/condyle.wasm'), ${JSON.stringify(texts)}, ${STEPS});
    })()`);
    await browser.close();
    assert.equal(Object.keys(there).length, 10);
    assert.deepEqual(there, here);
  });

  it('gives the bits of a native program with the same math functions', async () => {
    assert.deepEqual(await native('state_hashes_portable'), here);
  });

  it('differs from a native program with the functions of the platform only where they round differently', async () => {
    const platform = await native('state_hashes');
    const equal = MODELS.filter((name) => platform[name] === here[name]);
    console.log(`  equal to native bit for bit: ${equal.join(', ')}`);
    // These need no sine, cosine, exponential or power while they move.
    for (const name of EQUAL) assert.ok(equal.includes(name), name);
  });

  it('has an example that runs, and a package with all it needs', async () => {
    const { stdout } = await run('node', ['example.mjs'], { cwd: npm });
    assert.match(stdout, /^time 2\.000 s, angle 2\.9077\d\d rad, state [0-9a-f]{16}\n$/);
    const packed = await run('npm', ['pack', '--dry-run', '--json'], { cwd: npm });
    const files = JSON.parse(packed.stdout)[0].files.map((file) => file.path).sort();
    assert.deepEqual(files, ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'condyle.wasm', 'example.mjs', 'index.d.ts', 'index.js', 'package.json']);
  });

  it('refuses what is wrong, in words', async () => {
    const engine = await load(await readFile(path.join(npm, 'condyle.wasm')));
    assert.throws(() => engine.openText('<mujoco><worldbdy/></mujoco>'), /worldbdy/);
    const sim = engine.openText(texts['bench/leg']);
    assert.throws(() => sim.array('qposs'), /no array 'qposs'/);
    assert.throws(() => sim.size('nqq'), /no size 'nqq'/);
    assert.throws(() => sim.restore(new Uint8Array([1, 2, 3])), /./);
    assert.equal(sim.nameToId(1, 'nobody'), -1);
    const snapshot = sim.snapshot();
    sim.step(50);
    const after = sim.hash();
    sim.restore(snapshot);
    sim.step(50);
    assert.equal(sim.hash(), after);
    sim.end();
    // A simulation that has ended answers nothing, and others go on.
    sim.step(1);
    assert.equal(sim.time, 0);
  });
});

/** Models that are equal to native bit for bit. */
const EQUAL = ['bench/chain', 'bench/cubes', 'flex/clothstretch'];
