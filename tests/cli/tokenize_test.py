"""candor tokenize: ids of the goldens, pairs, offsets, truncation."""
import json
import unittest

from program import ProgramTest, golden, package


class Tokenize(ProgramTest):
    def test_ids_of_the_reference(self):  # TSK-08
        for case in ("classic", "cased", "accents_only", "lowered_by_module", "left_side", "position_limit"):
            want = golden(case)
            items = [i for i in want["items"] if "prompt" not in i and "prompt_name" not in i]
            stdin = "\n".join(json.dumps({"text": i["text"]}) for i in items)
            with self.subTest(case):
                for line, item in zip(self.lines("tokenize", package(case), stdin=stdin), items, strict=True):
                    self.assertEqual((line["ids"], line["type_ids"]), (item["ids"], item["type_ids"]))
                    self.assertEqual(list(line)[:4], ["ids", "type_ids", "offsets", "tokens"])
                    self.assertEqual({len(line[k]) for k in ("ids", "type_ids", "offsets", "tokens")}, {len(item["ids"])})
                    cut = item["tokens_before_truncation"] > len(item["ids"])
                    self.assertEqual("truncated" in line, cut)

    def test_offsets_count_code_points(self):
        text = "Crème brûlée 𝒳"
        (line,) = self.lines("tokenize", package("classic"), "--text", text)
        spans = [text[start:end] for start, end in line["offsets"]]
        self.assertEqual(spans[0], "")
        self.assertIn("Crème", "".join(spans))
        self.assertLessEqual(max(end for _, end in line["offsets"]), len(text))

    def test_pairs(self):
        (line,) = self.lines("tokenize", package("classic"), stdin='{"text":"river","pair":"lake","id":1}')
        self.assertEqual(sorted(set(line["type_ids"])), [0, 1])
        self.assertEqual(line["tokens"].count("[SEP]"), 2)
        self.assertEqual(list(line)[0], "id")

    def test_failures_and_forms(self):
        (line,) = self.lines("tokenize", package("classic"), "--text", "river " * 100, "--no-truncate", code=1)
        self.assertEqual(line["error"]["code"], "input_too_large")
        self.run_candor("tokenize", package("classic"), stdin='{"ids":[1]}', code=2)
        out, _ = self.run_candor("tokenize", package("classic"), "--text", "river", "--format", "text")
        self.assertIn("[CLS]", out)


if __name__ == "__main__":
    unittest.main()
