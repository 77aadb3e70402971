"""candor bench: exactly the contract's keys, from texts, a shape, or the built-in texts."""
import json
import unittest

from program import ProgramTest, package

KEYS = ["model", "precision", "threads", "p50_ms", "p99_ms", "texts_per_s", "tokens_per_s", "cold_start_ms", "peak_rss_mb", "kernels"]


class Bench(ProgramTest):
    def figures(self, *options):
        out, err = self.run_candor("bench", package("classic"), "--json", *options)
        self.assertEqual(len(out.splitlines()), 1)
        figures = json.loads(out)
        self.assertEqual(list(figures), KEYS)
        self.assertEqual((figures["precision"], err), ("f32", ""))
        for key in KEYS[3:9]:
            self.assertGreater(figures[key], 0, key)
        self.assertLessEqual(figures["p50_ms"], figures["p99_ms"])
        self.assertTrue(figures["kernels"] and all(isinstance(k, str) for k in figures["kernels"]))
        return figures

    def test_texts(self):
        path = self.file("a.txt", "river\nthe lake\n")
        figures = self.figures("--input", path, "--threads", "1")
        self.assertEqual(figures["threads"], 1)
        # river is [CLS] river [SEP]; the corpus has at least three tokens a text.
        self.assertGreaterEqual(figures["tokens_per_s"], 3 * figures["texts_per_s"])

    def test_shape(self):
        figures = self.figures("--shape", "4x16")
        self.assertAlmostEqual(figures["tokens_per_s"] / figures["texts_per_s"], 16, places=2)

    def test_built_in_texts_for_people(self):
        out, _ = self.run_candor("bench", package("classic"), "--format", "text")
        self.assertIn("texts per s", out)

    def test_refusals(self):
        self.run_candor("bench", package("classic"), "--shape", "4x1000000", code=2)
        self.run_candor("bench", self.folder / "none", code=3)
        self.run_candor("bench", package("classic"), "--precision", "bf16", code=2)


if __name__ == "__main__":
    unittest.main()
