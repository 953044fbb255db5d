// The same computation in Node.js, in a browser and in native programs: a model under fixed controls, and the fingerprint of its state.

/** Models of the repository, with every kind of joint, contacts, muscles, tendons that wrap, cloth and fluid. */
export const MODELS = [
  'bench/chain', 'bench/cubes', 'bench/figure', 'bench/leg', 'bench/pile', 'robot/quadruped', 'actuator/muscle', 'tendon/wrap', 'flex/clothstretch',
  'passive/fluidellipsoid',
];

/** Fingerprints after so many steps, by model; `texts` has the text of each. Runs in the page too, so it uses nothing from outside. */
export function fingerprints(engine, texts, steps) {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => {
    const sim = engine.openText(text);
    sim.array('ctrl').forEach((_, index, controls) => { controls[index] = 0.125 * (index % 3); });
    sim.step(steps);
    const hash = sim.hash();
    sim.end();
    return [name, hash];
  }));
}
