"""A refusal leaves nothing half done: no output, no temporary, no receipt; exit codes as CLI.md."""

import json
import math
import os
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from package_edit import edits, number, put, remove  # noqa: E402
from program import ProgramTest, package  # noqa: E402

# When a fault is found: reading the files, planning, packing the weights.
FAULTS = {
    "no weights": (remove("model.safetensors"), "component_missing"),
    "activation": (put("config.json", "/hidden_act", "quick"), "unsupported_config_variant"),
    "unknown key": (put("config.json", "/novel", 1), "unqualified_case"),
    "NaN": (number("encoder.layer.1.output.dense.bias", 3, math.nan), "non_finite_parameter"),
}


class Refusals(ProgramTest):
    def damaged(self, edit):
        folder = self.folder / "package"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(package("classic"), folder)
        edit(folder)
        return folder

    def test_no_output_file_and_no_receipt(self):  # PLAN-11
        out = self.folder / "out"
        out.mkdir()
        for name, (edit, code) in FAULTS.items():
            folder = self.damaged(edit)
            files = sorted(os.listdir(folder))
            for output in ("x.npy", "x.jsonl"):
                with self.subTest((name, output)):
                    printed, err = self.run_candor(
                        "embed",
                        folder,
                        "--text",
                        "a",
                        "--output",
                        out / output,
                        "--receipt",
                        out / "receipt.json",
                        code=3,
                    )
                    self.assertEqual(printed, "")
                    self.assertIn(f"{code}: ", err)
                    self.assertEqual(os.listdir(out), [])
            self.assertEqual(sorted(os.listdir(folder)), files)

    def test_an_old_output_stays(self):
        path = self.folder / "x.npy"
        path.write_bytes(b"before")
        for edit, _ in FAULTS.values():
            self.run_candor("embed", self.damaged(edit), "--text", "a", "--output", path, code=3)
            self.assertEqual(path.read_bytes(), b"before")

    def test_every_verb_refuses_alike(self):
        folder = self.damaged(edits(*(edit for edit, _ in list(FAULTS.values())[:2])))
        codes = ["component_missing", "unsupported_config_variant"]
        self.refuses("plan", folder, code=3, codes=codes)
        self.refuses("bench", folder, "--shape", "4x1", code=3, codes=codes)
        for verb, options in (("embed", ("--text", "a")), ("similarity", ("--text", "a", "--text", "b"))):
            with self.subTest(verb):
                printed, err = self.run_candor(verb, folder, *options, code=3)
                self.assertEqual(printed, "")
                for code in codes:
                    self.assertIn(f"{code}: ", err)

    def test_a_wrong_request_is_told_from_a_wrong_package(self):  # section 11: exit codes by class
        whole = package("classic")
        self.refuses("plan", whole, "--max-length", "33", code=2, codes=["unsupported_option"])
        self.refuses("plan", whole, "--device", "cuda", code=3, codes=["backend_not_compiled"])
        self.refuses("plan", self.folder / "none", code=3, codes=["artifact_missing"])
        self.refuses("plan", self.folder / "none" / "deeper", code=3, codes=["artifact_missing"])
        file = self.file("file", "text")
        (told,) = self.refuses("plan", file, code=3, codes=["artifact_missing"])
        self.assertEqual((told["found"], told["allowed"]), ("Not a directory", "a folder that can be read"))

    def test_inspect_shows_a_damaged_package(self):
        folder = self.damaged(edits(*(edit for edit, _ in FAULTS.values() if edit is not FAULTS["NaN"][0])))
        out, _ = self.run_candor("inspect", folder, "--json")
        answer = json.loads(out)
        self.conforms(answer, "inspect")
        self.assertEqual([p["code"] for p in answer["problems"]], ["component_missing"])


if __name__ == "__main__":
    unittest.main()
