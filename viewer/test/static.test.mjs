// The page with the engine inside, from a server of plain files, in a headless browser.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { ask, drawn, inside, plain, send, until, visit } from './harness.mjs';
import { robot, suite } from './suite.mjs';
import { zip } from './zip.mjs';

const SCENE = `<mujoco model="scene"><include file="parts/arm.xml"/><worldbody><light pos="0 0 3"/><geom type="plane" size="1 1 .1"/></worldbody></mujoco>`;
const ARM = `<mujoco><compiler meshdir="meshes"/><asset><mesh name="wedge" file="wedge.obj"/></asset>
<worldbody><body name="held" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom type="mesh" mesh="wedge"/></body></worldbody></mujoco>`;
const WEDGE = 'v -.1 -.1 0\nv .1 -.1 0\nv -.1 .1 0\nv .1 .1 0\nv 0 0 .2\nf 1 2 5\nf 2 4 5\nf 4 3 5\nf 3 1 5\nf 1 3 4\nf 1 4 2\n';

/** Drops files or folders of the disk on the middle of the page, as a person would. */
async function drop(page, ...files) {
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, x: 600, y: 380, data });
}

suite(inside, (tools) => {
  const files = async () => {
    const folder = path.join(tools.folder, 'dropped');
    await mkdir(path.join(folder, 'parts'), { recursive: true });
    await mkdir(path.join(folder, 'meshes'), { recursive: true });
    await writeFile(path.join(folder, 'scene.xml'), SCENE);
    await writeFile(path.join(folder, 'parts/arm.xml'), ARM);
    await writeFile(path.join(folder, 'meshes/wedge.obj'), WEDGE);
    return folder;
  };
  const shows = (page, body) => until(page, `c.current.bodies.some((body) => body.name === '${body}') && c.stage.complete && c.latest.time > 0.05`);

  it('greets with a model of its own, and shows files, folders and archives that are dropped on it', async () => {
    const folder = await files();
    const server = await plain(folder);
    const page = await visit(tools.browser, server.url);
    await until(page, 'c.latest.time > 0.05');
    await drop(page, robot);
    await shows(page, 'lower');
    await drop(page, folder);
    await shows(page, 'held');
    assert.equal(await ask(page, 'c.latest.qpos.length'), 1);
    const archive = path.join(tools.folder, 'robot.zip');
    await writeFile(archive, zip({ 'robot/robot.xml': await readFile(robot), 'robot/notes.txt': 'not a model' }));
    await drop(page, archive);
    await shows(page, 'lower');
    const packed = path.join(tools.folder, 'scene.zip');
    await writeFile(packed, zip({ 'scene.xml': SCENE, 'parts/arm.xml': ARM, 'meshes/wedge.obj': WEDGE }));
    await drop(page, packed);
    await shows(page, 'held');
    assert.deepEqual(page.problems, []);
    await page.context().close();
    await server.stop();
  });

  it('starts a dropped model anew, whatever was shown before', async () => {
    const server = await plain(tools.folder);
    const page = await visit(tools.browser, server.url);
    await drop(page, robot);
    await shows(page, 'lower');
    await send(page, 'step 5000');
    await send(page, 'qpos 1 0.6');
    await until(page, 'c.latest.time > 10 && c.latest.qpos[1] === 0.6');
    const copy = path.join(tools.folder, 'copy.xml');
    await writeFile(copy, (await readFile(robot, 'utf8')).replace('name="glass" type="box"', 'name="pane" type="box"'));
    await drop(page, copy);
    await until(page, `c.current.geoms.includes('pane') && c.latest.playing && c.latest.time < 9`);
    await page.context().close();
    await server.stop();
  });

  it('says what is wrong with what was dropped', async () => {
    const server = await plain(tools.folder);
    const page = await visit(tools.browser, server.url);
    const says = async (name, content, words) => {
      const file = path.join(tools.folder, name);
      await writeFile(file, content);
      await drop(page, file);
      await page.waitForFunction((wanted) => !document.querySelector('#problems').hidden && document.querySelector('#problem-text')?.textContent?.includes(wanted), words, { timeout: 10_000 });
    };
    await says('text.txt', 'nothing', 'no model file');
    await says('torn.zip', 'PK', 'no zip archive');
    await says('lost.xml', SCENE, 'arm.xml');
    await says('huge.xml', `<mujoco>${'<worldbody>'.repeat(20_000)}`, 'error');
    await drop(page, robot);
    await shows(page, 'lower');
    await page.context().close();
    await server.stop();
  });

  it('fetches a model with all files it names by its address', async () => {
    const server = await plain(await files());
    const page = await visit(tools.browser, `${server.url}?model=models/scene.xml`);
    await shows(page, 'held');
    await page.context().close();
    await writeFile(path.join(tools.folder, 'dropped/scene.zip'), zip({ 'scene.xml': SCENE, 'parts/arm.xml': ARM, 'meshes/wedge.obj': WEDGE }));
    const packed = await visit(tools.browser, `${server.url}?model=models/scene.zip`);
    await shows(packed, 'held');
    await packed.context().close();
    const lost = await visit(tools.browser, `${server.url}?model=models/lost.xml`, { wait: false });
    await lost.waitForSelector('#problems:not([hidden])');
    assert.match(await lost.locator('#problem-text').innerText(), /lost\.xml: 404/);
    await lost.context().close();
    await server.stop();
  });
});
