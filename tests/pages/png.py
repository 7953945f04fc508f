"""The pixels of a PNG file, as browsers write them: eight bits a channel, not interlaced."""

import struct
import zlib


def pixels(data):
    """Width, height and the rows of pixels, each a list of (red, green, blue)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "this is no PNG file"
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
    width, height, depth, colour, _, _, interlaced = head
    assert depth == 8 and colour in (2, 6) and not interlaced, head
    size = 3 if colour == 2 else 4
    raw, stride, before, rows = zlib.decompress(packed), width * size, bytearray(width * size), []
    for y in range(height):
        start = y * (stride + 1)
        line = bytearray(raw[start + 1 : start + 1 + stride])
        unfilter(raw[start], line, before, size)
        rows.append([tuple(line[x : x + 3]) for x in range(0, stride, size)])
        before = line
    return width, height, rows


def unfilter(kind, line, above, size):
    """What a line says, from what it says beside its neighbours: chapter 9 of the standard."""
    for x in range(len(line)):
        left = line[x - size] if x >= size else 0
        corner = above[x - size] if x >= size else 0
        up = above[x]
        if kind == 1:
            line[x] = (line[x] + left) & 255
        elif kind == 2:
            line[x] = (line[x] + up) & 255
        elif kind == 3:
            line[x] = (line[x] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            best = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            line[x] = (line[x] + best) & 255
