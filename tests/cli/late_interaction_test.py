"""candor embed --task tokens and similarity on packages of late interaction: lines, roles, receipts, scores."""
import json
import unittest

from program import ProgramTest, distance, golden, package, rows_of


def case(name):
    return f"late_interaction/{name}"


class LateInteraction(ProgramTest):
    def test_lines_of_every_role(self):
        for name in ("bert_fixed", "bert_pylate", "bert_stanford", "modernbert_pylate"):
            want = golden(case(name))
            rows, at = rows_of(want["rows_f64"]), 0
            for role in (None, "query", "document"):
                items = [i for i in want["items"] if i["role"] == role]
                stdin = "\n".join(json.dumps({"text": i["text"]}) for i in items)
                for option in ("--role", "--prompt-name"):
                    asked = [option, role] if role else []
                    lines = self.lines("embed", package(case(name)), "--task", "tokens", *asked, stdin=stdin)
                    got = [row for line in lines for row in line["embeddings"]]
                    self.assertEqual(
                        [line["token_ids"] for line in lines], [[i["ids"][s] for s in i["scored"]] for i in items]
                    )
                    self.assertLess(distance(got, rows[at : at + len(got)]), max(4 * want["delta"], 1e-6))
                at += len(got)

    def test_receipt_names_what_was_applied(self):
        receipt = self.folder / "r.json"
        self.lines("embed", package(case("bert_pylate")), "--task", "tokens", "--role", "query", "--text", "a",
                   "--receipt", str(receipt))
        options = {o["name"]: o["value"] for o in json.loads(receipt.read_text())["options"]}
        self.assertEqual(options["role"], "query")
        self.assertEqual(options["expansion"], "to 12 tokens with [MASK], seen by none")
        self.assertEqual(options["skip-list"], "0 tokens")

    def test_scores_are_maxsim(self):
        want = golden(case("bert_fixed"))
        query = [i for i in want["items"] if i["role"] == "query"][2]["text"]
        documents = [i["text"] for i in want["items"] if i["role"] == "document"]
        stdin = json.dumps({"text": query, "documents": documents})
        (line,) = self.lines("similarity", package(case("bert_fixed")), "--role", "query", stdin=stdin)
        scores = rows_of(want["scores_f64"])[2]
        self.assertLess(distance([line["similarity"]], [scores]), max(8 * want["delta"], 2e-6))
        (named,) = self.lines("similarity", package(case("bert_fixed")), "--prompt-name", "query", stdin=stdin)
        self.assertEqual(named, line)
        (plain,) = self.lines("similarity", package(case("bert_fixed")), stdin=stdin)
        self.assertNotEqual(plain, line)

    def test_scores_by_a_head_that_is_asked_for(self):  # BGE-M3
        want = golden(case("xlm_roberta_m3"))
        texts = [i["text"] for i in want["items"]]
        stdin = json.dumps({"text": texts[2], "documents": texts})
        (line,) = self.lines("similarity", package(case("xlm_roberta_m3")), "--task", "tokens", stdin=stdin)
        self.assertLess(distance([line["similarity"]], [rows_of(want["scores_f64"])[2]]), max(8 * want["delta"], 2e-6))
        (declared,) = self.lines("similarity", package(case("bert_fixed")), stdin=stdin)
        (asked,) = self.lines("similarity", package(case("bert_fixed")), "--task", "tokens", stdin=stdin)
        self.assertEqual(asked, declared)
        for task in ("dense", "sparse"):
            self.run_candor("similarity", package(case("bert_fixed")), "--task", task, "--text", "a", "b", code=3)
        self.run_candor("similarity", package(case("bert_fixed")), "--adapter", "a", "--text", "a", "b", code=2)

    def test_a_role_that_is_not_declared(self):
        folder = self.folder / "package"
        import shutil

        shutil.copytree(package(case("bert_fixed")), folder)
        (folder / "sentence_bert_config.json").write_text("{}")
        (folder / "2_MultiVectorMask" / "config.json").write_text("{}")
        own = json.loads((folder / "config_sentence_transformers.json").read_text())
        own["prompts"] = {}
        (folder / "config_sentence_transformers.json").write_text(json.dumps(own))
        out, _ = self.run_candor("embed", str(folder), "--task", "tokens", "--role", "query", "--text", "a", code=2)
        self.lines("embed", str(folder), "--task", "tokens", "--text", "a")

    def test_dimensions_are_refused(self):
        for verb in (("embed", "--task", "tokens"), ("similarity",)):
            self.run_candor(verb[0], package(case("bert_fixed")), *verb[1:], "--dimensions", "8", "--text", "a", "b", code=2)


if __name__ == "__main__":
    unittest.main()
