"""A hostile package: its code, pickles and links are seen, listed and never opened, run or followed.

Two witnesses: the kernel says which files of the folder were opened (inotify), and a preloaded library ends
the program when it starts another, opens a socket or loads a library. Both are shown to notice.
"""

import ctypes
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from package_edit import edits, fifo, put, write  # noqa: E402
from program import CANDOR, ProgramTest, package  # noqa: E402

TRAP = os.environ["CANDOR_TRAP"]
IN_ACCESS, IN_OPEN, IN_NONBLOCK = 0x1, 0x20, 0o4000

CODE = "raise SystemExit('run')\n"
NEVER = [
    "modeling_evil.py",
    "tokenization_evil.py",
    "setup.py",
    "pytorch_model.bin",
    "training_args.bin",
    "weights.pt",
    "sklearn.joblib",
    "model.onnx",
    "tf_model.h5",
    "libevil.so",
    "config.json.bak",
    ".hidden.json",
    "..data",
]
CARD = "README.md"  # an inventory reads the license it states; nothing else reads it
NEEDED = {"config.json", "model.safetensors", "modules.json", "tokenizer.json", "tokenizer_config.json"}


def hostile(folder):
    for name in (*NEVER, CARD):
        write(name, CODE)(folder)
    # A pipe without a writer: whoever opens it to read waits for ever.
    edits(
        fifo("weights.pkl"),
        fifo("rust_model.ot"),
        write("custom_st/module.py", CODE),
        put("tokenizer_config.json", "/auto_map", {"AutoTokenizer": ["tokenization_evil.Evil", None]}),
    )(folder)


class Watched:
    """The names that were opened or read in a folder, as the kernel tells."""

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(IN_NONBLOCK)
        if (
            self.descriptor < 0
            or libc.inotify_add_watch(self.descriptor, os.fsencode(folder), IN_OPEN | IN_ACCESS) < 0
        ):
            raise OSError(ctypes.get_errno(), "inotify")

    def names(self):
        found = set()
        while True:
            try:
                data = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return found
            while data:
                _, _, _, size = struct.unpack("iIII", data[:16])
                found.add(data[16 : 16 + size].rstrip(b"\0").decode())
                data = data[16 + size :]

    def close(self):
        os.close(self.descriptor)


class Hostile(ProgramTest):
    def setUp(self):
        super().setUp()
        self.package = self.folder / "package"
        shutil.copytree(package("classic"), self.package)
        hostile(self.package)

    def opened_by(self, *command, env=None):
        watched = Watched(self.package)
        try:
            done = subprocess.run(
                list(map(str, command)),
                capture_output=True,
                timeout=60,
                check=False,
                env={**os.environ, **(env or {})},
            )
            return done, watched.names()
        finally:
            watched.close()

    def test_nothing_is_opened_that_is_not_needed(self):  # ART-04, ART-05
        for verb in (
            ("inspect", self.package, "--json"),
            ("plan", self.package, "--json"),
            ("embed", self.package, "--text", "river"),
        ):
            with self.subTest(verb[0]):
                done, names = self.opened_by(CANDOR, *verb, env={"LD_PRELOAD": TRAP})
                self.assertEqual(done.returncode, 0, done.stderr.decode()[:500])
                self.assertLessEqual(NEEDED, names)
                self.assertEqual(names & {*NEVER, "weights.pkl", "rust_model.ot"}, set())
                self.assertEqual(CARD in names, verb[0] == "inspect")

    def test_what_was_found_is_told(self):
        files = {
            f["path"]: f for f in json.loads(self.run_candor("inspect", self.package, "--json")[0])["files"]
        }
        for name, role in (
            ("modeling_evil.py", "code"),
            ("custom_st/module.py", "code"),
            ("pytorch_model.bin", "pickle"),
            ("sklearn.joblib", "pickle"),
            ("model.onnx", "foreign"),
            ("libevil.so", "other"),
        ):
            self.assertEqual(files[name]["role"], role)
            self.assertFalse(files[name]["in_closure"])
        self.assertIn("never run", files["modeling_evil.py"]["note"])
        self.assertIn("never opened", files["pytorch_model.bin"]["note"])

    def test_code_that_would_be_needed_is_denied(self):  # custom_code_denied, BR-108
        put("config.json", "/auto_map", {"AutoModel": "modeling_evil.Evil"})(self.package)
        put("modules.json", "/1/type", "custom_st.module.Evil")(self.package)
        done, names = self.opened_by(CANDOR, "plan", self.package, "--json", env={"LD_PRELOAD": TRAP})
        self.assertEqual(done.returncode, 3)
        places = [(p["code"], p["where"]["pointer"]) for p in json.loads(done.stdout)["problems"]]
        self.assertEqual(places, [("custom_code_denied", "/auto_map"), ("custom_code_denied", "/1/type")])
        self.assertEqual(names & {*NEVER, CARD}, set())

    def test_the_witnesses_notice(self):
        _, names = self.opened_by("cat", self.package / "setup.py")
        self.assertIn("setup.py", names)
        for call, line in (
            ("socket", "import socket; socket.socket()"),
            ("fork", "import os; os.fork()"),
            ("dlopen", "import ctypes; ctypes.CDLL('libm.so.6')"),
            ("execv", "import os; os.execv('/bin/true', ['true'])"),
        ):
            with self.subTest(call):
                done = subprocess.run(
                    [sys.executable, "-c", line],
                    capture_output=True,
                    check=False,
                    env={**os.environ, "LD_PRELOAD": TRAP},
                )
                self.assertEqual(done.returncode, 99)
                self.assertIn(b"trap: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
