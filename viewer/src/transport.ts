// The way to a session: a WebSocket to the native server, or a worker with the engine inside.

import { decode, type Frame, type Model, type Note, type Shape, type Texture } from './protocol';

export interface Listener {
  model(model: Model): void;
  note(note: Note): void;
  asset(asset: Shape | Texture): void;
  frame(frame: Frame): void;
  /** The session is reachable or not. */
  connected(yes: boolean): void;
}

export interface Transport {
  send(line: string): void;
  /** Files to be loaded by a session that has no disk; `keep` keeps the state where it fits. */
  load?(files: Map<string, Uint8Array>, main: string, keep: boolean): void;
}

/** Hands a message of either kind to the listener. */
export function receive(listener: Listener, data: string | ArrayBuffer): void {
  if (typeof data === 'string') {
    const message = JSON.parse(data) as Model | Note;
    if (message.type === 'model') listener.model(message);
    else listener.note(message);
    return;
  }
  const message = decode(data);
  if (message === null) return;
  if ('kind' in message) listener.asset(message);
  else listener.frame(message);
}

/** A socket that comes back after the server was restarted. */
export class Socket implements Transport {
  private socket: WebSocket | null = null;
  private delay = 250;

  constructor(private readonly listener: Listener) { this.open(); }

  private open(): void {
    const url = new URL('socket', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.listener.connected(true);
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => receive(this.listener, event.data);
    socket.onclose = () => {
      this.listener.connected(false);
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(2 * this.delay, 4000);
    };
  }

  send(line: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(line);
  }
}
