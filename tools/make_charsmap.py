#!/usr/bin/env python3
"""Makes a SentencePiece charsmap, as the normalizer Precompiled carries it in base64, from pairs key=value.

Python escapes are allowed in both; keys are bytes (\\xNN is a byte, \\uNNNN a character), values text:

    python tools/make_charsmap.py '\\u00e9=e' 'a=bb'
"""
import base64
import struct
import sys

VALUE = 1 << 31


def charsmap(pairs):
    """The bytes of the map: size of the trie, its units (Darts-clone's layout), the strings."""
    root = {}
    strings, places = b"", {}
    for key, value in pairs.items():
        if value not in places:
            places[value] = len(strings)
            strings += value.encode() + b"\0"
        node = root
        for byte in key:
            assert byte != 0
            node = node.setdefault(byte, {})
        node[0] = places[value]

    units, used = {}, {0}  # places taken by units
    bases = set()

    def place(node):
        """A base where all children of the node find free places, then the children's own."""
        base = next(b for b in range(1, 1 << 21) if b not in bases and all(b ^ label not in used for label in node))
        bases.add(base)
        used.update(base ^ label for label in node)
        for label, child in sorted(node.items()):
            at = base ^ label
            if label == 0:
                units[at] = VALUE | child
                continue
            units[at] = (at ^ place(child)) << 10 | (1 << 8 if 0 in child else 0) | label
        return base

    units[0] = place(root) << 10
    size = (max(list(used) + list(bases)) | 0xFF) + 1
    trie = b"".join(struct.pack("<I", units.get(i, 0)) for i in range(size))
    return struct.pack("<I", len(trie)) + trie + strings


def unescaped(text, as_bytes):
    value = text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    if as_bytes and all(ord(c) < 256 for c in value) and "\\x" in text:
        return value.encode("latin-1")
    return value.encode() if as_bytes else value


if __name__ == "__main__":
    split = [pair.split("=", 1) for pair in sys.argv[1:]]
    print(base64.b64encode(charsmap({unescaped(k, True): unescaped(v, False) for k, v in split})).decode())
