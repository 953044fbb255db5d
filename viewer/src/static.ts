// The page with the engine inside: a model by `?model=URL`, or dropped as a file, a folder or a zip.

import { App } from './app';
import { element } from './dom';
import { receive, type Listener, type Transport } from './transport';
import { unzip } from './zip';

/** A worker that behaves as a server does. */
class InPage implements Transport {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });

  constructor(listener: Listener) {
    this.worker.onmessage = (event: MessageEvent<string | ArrayBuffer>) => receive(listener, event.data);
    setTimeout(() => listener.connected(true));
  }

  send(line: string): void { this.worker.postMessage({ kind: 'line', line }); }
  load(files: Map<string, Uint8Array>, main: string): void { this.worker.postMessage({ kind: 'load', files, main }); }
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
export function mainFile(files: Map<string, Uint8Array>): string | null {
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
async function dropped(items: DataTransferItemList): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
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
  for (const entry of entries) await walk(entry);
  return files;
}

async function take(files: Map<string, Uint8Array>, name: string, content: Uint8Array): Promise<void> {
  if (/\.zip$/i.test(name)) for (const [inner, bytes] of await unzip(content)) files.set(inner, bytes);
  else files.set(name, content);
}

/** A model with the files it names, by address. Files are fetched as the text mentions them. */
async function fetched(address: string): Promise<[Map<string, Uint8Array>, string]> {
  const files = new Map<string, Uint8Array>();
  const base = new URL(address, location.href);
  const name = base.pathname.split('/').pop() || 'model.xml';
  const get = async (url: URL): Promise<Uint8Array> => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  await take(files, name, await get(base));
  if (/\.zip$/i.test(name)) return [files, mainFile(files) ?? name];
  const texts = [name];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    const content = new TextDecoder().decode(files.get(text));
    const folders = ['', ...[...content.matchAll(/(?:meshdir|texturedir|assetdir)="([^"]+)"/g)].map((found) => `${found[1]!.replace(/\/$/, '')}/`)];
    for (const found of content.matchAll(/(?:file|filename)="([^"]+)"/g)) {
      for (const folder of folders) {
        const path = folder + found[1]!;
        if (files.has(path)) break;
        const bytes = await get(new URL(path, base)).catch(() => null);
        if (!bytes) continue;
        files.set(path, bytes);
        if (/\.(xml|mjcf)$/i.test(path)) texts.push(path);
        break;
      }
    }
  }
  return [files, name];
}

export function start(root: HTMLElement): void {
  const app = new App(root, (listener) => new InPage(listener));
  const show = (files: Map<string, Uint8Array>, main: string | null) => {
    if (main) app.transport.load?.(files, main);
    else app.note({ type: 'problems', text: 'error: no model file (.xml, .urdf or .mjb) was dropped' });
  };
  const picker = element('input', { type: 'file', multiple: '', hidden: '', id: 'files' });
  picker.onchange = async () => {
    const files = new Map<string, Uint8Array>();
    for (const file of picker.files ?? []) await take(files, file.name, new Uint8Array(await file.arrayBuffer()));
    show(files, mainFile(files));
  };
  const open = element('button', { type: 'button', id: 'open', title: 'Open model files; or drop a file, a folder or a zip on the page' }, 'Open…');
  open.onclick = () => picker.click();
  root.querySelector('.tools')?.prepend(open, picker);
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', async (event) => {
    event.preventDefault();
    if (!event.dataTransfer) return;
    const files = await dropped(event.dataTransfer.items);
    show(files, mainFile(files));
  });
  const address = new URLSearchParams(location.search).get('model');
  if (address) {
    fetched(address).then(([files, main]) => show(files, main), (error: unknown) => app.note({ type: 'problems', text: `error: ${String(error)}` }));
  } else {
    show(new Map([['welcome.xml', new TextEncoder().encode(FIRST)]]), 'welcome.xml');
  }
}
