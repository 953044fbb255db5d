// Classes over the functions of condyle.wasm. Texts and files are copied into its memory; arrays are read and written in place.

const KINDS = { f64: Float64Array, f32: Float32Array, i32: Int32Array, i64: BigInt64Array, u8: Uint8Array };
const encoder = new TextEncoder(), decoder = new TextDecoder();

/** Loads the engine: from bytes, a response, a module, or an address. */
export async function load(source) {
  const imports = { condyle: { now: () => performance.now() / 1000 } };
  let instance;
  if (source instanceof WebAssembly.Module) instance = await WebAssembly.instantiate(source, imports);
  else if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) ({ instance } = await WebAssembly.instantiate(source, imports));
  else {
    const response = source instanceof Response ? source : await fetch(source ?? new URL('condyle.wasm', import.meta.url));
    ({ instance } = await WebAssembly.instantiate(await response.arrayBuffer(), imports));
  }
  return new Engine(instance.exports);
}

/** Thrown when a model cannot be loaded or a snapshot does not fit; the message has positions and help. */
export class CondyleError extends Error {}

export class Engine {
  constructor(wasm) { this.wasm = wasm; }

  /** Calls `use` with places of bytes in the engine's memory. */
  lend(contents, use) {
    const rooms = contents.map((content) => {
      const bytes = typeof content === 'string' ? encoder.encode(content) : content;
      const place = this.wasm.condyle_room(bytes.length);
      if (place === 0) throw new CondyleError(`there is no memory for ${bytes.length} bytes`);
      new Uint8Array(this.wasm.memory.buffer, place, bytes.length).set(bytes);
      return [place, bytes.length];
    });
    try {
      return use(...rooms.flat());
    } finally {
      for (const [place, length] of rooms) this.wasm.condyle_release(place, length);
    }
  }

  /** The bytes the engine answered last. */
  answer() { return new Uint8Array(this.wasm.memory.buffer, this.wasm.condyle_answer(), this.wasm.condyle_answer_length()).slice(); }
  answerText() { return decoder.decode(this.answer()); }

  addFile(name, content) { this.lend([name, content], (...places) => this.wasm.condyle_file(...places)); }
  forgetFiles() { this.wasm.condyle_forget_files(); }

  /** A simulation of a file that was added. */
  open(name) {
    const number = this.lend([name], (place, length) => this.wasm.condyle_load(place, length));
    if (number === 0) throw new CondyleError(this.answerText());
    return new Simulation(this, number, this.answerText());
  }

  /** A simulation of a model text. */
  openText(text, name = 'model.xml') {
    this.forgetFiles();
    this.addFile(name, text);
    return this.open(name);
  }

  session(name) { return new Session(this, this.lend([name], (place, length) => this.wasm.condyle_session(place, length))); }
}

export class Simulation {
  constructor(engine, number, warnings) {
    this.engine = engine;
    this.number = number;
    this.warnings = warnings;
  }

  get time() { return this.engine.wasm.condyle_sim_time(this.number); }
  step(count = 1) { this.engine.wasm.condyle_sim_step(this.number, count); }
  forward() { this.engine.wasm.condyle_sim_forward(this.number); }
  reset() { this.engine.wasm.condyle_sim_reset(this.number); }
  resetToKeyframe(index) { return this.engine.wasm.condyle_sim_keyframe(this.number, index) !== 0; }

  /** An array of the data (`qpos`) or of the model (`geom_size`), in place. It is valid until memory grows: ask again after loading. */
  array(name) {
    const { wasm } = this.engine;
    const [place, length] = this.engine.lend([name], (at, size) => [
      wasm.condyle_sim_array(this.number, at, size), wasm.condyle_sim_array_length(this.number, at, size),
    ]);
    const Kind = KINDS[this.engine.answerText()];
    if (!Kind) throw new CondyleError(`there is no array '${name}'`);
    return new Kind(wasm.memory.buffer, length === 0 ? 0 : place, length);
  }

  size(name) {
    const size = this.engine.lend([name], (place, length) => this.engine.wasm.condyle_sim_size(this.number, place, length));
    if (size < 0) throw new CondyleError(`the model has no size '${name}'`);
    return size;
  }

  /** Number of an element by its kind (as MuJoCo's mjtObj) and name; -1 for none. */
  nameToId(kind, name) {
    return this.engine.lend([name], (place, length) => this.engine.wasm.condyle_sim_name_to_id(this.number, kind, place, length));
  }

  hash() {
    this.engine.wasm.condyle_sim_hash(this.number);
    return this.engine.answerText();
  }

  report() {
    this.engine.wasm.condyle_sim_report(this.number);
    return this.engine.answerText();
  }

  snapshot() {
    this.engine.wasm.condyle_sim_snapshot(this.number);
    return this.engine.answer();
  }

  restore(snapshot) {
    const done = this.engine.lend([snapshot], (place, length) => this.engine.wasm.condyle_sim_restore(this.number, place, length));
    if (!done) throw new CondyleError(this.engine.answerText());
  }

  end() { this.engine.wasm.condyle_sim_end(this.number); }
}

/** A session of the viewer; see the page for its messages. */
export class Session {
  constructor(engine, number) {
    this.engine = engine;
    this.number = number;
  }

  /** Shows a file that was added, or its problems; `keep` keeps the state of the model before where it fits. */
  show(name, keep = true) {
    this.engine.lend([name], (place, length) => this.engine.wasm.condyle_session_show(this.number, place, length, keep ? 1 : 0));
  }

  connect() { this.engine.wasm.condyle_session_connect(this.number); }
  command(line) { this.engine.lend([line], (place, length) => this.engine.wasm.condyle_session_command(this.number, place, length)); }
  /** Steps as time requires; whether the page asked for the model to be loaded again. */
  advance() { return this.engine.wasm.condyle_session_advance(this.number) !== 0; }

  /** Messages that wait: texts and array buffers. */
  poll() {
    const { wasm } = this.engine, messages = [];
    wasm.condyle_session_poll(this.number);
    for (let kind = wasm.condyle_session_message(this.number); kind !== 0; kind = wasm.condyle_session_message(this.number)) {
      messages.push(kind === 1 ? this.engine.answerText() : this.engine.answer().buffer);
    }
    return messages;
  }

  end() { this.engine.wasm.condyle_session_end(this.number); }
}
