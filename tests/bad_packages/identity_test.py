"""A package is its bytes: the place does not count, and every byte of the closure does."""

import json
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from package_edit import flip, write  # noqa: E402
from program import ProgramTest, package  # noqa: E402


def spaced(name):
    """One byte more that JSON does not see: the values stay."""
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + b" ")


class Identity(ProgramTest):
    def copied(self, name, edit=None, case="two_dense"):
        folder = self.folder / name
        shutil.copytree(package(case), folder)
        if edit is not None:
            edit(folder)
        return folder

    def plan(self, folder):
        return json.loads(self.run_candor("plan", folder, "--json")[0])

    def test_inspect_is_the_same_text_anywhere(self):  # ART-03
        for case in ("classic", "modern", "two_dense", "gelu_new_sharded"):
            with self.subTest(case):
                first, _ = self.run_candor("inspect", package(case), "--json")
                self.assertEqual(self.run_candor("inspect", package(case), "--json")[0], first)
                self.assertEqual(self.run_candor("inspect", self.copied(case, case=case), "--json")[0], first)

    def test_a_name_is_no_identity(self):  # ART-01
        plan = self.plan(self.copied("one"))
        self.assertRegex(plan["fingerprint"], "^sha256:[0-9a-f]{64}$")
        shutil.move(self.folder / "one", self.folder / "gpt-nothing-qwen")
        self.assertEqual(self.plan(self.folder / "gpt-nothing-qwen"), plan)
        linked = self.folder / "linked"
        linked.symlink_to("gpt-nothing-qwen")
        self.assertEqual(self.plan(linked), plan)

    def test_every_byte_of_the_closure_counts(self):  # ART-02, PLAN-03
        plan = self.plan(self.copied("whole"))
        seen = {(plan["package"], plan["fingerprint"])}
        documents = (
            "config.json",
            "tokenizer.json",
            "tokenizer_config.json",
            "modules.json",
            "sentence_bert_config.json",
            "1_Pooling/config.json",
            "2_Dense/config.json",
        )
        changes = {name: spaced(name) for name in documents}
        for name in ("model.safetensors", "2_Dense/model.safetensors", "3_Dense/model.safetensors"):
            changes[name] = flip(name, -3)  # a mantissa bit of the last value
        for number, (name, edit) in enumerate(changes.items()):
            with self.subTest(name):
                changed = self.plan(self.copied(str(number), edit))
                pair = (changed["package"], changed["fingerprint"])
                self.assertTrue(all(a != b for old in seen for a, b in zip(old, pair)))
                seen.add(pair)

    def test_what_decides_nothing_does_not_count(self):
        plan = self.plan(self.copied("plain"))
        for name in ("README.md", "LICENSE", "onnx/model.onnx", "pytorch_model.bin", "modeling_x.py"):
            with self.subTest(name):
                self.assertEqual(self.plan(self.copied(name.replace("/", "_"), write(name, "x"))), plan)


if __name__ == "__main__":
    unittest.main()
