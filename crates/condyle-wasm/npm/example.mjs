// node example.mjs

import { readFile } from 'node:fs/promises';
import { load } from './index.js';

const engine = await load(await readFile(new URL('condyle.wasm', import.meta.url)));
const sim = engine.openText(`
<mujoco>
  <worldbody>
    <body pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>`);
sim.array('ctrl')[0] = 0.5;
sim.step(1000);
console.log(`time ${sim.time.toFixed(3)} s, angle ${sim.array('qpos')[0].toFixed(6)} rad, state ${sim.hash()}`);
