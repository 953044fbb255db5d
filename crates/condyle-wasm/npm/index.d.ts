/** Loads the engine: from bytes, a response, a module, or an address; without one from `condyle.wasm` beside this file. */
export function load(source?: ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module | string | URL): Promise<Engine>;

/** Thrown when a model cannot be loaded or a snapshot does not fit; the message has positions and help. */
export class CondyleError extends Error {}

/** An array in the engine's memory. */
export type EngineArray = Float64Array | Float32Array | Int32Array | BigInt64Array | Uint8Array;

export class Engine {
  private constructor();
  /** Gives a file its bytes, for models that name it. */
  addFile(name: string, content: string | Uint8Array): void;
  forgetFiles(): void;
  /** A simulation of a file that was added: MJCF, URDF or a binary model. */
  open(name: string): Simulation;
  /** A simulation of a model text. */
  openText(text: string, name?: string): Simulation;
  /** A session of the viewer. */
  session(name: string): Session;
}

export class Simulation {
  private constructor();
  /** What was noticed when the model was loaded; empty for nothing. */
  readonly warnings: string;
  /** Simulated time, s. */
  readonly time: number;
  step(count?: number): void;
  /** Computes everything for the present state without advancing time. */
  forward(): void;
  reset(): void;
  resetToKeyframe(index: number): boolean;
  /** An array of the data (`qpos`, `ctrl`, `xpos`, …) or of the model (`geom_size`, …), in place: writing to arrays of the data changes the simulation. It is valid until the engine's memory grows; ask again after loading another model. */
  array(name: string): EngineArray;
  /** A size of the model (`nq`, `nbody`, …). */
  size(name: string): number;
  /** Number of an element by its kind (as MuJoCo's mjtObj) and name; -1 for none. */
  nameToId(kind: number, name: string): number;
  /** Fingerprint of time, positions, velocities, activations and controls. */
  hash(): string;
  /** What happened in the latest step, in words. */
  report(): string;
  /** The simulation set aside, to be continued with the same bits. */
  snapshot(): Uint8Array;
  restore(snapshot: Uint8Array): void;
  end(): void;
}

export class Session {
  private constructor();
  /** Shows a file that was added, or its problems; `keep` keeps the state of the model before where it fits. */
  show(name: string, keep?: boolean): void;
  connect(): void;
  command(line: string): void;
  advance(): boolean;
  poll(): (string | ArrayBuffer)[];
  end(): void;
}
