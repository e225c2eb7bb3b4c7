"""PNG, as little of it as pictures need: rows of bytes to a file, and back."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KIND = {1: 3, 3: 2, 4: 6}


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def write(
    rows: Sequence[bytes], channels: int = 3, palette: bytes = b"", opacity: bytes = b"", level: int = 9
) -> bytes:
    """Rows of 8-bit samples as a PNG; the same rows give the same bytes.

    With one channel a sample is a number in the palette of red, green and blue bytes; `opacity` has one byte for each
    of its colours.

    >>> write([b"\\x00\\x00\\x00"])[:8] == SIGNATURE
    True
    """
    width = len(rows[0]) // channels
    head = struct.pack(">IIBBBBB", width, len(rows), 8, _KIND[channels], 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), level)
    colours = _chunk(b"PLTE", palette) if palette else b""
    colours += _chunk(b"tRNS", opacity) if opacity else b""
    return SIGNATURE + _chunk(b"IHDR", head) + colours + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def read(data: bytes) -> list[bytes]:
    """The rows of an 8-bit PNG without interlacing, which is what browsers write.

    >>> rows = [bytes(range(6)), bytes(range(6, 12))]
    >>> read(write(rows)) == rows
    True
    """
    import numpy as np

    at, body = 8, b""
    width = height = kind = 0
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if name == b"IHDR":
            width, height, _, kind = struct.unpack(">IIBB", content[:10])
        elif name == b"IDAT":
            body += content
        at += 12 + length
    channels = {2: 3, 6: 4}[kind]
    raw = zlib.decompress(body)
    stride = width * channels
    rows: list[bytes] = []
    above = np.zeros(stride, np.uint8)
    for y in range(height):
        method = raw[y * (stride + 1)]
        line = np.frombuffer(raw, np.uint8, stride, y * (stride + 1) + 1)
        above = _unfilter(method, line, above, channels)
        rows.append(above.tobytes())
    return rows


def _unfilter(method, line, above, channels):
    """Undo PNG's five ways of writing a row as a difference."""
    import numpy as np

    if method == 0:
        return line.copy()
    if method == 2:
        return line + above
    if method == 1:
        return np.add.accumulate(line.reshape(-1, channels), axis=0, dtype=np.uint8).reshape(-1)
    out = np.zeros_like(line)
    left = [0] * channels
    corner = [0] * channels
    up = above.tolist()
    now = line.tolist()
    for k, step in enumerate(now):
        c = k % channels
        a, b, d = left[c], up[k], corner[c]
        if method == 3:
            guess = (a + b) // 2
        else:
            p = a + b - d
            guess = min(((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - d), 2, d)))[2]
        left[c] = (step + guess) & 255
        corner[c] = b
        out[k] = left[c]
    return out
