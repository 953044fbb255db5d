// The page with the engine inside: a model by `?model=URL`, or dropped as a file, a folder or a zip.

import { App } from './app';
import { element } from './dom';
import { receive, type Listener, type Transport } from './transport';
import { unzip } from './zip';

type Files = Map<string, Uint8Array>;

/** A worker that behaves as a server does. */
class InPage implements Transport {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  /** Loads the model again from where it came; without it the files that are there are read again. */
  again: (() => void) | null = null;

  constructor(listener: Listener) {
    this.worker.onmessage = (event: MessageEvent<string | ArrayBuffer>) => receive(listener, event.data);
    this.worker.onerror = (event) => listener.note({ type: 'problems', text: `error: the engine stopped: ${event.message}\nLoad the page again.` });
    setTimeout(() => listener.connected(true));
  }

  send(line: string): void {
    if (line === 'reload' && this.again) this.again();
    else this.worker.postMessage({ kind: 'line', line });
  }

  load(files: Files, main: string, keep: boolean): void { this.worker.postMessage({ kind: 'load', files, main, keep }); }
}

const FIRST = `<mujoco model="welcome">
  <asset>
    <texture type="skybox" builtin="gradient" rgb1="0.45 0.6 0.8" rgb2="0.05 0.08 0.15" width="64" height="384"/>
    <texture name="grid" type="2d" builtin="checker" rgb1="0.25 0.3 0.38" rgb2="0.17 0.2 0.27" width="128" height="128"/>
    <material name="grid" texture="grid" texrepeat="4 4" texuniform="true" reflectance="0.2"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0.2 0.2 -1" directional="true"/>
    <geom type="plane" size="0 0 0.05" material="grid"/>
    <body pos="0 0 1"><joint type="ball" damping="0.01"/><geom type="capsule" fromto="0 0 0 0.4 0 0.2" size="0.04" rgba="0.9 0.4 0.3 1"/>
      <body pos="0.4 0 0.2"><joint axis="0 1 0" damping="0.01"/><geom type="capsule" fromto="0 0 0 0.3 0 -0.2" size="0.03" rgba="0.95 0.7 0.3 1"/></body></body>
    <body pos="0.5 0.3 1.4"><freejoint/><geom size="0.1" rgba="0.3 0.6 0.9 1"/></body>
  </worldbody>
</mujoco>`;

/** The file a folder is about: the one that includes nothing of itself and is named like a scene. */
export function mainFile(files: Files): string | null {
  const models = [...files.keys()].filter((name) => /\.(xml|mjcf|urdf|mjb)$/i.test(name));
  const text = new TextDecoder();
  const included = new Set<string>();
  for (const name of models) {
    for (const found of text.decode(files.get(name)!.subarray(0, 1 << 20)).matchAll(/<include\s+file="([^"]+)"/g)) included.add(found[1]!.split('/').pop()!);
  }
  const free = models.filter((name) => !included.has(name.split('/').pop()!));
  const rank = (name: string) => (/scene/i.test(name) ? 0 : 1) + 2 * name.split('/').length;
  return (free.length > 0 ? free : models).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))[0] ?? null;
}

/** All files below what was dropped. */
async function dropped(items: DataTransferItemList): Promise<Files> {
  const files: Files = new Map();
  // Entries and files are only there while the event lasts.
  const things = [...items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter((thing) => thing !== null);
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      await take(files, entry.fullPath.replace(/^\//, ''), new Uint8Array(await file.arrayBuffer()));
    } else {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      for (;;) {
        const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (part.length === 0) break;
        for (const child of part) await walk(child);
      }
    }
  };
  for (const thing of things) {
    if (thing instanceof File) await take(files, thing.name, new Uint8Array(await thing.arrayBuffer()));
    else await walk(thing);
  }
  return files;
}

async function take(files: Files, name: string, content: Uint8Array): Promise<void> {
  if (/\.zip$/i.test(name)) for (const [inner, bytes] of await unzip(content)) files.set(inner, bytes);
  else files.set(name, content);
}

/** Most files that a model by address may name. */
const MOST_FILES = 5000;

/** A model with the files it names, by address: included texts first, then what all of them name, in the folders they name. */
async function fetched(address: string): Promise<[Files, string]> {
  const files: Files = new Map();
  const base = new URL(address, location.href);
  const name = decodeURIComponent(base.pathname.split('/').pop() || 'model.xml');
  const get = async (url: URL): Promise<Uint8Array> => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  await take(files, name, await get(base));
  if (/\.zip$/i.test(name)) return [files, mainFile(files) ?? name];
  const texts = [name], folders = new Set(['']), named = new Set<string>();
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    const content = new TextDecoder().decode(files.get(text));
    for (const [, folder] of content.matchAll(/\b(?:meshdir|texturedir|assetdir)\s*=\s*["']([^"']+)["']/g)) folders.add(`${folder!.replace(/\/$/, '')}/`);
    for (const [, file] of content.matchAll(/\bfile(?:name|right|left|up|down|front|back)?\s*=\s*["']([^"']+)["']/g)) {
      const path = file!.replace(/^package:\/\/[^/]*\//, '');
      if (!/\.(xml|mjcf|urdf)$/i.test(path)) named.add(path);
      else if (!files.has(path) && files.size < MOST_FILES) {
        const bytes = await get(new URL(path, base)).catch(() => null);
        if (bytes) {
          files.set(path, bytes);
          texts.push(path);
        }
      }
    }
  }
  await Promise.all([...named].slice(0, MOST_FILES).map(async (path) => {
    for (const folder of folders) {
      const bytes = await get(new URL(folder + path, base)).catch(() => null);
      if (!bytes) continue;
      files.set(folder + path, bytes);
      // A robot description names packages that are not here; its files are found by their last name too.
      if (/\.urdf$/i.test(name)) files.set(path.split('/').pop()!, bytes);
      return;
    }
  }));
  return [files, name];
}

export function start(root: HTMLElement): void {
  let transport: InPage;
  const app = new App(root, (listener) => (transport = new InPage(listener)));
  const fail = (error: unknown) => app.note({ type: 'problems', text: `error: ${error instanceof Error ? error.message : String(error)}` });
  const show = (files: Files, keep = false) => {
    const main = mainFile(files);
    if (main) transport.load(files, main, keep);
    else fail('no model file (.xml, .mjcf, .urdf or .mjb) was given');
  };
  /** Shows what somebody brings; the button then reads the same bytes again. */
  const bring = (files: Promise<Files>) => files.then((found) => {
    transport.again = null;
    show(found);
  }).catch(fail);
  const picker = element('input', { type: 'file', multiple: '', hidden: '', id: 'files' });
  picker.onchange = () => bring((async () => {
    const files: Files = new Map();
    for (const file of picker.files ?? []) await take(files, file.name, new Uint8Array(await file.arrayBuffer()));
    picker.value = '';
    return files;
  })());
  const open = element('button', { type: 'button', id: 'open', title: 'Open model files; or drop a file, a folder or a zip on the page' }, 'Open…');
  open.onclick = () => picker.click();
  root.querySelector('.tools')?.prepend(open, picker);
  const over = (yes: boolean) => root.classList.toggle('over', yes);
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    over(true);
  });
  document.addEventListener('dragleave', (event) => { if (event.relatedTarget === null) over(false); });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    over(false);
    if (event.dataTransfer) void bring(dropped(event.dataTransfer.items));
  });
  const parameters = new URLSearchParams(location.search), address = parameters.get('model');
  const pause = () => { if (parameters.has('paused')) transport.send('pause'); };
  if (address) {
    const from = (keep: boolean) => fetched(address).then(([files, main]) => transport.load(files, main, keep));
    transport!.again = () => { from(true).catch(fail); };
    from(false).then(pause, fail);
  } else {
    show(new Map([['welcome.xml', new TextEncoder().encode(FIRST)]]));
    pause();
  }
}
