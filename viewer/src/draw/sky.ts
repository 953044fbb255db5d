// What is behind everything: the skybox, and the haze where a plane without end meets it.

import * as THREE from 'three';
import type { Frame } from '../protocol';

const SLICES = 64;
/** Height of the haze by its radius, as models have it unless they say otherwise. */
const SHARE = 0.3;

/** A sphere around the camera with the skybox texture, turned by a right angle about x. */
export function sky(): THREE.Mesh {
  const material = new THREE.ShaderMaterial({
    uniforms: { box: { value: null } },
    vertexShader: 'varying vec3 vWay; void main() { vWay = vec3(position.x, position.z, -position.y); gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: 'uniform samplerCube box; varying vec3 vWay; void main() { gl_FragColor = vec4(textureCube(box, vWay).rgb, 1.0); }',
    side: THREE.BackSide,
    depthWrite: false,
  });
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), material);
  mesh.frustumCulled = false;
  mesh.renderOrder = -1;
  mesh.visible = false;
  return mesh;
}

/** A truncated cone that is opaque at the horizon and clear above and below. */
export function haze(rgba: number[]): THREE.Mesh {
  const positions: number[] = [], colors: number[] = [], faces: number[] = [];
  const middle = SHARE / (1 + SHARE);
  const [r = 1, g = 1, b = 1] = rgba;
  for (const [height, alpha] of [[0, 0], [middle, 1], [1, 0]] as const) {
    const radius = 1 - SHARE * (1 - height);
    for (let k = 0; k <= SLICES; k++) {
      const angle = (2 * Math.PI * k) / SLICES;
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), height);
      colors.push(r, g, b, alpha);
    }
  }
  for (let ring = 0; ring < 2; ring++) {
    for (let k = 0; k < SLICES; k++) {
      const low = ring * (SLICES + 1) + k, high = low + SLICES + 1;
      faces.push(low, low + 1, high, low + 1, high + 1, high);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 4));
  geometry.setIndex(faces);
  const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  return mesh;
}

/** Puts the haze around the camera, as high as the camera is above the plane. */
export function placeHaze(mesh: THREE.Mesh, plane: THREE.Matrix4 | null, frame: Frame, wanted: boolean): void {
  mesh.visible = false;
  if (!plane || !wanted) return;
  const eye = new THREE.Vector3(...frame.camera.pos);
  const normal = new THREE.Vector3().setFromMatrixColumn(plane, 2);
  const distance = 0.7 * frame.camera.far;
  const elevation = eye.clone().sub(new THREE.Vector3().setFromMatrixPosition(plane)).dot(normal) / distance;
  if (!(elevation >= 0)) return;
  const turned = new THREE.Matrix4().extractRotation(plane).scale(new THREE.Vector3(distance, distance, distance)).setPosition(eye);
  const lowered = new THREE.Matrix4().makeScale(1, 1, elevation).setPosition(0, 0, -elevation);
  mesh.matrix.copy(turned.multiply(lowered));
  mesh.matrixWorldNeedsUpdate = true;
  mesh.visible = true;
}
