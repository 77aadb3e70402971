"""Lines and options that are wrong: exit code 2, named, before any answer. Verbs that are not built: exit code 2."""
import unittest

from program import ProgramTest, package


class Inputs(ProgramTest):
    def wrong(self, stdin, *words, verb="embed"):
        out, err = self.run_candor(verb, package("classic"), "--input", "-", code=2, stdin=stdin)
        self.assertEqual(out, "")
        for word in words:
            self.assertIn(word, err)

    def test_wrong_lines_end_the_run_before_any_answer(self):
        good = b'{"text":"river"}\n'
        for line, words in (
            (b"river", ("line 2",)),
            (b"", ("line 2",)),
            (b'{"text":"a"', ("line 2",)),
            (b'{"text":"\xff"}', ("line 2", "UTF-8")),
            (b'{"text":"a","text":"b"}', ("line 2", "text")),
            (b'{"text":"a","txt":"b"}', ("line 2", "txt")),
            (b'{"text":["a"]}', ("line 2", "text", "a string")),
            (b'{"id":1}', ("line 2", "text")),
            (b'{"text":"a","documents":["b"]}', ("line 2", "documents")),
        ):
            with self.subTest(line):
                self.wrong(good + line + b"\n" + good, *words)

    def test_all_wrong_lines_are_named(self):
        self.wrong('{"text":1}\n{"text":"a"}\nx\n', "line 1", "line 3")

    def test_nothing_to_answer(self):
        self.wrong("", "empty_input")
        self.run_candor("embed", package("classic"), "--input", self.folder / "no.jsonl", code=2)
        self.run_candor("embed", package("classic"), "--input", self.folder, code=2)

    def test_plain_text_by_name_or_by_option(self):
        path = self.file("a.txt", 'river\n\n{"text":"x"}')
        self.assertEqual(len(self.lines("embed", package("classic"), "--input", path)), 3)
        path = self.file("b.jsonl", "river\r\nlake\r\n")
        self.run_candor("embed", package("classic"), "--input", path, code=2)
        lines = self.lines("embed", package("classic"), "--input", path, "--input-format", "text")
        self.assertEqual(lines, self.lines("embed", package("classic"), "--text", "river", "lake"))

    def test_texts_that_look_like_options_or_lists(self):
        one = self.lines("embed", package("classic"), "--text", "[river]", "-5", "", "[a,b]")
        self.assertEqual(len(one), 4)
        stdin = '{"text":"[river]"}\n{"text":"-5"}\n{"text":""}\n{"text":"[a,b]"}\n'
        self.assertEqual(one, self.lines("embed", package("classic"), stdin=stdin))

    def test_wrong_options(self):
        for options in (
            ("--nope",), ("--threads", "0"), ("--threads",), ("--precision", "f64"), ("--format", "xml"),
            ("--dimensions", "-1"), ("--text", "a", "--input", "b"), ("--task", "sparse"), ("extra",),
        ):
            with self.subTest(options):
                out, err = self.run_candor("embed", package("classic"), *options, code=2)
                self.assertEqual(out, "")
                self.assertIn("candor: ", err)

    def test_precisions_that_are_not_built(self):
        for precision in ("f32-split", "bf16", "int8"):
            with self.subTest(precision):
                out, err = self.run_candor("embed", package("classic"), "--text", "a", "--precision", precision, code=2)
                self.assertEqual(out, "")
                self.assertIn("unsupported_option", err)

    def test_verbs_that_are_not_built(self):
        out, _ = self.run_candor("--help")
        for verb in ("decide", "qualify", "pull", "models"):
            self.assertNotIn(f"\n  {verb} ", out)
            self.run_candor(verb, package("classic"), code=2)
        for verb in ("embed", "rerank", "classify", "similarity", "tokenize", "inspect", "plan", "why-not", "bench", "serve", "version"):
            self.assertIn(f"\n  {verb} ", out)
            self.assertIn(f"candor {verb}", self.run_candor(verb, "--help")[0])
        out, err = self.run_candor(code=2)
        self.assertEqual(out, "")
        self.assertIn("candor VERB MODEL", err)

    def test_logs_as_json(self):
        import json
        _, err = self.run_candor("embed", self.folder / "none", "--text", "a", "--log-json", code=3)
        for line in err.splitlines():
            self.assertEqual(json.loads(line)["level"], "error")


if __name__ == "__main__":
    unittest.main()
