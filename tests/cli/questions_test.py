"""inspect, plan, why-not and version: text and JSON, schemas, refusals on both streams, exit codes."""
import json
import shutil
import unittest

from program import ROOT, ProgramTest, golden_cases, package


class Questions(ProgramTest):
    def copy(self, case):
        path = self.folder / "copy"
        shutil.copytree(package(case), path)
        return path

    def json_of(self, *arguments, schema=None, code=0):
        out, _ = self.run_candor(*arguments, "--json", code=code)
        value = json.loads(out)
        if schema is not None:
            self.conforms(value, schema)
        return value

    def test_golden_packages_are_eligible_or_refused_by_name(self):  # CAP-03, CAP-05
        eligible = 0
        for case in golden_cases():
            with self.subTest(case):
                options = ("--pooling", "mean") if case == "bert/no_modules" else ()
                done = self.ran("plan", package(case), *options, "--json")
                answer = json.loads(done.stdout)
                if done.returncode == 0:
                    self.conforms(answer, "plan")
                    self.assertEqual(answer["decision"], "eligible")
                    eligible += 1
                    continue
                self.assertEqual(done.returncode, 3)
                codes = {p["code"] for p in answer["problems"]}
                self.assertLessEqual(codes, {"unsupported_config_variant", "unsupported_processor_recipe"})
        self.assertGreaterEqual(eligible, 25)

    def test_an_own_limit_makes_endless_packages_usable(self):
        path = self.copy("modernbert/new_keys")
        (path / "sentence_bert_config.json").write_text('{"max_seq_length":2147483647}')
        self.run_candor("plan", path, code=3)
        out, _ = self.run_candor("plan", path, "--max-length", "64", "--json")
        self.assertEqual(json.loads(out)["limits"]["max_length"], 64)
        self.run_candor("plan", path, "--max-length", "65536")
        self.run_candor("plan", path, "--max-length", "65537", code=2)

    def test_plans_are_the_packages_not_the_places(self):  # ART-01, ART-03
        for verb in ("plan", "inspect"):
            one, _ = self.run_candor(verb, package("classic"), "--json")
            copy = self.folder / verb
            shutil.copytree(package("classic"), copy)
            self.assertEqual(self.run_candor(verb, copy, "--json")[0], one)
            self.assertNotIn(str(ROOT), one)

    def test_inspect(self):
        if (ROOT / "schemas" / "inspect.schema.json").exists():
            self.json_of("inspect", package("classic"), schema="inspect")
        text, err = self.run_candor("inspect", package("classic"))
        self.assertIn("model.safetensors", text)
        self.assertEqual(err, "")
        damaged = self.copy("classic")
        (damaged / "config.json").write_text("{")
        self.assertIn("config.json", self.run_candor("inspect", damaged, "--json")[0])
        self.refuses("inspect", self.folder / "none", code=3, codes=["artifact_missing"])

    def test_all_problems_at_once_on_both_streams(self):  # ERR-03
        broken = self.copy("classic")
        config = json.loads((broken / "config.json").read_text())
        config["hidden_act"] = "quadratic"
        config["position_embedding_type"] = "relative_key"
        (broken / "config.json").write_text(json.dumps(config))
        out, err = self.run_candor("plan", broken, "--json", code=3)
        refusal = json.loads(out)
        self.conforms(refusal, "refusal")
        pointers = {p["where"].get("pointer") for p in refusal["problems"]}
        self.assertLessEqual({"/hidden_act", "/position_embedding_type"}, pointers)
        for problem in refusal["problems"]:
            self.assertIn(problem["code"], err)
            self.assertNotIn(str(self.folder), problem["message"])
        out, plain = self.run_candor("plan", broken, code=3)
        self.assertEqual(out, "")
        self.assertEqual(plain, err)
        self.run_candor("embed", broken, "--text", "a", code=3)
        self.run_candor("tokenize", self.folder / "none", "--text", "a", code=3)

    def test_a_package_without_a_manifest_needs_a_choice(self):  # TSK-06
        out, err = self.run_candor("plan", package("no_modules"), code=3)
        self.assertEqual(out, "")
        self.assertIn("unsupported_processor_recipe", err)
        self.assertIn("--pooling", err)
        self.run_candor("plan", package("no_modules"), "--pooling", "mean")
        self.run_candor("plan", package("no_modules"), "--pooling", "median", code=2)

    def test_unqualified_runs_only_on_request(self):  # CAP-05
        odd = self.copy("classic")
        config = json.loads((odd / "config.json").read_text())
        config["some_new_key"] = 1
        (odd / "config.json").write_text(json.dumps(config))
        problems = json.loads(self.run_candor("plan", odd, "--json", code=3)[0])["problems"]
        self.assertEqual({p["code"] for p in problems}, {"unqualified_case"})
        self.run_candor("embed", odd, "--text", "a", code=3)
        plan = self.json_of("plan", odd, "--allow-unqualified", schema="plan")
        self.assertEqual(plan["decision"], "unqualified")
        receipt = self.folder / "receipt.json"
        self.run_candor("embed", odd, "--text", "a", "--allow-unqualified", "--receipt", receipt)
        shown = json.loads(receipt.read_text())
        self.assertEqual(shown["decision"], "unqualified")
        self.assertTrue(shown["unqualified"])
        answer = self.json_of("why-not", odd, schema="why-not")
        self.assertEqual((answer["possible"], answer["decision"]), (False, "unqualified"))

    def test_why_not(self):  # CAP-07, CAP-08
        answer = self.json_of("why-not", package("classic"), schema="why-not")
        self.assertEqual((answer["possible"], answer["blockers"]), (True, []))
        for options, code in (
            (("--precision", "int8"), "unsupported_option"),
            (("--device", "cuda:0"), "backend_not_compiled"),
            (("--task", "rerank"), "unsupported_task_head"),
            (("--task", "decide"), "unknown_task"),
        ):
            with self.subTest(options):
                answer = self.json_of("why-not", package("classic"), *options, schema="why-not")
                self.assertFalse(answer["possible"])
                self.assertEqual([b["code"] for b in answer["blockers"]], [code])
                text, _ = self.run_candor("why-not", package("classic"), *options)
                self.assertIn("because ", text)
        self.run_candor("why-not", package("classic"), "--option", "nonsense", code=2)

    def test_why_not_of_every_tasks_options(self):  # PLAN-04: the same refusal as the verb's own
        ranges = self.file("r.json", "[[1],[0]]")
        for task, case, verb, name, value in (
            ("rerank", "heads/bert_rerank", ("rerank",), "role", "query"),
            ("classify", "heads/bert_softmax", ("classify",), "role", "query"),
            ("classify-tokens", "token_heads/bert_entities", ("classify", "--task", "tokens"), "prompt-name", "query"),
            ("sparse", "sparse/bert_codes", ("embed", "--task", "sparse"), "max-active-dims", "9999"),
            ("tokens", "late_interaction/bert_fixed", ("embed", "--task", "tokens"), "max-length", "8"),
            ("dense", "bert/classic", ("embed",), "adapter", "none"),
            ("dense", "bert/classic", ("embed",), "embedding-type", "int8"),
            ("dense", "bert/classic", ("embed",), "ranges", str(ranges)),
        ):
            with self.subTest((task, name)):
                answer = self.json_of("why-not", package(case), "--task", task, "--allow-unqualified", "--option", f"{name}={value}",
                                      schema="why-not")
                texts = ("--text", "a", "b") if task == "rerank" else ("--text", "a")
                _, err = self.run_candor(verb[0], package(case), *verb[1:], "--allow-unqualified", f"--{name}", value, *texts, code=2)
                self.assertEqual(len(answer["blockers"]), 1)
                self.assertIn(answer["blockers"][0]["message"], err)
        self.run_candor("why-not", package("classic"), "--option", "ranges=/none/at/all", code=2)

    def test_plan_for_people(self):
        text, err = self.run_candor("plan", package("classic"))
        for word in ("fingerprint", "tensors (", "steps (", "eligible"):
            self.assertIn(word, text)
        self.assertEqual(err, "")
        self.run_candor("plan", package("classic"), "--precision", "bf16", code=2)

    def test_version(self):
        version = self.json_of("version")
        self.assertIn("scalar", self.run_candor("version", "--json", env={"CANDOR_ISA": "scalar"})[0])
        text, _ = self.run_candor("version")
        self.assertTrue(text.startswith("candor "), text)
        self.assertEqual(self.run_candor("--version")[0], text)
        self.assertTrue(version)


if __name__ == "__main__":
    unittest.main()
