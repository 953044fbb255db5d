// The engine in a worker: runs a session and speaks to the page as the native server does.

import { load, type Engine, type Session } from '../../crates/condyle-wasm/npm/index.js';
import wasmUrl from '../../crates/condyle-wasm/npm/condyle.wasm?url';

type Request = { kind: 'line'; line: string } | { kind: 'load'; files: Map<string, Uint8Array>; main: string; keep: boolean };

let engine: Engine | null = null;
let session: Session | null = null;
let main = '';
const early: Request[] = [];

function handle(request: Request): void {
  if (!engine || !session) {
    early.push(request);
    return;
  }
  if (request.kind === 'line') {
    session.command(request.line);
  } else {
    engine.forgetFiles();
    for (const [name, content] of request.files) engine.addFile(name, content);
    main = request.main;
    session.show(main, request.keep);
  }
}

self.onmessage = (event: MessageEvent<Request>) => handle(event.data);

function turn(): void {
  setTimeout(turn, 4);
  if (!session) return;
  if (session.advance() && main) session.show(main, true);
  for (const message of session.poll()) {
    if (typeof message === 'string') self.postMessage(message);
    else self.postMessage(message, { transfer: [message] });
  }
}

void (async () => {
  engine = await load(new URL(wasmUrl, self.location.href));
  session = engine.session('model');
  session.connect();
  early.splice(0).forEach(handle);
  turn();
})();
