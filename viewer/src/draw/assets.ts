// Meshes, height fields, skins and textures of the model, asked for when they are first needed and kept while the model stays.

import * as THREE from 'three';
import { HEIGHT_FIELD, MESH, SKIN, type Model, type Shape, type Texture } from '../protocol';

const WORDS = { [MESH]: 'mesh', [HEIGHT_FIELD]: 'hfield', [SKIN]: 'skin' } as Record<number, string>;

export class Assets {
  private readonly shapes = new Map<string, THREE.BufferGeometry>();
  private readonly textures = new Map<number, THREE.Texture>();
  private readonly asked = new Set<string>();
  /** Called when something arrived, so that what uses it is drawn anew. */
  onArrival: () => void = () => {};
  model: Model | null = null;

  constructor(private readonly ask: (line: string) => void) {}

  /** Whether something that was asked for is still on its way. */
  get waiting(): boolean { return this.asked.size > 0; }

  reset(model: Model): void {
    this.shapes.forEach((shape) => shape.dispose());
    this.textures.forEach((texture) => texture.dispose());
    this.shapes.clear();
    this.textures.clear();
    this.asked.clear();
    this.model = model;
  }

  /** A surface of the model; `null` until it has arrived. */
  shape(kind: number, number: number): THREE.BufferGeometry | null {
    const key = `${kind} ${number}`;
    const shape = this.shapes.get(key);
    if (!shape && !this.asked.has(key)) {
      this.asked.add(key);
      this.ask(`asset ${WORDS[kind]} ${number}`);
    }
    return shape ?? null;
  }

  /** A texture of the model; grey until it has arrived. */
  texture(number: number): THREE.Texture {
    const known = this.textures.get(number);
    if (known) return known;
    const flat = this.model?.textures[number] === 'flat';
    const grey = new Uint8Array([160, 160, 160, 255]);
    const texture = flat ? new THREE.DataTexture(grey, 1, 1) : cube([grey, grey, grey, grey, grey, grey], 1);
    texture.needsUpdate = true;
    this.textures.set(number, texture);
    this.asked.add(`texture ${number}`);
    this.ask(`asset texture ${number}`);
    return texture;
  }

  receive(asset: Shape | Texture): void {
    if (asset.revision !== this.model?.revision) return;
    if (asset.kind === 'texture') {
      this.asked.delete(`texture ${asset.number}`);
      this.fill(asset);
    } else {
      const key = `${asset.asset} ${asset.number}`;
      this.asked.delete(key);
      this.shapes.set(key, geometry(asset));
    }
    this.onArrival();
  }

  private fill(asset: Texture): void {
    const size = 4 * asset.width * asset.height;
    let texture: THREE.Texture;
    if (this.model?.textures[asset.number] === 'flat') {
      texture = new THREE.DataTexture(asset.texels as Uint8Array<ArrayBuffer>, asset.width, asset.height);
      texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    } else {
      const face = (k: number) => asset.texels.subarray(k * size, (k + 1) * size);
      texture = cube(Array.from({ length: 6 }, (_, k) => face(asset.faces < 6 ? 0 : k)), asset.width);
    }
    texture.magFilter = THREE.LinearFilter;
    texture.minFilter = THREE.LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.anisotropy = 4;
    if (asset.srgb) texture.colorSpace = THREE.SRGBColorSpace;
    texture.needsUpdate = true;
    this.textures.get(asset.number)?.dispose();
    this.textures.set(asset.number, texture);
  }
}

function cube(faces: Uint8Array[], side: number): THREE.CubeTexture {
  const images = faces.map((face) => {
    const image = new THREE.DataTexture(face as Uint8Array<ArrayBuffer>, side, side);
    image.needsUpdate = true;
    return image;
  });
  const texture = new THREE.CubeTexture(images as unknown as HTMLImageElement[]);
  texture.format = THREE.RGBAFormat;
  return texture;
}

function geometry(asset: Shape): THREE.BufferGeometry {
  const shape = new THREE.BufferGeometry();
  if (asset.positions.length > 0) {
    shape.setAttribute('position', new THREE.BufferAttribute(asset.positions, 3));
    shape.setAttribute('normal', new THREE.BufferAttribute(asset.normals, 3));
  }
  if (asset.texcoords.length > 0) shape.setAttribute('uv', new THREE.BufferAttribute(asset.texcoords, 2));
  shape.setIndex(new THREE.BufferAttribute(asset.faces, 1));
  if (asset.positions.length > 0) shape.computeBoundingSphere();
  return shape;
}
