// Sliders for the controls of actuators and the positions of joints. Each has a button that plots it.

import { button, element, section, short, symbol } from '../dom';
import type { Frame, Model } from '../protocol';
import type { Panel, Send } from './panel';
import type { Plots } from './plots';

interface Slider { row: HTMLElement; input: HTMLInputElement; value: HTMLOutputElement; read: (frame: Frame) => number; held: boolean }

export class Sliders implements Panel {
  readonly root = element('div', { id: 'sliders' });
  private sliders: Slider[] = [];
  private shown = 0;
  private readonly controls = section('Controls', 'controls', true);
  private readonly joints = section('Joints', 'joints', true);
  private readonly sensors = section('Sensors', 'sensors', false);
  private readonly filter = element('input', { type: 'search', placeholder: 'Filter by name', 'aria-label': 'Filter sliders by name', id: 'slider-filter' });

  constructor(private readonly send: Send, private readonly plots: Plots) {
    this.filter.oninput = () => this.show();
    this.root.append(this.filter, this.controls, this.joints, this.sensors);
  }

  model(model: Model): void {
    this.sliders = [];
    for (const part of [this.controls, this.joints, this.sensors]) part.replaceChildren(part.firstElementChild!);
    const zero = button('All to zero', 'Set all controls to zero', () => model.actuators.forEach((_, index) => this.send(`ctrl ${index} 0`)), 'zero');
    if (model.actuators.length > 0) this.controls.append(zero);
    model.actuators.forEach((actuator, index) => {
      const range = actuator.limited ? actuator.range : [-1, 1] as [number, number];
      this.add(this.controls, actuator.name, range, `ctrl ${index}`, (frame) => frame.ctrl[index] ?? 0,
        () => this.plots.add(`ctrl ${index}`, `control of ${actuator.name}`), () => this.plots.add(`force ${index}`, `force of ${actuator.name}`));
    });
    model.joints.forEach((joint) => {
      const plot = () => {
        if (joint.kind === 'hinge' || joint.kind === 'slide') this.plots.add(`qpos ${joint.qpos}`, `position of ${joint.name}`);
        else for (let k = 0; k < Math.min(joint.coordinates, 7); k++) this.plots.add(`qpos ${joint.qpos + k}`, `${joint.name}[${k}]`);
      };
      const speed = () => { for (let k = 0; k < joint.dofs; k++) this.plots.add(`qvel ${joint.dof + k}`, `speed of ${joint.name}${joint.dofs > 1 ? `[${k}]` : ''}`); };
      if (joint.kind === 'hinge' || joint.kind === 'slide') {
        const range = joint.limited ? joint.range : joint.kind === 'hinge' ? [-Math.PI, Math.PI] as [number, number] : [-1, 1] as [number, number];
        this.add(this.joints, joint.name, range, `qpos ${joint.qpos}`, (frame) => frame.qpos[joint.qpos] ?? 0, plot, speed);
      } else {
        this.joints.append(element('div', { class: 'slider', 'data-name': joint.name },
          element('span', { class: 'label', title: joint.name }, joint.name), element('span', { class: 'kind' }, joint.kind),
          symbol(button('', `Plot the position of ${joint.name}`, plot), 'line'), button('v', `Plot the speed of ${joint.name}`, speed)));
      }
    });
    model.sensors.forEach((sensor) => {
      const plot = () => { for (let k = 0; k < Math.min(sensor.dimension, 9); k++) this.plots.add(`sensor ${sensor.address + k}`, sensor.dimension > 1 ? `${sensor.name}[${k}]` : sensor.name); };
      this.sensors.append(element('div', { class: 'slider', 'data-name': sensor.name },
        element('span', { class: 'label', title: sensor.name }, sensor.name), symbol(button('', `Plot sensor ${sensor.name}`, plot), 'line')));
    });
    this.controls.hidden = model.actuators.length === 0;
    this.joints.hidden = model.joints.length === 0;
    this.sensors.hidden = model.sensors.length === 0;
    this.filter.hidden = model.actuators.length + model.joints.length + model.sensors.length < 8;
    this.filter.value = '';
  }

  private add(into: HTMLElement, name: string, [low, high]: [number, number], command: string,
    read: (frame: Frame) => number, plot: () => void, second: () => void): void {
    const input = element('input', { type: 'range', min: String(low), max: String(high), step: 'any', 'aria-label': name, 'data-command': command });
    const value = element('output');
    const row = element('div', { class: 'slider', 'data-name': name }, element('span', { class: 'label', title: name }, name), input, value,
      symbol(button('', `Plot ${name}`, plot), 'line'), button(into === this.controls ? 'f' : 'v', `Plot the ${into === this.controls ? 'force' : 'speed'} of ${name}`, second));
    const slider: Slider = { row, input, value, read, held: false };
    input.oninput = () => this.send(`${command} ${Number(input.value)}`);
    input.onpointerdown = () => { slider.held = true; };
    input.onpointerup = input.onpointercancel = () => { slider.held = false; };
    input.ondblclick = () => this.send(`${command} ${Math.min(Math.max(0, low), high)}`);
    into.append(row);
    this.sliders.push(slider);
  }

  private show(): void {
    const wanted = this.filter.value.toLowerCase();
    for (const row of this.root.querySelectorAll<HTMLElement>('.slider')) row.hidden = !(row.dataset.name ?? '').toLowerCase().includes(wanted);
  }

  frame(frame: Frame): void {
    const now = performance.now();
    if (now - this.shown < 80) return;
    this.shown = now;
    for (const slider of this.sliders) {
      if (!(slider.row.parentElement as HTMLDetailsElement).open) continue;
      const value = slider.read(frame);
      // A range that the model does not give grows with the values.
      if (value < Number(slider.input.min)) slider.input.min = String(value - 0.25 * Math.abs(value));
      if (value > Number(slider.input.max)) slider.input.max = String(value + 0.25 * Math.abs(value));
      if (!slider.held && document.activeElement !== slider.input) slider.input.value = String(value);
      slider.value.textContent = short(value);
    }
  }
}
