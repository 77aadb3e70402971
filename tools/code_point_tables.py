"""What the generators of tables share: two-stage tables over all code points, and arrays written out in lines."""

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
BLOCK = 128


def in_blocks(values):
    """The distinct blocks in the order of their first use, and the number of each block of `values`."""
    blocks, index = {}, []
    for at in range(0, len(values), BLOCK):
        index.append(blocks.setdefault(tuple(values[at:at + BLOCK]), len(blocks)))
    return blocks, index


def wrap(items, width=108):
    lines, line = [], ""
    for item in items:
        if line and len(line) + len(item) + 2 > width:
            lines.append(line)
            line = ""
        line += (" " if line else "") + item + ","
    return "\n".join("    " + x for x in lines + [line])
