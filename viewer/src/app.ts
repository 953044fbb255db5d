// Puts picture, panels, pointer and keyboard together.

import { button, element, symbol } from './dom';
import { Stage } from './draw/stage';
import { Bar } from './panels/bar';
import { Help, Problems, TimeLine } from './panels/dialogs';
import { Display } from './panels/display';
import { Events, Selection, Timing } from './panels/info';
import type { Panel } from './panels/panel';
import { Plots } from './panels/plots';
import { Sliders } from './panels/sliders';
import { Tree } from './panels/tree';
import { Overlays } from './overlays';
import { Pointer } from './pointer';
import type { Frame, Model, Note, Shape, Texture } from './protocol';
import type { Listener, Transport } from './transport';

/** Frames that may be under way while one is drawn. */
const AHEAD = 2;
/** Keys that mean the same in every viewer, by the numbers programs know them by. */
const GLFW: Record<string, number> = {
  Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265,
  PageUp: 266, PageDown: 267, Home: 268, End: 269,
};

export class App implements Listener {
  readonly stage: Stage;
  readonly plots: Plots;
  readonly transport: Transport;
  current: Model | null = null;
  latest: Frame | null = null;
  /** Frames that came, and pictures that were drawn. */
  seen = 0;
  drawn = 0;
  /** Mean time that this script spends on a picture, ms. */
  drawTime = 0;
  readonly notes: Note[] = [];
  private readonly bar: Bar;
  private readonly display: Display;
  private readonly selection: Selection;
  private readonly events: Events;
  private readonly problems = new Problems();
  private readonly help = new Help();
  private readonly panels: Panel[];
  private readonly overlay = element('div', { id: 'labels' });
  private readonly status = element('div', { id: 'status', role: 'status' }, 'Connecting…');
  private readonly overlays = new Overlays();
  private readonly view = element('div', { id: 'view' });
  private fresh = false;
  /** Frames that came since the last one was drawn. */
  private owed = 0;
  readonly timing: Timing;

  constructor(private readonly root: HTMLElement, connect: (listener: Listener) => Transport) {
    const send = (line: string) => this.transport.send(line);
    this.stage = new Stage(send);
    this.plots = new Plots(send);
    this.display = new Display(send);
    this.selection = new Selection(send, this.plots);
    this.timing = new Timing(this.plots);
    this.events = new Events(send);
    const tree = new Tree(send), sliders = new Sliders(send, this.plots), line = new TimeLine(send);
    this.bar = new Bar(send, [
      symbol(button('', 'Load the model again', () => send('reload'), 'reload'), 'reload'),
      symbol(button('', 'Dark or light', () => this.theme(), 'theme'), 'theme'),
      symbol(button('', 'Show or hide the panels (Tab)', () => this.togglePanels(), 'panels'), 'panels'),
      button('?', 'Keyboard and mouse (F1)', () => this.help.toggle(), 'help-button'),
    ]);
    this.panels = [this.bar, tree, this.display, sliders, this.plots, this.selection, this.timing, this.events, line];
    this.view.append(this.stage.canvas, this.overlay, this.overlays.root, this.problems.root, this.help.root, this.status);
    root.append(this.bar.root,
      element('aside', { id: 'left' }, this.selection.root, tree.root, this.display.root, this.timing.root, this.events.root),
      this.view, element('aside', { id: 'right' }, sliders.root, this.plots.root), line.root);
    // Panels have nothing to show before there is a model.
    root.classList.add('empty');
    if (matchMedia('(max-width: 900px)').matches) root.classList.add('bare');
    new ResizeObserver(() => this.resize()).observe(this.view);
    this.resize();
    new Pointer(this.stage.canvas, send);
    document.addEventListener('keydown', (event) => this.key(event));
    const stored = localStorage.getItem('condyle-theme');
    if (stored) document.documentElement.dataset.theme = stored;
    this.transport = connect(this);
    requestAnimationFrame(() => this.animate());
    (globalThis as Record<string, unknown>).condyle = this;
  }

  private resize(): void {
    this.stage.resize(Math.max(this.view.clientWidth, 1), Math.max(this.view.clientHeight, 1));
    this.fresh = this.latest !== null;
  }

  private theme(): void {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const now = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light');
    const next = now === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    localStorage.setItem('condyle-theme', next);
  }

  private togglePanels(): void { this.root.classList.toggle('bare'); }

  connected(yes: boolean): void {
    this.status.hidden = yes;
    this.status.textContent = yes ? '' : 'The connection is lost. The page comes back as soon as the viewer runs again.';
    this.owed = 0;
    if (yes) this.transport.send(`more ${AHEAD}`);
    else this.latest = null;
  }

  model(model: Model): void {
    this.current = model;
    this.root.classList.remove('empty');
    this.problems.hide();
    this.stage.reset(model);
    this.panels.forEach((panel) => panel.model?.(model));
    this.status.hidden = true;
    this.latest = null;
    this.settle();
  }

  note(note: Note): void {
    this.notes.push(note);
    if (this.notes.length > 200) this.notes.shift();
    if (note.type === 'problems') {
      this.status.hidden = true;
      this.problems.show(note.text);
    } else if (note.type === 'explain') this.selection.explain(note.text);
    else if (note.type === 'texts' || note.type === 'figures' || note.type === 'images') this.overlays.show(note.type, note.text);
    else if (note.type !== 'hash') this.events.note(note);
  }

  asset(asset: Shape | Texture): void {
    this.stage.receive(asset);
    this.fresh = this.latest !== null;
  }

  frame(frame: Frame): void {
    if (frame.revision !== this.current?.revision) return this.transport.send('more 1');
    const first = this.latest === null;
    const changed = this.stage.update(frame);
    this.panels.forEach((panel) => panel.frame?.(frame));
    this.latest = frame;
    this.seen++;
    this.owed++;
    if (changed || first) this.fresh = true;
  }

  /** Asks for as many frames as were drawn or are not needed any more. */
  private settle(): void {
    if (this.owed > 0) this.transport.send(`more ${this.owed}`);
    this.owed = 0;
  }

  private animate(): void {
    requestAnimationFrame(() => this.animate());
    if (!this.latest) return;
    if (!this.fresh) return this.settle();
    this.fresh = false;
    const began = performance.now();
    this.stage.draw(this.latest);
    this.drawTime += 0.1 * (performance.now() - began - this.drawTime);
    this.drawn++;
    this.overlay.replaceChildren(...this.stage.labels.map(({ text, x, y }) => element('span', { style: `left: ${x}px; top: ${y}px` }, text)));
    // Only now is there room for another frame: a page that draws slowly gets fewer.
    this.settle();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches('input:not([type=range]):not([type=checkbox]), select, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
    const code = GLFW[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase().charCodeAt(0) : -1);
    if (this.current?.passive && code >= 0) this.transport.send(`key ${code}`);
    if (this.act(event.key)) event.preventDefault();
  }

  /** What a key does; `false` for keys that do nothing. */
  private act(key: string): boolean {
    const send = (line: string) => this.transport.send(line);
    const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10], speed = this.latest?.speed ?? 1;
    switch (key) {
      case ' ': this.bar.toggle(); return true;
      case 'ArrowRight': send('step 1'); return true;
      case 'ArrowLeft': send('step -1'); return true;
      case 'Backspace': send('reset'); return true;
      case 'Escape': send('camera free'); send('deselect'); return true;
      case ']': this.bar.cycle(1); return true;
      case '[': this.bar.cycle(-1); return true;
      case '=': case '+': send(`speed ${speeds.find((value) => value > speed * 1.01) ?? 10}`); return true;
      case '-': send(`speed ${[...speeds].reverse().find((value) => value < speed * 0.99) ?? 0.05}`); return true;
      case 'Tab': this.togglePanels(); return true;
      case 'F1': case '?': this.help.toggle(); return true;
      default:
        if (/^[0-5]$/.test(key)) {
          this.display.group(Number(key));
          return true;
        }
        return this.current !== null && key.length === 1 && this.display.key(this.current, key.toUpperCase());
    }
  }
}
