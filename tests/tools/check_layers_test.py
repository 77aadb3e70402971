"""tools/check_layers.py on small trees: a clean one, then one fault at a time, each with its exact message."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"

CLEAN = {
    "tools/layers.txt": "base:\nio:\nops: io\napps: io | ops\n",
    "tools/homes.txt": "simdjson.h : src/io/json.cc\nregex : *.cc\nimmintrin.h : src/ops/x86/*\n",
    "include/candor/result.h": "// A value or an error.\n#pragma once\n#include <string>\n",
    "src/base/README.md": "# base\nMay include: nothing\n",
    "src/base/text.h": "// Text.\n#pragma once\n#include \"candor/result.h\"\n",
    "src/io/README.md": "# io\nMay include: nothing\n",
    "src/io/json.h": "// JSON.\n#pragma once\n",
    "src/io/json.cc": '#include "io/json.h"\n#include <simdjson.h>\n#include <regex>\n',
    "src/ops/README.md": "# ops\nMay include: io\n",
    "src/ops/ops.h": '// Operations.\n#pragma once\n#include "base/text.h"\n#include "io/json.h"\n',
    "src/ops/CMakeLists.txt": "candor_room(ops SOURCES ops.cc)\n",
    "src/apps/README.md": "# apps\nMay include: io\n",
    "src/apps/main.cc": '// The program.\n#include "io/json.h"\n',
    "src/apps/CMakeLists.txt": "target_link_libraries(candor PRIVATE candor_apps candor_ops)\n",
}


def run(changes, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**CLEAN, **changes}.items():
            if text is not None:
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        done = subprocess.run(
            [sys.executable, TOOL, "--root", root, *arguments], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout


class CheckLayers(unittest.TestCase):
    def refuses(self, changes, message, *arguments):
        code, out = run(changes, *arguments)
        self.assertEqual(code, 1, out)
        self.assertIn(message + "\n", out)
        self.assertTrue(out.endswith("1 layer problem(s)\n"), out)

    def test_clean_tree_passes(self):
        self.assertEqual(run({}), (0, ""))

    def test_include_across_a_border(self):
        bad = {"src/io/json.h": '// JSON.\n#pragma once\n#include "ops/ops.h"\n'}
        message = 'src/io/json.h:3: "ops/ops.h" crosses a border: io may include base candor io'
        self.refuses(bad, message)
        self.refuses(bad, message, "--borders", "--room", "io")
        self.assertEqual(run(bad, "--borders", "--room", "ops"), (0, ""))

    def test_linked_room_is_not_included(self):
        self.refuses(
            {"src/apps/main.cc": '// The program.\n#include "ops/ops.h"\n'},
            'src/apps/main.cc:2: "ops/ops.h" crosses a border: apps may include apps base candor io',
        )

    def test_public_header_includes_a_room(self):
        self.refuses(
            {"include/candor/result.h": '// R.\n#pragma once\n#include "io/json.h"\n'},
            'include/candor/result.h:3: "io/json.h" crosses a border: candor may include candor',
        )

    def test_base_includes_no_room(self):
        self.refuses(
            {"src/base/text.h": '// Text.\n#pragma once\n#  include "io/json.h"\n'},
            'src/base/text.h:3: "io/json.h" crosses a border: base may include base candor',
        )

    def test_link_across_a_border(self):
        self.refuses(
            {"src/ops/CMakeLists.txt": "target_link_libraries(candor_ops PRIVATE candor_apps)\n"},
            "src/ops/CMakeLists.txt:1: links candor_apps across a border",
        )

    def test_cycle(self):
        code, out = run({"tools/layers.txt": "base:\nio: ops\nops: io\napps: io | ops\n"})
        self.assertEqual(code, 1)
        self.assertIn("tools/layers.txt: cycle io -> ops -> io\n", out)

    def test_cycle_through_links(self):
        code, out = run({"tools/layers.txt": "base:\nio: | apps\nops: io\napps: io | ops\n"})
        self.assertEqual(code, 1)
        self.assertIn("tools/layers.txt: cycle io -> apps -> io\n", out)

    def test_unknown_room(self):
        self.refuses({"src/extra/a.h": "// A.\n#pragma once\n"}, "src/extra/a.h: room extra has no line in tools/layers.txt")
        code, out = run({"tools/layers.txt": "base:\nio:\nops: io\napps: io | ops extra\n"})
        self.assertIn("tools/layers.txt: apps names a room without a line: extra\n", out)
        self.assertEqual(code, 1)

    def test_third_party_away_from_home(self):
        self.refuses(
            {"src/ops/ops.h": "// Operations.\n#pragma once\n#include <simdjson.h>\n"},
            "src/ops/ops.h:3: <simdjson.h> has its home in src/io/json.cc",
        )
        self.refuses(
            {"src/ops/gemm.cc": "// Products.\n#include <immintrin.h>\n"},
            "src/ops/gemm.cc:2: <immintrin.h> has its home in src/ops/x86/*",
        )

    def test_header_that_nobody_listed(self):
        self.refuses(
            {"src/io/json.cc": '#include <zlib.h>\n'}, "src/io/json.cc:1: <zlib.h> has no home in tools/homes.txt"
        )

    def test_banned_in_a_header(self):
        self.refuses(
            {"src/io/json.h": "// JSON.\n#pragma once\n#include <regex>\n"},
            "src/io/json.h:3: <regex> has its home in *.cc",
        )
        self.refuses(
            {"src/io/json.h": "// JSON.\n#pragma once\nusing namespace std;\n"},
            "src/io/json.h:3: using namespace in a header",
        )

    def test_files_say_what_they_are(self):
        self.refuses({"src/io/path.h": "int x;\n#pragma once\n"}, "src/io/path.h:1: opens without a comment that says what it is")
        self.refuses({"src/io/path.h": "// Paths.\n"}, "src/io/path.h:1: no #pragma once")

    def test_length(self):
        lines = "int x;\n" * 420
        self.refuses(
            {"src/io/table.cc": "// A table.\n" + lines},
            'src/io/table.cc: 421 lines; past 400 the first comment says "Long because ..."',
        )
        self.assertEqual(run({"src/io/table.cc": "// A table.\n// Long because it is one table.\n" + lines})[0], 0)
        self.refuses(
            {"src/io/table.cc": "// A table.\n// Long because it is one table.\n" + "int x;\n" * 499},
            "src/io/table.cc: 501 lines; 500 is the most",
        )

    def test_readme(self):
        self.refuses(
            {"src/ops/README.md": "# ops\nMay include: nothing\n"},
            'src/ops/README.md: needs the line "May include: io", as in tools/layers.txt',
        )
        self.refuses({"src/ops/README.md": None}, "src/ops/README.md: missing")
        self.refuses(
            {"src/ops/README.md": "May include: io\n" + "x\n" * 20}, "src/ops/README.md: 21 lines; 20 is the most"
        )


if __name__ == "__main__":
    unittest.main()
