"""Tables in docs/performance.md, each set between two markers of its own that its script replaces."""

import re

from common import BENCH

PAGE = BENCH.parent / "docs" / "performance.md"


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def table(header, rows):
    return [row(*header), "|" + " --- |" * len(header), *rows, ""]


def replace(name, lines):
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text, found = re.subn(
        f"{begin}.*{end}", lambda _: "\n".join([begin, *lines, end]), PAGE.read_text(encoding="utf-8"), flags=re.S
    )
    if found != 1:
        raise RuntimeError(f"{PAGE} has {found} places for {name}")
    PAGE.write_text(text, encoding="utf-8")
