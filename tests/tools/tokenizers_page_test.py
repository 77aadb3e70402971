#!/usr/bin/env python3
"""docs/tokenizers.md says "supported" of exactly the components that the tables in src/text have."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def of_page(page):
    """Folder -> type -> state, by the headings and rows of the page."""
    states, folder = {}, None
    for line in page.splitlines():
        if line.startswith("#"):
            folder = line[4:] if line.startswith("### ") else None
        row = re.match(r"\| (\w+) \| (\w+) \|", line)
        if folder and row and row[1] != "type":
            states.setdefault(folder, {})[row[1]] = row[2]
    return states


def of_source(root):
    return {table.parent.name: set(re.findall(r'\{"(\w+)", Read\w+[,}]', table.read_text(encoding="utf-8")))
            for table in root.glob("src/text/*/table.cc")}  # fmt: skip


class TokenizersPage(unittest.TestCase):
    def test_says_what_the_tables_have(self):
        states = of_page((ROOT / "docs/tokenizers.md").read_text(encoding="utf-8"))
        tables = of_source(ROOT)
        self.assertGreaterEqual(len(tables), 4)
        for folder, types in sorted(tables.items()):
            self.assertTrue(types, folder)
            listed = states.get(folder, {})
            self.assertEqual({t for t, state in listed.items() if state == "supported"}, types, folder)
            self.assertLessEqual(set(listed.values()), {"supported", "refused"}, folder)

    def test_reads_rows(self):
        page = "## Components\n### models\n| type | state |\n| --- | --- |\n| BPE | supported | x |\n| U | refused | |\n## X\n| A | supported |\n"
        self.assertEqual(of_page(page), {"models": {"BPE": "supported", "U": "refused"}})


if __name__ == "__main__":
    sys.exit(unittest.main())
