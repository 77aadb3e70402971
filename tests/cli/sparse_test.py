"""candor embed --task sparse, and similarity on sparse encoders: lines, receipts, sides, what is refused."""
import json
import unittest

from program import ProgramTest, golden, package, rows_of

PLAIN, ROUTED = "sparse/bert_splade", "sparse/distilbert_router"
SPARSE = ("--task", "sparse", "--allow-unqualified")


class Sparse(ProgramTest):
    def test_lines_are_the_reference(self):  # TSK-11
        want = golden(PLAIN)
        rows = rows_of(want["vectors_f64"])
        stdin = "".join(json.dumps({"text": i["text"]}) + "\n" for i in want["items"])
        lines = self.lines("embed", package(PLAIN), *SPARSE, stdin=stdin)
        for line, item, row in zip(lines, want["items"], rows, strict=True):
            self.assertEqual(list(line)[:3], ["indices", "values", "tokens"])
            self.assertEqual(line["indices"], sorted(set(line["indices"])))
            self.assertEqual(line["tokens"], len(item["ids"]))
            dense = dict(zip(line["indices"], line["values"], strict=True))
            for at, value in enumerate(row):
                self.assertLessEqual(abs(dense.get(at, 0) - value), 1e-5)

    def test_only_the_largest_stay(self):
        (whole,) = self.lines("embed", package(PLAIN), *SPARSE, "--text", "river")
        (few,) = self.lines("embed", package(PLAIN), *SPARSE, "--max-active-dims", "3", "--text", "river")
        largest = sorted(sorted(range(len(whole["values"])), key=lambda i: -whole["values"][i])[:3])
        self.assertEqual(few["indices"], [whole["indices"][i] for i in largest])

    def test_receipts_tell_the_kernel_and_the_option(self):
        receipt = self.folder / "receipt.json"
        self.run_candor("embed", package(PLAIN), *SPARSE, "--max-active-dims", "3", "--text", "river", "--receipt", receipt)
        told = json.loads(receipt.read_text())
        self.conforms(told, "receipt")
        self.assertIn("project_pool", [k["op"] for k in told["kernels"]])
        self.assertIn("max-active-dims", json.dumps(told["options"]))

    def test_queries_by_a_table_run_nothing(self):
        receipt = self.folder / "receipt.json"
        (line,) = self.lines("embed", package(ROUTED), *SPARSE, "--role", "query", "--text", "stone city", "--receipt", receipt)
        self.assertGreater(len(line["indices"]), 0)
        self.assertEqual(json.loads(receipt.read_text())["kernels"], [])

    def test_similarity_is_of_both_sides(self):
        want = golden(ROUTED)
        matrix = rows_of(want["similarity"]["matrix"])
        sides = {role: [i for i, item in enumerate(want["items"]) if item.get("role") == role] for role in ("query", "document")}
        for query in sides["query"]:
            stdin = json.dumps({"text": want["items"][query]["text"],
                                "documents": [want["items"][i]["text"] for i in sides["document"]]})
            (line,) = self.lines("similarity", package(ROUTED), "--allow-unqualified", "--role", "query", stdin=stdin)
            for got, at in zip(line["similarity"], sides["document"], strict=True):
                self.assertLessEqual(abs(got - matrix[query][at]), 1e-4)

    def test_similarity_by_a_head_that_is_asked_for(self):  # BGE-M3
        case = "sparse/xlm_roberta_m3"
        want = golden(case)
        texts = [item["text"] for item in want["items"]]
        stdin = json.dumps({"text": texts[2], "documents": texts})
        (line,) = self.lines("similarity", package(case), "--task", "sparse", stdin=stdin)
        for got, score in zip(line["similarity"], rows_of(want["similarity"]["matrix"])[2], strict=True):
            self.assertLessEqual(abs(got - score), 1e-4 * max(1, abs(score)))
        (dense,) = self.lines("similarity", package(case), stdin=stdin)
        (asked,) = self.lines("similarity", package(case), "--task", "dense", stdin=stdin)
        self.assertEqual(asked, dense)
        self.assertNotEqual(asked, line)

    def test_refusals(self):
        _, err = self.run_candor("similarity", package("classic"), "--task", "sparse", "--text", "a", "b", code=3)
        self.assertIn("unsupported_task_head", err)
        self.run_candor("similarity", package(PLAIN), "--task", "dense", "--text", "a", "b", code=3)
        self.run_candor("embed", package("classic"), *SPARSE, "--text", "a", code=3)
        self.run_candor("similarity", package(PLAIN), "--dimensions", "4", "--text", "a", "b", code=2)


if __name__ == "__main__":
    unittest.main()
