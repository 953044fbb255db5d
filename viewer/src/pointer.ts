// Mouse, pen and fingers over the picture: steering the camera, selecting, pulling and turning.

import type { Send } from './panels/panel';

// What a motion means, as in MuJoCo.
const ROTATE_V = 1, ROTATE_H = 2, MOVE_V = 3, MOVE_H = 4, ZOOM = 5;

export class Pointer {
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private button = -1;
  private pulling = false;
  private last = { x: 0, y: 0 };
  private lastTap = { time: 0, x: 0, y: 0 };
  private spread = 0;

  constructor(private readonly canvas: HTMLElement, private readonly send: Send) {
    canvas.style.touchAction = 'none';
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const kind of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(kind, (event) => this.up(event));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('dblclick', (event) => this.select(event.clientX, event.clientY));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      this.send(`steer ${ZOOM} 0 ${clamp(-0.0005 * lines * event.deltaY)}`);
    }, { passive: false });
  }

  private select(x: number, y: number): void {
    const box = this.canvas.getBoundingClientRect();
    this.send(`select ${(x - box.left) / box.width} ${1 - (y - box.top) / box.height} ${box.width / box.height}`);
  }

  private down(event: PointerEvent): void {
    (document.activeElement as HTMLElement | null)?.blur();
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (event.pointerType === 'touch') {
      const now = performance.now(), { time, x, y } = this.lastTap;
      if (now - time < 350 && Math.hypot(event.clientX - x, event.clientY - y) < 24) {
        this.select(event.clientX, event.clientY);
        // A finger that stays after the second tap pulls.
        this.pulling = true;
        this.send('pull 1');
      }
      this.lastTap = { time: now, x: event.clientX, y: event.clientY };
    }
    if (this.fingers.size === 2) {
      this.spread = this.distance();
      this.release();
    }
    this.button = event.button;
    this.last = this.middle();
    if ((event.ctrlKey || event.metaKey) && this.fingers.size === 1) {
      this.pulling = true;
      this.send(`pull ${event.button === 2 ? 0 : 1}`);
    }
  }

  private move(event: PointerEvent): void {
    if (!this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const here = this.middle(), height = this.canvas.clientHeight || 1;
    const dx = (here.x - this.last.x) / height, dy = (here.y - this.last.y) / height;
    this.last = here;
    if (this.pulling) {
      const turn = this.button === 2;
      const action = turn ? (event.shiftKey ? ROTATE_H : ROTATE_V) : event.shiftKey ? MOVE_H : MOVE_V;
      this.send(`pullmove ${action} ${clamp(dx)} ${clamp(dy)}`);
    } else if (this.fingers.size >= 2) {
      const spread = this.distance();
      this.send(`steer ${MOVE_V} ${clamp(dx)} ${clamp(dy)}`);
      this.send(`steer ${ZOOM} 0 ${clamp(0.3 * (spread - this.spread) / height)}`);
      this.spread = spread;
    } else if (this.button === 2) {
      this.send(`steer ${event.shiftKey ? MOVE_H : MOVE_V} ${clamp(dx)} ${clamp(dy)}`);
    } else if (this.button === 1) {
      this.send(`steer ${ZOOM} 0 ${clamp(dy)}`);
    } else {
      this.send(`steer ${event.shiftKey ? ROTATE_H : ROTATE_V} ${clamp(dx)} ${clamp(dy)}`);
    }
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    this.last = this.middle();
    this.release();
  }

  private release(): void {
    if (this.pulling) this.send('release');
    this.pulling = false;
  }

  private middle(): { x: number; y: number } {
    let x = 0, y = 0;
    this.fingers.forEach((finger) => { x += finger.x; y += finger.y; });
    const count = Math.max(this.fingers.size, 1);
    return { x: x / count, y: y / count };
  }

  private distance(): number {
    const [a, b] = [...this.fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }
}

function clamp(value: number): number { return Math.min(Math.max(value, -1), 1); }
