// Writes zip archives for tests.

import zlib from 'node:zlib';

/** An archive of files by name; every other one is packed. */
export function zip(files) {
  const parts = [], directory = [];
  let place = 0;
  Object.entries(files).forEach(([name, content], index) => {
    const bytes = Buffer.from(content), title = Buffer.from(name), method = index % 2 === 0 ? 8 : 0;
    const packed = method === 8 ? zlib.deflateRawSync(bytes) : bytes;
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(method, 4);
    head.writeUInt32LE(zlib.crc32 ? zlib.crc32(bytes) : 0, 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt16LE(title.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(place, 10);
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), head, entry, title);
    parts.push(Buffer.from([0x50, 0x4b, 3, 4]), head, title, packed);
    place += 30 + title.length + packed.length;
  });
  const list = Buffer.concat(directory), end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length / 4, 8);
  end.writeUInt16LE(directory.length / 4, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...parts, list, end]);
}
