// Files of a zip archive, unpacked by the browser.

/** Most bytes an archive may unpack to. */
const MOST = 1 << 30;

export async function unzip(archive: Uint8Array): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let end = archive.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error('this is no zip archive');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true), total = 0;
  for (let k = 0; k < count && at + 46 <= archive.length && view.getUint32(at, true) === 0x02014b50; k++) {
    const method = view.getUint16(at + 10, true), packed = view.getUint32(at + 20, true), size = view.getUint32(at + 24, true);
    const lengths = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)] as const;
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + lengths[0]));
    at += 46 + lengths[0] + lengths[1] + lengths[2];
    if (name.endsWith('/') || local + 30 > archive.length) continue;
    total += size;
    if (total > MOST) throw new Error('the archive is too large');
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const content = archive.slice(start, start + packed);
    files.set(name, method === 0 ? content : await inflate(content));
  }
  return files;
}

async function inflate(content: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([content as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
