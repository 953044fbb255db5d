// The picture: camera, lights, sky, haze, mirror and elements of the latest frame.

import * as THREE from 'three';
import type { Frame, Light, Model, Shape, Texture } from '../protocol';
import { Assets } from './assets';
import { Elements } from './elements';
import { Materials, mirror } from './materials';
import { haze, placeHaze, sky } from './sky';

const SHADOW = 0, REFLECTION = 2, SKYBOX = 4, FOG = 5, HAZE = 6;
const SPOT = 0, DIRECTIONAL = 1;

export class Stage {
  readonly canvas = document.createElement('canvas');
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera();
  private readonly ambient = new THREE.AmbientLight(0xffffff, 1);
  private readonly assets: Assets;
  private readonly elements: Elements;
  private readonly sky = sky();
  private haze: THREE.Mesh | null = null;
  private lamps: (THREE.DirectionalLight | THREE.SpotLight | THREE.PointLight)[] = [];
  private lampKinds = '';
  private readonly software: boolean;
  private readonly target = new THREE.WebGLRenderTarget(1, 1, { samples: 0 });
  private readonly black = new THREE.DataTexture(new Uint8Array([0, 0, 0, 255]), 1, 1);
  private model: Model | null = null;
  private poses: Float32Array | null = null;
  private settings = '';
  private extent: [number, number] = [1, 1];
  private coarse = false;
  /** Pixels drawn per pixel of the window while the processor draws what moves: fewer where pictures take long. */
  private fineness = 0.6;
  private lastDrawn = 0;
  private interval = 0;
  private drawn = 0;
  /** Where labels stand in the window, pixels from the upper left corner. */
  labels: { text: string; x: number; y: number }[] = [];

  constructor(ask: (line: string) => void) {
    this.software = isSoftware();
    // Without a graphics card four samples per pixel cost four times as much.
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: !this.software, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = this.software ? THREE.BasicShadowMap : THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.assets = new Assets(ask);
    this.elements = new Elements(this.assets, new Materials(this.assets));
    this.black.needsUpdate = true;
    // Each check waits for the graphics process.
    this.renderer.debug.checkShaderErrors = import.meta.env.DEV;
    this.camera.matrixAutoUpdate = false;
    this.camera.matrixWorldAutoUpdate = false;
    this.scene.add(this.elements.root, this.ambient, this.sky);
  }

  /** Whether everything that is to be seen has arrived. */
  get complete(): boolean { return this.model !== null && !this.assets.waiting; }

  reset(model: Model): void {
    this.model = model;
    this.poses = null;
    this.assets.reset(model);
    this.elements.reset(model);
    if (this.haze) this.scene.remove(this.haze);
    this.haze = haze(model.haze);
    this.haze.visible = false;
    this.scene.add(this.haze);
  }

  receive(asset: Shape | Texture): void {
    this.assets.receive(asset);
    this.renderer.shadowMap.needsUpdate = true;
  }

  resize(width: number, height: number): void {
    this.extent = [width, height];
    const ratio = this.software ? (this.coarse ? this.fineness : 1) : Math.min(window.devicePixelRatio || 1, 2);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    const size = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    const share = this.software ? 0.5 : 1;
    this.target.setSize(Math.max(1, Math.round(size.x * share)), Math.max(1, Math.round(size.y * share)));
  }

  /** Brings objects to the state of a frame; whether the picture is another one. */
  update(frame: Frame): boolean {
    const settings = JSON.stringify([frame.camera, frame.lights, [...frame.flags], [...frame.renderFlags], frame.count]);
    let changed = settings !== this.settings;
    this.settings = settings;
    if (this.software && this.coarse !== frame.playing) {
      // Without a graphics card, what moves is drawn with fewer pixels than what stands still.
      this.coarse = frame.playing;
      this.resize(...this.extent);
      this.renderer.shadowMap.needsUpdate = true;
      this.lastDrawn = this.interval = this.drawn = 0;
      changed = true;
    }
    this.elements.update(frame);
    this.placeCamera(frame);
    this.placeLights(frame);
    const on = (flag: number) => frame.renderFlags[flag] !== 0;
    // Shadows of what did not move stay.
    const moved = !this.poses || this.poses.length !== frame.poses.length || frame.looks.length > 0
      || frame.surfaces.length > 0 || this.poses.some((value, index) => value !== frame.poses[index]);
    if (moved && this.everything) this.renderer.shadowMap.needsUpdate = true;
    this.poses = frame.poses;
    const box = this.model?.textures.indexOf('skybox') ?? -1;
    this.sky.visible = on(SKYBOX) && box >= 0;
    if (this.sky.visible) {
      (this.sky.material as THREE.ShaderMaterial).uniforms.box!.value = this.assets.texture(box);
      this.sky.position.setFromMatrixPosition(this.camera.matrixWorld);
      this.sky.scale.setScalar(0.7 * frame.camera.far);
    }
    const [r = 0, g = 0, b = 0] = this.model?.fog ?? [];
    this.scene.fog = on(FOG) && this.model ? new THREE.Fog(new THREE.Color(r, g, b), this.model.fogStart, this.model.fogEnd) : null;
    this.scene.background = on(FOG) ? new THREE.Color(r, g, b) : new THREE.Color(0, 0, 0);
    if (this.haze) placeHaze(this.haze, this.elements.endless(frame.count), frame, on(HAZE) && this.sky.visible);
    return moved || changed;
  }

  /** Whether shadows and reflections are drawn too: while the processor draws what moves, in every third picture. */
  private get everything(): boolean { return !this.coarse || this.drawn % 3 === 0; }

  draw(frame: Frame): void {
    this.adapt();
    // The view may have another shape than when the frame came: while nothing moves, no other frame follows.
    this.placeCamera(frame);
    mirror.size.value = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    const plane = frame.renderFlags[REFLECTION] !== 0 ? this.elements.mirror(frame.count) : null;
    if (!plane) this.clearMirror();
    else if (this.everything) this.drawMirror(plane);
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    this.labels = this.elements.labels(frame.count).slice(0, 300).map(({ text, position }) => {
      const place = position.project(this.camera);
      const size = this.canvas.getBoundingClientRect();
      return { text, x: (0.5 + 0.5 * place.x) * size.width, y: (0.5 - 0.5 * place.y) * size.height, z: place.z };
    }).filter(({ z }) => z > -1 && z < 1);
  }

  /** Takes fewer pixels while fewer than 25 pictures a second are drawn by the processor. */
  private adapt(): void {
    if (!this.coarse) return;
    const now = performance.now();
    if (this.lastDrawn > 0) this.interval += (Math.min(now - this.lastDrawn, 500) - this.interval) / 4;
    this.lastDrawn = now;
    if (this.drawn % 8 === 7 && this.interval > 40 && this.fineness > 0.3) {
      this.fineness = Math.max(0.3, 0.8 * this.fineness);
      this.resize(...this.extent);
    }
  }

  /** What the plane mirrors, seen by a camera on its other side; the picture is turned over left to right. */
  private drawMirror(plane: { group: THREE.Group; normal: THREE.Vector3; point: THREE.Vector3 }): void {
    const eye = new THREE.Vector3().setFromMatrixPosition(this.camera.matrixWorld);
    if (eye.clone().sub(plane.point).dot(plane.normal) <= 0) return this.clearMirror();
    const flip = (v: THREE.Vector3) => v.addScaledVector(plane.normal, -2 * v.dot(plane.normal));
    const forward = flip(new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 2).negate());
    const up = flip(new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1));
    const position = eye.addScaledVector(plane.normal, -2 * eye.clone().sub(plane.point).dot(plane.normal));
    const other = this.camera.clone();
    other.matrixWorld.copy(pose(position, forward, up));
    other.matrixWorldInverse.copy(other.matrixWorld).invert();
    other.projectionMatrix.copy(this.camera.projectionMatrix);
    other.projectionMatrix.elements[8] = -this.camera.projectionMatrix.elements[8]!;
    other.projectionMatrixInverse.copy(other.projectionMatrix).invert();
    const shown = this.sky.visible, haze = this.haze?.visible ?? false;
    plane.group.visible = false;
    if (this.haze) this.haze.visible = false;
    this.sky.visible = false;
    this.renderer.clippingPlanes = [new THREE.Plane().setFromNormalAndCoplanarPoint(plane.normal, plane.point)];
    this.clearMirror();
    const background = this.scene.background;
    this.scene.background = new THREE.Color(0, 0, 0);
    this.renderer.setRenderTarget(this.target);
    this.renderer.render(this.scene, other);
    this.renderer.setRenderTarget(null);
    this.scene.background = background;
    this.renderer.clippingPlanes = [];
    plane.group.visible = true;
    this.sky.visible = shown;
    if (this.haze) this.haze.visible = haze;
    mirror.texture.value = this.target.texture;
  }

  private clearMirror(): void {
    if (mirror.texture.value === this.black) return;
    mirror.texture.value = this.black;
  }

  private placeCamera(frame: Frame): void {
    const { pos, forward, up, center, bottom, top, near, far, orthographic } = frame.camera;
    this.camera.matrixWorld.copy(pose(new THREE.Vector3(...pos), new THREE.Vector3(...forward), new THREE.Vector3(...up)));
    this.camera.matrixWorldInverse.copy(this.camera.matrixWorld).invert();
    const size = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    const half = 0.5 * (size.x / Math.max(size.y, 1)) * (top - bottom);
    if (orthographic) this.camera.projectionMatrix.makeOrthographic(center - half, center + half, top, bottom, near, far);
    else this.camera.projectionMatrix.makePerspective(center - half, center + half, top, bottom, near, far);
    this.camera.projectionMatrixInverse.copy(this.camera.projectionMatrix).invert();
  }

  private placeLights(frame: Frame): void {
    const shadows = frame.renderFlags[SHADOW] !== 0;
    const kinds = frame.lights.map((light) => `${light.type} ${light.castshadow && shadows} ${light.cutoff >= 180}`).join();
    if (kinds !== this.lampKinds) {
      this.lampKinds = kinds;
      this.lamps.forEach((lamp) => { this.scene.remove(lamp); lamp.dispose(); });
      this.lamps = frame.lights.map((light) => this.lamp(light, shadows));
      this.renderer.shadowMap.needsUpdate = true;
      this.lamps.forEach((lamp) => {
        this.scene.add(lamp);
        if ('target' in lamp) this.scene.add(lamp.target);
      });
    }
    const ambient = [0, 0, 0];
    frame.lights.forEach((light, index) => {
      light.ambient.forEach((value, channel) => { ambient[channel]! += value; });
      this.placeLamp(this.lamps[index]!, light);
    });
    this.ambient.color.setRGB(ambient[0]!, ambient[1]!, ambient[2]!);
  }

  private lamp(light: Light, shadows: boolean): THREE.DirectionalLight | THREE.SpotLight | THREE.PointLight {
    const lamp = light.type === SPOT && light.cutoff < 180 ? new THREE.SpotLight()
      : light.type === SPOT ? new THREE.PointLight() : new THREE.DirectionalLight();
    lamp.castShadow = light.castshadow && shadows && !(lamp instanceof THREE.PointLight);
    lamp.shadow.mapSize.setScalar(this.software ? 1024 : 4096);
    lamp.shadow.bias = -0.0005;
    lamp.shadow.normalBias = 0.002 * (this.model?.extent ?? 1);
    return lamp;
  }

  private placeLamp(lamp: THREE.DirectionalLight | THREE.SpotLight | THREE.PointLight, light: Light): void {
    const [r, g, b] = light.diffuse as [number, number, number];
    lamp.color.setRGB(r, g, b);
    lamp.intensity = 1;
    const direction = new THREE.Vector3(...light.dir).normalize();
    const extent = this.model?.extent ?? 1;
    if (lamp instanceof THREE.DirectionalLight) {
      // The light comes from outside of what shall cast shadows.
      const center = new THREE.Vector3(...(this.model?.center ?? [0, 0, 0]));
      const clip = Math.max(this.model?.shadowClip ?? 1, 0.1 * extent);
      lamp.target.position.copy(center);
      lamp.position.copy(center).addScaledVector(light.type === DIRECTIONAL || light.headlight ? direction : new THREE.Vector3(0, 0, -1), -3 * clip);
      const area = lamp.shadow.camera;
      area.left = area.bottom = -2 * clip;
      area.right = area.top = 2 * clip;
      area.near = 0.1 * clip;
      area.far = 8 * clip;
      area.updateProjectionMatrix();
    } else {
      lamp.position.set(...(light.pos as [number, number, number]));
      lamp.decay = 0;
      if (lamp instanceof THREE.SpotLight) {
        lamp.target.position.copy(lamp.position).add(direction);
        lamp.angle = Math.min(light.cutoff, 89) * Math.PI / 180;
        lamp.penumbra = light.exponent > 0 ? 1 : 0;
        lamp.shadow.camera.near = 0.02 * extent;
        lamp.shadow.camera.far = 20 * extent;
      }
    }
    if ('target' in lamp) lamp.target.updateMatrixWorld();
  }
}

/** Whether pictures are drawn by the processor, so that they should cost little; `?fine` in the address asks for fine ones anyway. */
function isSoftware(): boolean {
  if (new URLSearchParams(location.search).has('fine')) return false;
  const gl = document.createElement('canvas').getContext('webgl2');
  const information = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && information ? String(gl.getParameter(information.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** A camera at a place that looks along a direction. */
function pose(position: THREE.Vector3, forward: THREE.Vector3, up: THREE.Vector3): THREE.Matrix4 {
  const right = forward.clone().cross(up).normalize();
  return new THREE.Matrix4().makeBasis(right, right.clone().cross(forward), forward.clone().negate()).setPosition(position);
}
