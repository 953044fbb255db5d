// The bar above the picture: playing, stepping, speed, keyframes, cameras, time.

import { button, element, short, symbol } from '../dom';
import type { Frame, Model } from '../protocol';
import type { Panel, Send } from './panel';

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];

export class Bar implements Panel {
  readonly root = element('header', { id: 'bar' });
  private readonly play: HTMLButtonElement;
  private readonly speed = element('select', { id: 'speed', title: 'Speed of simulated time' });
  private readonly keyframe = element('select', { id: 'keyframe', title: 'Keyframe to start from' });
  private readonly camera = element('select', { id: 'camera', title: 'Camera' });
  private readonly time = element('output', { id: 'time', title: 'Simulated time' });
  private readonly rate = element('output', { id: 'rate', title: 'Simulated time per real time' });
  private readonly name = element('span', { id: 'name' });
  private playing = true;
  private cameras = 0;

  constructor(private readonly send: Send, tools: HTMLElement[]) {
    this.play = symbol(button('', 'Pause (Space)', () => this.toggle(), 'play'), 'pause');
    for (const speed of SPEEDS) this.speed.append(element('option', { value: String(speed) }, `${speed}×`));
    this.speed.value = '1';
    this.speed.onchange = () => send(`speed ${this.speed.value}`);
    this.keyframe.onchange = () => {
      send(`keyframe ${this.keyframe.value}`);
      this.keyframe.value = '';
    };
    this.camera.onchange = () => send(`camera ${this.camera.value}`);
    this.root.append(
      element('div', { class: 'group' }, this.play,
        symbol(button('', 'One snapshot back (←)', () => send('step -1'), 'back'), 'back'),
        symbol(button('', 'One step (→)', () => send('step 1'), 'step'), 'step'),
        symbol(button('', 'Reset (Backspace)', () => send('reset'), 'reset'), 'reset')),
      this.speed, this.keyframe, this.camera, this.time, this.rate, this.name,
      element('div', { class: 'group tools' }, ...tools));
  }

  toggle(): void { this.send(this.playing ? 'pause' : 'play'); }

  model(model: Model): void {
    this.name.textContent = model.name.split(/[\\/]/).pop() ?? model.name;
    this.name.title = model.name;
    document.title = `${this.name.textContent} – Condyle`;
    this.keyframe.replaceChildren(element('option', { value: '' }, 'Keyframe…'),
      ...model.keyframes.map((name, index) => element('option', { value: String(index) }, name)));
    this.keyframe.hidden = model.keyframes.length === 0;
    this.camera.replaceChildren(element('option', { value: 'free' }, 'Free camera'),
      ...model.cameras.map((name, index) => element('option', { value: `fixed ${index}` }, name)),
      element('option', { value: 'track', disabled: '' }, 'Following a body'));
    this.cameras = model.cameras.length;
    for (const id of ['play', 'step', 'back', 'speed']) {
      const control = this.root.querySelector<HTMLButtonElement | HTMLSelectElement>(`#${id}`);
      if (control) control.disabled = model.passive;
    }
  }

  /** The next camera in the list, or the one before. */
  cycle(direction: number): void {
    const here = this.camera.selectedIndex < 0 ? 0 : this.camera.selectedIndex;
    const next = (here + direction + this.cameras + 1) % (this.cameras + 1);
    this.camera.selectedIndex = next;
    this.send(`camera ${this.camera.value}`);
  }

  frame(frame: Frame): void {
    if (frame.playing !== this.playing) {
      this.playing = frame.playing;
      symbol(this.play, frame.playing ? 'pause' : 'play');
      this.play.title = this.play.ariaLabel = frame.playing ? 'Pause (Space)' : 'Play (Space)';
    }
    this.time.textContent = `${frame.time.toFixed(3)} s`;
    this.rate.textContent = frame.playing ? `${short(frame.rate)}×` : 'paused';
    if (document.activeElement !== this.speed) {
      const near = SPEEDS.find((speed) => Math.abs(speed - frame.speed) < 1e-6);
      if (near !== undefined) this.speed.value = String(near);
    }
    if (document.activeElement !== this.camera) {
      this.camera.value = frame.camera.type === 2 ? `fixed ${frame.camera.fixed}` : frame.camera.type === 1 ? 'track' : 'free';
    }
  }
}
