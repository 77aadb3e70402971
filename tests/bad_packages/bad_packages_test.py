"""Every damaged package, through the built program: the whole answer, its exit code, both streams."""

import json
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import config_cases  # noqa: E402
import cross_encoder_cases  # noqa: E402
import family_cases  # noqa: E402
import files_cases  # noqa: E402
import head_cases  # noqa: E402
import jina_cases  # noqa: E402
import late_cases  # noqa: E402
import layer_cases  # noqa: E402
import recipe_cases  # noqa: E402
import router_cases  # noqa: E402
import sparse_cases  # noqa: E402
import static_cases  # noqa: E402
import tensors_cases  # noqa: E402
import token_head_cases  # noqa: E402
import tokenizer_cases  # noqa: E402
import weights_cases  # noqa: E402
import word_cases  # noqa: E402
from program import ProgramTest, package  # noqa: E402

TABLES = {
    module.__name__: module.CASES
    for module in (
        files_cases,
        weights_cases,
        word_cases,
        tensors_cases,
        config_cases,
        family_cases,
        tokenizer_cases,
        recipe_cases,
        router_cases,
        layer_cases,
        static_cases,
        head_cases,
        cross_encoder_cases,
        sparse_cases,
        jina_cases,
        late_cases,
        token_head_cases,
    )
}


class BadPackages(ProgramTest):
    def answer(self, case):
        """(problems, standard error) of one case."""
        folder = self.folder / "package"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(package(case.package), folder)
        case.edit(folder)
        verb, *json_form = case.verb
        out, err = self.run_candor(verb, folder, *json_form, *case.options, code=case.exit)
        refusal = json.loads(out)
        self.conforms(refusal, "refusal")
        return refusal["problems"], err

    def told(self, case):
        problems, err = self.answer(case)
        got = [{key: p[key] for key in ("code", "where", "found", "allowed")} for p in problems]
        self.assertEqual(got, case.problems)
        for p in problems:
            self.assertIn(f"{p['code']}: {p['message']}", err)  # the people's form names all of them too
            self.assertNotIn(str(self.folder), json.dumps(p))  # no path of the machine

    def test_the_cases_are_many_and_distinct(self):  # issue 3, section 7
        cases = [case for table in TABLES.values() for case in table]
        single = [case for case in cases if len(case.problems) == 1]
        places = {
            (p["code"], json.dumps(p["where"], sort_keys=True)) for case in cases for p in case.problems
        }
        self.assertGreaterEqual(len(places), 150)
        self.assertGreaterEqual(len({code for code, _ in places}), 24)
        self.assertGreaterEqual(len(single), 130)
        self.assertGreaterEqual(sum(len(case.problems) >= 5 for case in cases), 5)  # ERR-03
        self.assertTrue(all(case.problems for case in cases))


def add_tests():
    for table, cases in TABLES.items():

        def run(self, cases=cases):
            for case in cases:
                with self.subTest(case.name):
                    self.told(case)

        setattr(BadPackages, f"test_{table}", run)


add_tests()

if __name__ == "__main__":
    unittest.main()
