// Messages of a session. The binary ones are read in the order in which the crate `condyle-viewer` writes them
// (`asset.rs` and `frame.rs`); all numbers are little-endian.

export interface Body { name: string; parent: number; mass: number }
export interface Joint {
  name: string; kind: 'free' | 'ball' | 'slide' | 'hinge'; qpos: number; dof: number;
  coordinates: number; dofs: number; body: number; limited: boolean; range: [number, number];
}
export interface Actuator { name: string; limited: boolean; range: [number, number] }
export interface Sensor { name: string; address: number; dimension: number }
export interface Switch { name: string; key: string }
export interface Material { texture: number; uniform: boolean; repeat: [number, number] }

export interface Model {
  type: 'model'; revision: number; name: string; warnings: string; passive: boolean;
  timestep: number; extent: number; center: [number, number, number];
  bodies: Body[]; joints: Joint[]; actuators: Actuator[]; sensors: Sensor[];
  geoms: string[]; geomBody: number[]; cameras: string[]; keyframes: string[]; equalities: string[];
  materials: Material[]; textures: ('flat' | 'cube' | 'skybox')[];
  fogStart: number; fogEnd: number; far: number; shadowClip: number; shadowScale: number;
  fog: number[]; haze: number[];
  flags: Switch[]; renderFlags: Switch[]; labels: string[]; frames: string[];
  timers: { name: string; parent: number | null }[];
}

export interface Note {
  type: 'problems' | 'event' | 'refused' | 'explain' | 'hash' | 'contacts' | 'keyframe' | 'texts' | 'figures' | 'images';
  text: string;
}

/** What an element looks like; it stays for many frames. */
export interface Look {
  type: number; dataid: number; objtype: number; objid: number; category: number; matid: number;
  texcoord: number; segid: number; size: [number, number, number]; rgba: [number, number, number, number];
  emission: number; specular: number; shininess: number; reflectance: number; label: string;
}

export interface Light {
  type: number; castshadow: boolean; headlight: boolean; pos: number[]; dir: number[]; attenuation: number[];
  ambient: number[]; diffuse: number[]; specular: number[]; cutoff: number; exponent: number; range: number;
}

export interface Camera {
  pos: number[]; forward: number[]; up: number[]; center: number; bottom: number; top: number; near: number; far: number;
  orthographic: boolean; type: number; fixed: number; tracked: number;
}

export interface Surface {
  flex: boolean; number: number; positions: Float32Array; normals: Float32Array; texcoords: Float32Array; lines: Float32Array;
}

export interface Frame {
  playing: boolean; full: boolean; pulling: boolean; revision: number; time: number; step: number; rate: number; speed: number;
  camera: Camera; flags: Uint8Array; renderFlags: Uint8Array; groups: Uint8Array; label: number; frame: number;
  count: number; looks: [number, Look][]; poses: Float32Array; lights: Light[]; surfaces: Surface[];
  ctrl: Float64Array; qpos: Float64Array; stages: Float32Array; contacts: number; iterations: number;
  energy: [number, number]; selected: { body: number; geom: number; point: [number, number, number] };
  history: { count: number; first: number; firstTime: number; last: number; lastTime: number; at: number };
  plots: { number: number; samples: Float64Array }[]; bytes: number;
}

export interface Shape { kind: 'shape'; asset: number; number: number; revision: number; positions: Float32Array; normals: Float32Array; texcoords: Float32Array; faces: Uint32Array }
export interface Texture { kind: 'texture'; number: number; revision: number; width: number; height: number; faces: number; srgb: boolean; texels: Uint8Array }

/** Reads numbers one after the other. */
class Reader {
  private at = 0;
  private readonly view: DataView;
  constructor(private readonly buffer: ArrayBuffer) { this.view = new DataView(buffer); }
  byte(): number { return this.view.getUint8(this.at++); }
  unsigned(): number { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  integer(): number { this.at += 4; return this.view.getInt32(this.at - 4, true); }
  single(): number { this.at += 4; return this.view.getFloat32(this.at - 4, true); }
  double(): number { this.at += 8; return this.view.getFloat64(this.at - 8, true); }
  vector(): [number, number, number] { return [this.single(), this.single(), this.single()]; }
  bytes(count: number): Uint8Array { this.at += count; return new Uint8Array(this.buffer, this.at - count, count); }
  singles(count: number): Float32Array<ArrayBuffer> {
    this.at += 4 * count;
    return new Float32Array(this.buffer.slice(this.at - 4 * count, this.at));
  }
  doubles(count: number): Float64Array<ArrayBuffer> {
    this.at += 8 * count;
    return new Float64Array(this.buffer.slice(this.at - 8 * count, this.at));
  }
  indices(count: number): Uint32Array<ArrayBuffer> {
    this.at += 4 * count;
    return new Uint32Array(this.buffer.slice(this.at - 4 * count, this.at));
  }
  align(): void { this.at = (this.at + 3) & ~3; }
  skip(count: number): void { this.at += count; }
}

export const MESH = 0, HEIGHT_FIELD = 1, TEXTURE = 2, SKIN = 3;

/** An asset or a frame; `null` for anything else. */
export function decode(buffer: ArrayBuffer): Shape | Texture | Frame | null {
  const kind = new Uint8Array(buffer)[0];
  if (kind === 1) return decodeAsset(new Reader(buffer));
  return kind === 2 ? decodeFrame(new Reader(buffer), buffer.byteLength) : null;
}

function decodeAsset(r: Reader): Shape | Texture {
  r.skip(1);
  const asset = r.byte();
  r.skip(2);
  const revision = r.unsigned(), number = r.unsigned();
  if (asset === TEXTURE) {
    const width = r.unsigned(), height = r.unsigned(), faces = r.unsigned(), srgb = r.unsigned() === 1;
    return { kind: 'texture', number, revision, width, height, faces, srgb, texels: r.bytes(4 * width * height * faces).slice() };
  }
  const corners = r.unsigned(), faces = r.unsigned(), texcoords = r.unsigned();
  return {
    kind: 'shape', asset, number, revision, positions: r.singles(3 * corners), normals: r.singles(3 * corners),
    texcoords: r.singles(2 * texcoords), faces: r.indices(3 * faces),
  };
}

const decoder = new TextDecoder();

function decodeLook(r: Reader): [number, Look] {
  const place = r.unsigned();
  const look: Look = {
    type: r.integer(), dataid: r.integer(), objtype: r.integer(), objid: r.integer(), category: r.integer(),
    matid: r.integer(), texcoord: r.integer(), segid: r.integer(), size: r.vector(),
    rgba: [r.single(), r.single(), r.single(), r.single()],
    emission: r.single(), specular: r.single(), shininess: r.single(), reflectance: r.single(), label: '',
  };
  look.label = decoder.decode(r.bytes(r.unsigned()));
  r.align();
  return [place, look];
}

function decodeCamera(r: Reader): Camera {
  return {
    pos: r.vector(), forward: r.vector(), up: r.vector(), center: r.single(), bottom: r.single(), top: r.single(),
    near: r.single(), far: r.single(), orthographic: r.integer() !== 0, type: r.integer(), fixed: r.integer(), tracked: r.integer(),
  };
}

function decodeLight(r: Reader): Light {
  return {
    type: r.integer(), castshadow: r.integer() !== 0, headlight: r.integer() !== 0, pos: r.vector(), dir: r.vector(),
    attenuation: r.vector(), ambient: r.vector(), diffuse: r.vector(), specular: r.vector(),
    cutoff: r.single(), exponent: r.single(), range: r.single(),
  };
}

function decodeSurface(r: Reader): Surface {
  return {
    flex: r.unsigned() === 1, number: r.unsigned(), positions: r.singles(r.unsigned()), normals: r.singles(r.unsigned()),
    texcoords: r.singles(r.unsigned()), lines: r.singles(r.unsigned()),
  };
}

function many<T>(count: number, read: () => T): T[] {
  const values: T[] = [];
  for (let k = 0; k < count; k++) values.push(read());
  return values;
}

function decodeFrame(r: Reader, bytes: number): Frame {
  r.skip(1);
  const bits = r.byte();
  r.skip(2);
  const revision = r.unsigned(), time = r.double(), step = r.double(), rate = r.single(), speed = r.single();
  const camera = decodeCamera(r);
  const flags = r.bytes(31), renderFlags = r.bytes(11), groups = r.bytes(42);
  r.align();
  const label = r.integer(), frame = r.integer();
  const count = r.unsigned(), changed = r.unsigned();
  const looks = many(changed, () => decodeLook(r));
  const poses = r.singles(7 * count);
  const lights = many(r.unsigned(), () => decodeLight(r));
  const surfaces = many(r.unsigned(), () => decodeSurface(r));
  const ctrl = r.doubles(r.unsigned()), qpos = r.doubles(r.unsigned()), stages = r.singles(r.unsigned());
  const contacts = r.unsigned(), iterations = r.unsigned();
  const energy: [number, number] = [r.double(), r.double()];
  const body = r.integer(), geom = r.integer();
  const point: [number, number, number] = [r.double(), r.double(), r.double()];
  const history = { count: r.double(), first: r.double(), firstTime: r.double(), last: r.double(), lastTime: r.double(), at: r.double() };
  const plots = many(r.unsigned(), () => ({ number: r.unsigned(), samples: r.doubles(2 * r.unsigned()) }));
  return {
    playing: (bits & 1) !== 0, full: (bits & 2) !== 0, pulling: (bits & 4) !== 0, revision, time, step, rate, speed, camera,
    flags, renderFlags, groups, label, frame, count, looks, poses, lights, surfaces, ctrl, qpos, stages, contacts, iterations,
    energy, selected: { body, geom, point }, history, plots, bytes,
  };
}
