// What is shown and how: visual flags, drawing flags, groups, labels and frames.

import { element, section } from '../dom';
import type { Frame, Model } from '../protocol';
import type { Panel, Send } from './panel';

const GROUPS = ['geom', 'site', 'joint', 'tendon', 'actuator', 'flex', 'skin'];

export class Display implements Panel {
  readonly root = section('Display', 'display', false);
  private flags: HTMLInputElement[] = [];
  private renderFlags: HTMLInputElement[] = [];
  private groups: HTMLInputElement[] = [];
  private last: Frame | null = null;
  // When each box was clicked last.
  private readonly changed = new Map<HTMLInputElement, number>();
  private readonly label = element('select', { id: 'label', title: 'Labels' });
  private readonly axes = element('select', { id: 'axes', title: 'Frames' });

  constructor(private readonly send: Send) {
    this.label.onchange = () => send(`label ${this.label.value}`);
    this.axes.onchange = () => send(`frame ${this.axes.value}`);
  }

  private box(text: string, title: string, change: (on: boolean) => void): [HTMLLabelElement, HTMLInputElement] {
    const input = element('input', { type: 'checkbox' });
    input.onchange = () => { change(input.checked); this.changed.set(input, performance.now()); input.blur(); };
    return [element('label', { class: 'flag', title }, input, text), input];
  }

  model(model: Model): void {
    const list = (kind: string, switches: { name: string; key: string }[], into: HTMLInputElement[]) => switches.map(({ name, key }, index) => {
      const [label, input] = this.box(name, key ? `${name} (${key})` : name, (on) => this.send(`${kind} ${index} ${on ? 1 : 0}`));
      input.id = `${kind}-${index}`;
      into[index] = input;
      return label;
    });
    this.flags = [];
    this.renderFlags = [];
    this.groups = [];
    const options = (names: string[]) => names.map((name, index) => element('option', { value: String(index) }, name));
    this.label.replaceChildren(...options(model.labels));
    this.axes.replaceChildren(...options(model.frames));
    const groups = GROUPS.map((kind, row) => element('div', { class: 'groups' }, element('span', {}, kind),
      ...[0, 1, 2, 3, 4, 5].map((group) => {
        const [label, input] = this.box(String(group), `${kind} group ${group}`, (on) => this.send(`group ${kind} ${group} ${on ? 1 : 0}`));
        input.id = `group-${kind}-${group}`;
        this.groups[6 * row + group] = input;
        return label;
      })));
    this.root.replaceChildren(this.root.firstElementChild!,
      element('div', { class: 'pair' }, element('label', {}, 'Labels ', this.label), element('label', {}, 'Frames ', this.axes)),
      element('h3', {}, 'Elements'), element('div', { class: 'flags' }, ...list('flag', model.flags, this.flags)),
      element('h3', {}, 'Drawing'), element('div', { class: 'flags' }, ...list('render', model.renderFlags, this.renderFlags)),
      element('h3', {}, 'Groups'), ...groups);
  }

  /** Switches the flag that has this key; `false` when none has. */
  key(model: Model, key: string): boolean {
    const last = this.last;
    if (!last) return false;
    for (const [kind, switches, values] of [['flag', model.flags, last.flags], ['render', model.renderFlags, last.renderFlags]] as const) {
      const index = switches.findIndex((item) => item.key !== '' && item.key === key);
      if (index >= 0) {
        this.send(`${kind} ${index} ${values[index] !== 0 ? 0 : 1}`);
        return true;
      }
    }
    return false;
  }

  /** Switches a group of geoms. */
  group(number: number): void { if (this.last) this.send(`group geom ${number} ${this.last.groups[number] !== 0 ? 0 : 1}`); }

  frame(frame: Frame): void {
    this.last = frame;
    const show = (inputs: HTMLInputElement[], values: Uint8Array) => inputs.forEach((input, index) => {
      const on = values[index] !== 0;
      // A frame that was on its way when the box was clicked does not know of it yet.
      const fresh = performance.now() - (this.changed.get(input) ?? -Infinity) < 1000;
      if (input.checked !== on && !fresh && document.activeElement !== input) input.checked = on;
    });
    if (!this.root.open) return;
    show(this.flags, frame.flags);
    show(this.renderFlags, frame.renderFlags);
    show(this.groups, frame.groups);
    if (document.activeElement !== this.label) this.label.value = String(frame.label);
    if (document.activeElement !== this.axes) this.axes.value = String(frame.frame);
  }
}
