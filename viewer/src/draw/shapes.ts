// Surfaces of unit size that elements are made of, and the parts an element consists of.

import * as THREE from 'three';
import type { Look } from '../protocol';

// Kinds of elements, as in MuJoCo.
export const PLANE = 0, HFIELD = 1, SPHERE = 2, CAPSULE = 3, ELLIPSOID = 4, CYLINDER = 5, BOX = 6, MESH = 7, SDF = 8;
export const ARROW = 100, ARROW1 = 101, ARROW2 = 102, LINE = 103, LINEBOX = 104, FLEX = 105, SKIN = 106, LABEL = 107, TRIANGLE = 108;

const SLICES = 32;

function upright(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

/** Open or closed cylinder of radius 1 from z = -1 to 1. */
function cylinder(open: boolean): THREE.BufferGeometry {
  return upright(new THREE.CylinderGeometry(1, 1, 2, SLICES, 1, open));
}

function dome(sign: number): THREE.BufferGeometry {
  const half = new THREE.SphereGeometry(1, SLICES, 12, 0, 2 * Math.PI, 0, Math.PI / 2);
  half.rotateX(Math.PI / 2);
  if (sign < 0) half.rotateX(Math.PI);
  return half;
}

/** Cone with its rim at z = 0 and its tip at z = 1. */
function cone(): THREE.BufferGeometry {
  return upright(new THREE.ConeGeometry(1, 1, SLICES)).translate(0, 0, 0.5);
}

function lines(points: number[]): THREE.BufferGeometry {
  return new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
}

function boxLines(): THREE.BufferGeometry {
  const points: number[] = [];
  const corner = (k: number) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1];
  for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) points.push(...corner(k), ...corner(k | bit));
  return lines(points);
}

function triangle(): THREE.BufferGeometry {
  const geometry = lines([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  geometry.computeVertexNormals();
  return geometry;
}

const made = new Map<string, THREE.BufferGeometry>();
const makers: Record<string, () => THREE.BufferGeometry> = {
  sphere: () => upright(new THREE.SphereGeometry(1, SLICES, 24)),
  top: () => dome(1),
  bottom: () => dome(-1),
  tube: () => cylinder(true),
  cylinder: () => cylinder(false),
  cone,
  box: () => new THREE.BoxGeometry(2, 2, 2),
  square: () => new THREE.PlaneGeometry(2, 2),
  line: () => lines([0, 0, 0, 0, 0, 1]),
  linebox: boxLines,
  triangle,
};

export function unit(name: string): THREE.BufferGeometry {
  let geometry = made.get(name);
  if (!geometry) {
    geometry = makers[name]!();
    made.set(name, geometry);
  }
  return geometry;
}

/** A surface of an element: its shape, its scale and how far it is moved along the element's axis. */
export interface Part { shape: string; scale: [number, number, number]; up: number }

/** Surfaces of an element with a built-in shape. */
export function parts(look: Look): Part[] {
  const [x, y, z] = look.size;
  const one = (shape: string, scale: [number, number, number] = [x, y, z], up = 0): Part => ({ shape, scale, up });
  switch (look.type) {
    case SPHERE: case ELLIPSOID: return [one('sphere')];
    case CAPSULE: {
      const round = 0.5 * (x + y);
      return [one('tube'), one('top', [x, y, round], z), one('bottom', [x, y, round], -z)];
    }
    case CYLINDER: return [one('cylinder')];
    case BOX: return [one('box')];
    case ARROW: case ARROW1: {
      const wide = look.type === ARROW ? 1.75 : 1, step = z / 6;
      return [one('cylinder', [x, y, step], step), one('cone', [wide * x, wide * y, step], 2 * step)];
    }
    case ARROW2: {
      const step = z / 6;
      return [one('tube', [x, y, z / 3]), one('cone', [1.75 * x, -1.75 * y, -step], -2 * step), one('cone', [1.75 * x, 1.75 * y, step], 2 * step)];
    }
    case LINE: return [one('line', [1, 1, z])];
    case LINEBOX: return [one('linebox')];
    case TRIANGLE: return [one('triangle', [x, y, 1])];
    default: return [];
  }
}
