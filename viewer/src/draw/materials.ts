// How surfaces look: the lighting model of the fixed graphics pipeline, with the textures of materials and the mirror of a plane.

import * as THREE from 'three';
import type { Look, Model } from '../protocol';
import type { Assets } from './assets';
import { LINE, LINEBOX, PLANE, TRIANGLE } from './shapes';

// Colours are computed as they are stored, without a physical model: diffuse · max(n·l, 0) + specular · max(n·h, 0)^shininess.
THREE.ColorManagement.enabled = false;
THREE.ShaderChunk.lights_phong_pars_fragment = /* glsl */ `
varying vec3 vViewPosition;
struct BlinnPhongMaterial { vec3 diffuseColor; vec3 specularColor; float specularShininess; float specularStrength; };
void RE_Direct_Plain(const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal,
    const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight) {
  float facing = dot(geometryNormal, directLight.direction);
  if (facing <= 0.0) return;
  reflectedLight.directDiffuse += facing * directLight.color * material.diffuseColor;
  float shine = max(dot(geometryNormal, normalize(directLight.direction + geometryViewDir)), 0.0);
  reflectedLight.directSpecular += 0.6 * directLight.color * pow(shine, max(material.specularShininess, 1e-3)) * material.specularColor * material.specularStrength;
}
void RE_IndirectDiffuse_Plain(const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal,
    const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight) {
  reflectedLight.indirectDiffuse += irradiance * material.diffuseColor;
}
#define RE_Direct RE_Direct_Plain
#define RE_IndirectDiffuse RE_IndirectDiffuse_Plain
`;

/** The picture that mirrors add, shared by all materials. */
export const mirror = { texture: { value: null as THREE.Texture | null }, size: { value: new THREE.Vector2(1, 1) } };

/** Where the colours of a texture come from. */
type Mapping =
  | { kind: 'none' }
  | { kind: 'coordinates' }
  | { kind: 'planar'; factor: [number, number] }
  | { kind: 'cube'; factor: [number, number, number] };

function mapping(look: Look, model: Model): { texture: number; mapping: Mapping } {
  const material = model.materials[look.matid];
  const none = { texture: -1, mapping: { kind: 'none' } as Mapping };
  if (!material || material.texture < 0) return none;
  const flat = model.textures[material.texture] === 'flat';
  if (look.texcoord !== 0) return flat ? { texture: material.texture, mapping: { kind: 'coordinates' } } : none;
  if (!flat) return { texture: material.texture, mapping: { kind: 'cube', factor: material.uniform ? look.size : [1, 1, 1] } };
  const factor: [number, number] = [...material.repeat];
  for (const axis of [0, 1] as const) {
    const size = look.size[axis];
    if (size > 0) {
      if (look.dataid >= 0) factor[axis] /= Math.max(size, 1e-15);
      if (material.uniform) factor[axis] *= size;
    }
  }
  return { texture: material.texture, mapping: { kind: 'planar', factor: [0.5 * factor[0], 0.5 * factor[1]] } };
}

/** Materials by what makes them different. */
export class Materials {
  private readonly made = new Map<string, THREE.Material>();

  constructor(private readonly assets: Assets) {}

  clear(): void {
    this.made.forEach((material) => material.dispose());
    this.made.clear();
  }

  get(look: Look, model: Model, mirrors: boolean, textures: boolean): THREE.Material {
    const { texture, mapping: how } = textures ? mapping(look, model) : { texture: -1, mapping: { kind: 'none' } as Mapping };
    const key = JSON.stringify([look.rgba, look.emission, look.specular, look.shininess, mirrors && look.reflectance, texture, how,
      look.type === LINE || look.type === LINEBOX, look.type === TRIANGLE || look.type === PLANE]);
    let material = this.made.get(key);
    if (!material) {
      if (this.made.size > 4000) this.clear();
      material = this.make(look, texture, how, mirrors);
      this.made.set(key, material);
    }
    return material;
  }

  private make(look: Look, texture: number, how: Mapping, mirrors: boolean): THREE.Material {
    const [r, g, b, a] = look.rgba;
    const color = new THREE.Color(r, g, b);
    const common = { color, opacity: a, transparent: a < 1, depthWrite: a >= 1 };
    if (look.type === LINE || look.type === LINEBOX) return new THREE.LineBasicMaterial(common);
    const material = new THREE.MeshPhongMaterial({
      ...common,
      emissive: color.clone().multiplyScalar(look.emission),
      specular: new THREE.Color(look.specular, look.specular, look.specular),
      shininess: Math.min(Math.max(look.shininess, 0), 1) * 128,
      side: look.type === TRIANGLE || look.type === PLANE ? THREE.DoubleSide : THREE.FrontSide,
    });
    const image = how.kind === 'none' ? null : this.assets.texture(texture);
    this.patch(material, how, image, mirrors ? look.reflectance : 0);
    return material;
  }

  /** Adds texture lookups and the mirror to the shader. */
  private patch(material: THREE.MeshPhongMaterial, how: Mapping, image: THREE.Texture | null, reflectance: number): void {
    if (!image && reflectance <= 0) return;
    material.onBeforeCompile = (shader) => {
      let declare = '', place = '', colour = '';
      if (image) {
        shader.uniforms.surfaceTexture = { value: image };
        declare += 'varying vec3 vPlace;\n';
        if (how.kind === 'cube') {
          shader.uniforms.surfaceFactor = { value: new THREE.Vector3(...how.factor) };
          place = 'vPlace = position * surfaceFactor;';
          colour = 'diffuseColor *= textureCube(surfaceTexture, vPlace);';
        } else if (how.kind === 'planar') {
          shader.uniforms.surfaceFactor = { value: new THREE.Vector3(how.factor[0], -how.factor[1], 0) };
          place = 'vPlace = position * surfaceFactor - 0.5;';
          colour = 'diffuseColor *= texture2D(surfaceTexture, vPlace.xy);';
        } else {
          shader.uniforms.surfaceFactor = { value: new THREE.Vector3() };
          place = 'vPlace = vec3(uv, 0.0);';
          colour = 'diffuseColor *= texture2D(surfaceTexture, vPlace.xy);';
        }
      }
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${declare}${image ? 'uniform vec3 surfaceFactor;\n' : ''}`)
        .replace('#include <begin_vertex>', `#include <begin_vertex>\n${place}`);
      const sampler = how.kind === 'cube' ? 'samplerCube' : 'sampler2D';
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${declare}${image ? `uniform ${sampler} surfaceTexture;\n` : ''}`)
        .replace('#include <map_fragment>', colour);
      if (reflectance > 0) {
        shader.uniforms.mirrorTexture = mirror.texture;
        shader.uniforms.mirrorSize = mirror.size;
        shader.uniforms.mirrorShare = { value: reflectance };
        shader.fragmentShader = shader.fragmentShader
          .replace('#include <common>', '#include <common>\nuniform sampler2D mirrorTexture;\nuniform vec2 mirrorSize;\nuniform float mirrorShare;\n')
          .replace('#include <opaque_fragment>', `
            vec2 mirrorPlace = gl_FragCoord.xy / mirrorSize;
            outgoingLight += mirrorShare * texture2D(mirrorTexture, vec2(1.0 - mirrorPlace.x, mirrorPlace.y)).rgb;
            #include <opaque_fragment>`);
      }
    };
    material.customProgramCacheKey = () => `${image ? how.kind : 'none'} ${reflectance > 0}`;
  }
}
