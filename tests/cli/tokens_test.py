"""candor classify --task tokens: lines, spans, forms of input, failed items, and what is refused."""

import json
import unittest

from program import ProgramTest, golden, package, rows_of

CASE = "token_heads/bert_entities"
STRATEGIES = ("simple", "first", "average", "max")


class Tokens(ProgramTest):
    def label(self, *options, stdin, code=0):
        return self.lines("classify", package(CASE), "--task", "tokens", *options, stdin=stdin, code=code)

    def test_lines_of_the_reference(self):
        want = golden(CASE)
        rows = rows_of(want["logits_f64"])
        bound = 4 * want["delta"] * max(abs(x) for row in rows for x in row) * (len(rows) * len(rows[0])) ** 0.5
        stdin = "".join(json.dumps({"id": n, "text": i["text"]}) + "\n" for n, i in enumerate(want["items"]))
        at = 0
        for line, item in zip(self.label(stdin=stdin), want["items"], strict=True):
            self.assertEqual(list(line)[:5], ["id", "token_ids", "offsets", "logits", "labels"])
            self.assertNotIn("spans", line)
            self.assertEqual(line["token_ids"], item["ids"])
            self.assertEqual(line["offsets"], item["offsets"])
            for logits, label in zip(line["logits"], line["labels"], strict=True):
                for got, expected in zip(logits, rows[at], strict=True):
                    self.assertLessEqual(abs(got - expected), bound)
                self.assertEqual(label, want["labels"][max(range(len(logits)), key=lambda i: rows[at][i])])
                at += 1
            total, kept = item["tokens_before_truncation"], len(item["ids"])
            self.assertEqual(line.get("truncated"), {"tokens": total, "kept": kept} if total > kept else None)
        self.assertEqual(at, len(rows))

    def test_spans_of_the_pipeline(self):
        want = golden(CASE)
        stdin = "".join(json.dumps({"text": i["text"]}) + "\n" for i in want["items"])
        plain = self.label(stdin=stdin)
        for strategy in STRATEGIES:
            lines = self.label("--aggregate", strategy, stdin=stdin)
            for line, before, item in zip(lines, plain, want["items"], strict=True):
                spans = line.pop("spans")
                line.pop("truncated", None), before.pop("truncated", None)
                self.assertEqual(line, before)
                self.assertEqual(
                    [[s["label"], *s["offsets"]] for s in spans],
                    [[label, begin, end] for label, _, begin, end in item["spans"][strategy]],
                )
                for span, expected in zip(spans, item["spans"][strategy]):
                    self.assertEqual(list(span), ["label", "score", "offsets"])
                    self.assertAlmostEqual(span["score"], expected[1], places=5)

    def test_none_is_the_default(self):
        stdin = '{"text":"the river"}'
        self.assertEqual(self.label(stdin=stdin), self.label("--aggregate", "none", stdin=stdin))

    def test_ids_have_no_offsets_and_no_spans(self):
        (text,) = self.label(stdin='{"text":"the river"}')
        stdin = json.dumps({"ids": text["token_ids"]})
        (ids,) = self.label(stdin=stdin)
        self.assertEqual({**ids, "offsets": text["offsets"]}, text)
        self.assertEqual(ids["offsets"], [])
        failed, answered = self.label("--aggregate", "max", stdin=stdin + '\n{"text":"the river"}', code=1)
        self.assertEqual(failed["error"]["code"], "unsupported_option")
        self.assertEqual(failed["error"]["where"], {"option": "aggregate"})
        self.assertIn("spans", answered)

    def test_failed_items_keep_their_place(self):
        stdin = '{"text":"a"}\n{"text":"' + "river " * 60 + '"}\n{"text":"b"}\n'
        first, failed, last = self.label("--no-truncate", stdin=stdin, code=1)
        self.assertEqual(failed["error"]["code"], "input_too_large")
        self.assertIn("labels", first)
        self.assertIn("labels", last)

    def test_cuts(self):
        text = json.dumps({"text": "one river two three"})
        (left,) = self.label("--max-length", "4", "--truncate-side", "left", stdin=text)
        (right,) = self.label("--max-length", "4", stdin=text)
        self.assertEqual(len(left["token_ids"]), 4)
        self.assertGreater(left["offsets"][1][0], right["offsets"][1][0])  # offsets are of the whole text

    def test_receipt_and_text_for_people(self):
        receipt = self.folder / "receipt.json"
        options = ("--task", "tokens", "--text", "the river", "--receipt", receipt)
        self.run_candor("classify", package(CASE), *options, "--aggregate", "first")
        shown = json.loads(receipt.read_text())
        self.conforms(shown, "receipt")
        self.assertEqual(shown["output"]["representation"], "logits")
        self.assertEqual(shown["output"]["activation"], "softmax")
        self.assertTrue(shown["as_planned"])
        self.assertIn({"name": "aggregate", "value": "first", "source": "request"}, shown["options"])
        out, _ = self.run_candor("classify", package(CASE), "--task", "tokens", "--text", "the river", "--format", "text")
        self.assertEqual(out.splitlines()[0], "the river")
        self.assertEqual(len(out.splitlines()), 3)  # no line for special tokens

    def test_refusals(self):
        for case, options in (("heads/bert_softmax", ("--task", "tokens")), ("bert/classic", ("--task", "tokens")), (CASE, ())):
            out, err = self.run_candor("classify", package(case), *options, "--text", "a", code=3)
            self.assertEqual(out, "")
            self.assertIn("unsupported_task_head", err)
        for options in (
            ("--aggregate", "median"),
            ("--prompt-name", "query"),
            ("--prompt", "query: "),
            ("--pooling", "mean"),
            ("--dimensions", "3"),
            ("--max-length", "1"),
        ):
            out, err = self.run_candor("classify", package(CASE), "--task", "tokens", "--text", "a", *options, code=2)
            self.assertEqual(out, "")
            self.assertIn(options[0].removeprefix("--"), err)
        self.run_candor("classify", package("heads/bert_softmax"), "--aggregate", "first", "--text", "a", code=2)
        self.run_candor("classify", package(CASE), "--task", "tokens", stdin='{"text":"a","pair":"b"}', code=2)
        output = self.folder / "lines.jsonl"  # a wrong request leaves no file
        options = ("--task", "tokens", "--text", "a", "--prompt-name", "query", "--output", output)
        self.run_candor("classify", package(CASE), *options, code=2)
        self.assertFalse(output.exists())

    def test_why_not(self):
        out, _ = self.run_candor("why-not", package(CASE), "--task", "classify-tokens", "--json")
        self.assertTrue(json.loads(out)["possible"])
        out, _ = self.run_candor("why-not", package("heads/bert_softmax"), "--task", "classify-tokens", "--json")
        (problem,) = json.loads(out)["blockers"]
        self.assertEqual(problem["allowed"], "a class ...ForTokenClassification; this one is for classify or rerank")


if __name__ == "__main__":
    unittest.main()
