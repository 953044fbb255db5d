// Starts the program, or a server of plain files for the page with the engine inside, and a browser for the tests.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const program = process.env.CONDYLE_PROGRAM ?? path.join(root, 'target/debug/condyle');
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const running = new Set();

/** Ends what a failed test left behind. */
export const stopAll = () => Promise.all([...running].map((stop) => stop()));

/** `condyle view` for a model; the address of its page, and a way to end it. */
export async function serve(model, ...options) {
  const child = spawn(program, ['view', ...(model ? [model] : []), '--no-open', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '', told = '';
  child.stderr.on('data', (data) => { told += data; });
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      printed += data;
      const found = printed.match(/http:\/\/\S+/);
      if (found) resolve(found[0]);
    });
    child.on('exit', () => reject(new Error(`condyle view ended: ${told}`)));
  });
  const stop = () => new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.on('exit', resolve);
    child.kill('SIGTERM');
  });
  running.add(stop);
  return { url, port: Number(new URL(url).port), stop };
}

const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/** A server of plain files: the page with the engine inside, and below `models/` a folder. */
export async function plain(models) {
  const page = path.join(root, 'viewer/dist-static');
  const server = http.createServer((request, answer) => {
    const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const file = name.startsWith('/models/') ? path.join(models, name.slice(8)) : path.join(page, name === '/' ? 'index.html' : name);
    readFile(file).then((content) => {
      answer.writeHead(200, { 'content-type': KINDS[path.extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-store' });
      answer.end(content);
    }, () => { answer.writeHead(404); answer.end(); });
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const stop = () => new Promise((resolve) => {
    server.closeAllConnections();
    server.close(resolve);
  });
  running.add(stop);
  return { url: `http://127.0.0.1:${server.address().port}/`, stop };
}

/** The two ways in which a page runs. Both give the address of a page that shows a model, and a way to end it. */
export const native = {
  name: 'the native engine behind the page',
  serve: (model, { paused = false, watch = false } = {}) => serve(model, ...(paused ? ['--paused'] : []), ...(watch ? ['--watch'] : [])),
};
export const inside = {
  name: 'the engine inside the page',
  serve: async (model, { paused = false } = {}) => {
    const server = await plain(path.dirname(model));
    return { ...server, url: `${server.url}?model=models/${path.basename(model)}${paused ? '&paused' : ''}` };
  },
};

export async function browse() {
  const executablePath = process.env.CONDYLE_BROWSER ?? browsers.find(existsSync);
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', ...(process.env.CONDYLE_PAGE ? ['--disable-features=LocalNetworkAccessChecks'] : [])],
  });
}

/** A page that has drawn its first frames. */
export async function visit(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 760 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') page.problems.push(message.text()); });
  if (process.env.CONDYLE_PAGE) await freshPage(page, process.env.CONDYLE_PAGE);
  await page.goto(url, { timeout: 60_000 });
  if (options.wait !== false) await drawn(page);
  return page;
}

/** Answers requests for the page from a folder, so that a page can be tried without building the program. */
async function freshPage(page, folder) {
  await page.route(/^http/, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').slice(2).join('/') || 'index.html';
    const file = path.join(folder, name);
    return existsSync(file) ? route.fulfill({ path: file }) : route.continue();
  });
}

/** Waits until the model is there, everything has arrived and some frames were drawn. */
export async function drawn(page) {
  await page.waitForFunction(() => globalThis.condyle?.latest && globalThis.condyle.stage.complete && globalThis.condyle.seen > 2 && globalThis.condyle.drawn > 0, null, { timeout: 60_000 });
}

/** Something of the page's own state. */
export const ask = (page, question) => page.evaluate(`(() => { const c = globalThis.condyle; return ${question}; })()`);

export const send = (page, line) => page.evaluate((text) => globalThis.condyle.transport.send(text), line);

/** Waits until a question of the page's state is answered with yes. */
export async function until(page, question) {
  const end = Date.now() + 30_000;
  while (!(await ask(page, `Boolean(c.latest && (${question}))`))) {
    if (Date.now() > end) throw new Error(`not so after half a minute: ${question}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The fingerprint of the state the engine is in. */
export async function hash(page) {
  const before = await ask(page, 'c.notes.length');
  await send(page, 'hash');
  await page.waitForFunction((count) => globalThis.condyle.notes.slice(count).some((note) => note.type === 'hash'), before, { timeout: 10_000 });
  return ask(page, `c.notes.filter((note) => note.type === 'hash').pop().text`);
}

/** Waits for a frame that was made after now, and for its picture. */
export async function fresh(page) {
  const count = await ask(page, 'c.seen');
  await page.waitForFunction((before) => globalThis.condyle.seen > before + 2, count, { timeout: 30_000 });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
