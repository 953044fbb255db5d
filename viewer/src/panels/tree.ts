// Bodies as a tree, with a search; a click selects, a double click follows.

import { element, section } from '../dom';
import type { Frame, Model } from '../protocol';
import type { Panel, Send } from './panel';

export class Tree implements Panel {
  readonly root = section('Bodies', 'bodies', true);
  private readonly search = element('input', { type: 'search', placeholder: 'Search bodies', 'aria-label': 'Search bodies', id: 'body-search' });
  private readonly list = element('div', { id: 'tree', role: 'tree' });
  private rows: HTMLElement[] = [];
  private selected = -1;

  constructor(private readonly send: Send) {
    this.search.oninput = () => {
      const wanted = this.search.value.toLowerCase();
      this.rows.forEach((row) => { row.hidden = !(row.textContent ?? '').toLowerCase().includes(wanted); });
    };
    this.root.append(this.search, this.list);
  }

  model(model: Model): void {
    const depth: number[] = [];
    const children: number[][] = model.bodies.map(() => []);
    model.bodies.forEach((body, index) => { if (index > 0) children[body.parent]?.push(index); });
    const order: number[] = [];
    const walk = [0];
    depth[0] = 0;
    while (walk.length > 0) {
      const body = walk.pop()!;
      order.push(body);
      for (const child of [...children[body]!].reverse()) {
        depth[child] = depth[body]! + 1;
        walk.push(child);
      }
    }
    this.rows = [];
    this.list.replaceChildren(...order.map((body) => {
      const row = element('div', { role: 'treeitem', tabindex: '0', class: 'body', style: `padding-left: ${0.4 + 0.8 * Math.min(depth[body]!, 12)}em`, 'data-body': String(body) }, model.bodies[body]!.name);
      row.title = `body ${body}, ${model.bodies[body]!.mass.toPrecision(3)} kg. Double-click to follow it.`;
      row.onclick = () => this.send(`selectbody ${body}`);
      row.ondblclick = () => this.send(`camera track ${body}`);
      row.onkeydown = (event) => { if (event.key === 'Enter') this.send(`selectbody ${body}`); };
      this.rows[body] = row;
      return row;
    }));
    this.search.hidden = model.bodies.length < 8;
    this.selected = -1;
  }

  frame(frame: Frame): void {
    if (frame.selected.body === this.selected) return;
    this.rows[this.selected]?.classList.remove('selected');
    this.selected = frame.selected.body;
    const row = this.rows[this.selected];
    row?.classList.add('selected');
    row?.scrollIntoView({ block: 'nearest' });
  }
}
