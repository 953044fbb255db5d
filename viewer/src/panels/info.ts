// Where the time of a step goes, what was selected, and what happened.

import { button, element, section, short } from '../dom';
import type { Frame, Model, Note } from '../protocol';
import type { Panel, Send } from './panel';
import type { Plots } from './plots';

export class Selection implements Panel {
  readonly root = section('Selection', 'selection', true);
  private readonly text = element('p', { id: 'selected' });
  private readonly buttons = element('div', { class: 'group' });
  private readonly answer = element('pre', { id: 'explanation', hidden: '' });
  private geoms: number[] = [];
  private current: Model | null = null;
  private body = -2;
  private geom = -2;

  constructor(private readonly send: Send, private readonly plots: Plots) {
    this.root.append(this.text, this.buttons, this.answer);
  }

  model(model: Model): void {
    this.current = model;
    this.geoms = [];
    this.body = this.geom = -2;
    this.answer.hidden = true;
  }

  explain(text: string): void {
    this.answer.textContent = text;
    this.answer.hidden = false;
  }

  frame(frame: Frame): void {
    const { body, geom } = frame.selected, model = this.current;
    if (!model || (body === this.body && geom === this.geom)) return;
    this.body = body;
    this.geom = geom;
    if (geom >= 0 && this.geoms[this.geoms.length - 1] !== geom) this.geoms = [...this.geoms, geom].slice(-2);
    const [first, second] = this.geoms;
    this.buttons.replaceChildren();
    if (body < 0) {
      this.text.textContent = 'Double-click selects; then Ctrl-drag pulls, Ctrl-right-drag turns.';
      return;
    }
    const name = model.bodies[body]?.name ?? '';
    this.text.textContent = `body ${name}${geom >= 0 ? `, geom ${model.geoms[geom]}` : ''}`;
    this.buttons.append(
      button('Plot position', `Plot where ${name} is`, () => [0, 1, 2].forEach((axis) => this.plots.add(`xpos ${body} ${axis}`, `${name}[${axis}]`)), 'plot-body'),
      button('Follow', `Let the camera follow ${name}`, () => this.send(`camera track ${body}`)),
      button('Deselect', 'Select nothing (Esc)', () => this.send('deselect')));
    if (first !== undefined && second !== undefined && first !== second) {
      const names = `${model.geoms[first]} and ${model.geoms[second]}`;
      this.buttons.append(
        button('Why (not) in contact?', `Explain the pair ${names}`, () => this.send(`explain ${first} ${second}`), 'explain'),
        button('Plot contact force', `Plot the force between ${names}`, () => this.plots.add(`contact ${first} ${second}`, `force between ${names}`)));
    }
  }
}

export class Timing implements Panel {
  readonly root = section('Timing', 'timing', false);
  private readonly table = element('div', { class: 'stages' });
  private readonly summary = element('p', { id: 'summary' });
  private current: Model | null = null;
  private drawn = 0;
  private frames: number[] = [];
  private bytes = 0;

  constructor(plots: Plots) {
    this.root.append(this.summary, this.table, element('div', { class: 'group' },
      button('Plot energy', 'Plot potential and kinetic energy', () => { plots.add('energy 0', 'potential energy'); plots.add('energy 1', 'kinetic energy'); }),
      button('Plot contacts', 'Plot the number of contacts', () => plots.add('ncon 0', 'contacts'))));
  }

  model(model: Model): void { this.current = model; }

  /** Frames per second over the last second. */
  get rate(): number { return this.frames.length; }

  frame(frame: Frame): void {
    const now = performance.now();
    this.frames.push(now);
    while (this.frames[0]! < now - 1000) this.frames.shift();
    this.bytes = frame.bytes;
    if (!this.root.open || !this.current || now - this.drawn < 250) return;
    this.drawn = now;
    const step = frame.stages[0] ?? 0;
    this.summary.textContent = `${this.rate} frames/s of ${(this.bytes / 1024).toFixed(1)} KiB · ${short(frame.rate)}× real time · ${(1e6 * step).toFixed(0)} µs per step · ${frame.contacts} contacts · ${frame.iterations} solver iterations${frame.full ? ' · too many elements to show' : ''}`;
    const timers = this.current.timers;
    const rows = (parent: number | null, depth: number): HTMLElement[] => timers.flatMap((timer, index) => {
      const time = frame.stages[index] ?? 0;
      if (timer.parent !== parent || time <= 0) return [];
      const share = step > 0 ? Math.min((100 * time) / step, 100) : 0;
      return [element('span', { style: `padding-left: ${0.8 * depth}em` }, timer.name),
        element('span', { class: 'share', style: `--share: ${share.toFixed(1)}%` }), element('span', { class: 'number' }, `${(1e6 * time).toFixed(1)} µs`),
        ...rows(index, depth + 1)];
    });
    this.table.replaceChildren(...rows(null, 0));
  }
}

export class Events implements Panel {
  readonly root = section('Messages', 'messages', false);
  private readonly list = element('div', { id: 'events', role: 'log' });

  constructor(send: Send) {
    this.root.append(element('div', { class: 'group' },
      button('Contacts now', 'List all contacts of this moment', () => send('contacts')),
      button('State as keyframe', 'Write the present state as a keyframe', () => send('save')),
      button('Clear', 'Clear the messages', () => this.list.replaceChildren())), this.list);
  }

  model(model: Model): void {
    if (model.warnings) this.add('warning', model.warnings);
  }

  note(note: Note): void { this.add(note.type, note.text); }

  add(kind: string, text: string): void {
    this.list.prepend(element('pre', { class: kind }, text));
    while (this.list.childElementCount > 100) this.list.lastElementChild!.remove();
    if (kind !== 'refused') this.root.open = true;
  }
}
