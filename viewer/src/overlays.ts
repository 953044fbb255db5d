// What a program shows over the picture: texts in the corners, figures as plots, and images.

import { element } from './dom';

interface Text { place: number; left: string; right: string }
interface Line { name: string; rgb: number[]; points: number[] }
interface Figure {
  place: number[] | null; title: string; label: string; range: [[number, number], [number, number]]; grid: [number, number];
  extend: boolean; bars: boolean; legend: boolean; back: number[]; pane: number[]; ink: number[]; gridInk: number[]; lines: Line[];
}
interface Picture { place: number[] | null; width: number; height: number; rgb: string }

/** Names of the places of texts, in MuJoCo's order. */
const PLACES = ['top left', 'top right', 'bottom left', 'bottom right', 'top', 'bottom', 'left', 'right'];
/** The window that rectangles are given in. */
const WINDOW = [1280, 720] as const;

const color = ([r = 0, g = 0, b = 0, a = 1]: number[]) => `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)} / ${a})`;

export class Overlays {
  readonly root = element('div', { id: 'overlays' });
  private readonly texts = element('div', { id: 'texts' });
  private readonly figures = element('div', { id: 'figures' });
  private readonly images = element('div', { id: 'images' });

  constructor() { this.root.append(this.images, this.figures, this.texts); }

  /** Shows what a program sent; an empty text takes it away. */
  show(kind: 'texts' | 'figures' | 'images', text: string): void {
    const items = text === '' ? [] : JSON.parse(text) as unknown[];
    if (kind === 'texts') this.showTexts(items as Text[]);
    else if (kind === 'figures') this.showFigures(items as Figure[]);
    else this.showImages(items as Picture[]);
  }

  private showTexts(items: Text[]): void {
    const boxes = new Map<number, HTMLElement>();
    for (const { place, left, right } of items) {
      const box = boxes.get(place) ?? element('div', { class: `text ${PLACES[place] ?? PLACES[0]}` });
      boxes.set(place, box);
      box.append(element('pre', {}, left), element('pre', {}, right));
    }
    this.texts.replaceChildren(...boxes.values());
  }

  private showFigures(items: Figure[]): void {
    const canvases = this.figures.children;
    while (canvases.length > items.length) this.figures.lastElementChild!.remove();
    items.forEach((figure, index) => {
      const canvas = (canvases[index] as HTMLCanvasElement | undefined) ?? this.figures.appendChild(element('canvas'));
      put(canvas, figure.place, index);
      plot(canvas, figure);
    });
  }

  private showImages(items: Picture[]): void {
    const canvases = this.images.children;
    while (canvases.length > items.length) this.images.lastElementChild!.remove();
    items.forEach(({ place, width, height, rgb }, index) => {
      const canvas = (canvases[index] as HTMLCanvasElement | undefined) ?? this.images.appendChild(element('canvas'));
      put(canvas, place, index);
      canvas.width = width;
      canvas.height = height;
      const bytes = atob(rgb), texels = new Uint8ClampedArray(4 * width * height);
      for (let from = 0, to = 0; to < texels.length; from += 3, to += 4) {
        for (let channel = 0; channel < 3; channel++) texels[to + channel] = bytes.charCodeAt(from + channel);
        texels[to + 3] = 255;
      }
      canvas.getContext('2d')!.putImageData(new ImageData(texels, width, height), 0, 0);
    });
  }
}

/** Places a canvas by a rectangle from the lower left corner, or one above the other at the right edge. */
function put(canvas: HTMLElement, place: number[] | null, index: number): void {
  const [left, bottom, width, height] = place ?? [WINDOW[0] - 330, WINDOW[1] - 220 * (index + 1), 320, 210];
  const share = (value: number, axis: 0 | 1) => `${(100 * value) / WINDOW[axis]}%`;
  Object.assign(canvas.style, { left: share(left!, 0), bottom: share(bottom!, 1), width: share(width!, 0), height: share(height!, 1) });
}

/** The least and the largest number of an axis: as given, made longer for the points if the figure says so, or those of the points with some room. */
function limits(figure: Figure, axis: 0 | 1): [number, number] {
  const [low, high] = figure.range[axis];
  const given = low < high;
  if (given && !figure.extend) return [low, high];
  let least = given ? low : figure.bars && axis === 1 ? 0 : Infinity, most = given ? high : figure.bars && axis === 1 ? 0 : -Infinity;
  for (const line of figure.lines) {
    for (let k = axis; k < line.points.length; k += 2) {
      least = Math.min(least, line.points[k]!);
      most = Math.max(most, line.points[k]!);
    }
  }
  if (given) return [least, most];
  if (!(least <= most)) return [0, 1];
  const room = axis === 1 ? 0.05 * (most - least) || 0.5 * Math.abs(most) || 0.5 : (most - least || 1) * 1e-6;
  return [least - room, most + room];
}

function plot(canvas: HTMLCanvasElement, figure: Figure): void {
  const width = canvas.clientWidth || 320, height = canvas.clientHeight || 210, ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const c = canvas.getContext('2d')!;
  c.scale(ratio, ratio);
  c.fillStyle = color(figure.back);
  c.fillRect(0, 0, width, height);
  const left = 46, right = width - 10, top = figure.title ? 24 : 10, bottom = height - (figure.label ? 34 : 20);
  const [x0, x1] = limits(figure, 0), [y0, y1] = limits(figure, 1);
  const x = (value: number) => left + ((value - x0) / (x1 - x0)) * (right - left);
  const y = (value: number) => bottom - ((value - y0) / (y1 - y0)) * (bottom - top);
  c.fillStyle = color(figure.pane);
  c.fillRect(left, top, right - left, bottom - top);
  c.font = '11px system-ui, sans-serif';
  // Rounding leaves numbers next to zero that are meant to be zero.
  const mark = (value: number, span: number) => (Math.abs(value) < 1e-3 * span ? '0' : Number(value.toPrecision(3)).toString());
  const ticks = (count: number) => Math.min(Math.max(count, 2), 9);
  c.strokeStyle = color(figure.gridInk);
  c.fillStyle = color(figure.ink);
  c.lineWidth = 1;
  for (let k = 0; k < ticks(figure.grid[0]); k++) {
    const value = x0 + (k / (ticks(figure.grid[0]) - 1)) * (x1 - x0);
    line(c, x(value), top, x(value), bottom);
    c.textAlign = k === 0 ? 'left' : k === ticks(figure.grid[0]) - 1 ? 'right' : 'center';
    c.fillText(mark(value, x1 - x0), x(value), bottom + 13);
  }
  for (let k = 0; k < ticks(figure.grid[1]); k++) {
    const value = y0 + (k / (ticks(figure.grid[1]) - 1)) * (y1 - y0);
    line(c, left, y(value), right, y(value));
    c.textAlign = 'right';
    c.fillText(mark(value, y1 - y0), left - 4, y(value) + 4);
  }
  c.textAlign = 'center';
  c.fillText(figure.label, 0.5 * (left + right), height - 6);
  c.font = '600 13px system-ui, sans-serif';
  c.fillText(figure.title, 0.5 * width, 16);
  c.save();
  c.beginPath();
  c.rect(left, top, right - left, bottom - top);
  c.clip();
  c.lineWidth = 1.8;
  for (const { rgb, points } of figure.lines) {
    c.strokeStyle = c.fillStyle = color(rgb);
    c.beginPath();
    for (let k = 0; k + 1 < points.length; k += 2) {
      if (figure.bars) c.fillRect(x(points[k]!) - 2, Math.min(y(points[k + 1]!), y(0)), 4, Math.abs(y(points[k + 1]!) - y(0)));
      else c.lineTo(x(points[k]!), y(points[k + 1]!));
    }
    c.stroke();
  }
  c.restore();
  if (figure.legend) legend(c, figure, right - 8, top + 14);
}

function line(c: CanvasRenderingContext2D, ...[x0, y0, x1, y1]: [number, number, number, number]): void {
  c.beginPath();
  c.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
  c.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
  c.stroke();
}

function legend(c: CanvasRenderingContext2D, figure: Figure, x: number, y: number): void {
  c.font = '11px system-ui, sans-serif';
  c.textAlign = 'right';
  figure.lines.filter((item) => item.name !== '').slice(0, 12).forEach((item, index) => {
    c.fillStyle = color(item.rgb);
    c.fillText(item.name, x, y + 14 * index);
  });
}
