"""inspect, plan, why-not, receipt and refusal against schemas/, on every golden package and on damaged ones."""

import copy
import json
import pathlib
import shutil
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "bad_packages")]
from bad_packages_test import TABLES  # noqa: E402
from case import nothing  # noqa: E402
from package_edit import edits, put, remove  # noqa: E402
from program import OTHER_TASKS, ROOT, ProgramTest, Schema, golden, golden_cases, package  # noqa: E402

CASES = golden_cases()
RUNS = {  # how a task is asked for
    "embed-sparse": ("embed", "--task", "sparse", "--text", "river"),
    "embed-tokens": ("embed", "--task", "tokens", "--text", "river"),
    "rerank": ("rerank", "--text", "river", "a fox"),
    "classify": ("classify", "--text", "river"),
    "classify-tokens": ("classify", "--task", "tokens", "--text", "river"),
}


def schema(name):
    return Schema(json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text()))


class Answers(ProgramTest):
    def answer(self, *arguments, code=0):
        return json.loads(self.run_candor(*arguments, "--json", code=code)[0])

    def damaged(self, edit, case="classic"):
        folder = self.folder / "package"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(package(case), folder)
        edit(folder)
        return folder

    def test_golden_packages(self):
        for case in CASES:
            options = ("--pooling", "mean") if case == "bert/no_modules" else ()
            with self.subTest(case):
                self.conforms(self.answer("inspect", package(case)), "inspect")
                self.conforms(self.answer("plan", package(case), *options), "plan")
                self.conforms(self.answer("why-not", package(case)), "why-not")
                receipt = self.folder / f"{case.replace('/', '_')}.json"
                self.run_candor("embed", package(case), *options, "--text", "river", "--receipt", receipt)
                self.conforms(json.loads(receipt.read_text()), "receipt")

    def test_golden_packages_of_other_tasks(self):
        for case in golden_cases(OTHER_TASKS):
            task = golden(case)["task"]
            with self.subTest(case):
                self.conforms(self.answer("inspect", package(case)), "inspect")
                self.conforms(self.answer("plan", package(case), "--task", task), "plan")
                answer = self.answer("why-not", package(case), "--task", task)
                self.conforms(answer, "why-not")
                self.assertEqual((answer["decision"], answer["blockers"]), ("eligible", []))
                receipt = self.folder / "receipt.json"
                verb, *rest = RUNS[task]
                self.run_candor(verb, package(case), *rest, "--receipt", receipt)
                self.conforms(json.loads(receipt.read_text()), "receipt")

    def test_inspect_of_damaged_packages(self):
        shown = 0
        for name, cases in TABLES.items():
            for case in cases:
                with self.subTest((name, case.name)):
                    done = self.ran("inspect", self.damaged(case.edit, case.package), "--json")
                    self.assertIn(done.returncode, (0, 3))
                    self.conforms(json.loads(done.stdout), "inspect" if done.returncode == 0 else "refusal")
                    shown += done.returncode == 0
        self.assertGreaterEqual(shown, 200)  # all but a folder of too many files

    def test_why_not_of_each_decision(self):  # CAP-03
        for decision, edit, options in (
            ("eligible", nothing, ()),
            ("unsupported", nothing, ("--precision", "int8")),
            ("unsupported", nothing, ("--option", "dimensions=1000")),
            ("unsupported", put("config.json", "/hidden_act", "quick"), ()),
            ("unqualified", put("config.json", "/novel", 1), ()),
            ("unknown", remove("model.safetensors"), ()),
            ("unknown", edits(remove("tokenizer.json"), put("config.json", "/is_decoder", True)), ()),
        ):
            with self.subTest((decision, options)):
                answer = self.answer("why-not", self.damaged(edit), *options)
                self.conforms(answer, "why-not")
                self.assertEqual(answer["decision"], decision)
                self.assertEqual(answer["possible"], decision == "eligible")
                self.assertEqual(bool(answer["blockers"]), decision != "eligible")

    def test_receipt_of_a_run_with_everything(self):
        folder = self.damaged(put("config.json", "/novel", 1))
        receipt = self.folder / "receipt.json"
        lines = "".join(json.dumps({"text": text}) + "\n" for text in ("river " * 60, "tea"))
        self.run_candor(
            "embed",
            folder,
            "--allow-unqualified",
            "--dimensions",
            "8",
            "--prompt",
            "query: ",
            "--receipt",
            receipt,
            stdin=lines,
        )
        self.conforms(json.loads(receipt.read_text()), "receipt")

    def test_the_schemas_refuse(self):
        """A schema that lets everything pass proves nothing: every required member of an answer, taken away."""
        receipt = self.folder / "receipt.json"
        self.run_candor("embed", package("classic"), "--text", "river", "--receipt", receipt)
        answers = {
            "inspect": self.answer("inspect", package("classic")),
            "plan": self.answer("plan", package("classic")),
            "why-not": self.answer("why-not", package("classic")),
            "receipt": json.loads(receipt.read_text()),
            "refusal": self.answer("plan", self.damaged(remove("tokenizer.json")), code=3),
        }
        for name, answer in answers.items():
            rules = schema(name)
            self.assertEqual(rules.check(answer), [])
            for member in rules.document["required"]:
                with self.subTest((name, member)):
                    less = copy.deepcopy(answer)
                    del less[member]
                    self.assertNotEqual(rules.check(less), [])
            self.assertNotEqual(rules.check({**answer, "novel": 1}), [], name)


if __name__ == "__main__":
    unittest.main()
