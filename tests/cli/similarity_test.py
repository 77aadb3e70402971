"""candor similarity: scores of the goldens in the package's own function, input forms, people's form."""
import json
import unittest

from program import ProgramTest, golden, package, rows_of


class Similarity(ProgramTest):
    def test_scores_of_the_reference(self):
        functions = set()
        for case in ("classic", "modern", "cased", "two_modes", "relu_f16", "three_modes", "tanh_mixed", "layer_norm"):
            want = golden(case)
            plain = [i for i, item in enumerate(want["items"]) if "prompt" not in item and "prompt_name" not in item]
            functions.add(want["similarity"]["function"])
            matrix = rows_of(want["similarity"]["matrix"])
            texts = [want["items"][i]["text"] for i in plain]
            stdin = json.dumps({"text": texts[1], "documents": texts, "id": case})
            with self.subTest(case):
                (line,) = self.lines("similarity", package(case), stdin=stdin)
                self.assertEqual((list(line)[:2], line["id"]), (["id", "similarity"], case))
                wanted = [matrix[plain[1]][j] for j in plain]
                # Each vector is within its own bound of the reference; a score moves by at most the sum of
                # both, times the vectors' lengths, which stay below 40 here.
                scale = max(1.0, max(abs(x) for x in wanted))
                bound = 8 * max(4 * want["delta"], 1e-6) * scale * 4
                for got, expected in zip(line["similarity"], wanted):
                    self.assertLessEqual(abs(got - expected), bound)
        self.assertGreater(len(functions), 1)

    def test_a_query_against_documents(self):  # TSK-05: each side by its own prompt and route
        for case in ("routes", "asym"):
            want = golden(case)
            matrix = rows_of(want["similarity"]["matrix"])
            sides = {role: [i for i, item in enumerate(want["items"]) if item.get("role") == role] for role in ("query", "document")}
            documents = [want["items"][i]["text"] for i in sides["document"]]
            stdin = "".join(json.dumps({"text": want["items"][i]["text"], "documents": documents}) + "\n" for i in sides["query"])
            lines = self.lines("similarity", package(case), "--role", "query", stdin=stdin)
            for line, i in zip(lines, sides["query"]):
                for got, j in zip(line["similarity"], sides["document"]):
                    self.assertLessEqual(abs(got - matrix[i][j]), 1e-5 * max(1, abs(matrix[i][j])))

    def test_forms_of_input(self):
        args = self.lines("similarity", package("classic"), "--text", "river", "lake", "stone")
        path = self.file("a.txt", "river\nlake\nstone\n")
        self.assertEqual(args, self.lines("similarity", package("classic"), "--input", path))
        for key in ("text", "query"):
            stdin = json.dumps({key: "river", "documents": ["lake", "stone"]})
            self.assertEqual(args, self.lines("similarity", package("classic"), stdin=stdin))
        self.assertEqual(len(args), 1)
        self.assertEqual(list(args[0]), ["similarity"])

    def test_several_items_and_a_failed_one(self):
        stdin = '{"text":"a","documents":["b"]}\n{"text":"a","documents":[]}\n{"text":"b","documents":["a","c"]}\n'
        first, failed, last = self.lines("similarity", package("classic"), stdin=stdin, code=1)
        self.assertEqual(failed["error"]["code"], "empty_input")
        self.assertEqual((len(first["similarity"]), len(last["similarity"])), (1, 2))
        self.assertEqual(first["similarity"][0], last["similarity"][0])

    def test_text_for_people_has_the_nearest_first(self):
        out, _ = self.run_candor("similarity", package("classic"), "--text", "river", "lake", "river", "--format", "text")
        rows = out.splitlines()
        self.assertEqual(rows[0], "river")
        self.assertEqual(rows[1].split(), ["1.0000", "river"])

    def test_refusals(self):
        self.run_candor("similarity", self.folder / "none", "--text", "a", "b", code=3)
        self.run_candor("similarity", package("classic"), "--text", "a", "b", "--output", self.folder / "x.npy", code=2)
        self.run_candor("similarity", package("classic"), stdin='{"text":"a"}', code=2)


if __name__ == "__main__":
    unittest.main()
