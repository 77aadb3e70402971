#!/usr/bin/env python3
"""Writes src/text/templates/young.inc: code points that are printable characters in the tables of the PyPI package
`tokenizers`, which room text has, and not yet in those of the Python that runs this.

Python escapes such a character inside of a list that a template prints. Usage, with the pinned reference:

    python tools/make_young_table.py > src/text/templates/young.inc
"""
import sys
import unicodedata

from tokenizers import Regex, normalizers

from code_point_tables import SCALARS


def main():
    everything = "".join(map(chr, SCALARS))
    ours = set(map(ord, normalizers.Replace(Regex(r"[\p{C}\p{Z}]"), "").normalize_str(everything)))
    theirs = {c for c in SCALARS if chr(c).isprintable() and c != 0x20}
    assert theirs <= ours, sorted(theirs - ours)
    ranges = []
    for c in sorted(ours - theirs):
        if ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c])
    print(f"// Made by tools/make_young_table.py: characters younger than Unicode {unicodedata.unidata_version}.")
    for first, last in ranges:
        print(f"{{0x{first:x}, 0x{last:x}}},")


if __name__ == "__main__":
    sys.exit(main())
