// What lies over the picture: problems of the model file, keyboard help, the state of the connection, and the time line.

import { button, element } from '../dom';
import type { Frame } from '../protocol';
import type { Panel, Send } from './panel';

const KEYS: [string, string][] = [
  ['Space', 'play or pause'], ['→ ←', 'one step, one snapshot back'], ['Backspace', 'reset'], ['[ ]', 'camera before, next camera'],
  ['Esc', 'free camera, nothing selected'], ['0 … 5', 'show or hide a group of geoms'], ['Tab', 'show or hide the panels'],
  ['- =', 'slower, faster'], ['F5', 'load the page again'], ['F1 ?', 'this help'],
  ['drag', 'turn the camera (left), move it (right, or two fingers)'], ['wheel, pinch', 'zoom'],
  ['double-click', 'select'], ['Ctrl-drag', 'pull what is selected; with the right button turn it'],
  ['letters', 'visual flags, as in MuJoCo: C contact points, F contact forces, T transparent, J joints, … (see Display)'],
];

/** Colours the lines of rendered problems. */
function painted(text: string): HTMLElement {
  const pre = element('pre', { id: 'problem-text' });
  for (const line of text.split('\n')) {
    const bare = line.trim().replace(/^\|/, '').trim();
    const kind = line.startsWith('error') ? 'error' : line.startsWith('warning') ? 'warning'
      : /^\s*(-->|=)/.test(line) ? 'place' : /^\^+$/.test(bare) ? 'caret' : '';
    pre.append(element('span', kind ? { class: kind } : {}, line), '\n');
  }
  return pre;
}

export class Problems {
  readonly root = element('div', { id: 'problems', role: 'alertdialog', 'aria-label': 'Problems of the model', hidden: '' });

  show(text: string): void {
    this.root.replaceChildren(element('h2', {}, 'The model could not be loaded'), painted(text),
      element('p', {}, 'The page shows the model as soon as it can be loaded: with --watch when the file is saved, or by the button.'),
      button('Close', 'Close this message', () => this.hide()));
    this.root.hidden = false;
  }

  hide(): void { this.root.hidden = true; }
}

export class Help {
  readonly root = element('div', { id: 'help', role: 'dialog', 'aria-label': 'Keyboard and mouse', hidden: '' });

  constructor() {
    this.root.append(element('h2', {}, 'Keyboard and mouse'),
      element('dl', {}, ...KEYS.flatMap(([key, text]) => [element('dt', {}, key), element('dd', {}, text)])),
      button('Close', 'Close the help', () => this.toggle()));
  }

  toggle(): void { this.root.hidden = !this.root.hidden; }
}

/** The kept minutes: a slider over snapshots. */
export class TimeLine implements Panel {
  readonly root = element('footer', { id: 'timeline' });
  private readonly slider = element('input', { type: 'range', id: 'rewind', min: '0', max: '0', step: '1', title: 'Rewind', 'aria-label': 'Rewind' });
  private readonly from = element('output');
  private readonly to = element('output');
  private held = false;

  constructor(send: Send) {
    this.slider.oninput = () => send(`rewind ${this.slider.value}`);
    this.slider.onpointerdown = () => { this.held = true; };
    this.slider.onpointerup = this.slider.onpointercancel = () => { this.held = false; };
    this.root.append(this.from, this.slider, this.to);
  }

  frame(frame: Frame): void {
    const { count, first, firstTime, last, lastTime, at } = frame.history;
    this.root.hidden = count < 2;
    this.slider.min = String(first);
    this.slider.max = String(last);
    if (!this.held) this.slider.value = String(at >= 0 ? at : last);
    this.from.textContent = `${firstTime.toFixed(1)} s`;
    this.to.textContent = `${lastTime.toFixed(1)} s`;
  }
}
