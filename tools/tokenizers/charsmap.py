"""A SentencePiece charsmap from replacements: a double-array trie (darts-clone's units) and the strings after it."""
import base64
import struct


def charsmap(replacements):
    """base64 of the map {text: replacement}. Neither may hold NUL, and no text is empty."""
    blob, at = b"", {}
    for value in dict.fromkeys(replacements.values()):
        at[value] = len(blob)
        blob += value.encode() + b"\0"
    root = {}
    for text, value in replacements.items():
        node = root
        for byte in text.encode():
            node = node.setdefault(byte, {})
        node[None] = at[value]
    units, used_bases = [0] * 256, set()
    taken = {0}

    def place(node, index):
        """Finds a base for the children of the node at `index`; children sit at base ^ byte."""
        labels = [byte for byte in node if byte is not None]
        # The value of a key stands in the unit of label 0.
        wanted = labels + ([0] if None in node else [])
        base = 1
        while base in used_bases or any((base ^ label) in taken for label in wanted):
            base += 1
        used_bases.add(base)
        top = max(base ^ label for label in wanted) + 256
        if top >= len(units):
            units.extend([0] * (top + 1 - len(units)))
        taken.update(base ^ label for label in wanted)
        units[index] |= (base ^ index) << 10
        if None in node:
            units[index] |= 1 << 8
            units[base] = node[None] | 1 << 31
        for label in labels:
            units[base ^ label] |= label
        return [(node[label], base ^ label) for label in labels]

    open_nodes = [(root, 0)]
    while open_nodes:
        node, index = open_nodes.pop()
        open_nodes += place(node, index)
    trie = struct.pack("<%dI" % len(units), *units)
    return base64.b64encode(struct.pack("<I", len(trie)) + trie + blob).decode()
