"""candor rerank and classify: lines, rankings, forms of input, failed items, and what is refused."""
import json
import unittest

from program import ProgramTest, golden, package, rows_of

RERANK, CLASSIFY = "heads/bert_rerank", "heads/bert_softmax"


class Scores(ProgramTest):
    def test_rerank_scores_of_the_reference(self):
        want = golden(RERANK)
        logits = [row[0] for row in rows_of(want["logits_f64"])]
        bound = 4 * want["delta"] * max(abs(x) for x in logits) * len(logits) ** 0.5
        stdin = "".join(json.dumps({"query": i["text"], "documents": [i["pair"]]}) + "\n" for i in want["items"])
        lines = self.lines("rerank", package(RERANK), stdin=stdin)
        self.assertEqual(len(lines), len(logits))
        for line, item, logit in zip(lines, want["items"], logits):
            self.assertEqual(list(line)[:2], ["scores", "activated"])
            self.assertLessEqual(abs(line["scores"][0] - logit), bound)
            total, kept = item["tokens_before_truncation"], len(item["ids"])
            self.assertEqual(line.get("truncated"), {"tokens": total, "kept": kept} if total > kept else None)

    def test_documents_keep_their_order_and_the_ranking_is_of_scores(self):
        documents = ["stone city", "a fox", "the river", "a fox"]
        stdin = json.dumps({"id": 7, "query": "river", "documents": documents})
        (line,) = self.lines("rerank", package(RERANK), "--top-n", "3", stdin=stdin)
        self.assertEqual(list(line), ["id", "scores", "activated", "ranking"])
        order = sorted(range(4), key=lambda i: (-line["scores"][i], i))
        self.assertEqual(line["ranking"], order[:3])
        self.assertEqual(line["scores"][1], line["scores"][3])
        (turned,) = self.lines(
            "rerank", package(RERANK), stdin=json.dumps({"query": "river", "documents": documents[::-1]})
        )
        self.assertEqual(turned["scores"], line["scores"][::-1])
        args = self.lines("rerank", package(RERANK), "--text", "river", *documents)
        self.assertEqual(args[0]["scores"], line["scores"])

    def test_classify_lines(self):
        want = golden(CLASSIFY)
        stdin = "".join(
            json.dumps({"text": i["text"], **({"pair": i["pair"]} if "pair" in i else {})}) + "\n" for i in want["items"]
        )
        lines = self.lines("classify", package(CLASSIFY), stdin=stdin)
        for line, row in zip(lines, rows_of(want["scores_f64"])):
            self.assertEqual([x["label"] for x in line["labels"]], want["labels"])
            self.assertEqual(list(line["labels"][0]), ["label", "score", "logit"])
            self.assertAlmostEqual(sum(x["score"] for x in line["labels"]), 1, places=6)
            for got, expected in zip(line["labels"], row):
                self.assertAlmostEqual(got["score"], expected, places=5)

    def test_failed_items_keep_their_place(self):
        stdin = '{"text":"a"}\n{"text":"' + "river " * 60 + '"}\n{"text":"b"}\n'
        first, failed, last = self.lines("classify", package(CLASSIFY), "--no-truncate", stdin=stdin, code=1)
        self.assertEqual(failed["error"]["code"], "input_too_large")
        self.assertIn("labels", first)
        self.assertIn("labels", last)
        stdin = json.dumps({"query": "a", "documents": ["b", "river " * 60]})
        (line,) = self.lines("rerank", package(RERANK), "--no-truncate", stdin=stdin, code=1)
        self.assertEqual(line["error"]["code"], "input_too_large")

    def test_receipts(self):
        for verb, case, activation in (("rerank", RERANK, "none"), ("classify", CLASSIFY, "softmax")):
            receipt = self.folder / "receipt.json"
            self.run_candor(verb, package(case), "--text", "a", "b", "--receipt", receipt)
            shown = json.loads(receipt.read_text())
            self.assertEqual(shown["output"]["representation"], "logits")
            self.assertEqual(shown["output"]["activation"], activation)
            self.assertTrue(shown["as_planned"])
            self.assertTrue(shown["kernels"])

    def test_text_for_people(self):
        out, _ = self.run_candor("classify", package(CLASSIFY), "--text", "river", "--format", "text")
        rows = out.splitlines()
        self.assertEqual(rows[0], "river")
        self.assertEqual(len(rows), 4)
        self.assertGreaterEqual(float(rows[1].split()[0]), float(rows[2].split()[0]))
        out, _ = self.run_candor("rerank", package(RERANK), "--text", "river", "a fox", "lake", "--format", "text", "--top-n", "1")
        self.assertEqual(len(out.splitlines()), 2)

    def test_refusals(self):
        for verb, case, code in (
            ("rerank", CLASSIFY, 3),  # three labels
            ("rerank", "bert/classic", 3),
            ("classify", "bert/classic", 3),
        ):
            out, err = self.run_candor(verb, package(case), "--text", "a", "b", code=code)
            self.assertEqual(out, "")
            self.assertIn("unsupported_task_head", err)
        self.run_candor("classify", package(CLASSIFY), "--text", "a", "--pooling", "mean", code=2)
        self.run_candor("classify", package(CLASSIFY), "--text", "a", "--prompt-name", "query", code=2)
        self.run_candor("rerank", package(RERANK), "--text", "a", "b", "--prompt-name", "query", code=2)
        self.run_candor("rerank", package(RERANK), "--text", "a", "b", "--dimensions", "3", code=2)
        self.run_candor("classify", package(CLASSIFY), "--text", "a", "--top-n", "1", code=2)
        self.run_candor("rerank", package(RERANK), stdin='{"query":"a"}', code=2)
        for verb, case in (("rerank", RERANK), ("classify", CLASSIFY)):  # a wrong request leaves no file
            output = self.folder / f"{verb}.jsonl"
            self.run_candor(verb, package(case), "--text", "a", "b", "--prompt-name", "query", "--output", output, code=2)
            self.assertFalse(output.exists())

    def test_prompts_stand_in_front_of_the_query(self):
        saved = package("heads/bert_saved_rerank")
        texts = ("--text", "brown fox", "lazy dog")
        (default,) = self.lines("rerank", saved, *texts)
        (named,) = self.lines("rerank", saved, *texts, "--prompt-name", "find")
        (literal,) = self.lines("rerank", saved, *texts, "--prompt", "the quick ")
        (none,) = self.lines("rerank", saved, *texts, "--prompt-name", "plain")
        (spelled,) = self.lines("rerank", saved, "--text", "the quick brown fox", "lazy dog", "--prompt", "")
        self.assertEqual([named, literal, spelled], [default] * 3)
        self.assertNotEqual(none, default)


if __name__ == "__main__":
    unittest.main()
