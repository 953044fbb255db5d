// Live plots: lines over the last seconds, several in each chart, with export.

import { button, download, element, section } from '../dom';
import type { Frame, Model } from '../protocol';
import type { Panel, Send } from './panel';

interface Line { number: number; channel: string; name: string; color: string; times: number[]; values: number[] }

const COLORS = ['#2f7ed8', '#e4572e', '#2a9d4e', '#a23bbf', '#d69f00', '#00a5a5', '#8c564b', '#e377c2'];
/** Most samples that are kept of a line. */
const MOST = 200_000;
const WINDOWS = [1, 2, 5, 10, 30, 60];

/** One chart with its lines. */
class Chart {
  readonly root = element('div', { class: 'chart' });
  readonly canvas = element('canvas');
  lines: Line[] = [];
  private readonly legend = element('div', { class: 'legend' });

  constructor(drop: (chart: Chart) => void, private readonly dropLine: (line: Line) => void) {
    this.root.append(this.canvas, this.legend, element('div', { class: 'group' },
      button('CSV', 'Save the numbers as CSV', () => download('plot.csv', new Blob([this.csv()], { type: 'text/csv' }))),
      button('PNG', 'Save the picture as PNG', () => this.canvas.toBlob((blob) => { if (blob) download('plot.png', blob); })),
      button('✕', 'Close this plot', () => drop(this))));
  }

  add(line: Line): void {
    this.lines.push(line);
    this.list();
  }

  private list(): void {
    this.legend.replaceChildren(...this.lines.map((line) => element('button', { type: 'button', title: 'Remove this line', style: `--line: ${line.color}` }, line.name)));
    [...this.legend.children].forEach((node, index) => {
      (node as HTMLButtonElement).onclick = () => {
        const [line] = this.lines.splice(index, 1);
        if (line) this.dropLine(line);
        this.list();
      };
    });
  }

  /** Rows of times with the value of every line, empty where a line has none. */
  csv(): string {
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const rows = new Map<number, string[]>();
    this.lines.forEach((line, column) => line.times.forEach((time, index) => {
      const row = rows.get(time) ?? this.lines.map(() => '');
      row[column] = String(line.values[index]);
      rows.set(time, row);
    }));
    const header = ['time', ...this.lines.map((line) => quote(line.name))].join();
    return [header, ...[...rows].sort((a, b) => a[0] - b[0]).map(([time, row]) => [time, ...row].join())].join('\n') + '\n';
  }

  draw(end: number, window: number): void {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight, ratio = globalThis.devicePixelRatio || 1;
    if (width === 0) return;
    if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
    if (this.canvas.height !== Math.round(height * ratio)) this.canvas.height = Math.round(height * ratio);
    const c = this.canvas.getContext('2d')!;
    const style = getComputedStyle(this.canvas);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = style.getPropertyValue('--chart') || '#fff';
    c.fillRect(0, 0, width, height);
    const start = end - window;
    let low = Infinity, high = -Infinity;
    for (const line of this.lines) {
      for (let k = first(line.times, start); k < line.times.length && line.times[k]! <= end; k++) {
        low = Math.min(low, line.values[k]!);
        high = Math.max(high, line.values[k]!);
      }
    }
    if (!(low <= high)) { low = -1; high = 1; }
    // A constant stands in the middle.
    const size = Math.max(Math.abs(low), Math.abs(high));
    const pad = high - low > 1e-9 * size ? 0.05 * (high - low) : 0.1 * size || 1;
    low -= pad;
    high += pad;
    const left = 52, bottom = height - 16, top = 6;
    const x = (time: number) => left + ((time - start) / window) * (width - left - 6);
    const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top);
    c.strokeStyle = style.getPropertyValue('--grid') || '#ccc';
    c.fillStyle = style.color;
    c.font = '10px system-ui, sans-serif';
    c.lineWidth = 1;
    const stroke = (x0: number, y0: number, x1: number, y1: number) => {
      c.beginPath();
      c.moveTo(x0, y0);
      c.lineTo(x1, y1);
      c.stroke();
    };
    c.textAlign = 'right';
    for (const [value, text] of ticks(low, high, 4)) {
      const at = Math.round(y(value)) + 0.5;
      stroke(left, at, width - 6, at);
      c.fillText(text, left - 4, at + 3);
    }
    // There is no time before the start of the simulation.
    for (const [time, text] of ticks(Math.max(start, 0), end, 4)) {
      const at = Math.round(x(time)) + 0.5, label = `${text} s`, half = c.measureText(label).width / 2;
      stroke(at, top, at, bottom);
      c.textAlign = 'center';
      c.fillText(label, Math.min(at, width - half), height - 4);
    }
    c.lineWidth = 1.5;
    for (const line of this.lines) {
      c.strokeStyle = line.color;
      c.beginPath();
      let previous = -Infinity;
      for (let k = Math.max(0, first(line.times, start) - 1); k < line.times.length && line.times[k]! <= end; k++) {
        const at = Math.max(x(line.times[k]!), left);
        if (line.times[k]! < previous) c.moveTo(at, y(line.values[k]!));
        else c.lineTo(at, y(line.values[k]!));
        previous = line.times[k]!;
      }
      c.stroke();
    }
  }
}

/** Round numbers from `low` to `high`, some `most` of them, each with its text. */
function ticks(low: number, high: number, most: number): [number, string][] {
  const least = (high - low) / most;
  if (!(least > 0) || !Number.isFinite(least)) return [];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
  const decimals = Math.max(0, -Math.floor(Math.log10(step * 1.001)));
  const found: [number, string][] = [];
  for (let k = Math.ceil(low / step), last = Math.floor(high / step); k <= last && found.length <= most; k++) {
    const value = k * step;
    const plain = decimals <= 6 ? value.toFixed(decimals) : '';
    found.push([value, plain !== '' && plain.length <= 8 ? plain : value.toExponential(2).replace(/\.?0+e/, 'e').replace(/^0e.*/, '0')]);
  }
  return found;
}

/** Index of the first time that is not before `start`. */
function first(times: number[], start: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Plots implements Panel {
  readonly root = section('Plots', 'plots', true);
  private readonly charts: Chart[] = [];
  private readonly list = element('div', { id: 'charts' });
  private readonly hint = element('p', { class: 'hint' }, 'The buttons beside controls, joints and sensors plot them here, and so do those of a selected body or pair of geoms.');
  private readonly window = element('select', { id: 'window', title: 'Time that is shown' });
  private readonly together = element('input', { type: 'checkbox', id: 'together' });
  private readonly hold: HTMLButtonElement;
  private next = 0;
  private held: number | null = null;
  private time = 0;
  private drawn = 0;

  constructor(private readonly send: Send) {
    for (const seconds of WINDOWS) this.window.append(element('option', { value: String(seconds) }, `${seconds} s`));
    this.window.value = '5';
    this.hold = button('Hold', 'Hold the plots still', () => this.toggleHold(), 'hold');
    this.root.append(element('div', { class: 'pair' }, this.window, this.hold, element('label', { class: 'flag' }, this.together, 'in one chart')), this.hint, this.list);
  }

  private toggleHold(): void {
    this.held = this.held === null ? this.time : null;
    this.hold.textContent = this.held === null ? 'Hold' : 'Go on';
    this.redraw();
  }

  /** Plots a channel; one that is plotted already is left alone. */
  add(channel: string, name: string): void {
    if (this.charts.some((chart) => chart.lines.some((line) => line.channel === channel))) return;
    const number = this.next++;
    const latest = this.charts[this.charts.length - 1];
    // Parts of one element share a chart.
    const family = name.replace(/\[\d+\]$/, '');
    const related = latest && (this.together.checked || (family !== name && latest.lines.some((line) => line.name.replace(/\[\d+\]$/, '') === family)));
    const chart = related ? latest : this.make();
    chart.add({ number, channel, name, color: COLORS[chart.lines.length % COLORS.length]!, times: [], values: [] });
    this.send(`plot ${number} ${channel}`);
    this.root.open = true;
    this.used();
  }

  /** With charts the panel stands above the sliders. */
  private used(): void {
    this.hint.hidden = this.charts.length > 0;
    this.root.classList.toggle('used', this.charts.length > 0);
  }

  private make(): Chart {
    const chart = new Chart((closed) => {
      closed.lines.forEach((line) => this.send(`unplot ${line.number}`));
      this.charts.splice(this.charts.indexOf(closed), 1);
      closed.root.remove();
      this.used();
    }, (line) => this.send(`unplot ${line.number}`));
    this.charts.push(chart);
    this.list.append(chart.root);
    return chart;
  }

  /** All lines, for export and tests. */
  get lines(): Line[] { return this.charts.flatMap((chart) => chart.lines); }

  csv(): string[] { return this.charts.map((chart) => chart.csv()); }

  model(_model: Model): void {
    this.charts.splice(0).forEach((chart) => chart.root.remove());
    this.held = null;
    this.hold.textContent = 'Hold';
    this.used();
  }

  frame(frame: Frame): void {
    this.time = frame.time;
    const lines = new Map(this.lines.map((line) => [line.number, line]));
    for (const { number, samples } of frame.plots) {
      const line = lines.get(number);
      if (!line) continue;
      for (let k = 0; k < samples.length; k += 2) {
        // After a rewind or reset the line goes on from the earlier time.
        while (line.times.length > 0 && line.times[line.times.length - 1]! >= samples[k]!) {
          line.times.pop();
          line.values.pop();
        }
        line.times.push(samples[k]!);
        line.values.push(samples[k + 1]!);
      }
      if (line.times.length > MOST) {
        line.times.splice(0, MOST / 4);
        line.values.splice(0, MOST / 4);
      }
    }
    const now = performance.now();
    if (this.held === null && now - this.drawn > 50) {
      this.drawn = now;
      this.redraw();
    }
  }

  private redraw(): void {
    if (this.root.open) this.charts.forEach((chart) => chart.draw(this.held ?? this.time, Number(this.window.value)));
  }
}
