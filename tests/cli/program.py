"""What the tests of the command line share: running the program, the goldens, the schemas.

The program under test is named by the environment variable CANDOR.
"""
import base64
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CANDOR = os.environ.get("CANDOR", "candor")
sys.path.insert(0, str(ROOT / "tools"))
from check_schema import Schema  # noqa: E402


def golden_folder(case):
    """Of "family/case"; one of BERT's needs no family."""
    return ROOT / "goldens" / (case if "/" in case else f"bert/{case}")


OTHER_TASKS = ("heads", "late_interaction", "sparse", "token_heads")  # folders of goldens


def golden_cases(folders=None):
    """Of embeddings, or of the folders named."""
    cases = [(f.parts[-3], f.parts[-2]) for f in (ROOT / "goldens").glob("*/*/golden.json")]
    return sorted("/".join(c) for c in cases if (c[0] in folders if folders else c[0] not in OTHER_TASKS))


def package(case):
    return str(golden_folder(case) / "package")


def golden(case):
    return json.loads((golden_folder(case) / "golden.json").read_text())


def rows_of(array):
    count = math.prod(array["shape"])
    code = {"f32": "f", "f64": "d"}[array["dtype"]]
    flat = struct.unpack(f"<{count}{code}", base64.b64decode(array["base64"]))
    width = array["shape"][-1]
    return [list(flat[i : i + width]) for i in range(0, count, width)]


def distance(got, want):
    """Relative L2 over all rows."""
    error = sum((a - b) ** 2 for r, s in zip(got, want) for a, b in zip(r, s))
    return math.sqrt(error / sum(b * b for s in want for b in s))


def as_float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def ran(self, *arguments, stdin="", env=None):
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        return subprocess.run([CANDOR, *map(str, arguments)], input=data, capture_output=True, timeout=120,
                              env={**os.environ, **(env or {})}, check=False)

    def run_candor(self, *arguments, code=0, stdin="", env=None):
        """(standard output, standard error), after the exit code was compared."""
        done = self.ran(*arguments, stdin=stdin, env=env)
        out, err = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, code, f"{arguments}\n{out[:2000]}\n{err[:2000]}")
        return out, err

    def lines(self, *arguments, code=0, stdin=""):
        out, _ = self.run_candor(*arguments, code=code, stdin=stdin)
        self.assertTrue(out.endswith("\n"), out[-200:])
        return [json.loads(line) for line in out.splitlines()]

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def conforms(self, value, schema):
        document = json.loads((ROOT / "schemas" / f"{schema}.schema.json").read_text())
        self.assertEqual(Schema(document).check(value), [], schema)

    def refuses(self, *arguments, code, codes, stdin=""):
        """With --json: both streams carry every problem."""
        out, err = self.run_candor(*arguments, "--json", code=code, stdin=stdin)
        refusal = json.loads(out)
        self.conforms(refusal, "refusal")
        self.assertEqual([p["code"] for p in refusal["problems"]], codes)
        for name in codes:
            self.assertIn(name, err)
        return refusal["problems"]
