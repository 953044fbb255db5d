"""Random PNG files: all colour types and depths, palettes, transparency, filters; sometimes damaged."""

import struct
import zlib

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def _chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def random_png(rng):
    """(bytes, width, height)."""
    colour = int(rng.choice(list(CHANNELS)))
    depth = int(rng.choice({0: [1, 2, 4, 8, 16], 3: [1, 2, 4, 8]}.get(colour, [8, 16])))
    width, height = int(rng.integers(1, 12)), int(rng.integers(1, 12))
    line = (width * CHANNELS[colour] * depth + 7) // 8
    rows = b"".join(bytes([int(rng.integers(5))]) + rng.bytes(line) for _ in range(height))
    chunks = [_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))]
    if rng.random() < 0.3:
        chunks.append(_chunk(b"gAMA", struct.pack(">I", int(rng.choice([45455, 100000])))))
    if rng.random() < 0.3:
        chunks.append(_chunk(b"sRGB", b"\0"))
    if colour == 3:
        # All entries, so that every index has a colour.
        chunks.append(_chunk(b"PLTE", rng.bytes(3 * 2**depth)))
        if rng.random() < 0.4:
            chunks.append(_chunk(b"tRNS", rng.bytes(int(rng.integers(1, 2**depth + 1)))))
    elif colour in (0, 2) and rng.random() < 0.3:
        chunks.append(_chunk(b"tRNS", b"".join(struct.pack(">H", int(rng.integers(2**depth))) for _ in range(CHANNELS[colour]))))
    chunks += [_chunk(b"IDAT", zlib.compress(rows)), _chunk(b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
    if rng.random() < 0.15:
        at = int(rng.integers(len(data)))
        data = data[:at] if rng.random() < 0.5 else data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]
    return data, width, height
