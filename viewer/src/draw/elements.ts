// The elements of a scene as objects to draw, one for each place in the list.

import * as THREE from 'three';
import { HEIGHT_FIELD, MESH as MESH_ASSET, SKIN as SKIN_ASSET, type Frame, type Look, type Model, type Surface } from '../protocol';
import type { Assets } from './assets';
import type { Materials } from './materials';
import { BOX, FLEX, HFIELD, LABEL, LINE, LINEBOX, MESH, PLANE, SDF, SKIN, parts, unit } from './shapes';

const DECOR = 4;

/** One place in the list. */
interface Slot { look: Look; group: THREE.Group; waiting: boolean }

export class Elements {
  readonly root = new THREE.Group();
  private slots: Slot[] = [];
  private model: Model | null = null;
  private textures = true;
  private wireframe = false;

  constructor(private readonly assets: Assets, private readonly materials: Materials) {
    assets.onArrival = () => {
      this.materials.clear();
      this.slots.forEach((slot) => this.build(slot));
    };
  }

  reset(model: Model): void {
    this.root.clear();
    this.slots = [];
    this.materials.clear();
    this.model = model;
  }

  /** Looks and poses of a frame. */
  update(frame: Frame): void {
    const textures = frame.flags[1] !== 0, wireframe = frame.renderFlags[1] !== 0;
    const again = textures !== this.textures || wireframe !== this.wireframe;
    this.textures = textures;
    this.wireframe = wireframe;
    for (const [place, look] of frame.looks) {
      const slot = this.slots[place];
      if (slot) {
        slot.look = look;
        this.build(slot);
      } else {
        const fresh = { look, group: new THREE.Group(), waiting: false };
        fresh.group.matrixAutoUpdate = false;
        this.slots[place] = fresh;
        this.root.add(fresh.group);
        this.build(fresh);
      }
    }
    if (again) this.slots.forEach((slot) => this.build(slot));
    const position = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);
    this.slots.forEach((slot, place) => {
      slot.group.visible = place < frame.count;
      if (!slot.group.visible || slot.look.type === FLEX || slot.look.type === SKIN) return;
      const at = 7 * place, poses = frame.poses;
      position.set(poses[at]!, poses[at + 1]!, poses[at + 2]!);
      turn.set(poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, poses[at + 3]!);
      slot.group.matrix.compose(position, turn, one);
      slot.group.matrixWorldNeedsUpdate = true;
    });
    frame.surfaces.forEach((surface) => this.surface(surface));
  }

  /** Elements with a text beside them, with their places. */
  labels(count: number): { text: string; position: THREE.Vector3 }[] {
    return this.slots.slice(0, count).filter((slot) => slot.look.label !== '')
      .map((slot) => ({ text: slot.look.label, position: new THREE.Vector3().setFromMatrixPosition(slot.group.matrix) }));
  }

  /** The first plane or box that mirrors. */
  mirror(count: number): { group: THREE.Group; normal: THREE.Vector3; point: THREE.Vector3 } | null {
    const slot = this.slots.slice(0, count).find(({ look }) => (look.type === PLANE || look.type === BOX) && look.reflectance > 0 && look.rgba[3] >= 1);
    if (!slot) return null;
    const normal = new THREE.Vector3().setFromMatrixColumn(slot.group.matrix, 2);
    const point = new THREE.Vector3().setFromMatrixPosition(slot.group.matrix);
    if (slot.look.type === BOX) point.addScaledVector(normal, slot.look.size[2]);
    return { group: slot.group, normal, point };
  }

  /** Height and axis of the first plane without end. */
  endless(count: number): THREE.Matrix4 | null {
    return this.slots.slice(0, count).find(({ look }) => look.type === PLANE && look.size[0] === 0 && look.size[1] === 0)?.group.matrix ?? null;
  }

  private build(slot: Slot): void {
    const { look, group } = slot;
    group.clear();
    if (!this.model || look.type === LABEL) return;
    const material = this.materials.get(look, this.model, true, this.textures);
    if ('wireframe' in material) (material as THREE.MeshPhongMaterial).wireframe = this.wireframe;
    const add = (geometry: THREE.BufferGeometry): THREE.Object3D => {
      const line = look.type === LINE || look.type === LINEBOX;
      const object = line ? new THREE.LineSegments(geometry, material) : new THREE.Mesh(geometry, material);
      object.matrixAutoUpdate = false;
      object.castShadow = !line && look.category !== DECOR && look.rgba[3] >= 1;
      object.receiveShadow = look.category !== DECOR;
      group.add(object);
      return object;
    };
    if (look.type === PLANE) {
      const far = 2.1 * this.model.far;
      const object = add(unit('square'));
      const [x, y] = look.dataid >= 0 ? [look.size[0] || far, look.size[1] || far] : [look.size[0], look.size[1]];
      // The texture is placed by the surface's own coordinates, so the square itself is scaled.
      (object as THREE.Mesh).geometry = unit('square').clone().scale(x, y, 1);
    } else if (look.type === MESH || look.type === SDF || look.type === HFIELD) {
      const shape = this.assets.shape(look.type === HFIELD ? HEIGHT_FIELD : MESH_ASSET, look.dataid);
      if (shape) add(shape);
    } else if (look.type === FLEX || look.type === SKIN) {
      this.buildSurface(slot, material);
    } else {
      for (const part of parts(look)) {
        const object = add(unit(part.shape));
        object.matrix.makeScale(...part.scale).setPosition(0, 0, part.up);
      }
    }
  }

  private buildSurface(slot: Slot, material: THREE.Material): void {
    material.side = THREE.DoubleSide;
    const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    slot.group.add(mesh);
    if (slot.look.type === FLEX) {
      const [r, g, b] = slot.look.rgba;
      const lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: new THREE.Color(r, g, b) }));
      lines.frustumCulled = false;
      slot.group.add(lines);
    }
    slot.group.matrix.identity();
  }

  /** Vertices of a skin or flex as they are now. */
  private surface(surface: Surface): void {
    const kind = surface.flex ? FLEX : SKIN;
    const slot = this.slots.find(({ look }) => look.type === kind && look.objid === surface.number);
    const mesh = slot?.group.children[0] as THREE.Mesh | undefined;
    if (!slot || !mesh) return;
    const geometry = mesh.geometry;
    const topology = surface.flex ? null : this.assets.shape(SKIN_ASSET, surface.number);
    set(geometry, 'position', surface.positions, 3);
    set(geometry, 'normal', surface.normals, 3);
    if (surface.texcoords.length > 0) set(geometry, 'uv', surface.texcoords, 2);
    if (topology) {
      geometry.setIndex(topology.index);
      const uv = topology.getAttribute('uv');
      if (uv) geometry.setAttribute('uv', uv);
    }
    mesh.visible = surface.positions.length > 0 && (surface.flex || topology !== null);
    const lines = slot.group.children[1] as THREE.LineSegments | undefined;
    if (lines) {
      set(lines.geometry, 'position', surface.lines, 3);
      lines.visible = surface.lines.length > 0;
    }
  }
}

function set(geometry: THREE.BufferGeometry, name: string, values: Float32Array, width: number): void {
  const known = geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
  if (known && known.array.length === values.length) {
    known.copyArray(values);
    known.needsUpdate = true;
  } else {
    geometry.setAttribute(name, new THREE.BufferAttribute(values, width).setUsage(THREE.DynamicDrawUsage));
  }
}
