// The page with the native engine behind it, in a headless browser.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ask, drawn, native, serve, until, visit } from './harness.mjs';
import { robot, suite } from './suite.mjs';

suite(native, (tools) => {
  it('comes back after the server was restarted', async () => {
    let server = await serve(robot, '--port', '0');
    const page = await visit(tools.browser, server.url);
    const { port } = server;
    await server.stop();
    await page.waitForFunction(() => !document.querySelector('#status').hidden);
    const token = new URL(server.url).pathname.split('/')[1];
    server = await serve(robot, '--port', String(port), '--token', token);
    await drawn(page);
    await until(page, 'c.latest.time > 0');
    await page.context().close();
    await server.stop();
  });

  it('does not let a page that stands still slow the simulation', async () => {
    const server = await serve(robot);
    const page = await visit(tools.browser, server.url);
    const slow = await visit(tools.browser, server.url);
    // A page whose script is stuck asks for nothing and reads nothing.
    const stuck = slow.evaluate(() => { const end = performance.now() + 4000; while (performance.now() < end); });
    stuck.catch(() => {});
    await page.waitForTimeout(2500);
    // As the engine measures it over the last half second: the page itself may see it late.
    const rate = await ask(page, 'c.latest.rate');
    console.log(`  beside a page that stands still: ${rate.toFixed(2)} times real time`);
    assert.ok(rate > 0.8, String(rate));
    await stuck;
    await until(slow, 'c.latest.playing');
    await slow.context().close();
    await page.context().close();
    await server.stop();
  });
});
