"""candor embed: vectors of the goldens, output forms, files, truncation, receipts."""
import json
import math
import os
import re
import struct
import subprocess
import unittest

from program import CANDOR, ProgramTest, as_float32, distance, golden, package, rows_of


def input_lines(items):
    return "".join(json.dumps({"text": item["text"]}) + "\n" for item in items)


class Embed(ProgramTest):
    def test_vectors_and_counts_of_the_reference(self):  # TSK-05, TSK-08, EXE-06
        for case in ("classic", "modern", "two_modes", "relu_f16"):
            with self.subTest(case):
                want = golden(case)
                plain = [i for i, item in enumerate(want["items"]) if "prompt" not in item and "prompt_name" not in item]
                items = [want["items"][i] for i in plain]
                got = self.lines("embed", package(case), "--input", "-", "--input-format", "jsonl", stdin=input_lines(items))
                rows = [rows_of(want["embeddings_f64"])[i] for i in plain]
                bound = max(4 * want["delta"], 1e-6)
                self.assertLessEqual(distance([line["embedding"] for line in got], rows), bound)
                for line, item in zip(got, items):
                    self.assertEqual(line["tokens"], len(item["ids"]))
                    cut = item["tokens_before_truncation"] > len(item["ids"])
                    self.assertEqual(list(line), ["embedding", "tokens"] + ["truncated"] * cut)
                    if cut:
                        self.assertEqual(line["truncated"], {"tokens": item["tokens_before_truncation"], "kept": len(item["ids"])})

    def test_bytes_of_the_references_vectors(self):  # by the formulas of its util/quantization.py, from its own numbers
        want = golden("classic")
        plain = [i for i, item in enumerate(want["items"]) if "prompt" not in item and "prompt_name" not in item]
        stdin = input_lines([want["items"][i] for i in plain])
        rows = [rows_of(want["embeddings_f64"])[i] for i in plain]
        ranges = [[min(column) for column in zip(*rows)], [max(column) + 0.1 for column in zip(*rows)]]
        file = self.folder / "ranges.json"
        file.write_text(json.dumps(ranges))
        get = lambda *args: [line["embedding"] for line in self.lines("embed", package("classic"), *args, stdin=stdin)]
        for got, row in zip(get("--embedding-type", "ubinary"), rows):
            bits = [byte >> 7 - i & 1 for byte in got for i in range(8)]
            for bit, number in zip(bits, row):
                if abs(number) > 1e-5:  # nearer to zero the sign is f32's to say
                    self.assertEqual(bit, number > 0)
        for got, row in zip(get("--embedding-type", "int8", "--ranges", file), rows):
            for value, number, least, most in zip(got, row, *ranges):
                exact = (number - least) / ((most - least) / 255) - 128
                self.assertLessEqual(abs(value + 0.5 - exact), 0.5 + 1e-3)
        signed = get("--embedding-type", "binary")
        self.assertEqual([[v + 128 for v in row] for row in signed], get("--embedding-type", "ubinary"))
        path = self.folder / "v.npy"
        self.run_candor("embed", package("classic"), "--output", path, "--embedding-type", "binary", stdin=stdin)
        data = path.read_bytes()
        self.assertIn(b"'descr': '|i1'", data)
        flat = [v for row in signed for v in row]
        self.assertEqual(list(struct.unpack(f"{len(flat)}b", data[-len(flat):])), flat)

    def test_types_of_numbers_that_are_refused(self):
        for args, found in ((("--embedding-type", "int8"), "int8 without ranges"), (("--embedding-type", "float16"), '"float16"')):
            _, err = self.run_candor("embed", package("classic"), "--text", "a", *args, code=2)
            self.assertIn(found, err)

    def test_ids_give_the_texts_bits_and_id_is_carried(self):
        item = golden("classic")["items"][2]
        stdin = json.dumps({"text": item["text"], "id": {"a": [1, None, "é"]}}) + "\n" + json.dumps({"id": 5, "ids": item["ids"]})
        text, ids = self.lines("embed", package("classic"), stdin=stdin)
        self.assertEqual(text["embedding"], ids["embedding"])
        self.assertEqual((text["id"], ids["id"]), ({"a": [1, None, "é"]}, 5))
        self.assertEqual(list(text)[0], "id")

    def test_numbers_have_the_fewest_digits(self):
        out, _ = self.run_candor("embed", package("classic"), "--text", "river")
        for text in re.search(r"\[(.*)\]", out)[1].split(","):
            value = float(text)
            self.assertEqual(as_float32(value), as_float32(float(text)))
            digits = len(re.sub(r"e.*|[-.]", "", text).strip("0"))
            if digits > 1:
                shorter = float(f"{value:.{digits - 1}g}")
                self.assertNotEqual(as_float32(shorter), as_float32(value), text)

    def test_npy_is_the_lines(self):
        texts = [item["text"] for item in golden("classic")["items"] if "\0" not in item["text"]][:4]
        lines = self.lines("embed", package("classic"), "--text", *texts)
        path = self.folder / "v.npy"
        out, _ = self.run_candor("embed", package("classic"), "--text", *texts, "--output", path)
        self.assertEqual(out, "")
        data = path.read_bytes()
        self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
        (length,) = struct.unpack("<H", data[8:10])
        self.assertEqual((10 + length) % 64, 0)
        header = eval(data[10 : 10 + length], {"__builtins__": {}})  # as numpy reads it
        self.assertEqual(header, {"descr": "<f4", "fortran_order": False, "shape": (len(texts), 32)})
        values = struct.unpack(f"<{len(texts) * 32}f", data[10 + length :])
        self.assertEqual(list(values), [as_float32(x) for line in lines for x in line["embedding"]])
        self.assertEqual(os.listdir(self.folder), ["v.npy"])

    def test_a_file_appears_whole_or_not_at_all(self):
        path = self.folder / "v.jsonl"
        path.write_text("before")
        self.run_candor("embed", package("classic"), "--text", "a", "--dimensions", "1000", "--output", path, code=2)
        self.assertEqual(path.read_text(), "before")
        self.run_candor("embed", package("classic"), "--text", "a", "--output", path)
        self.assertEqual(list(json.loads(path.read_text())), ["embedding", "tokens"])
        self.assertEqual(os.listdir(self.folder), ["v.jsonl"])
        self.run_candor("embed", package("classic"), "--text", "a", "--output", self.folder / "no" / "v.jsonl", code=2)
        self.run_candor("embed", package("classic"), "--text", "a", "--output", self.folder / "v.parquet", code=2)

    def test_failed_items_stand_in_their_place(self):  # EXE-06
        stdin = '{"text":"river"}\n{"ids":[999999],"id":"bad"}\n{"ids":[]}\n{"text":"lake"}\n'
        out, err = self.run_candor("embed", package("classic"), code=1, stdin=stdin)
        good, bad, empty, last = map(json.loads, out.splitlines())
        self.assertIn("embedding", good)
        self.assertIn("embedding", last)
        self.assertEqual(list(bad), ["id", "error"])
        self.assertEqual(empty["error"]["code"], "zero_valid_tokens")
        self.assertEqual((bad["error"]["where"]["line"], empty["error"]["where"]["line"]), (2, 3))
        self.conforms({"refused": True, "problems": [bad["error"], empty["error"]]}, "refusal")
        self.assertIn("zero_valid_tokens", err)
        path = self.folder / "v.npy"
        self.run_candor("embed", package("classic"), "--output", path, code=1, stdin=stdin)
        values = struct.unpack("<128f", path.read_bytes()[-512:])
        self.assertEqual([math.isnan(values[32 * row]) for row in range(4)], [False, True, True, False])

    def test_truncation_is_counted_or_refused(self):  # TSK-09, X-13
        case, want = "legacy_length", golden("legacy_length")
        item = next(i for i in want["items"] if i["tokens_before_truncation"] > len(i["ids"]))
        out, err = self.run_candor("embed", package(case), "--text", item["text"])
        self.assertEqual(json.loads(out)["truncated"], {"tokens": item["tokens_before_truncation"], "kept": want["max_length"]})
        self.assertIn("1 of 1 texts were truncated to 9 tokens", err)
        _, err = self.run_candor("embed", package(case), "--text", item["text"], "--quiet")
        self.assertEqual(err, "")
        (line,) = self.lines("embed", package(case), "--text", item["text"], "--no-truncate", code=1)
        self.assertEqual(line["error"]["code"], "input_too_large")
        (line,) = self.lines("embed", package(case), "--text", item["text"], "--max-length", "5")
        self.assertEqual(line["tokens"], 5)
        left, right = (self.lines("embed", package(case), "--text", item["text"], "--truncate-side", side)[0] for side in ("left", "right"))
        self.assertNotEqual(left["embedding"], right["embedding"])
        self.run_candor("embed", package(case), "--text", "a", "--max-length", "100000", code=2)

    def test_dimensions_are_cut_and_normalised_again(self):  # API-03
        want = golden("classic")
        texts = [{"text": i["text"]} for i in want["items"] if "prompt" not in i and "prompt_name" not in i]
        size = want["cut"]["dimensions"]
        lines = self.lines("embed", package("classic"), "--dimensions", size, stdin="\n".join(map(json.dumps, texts)))
        bound = max(4 * want["cut"]["delta"], 1e-6)
        rows = rows_of(want["cut"]["embeddings_f64"])
        self.assertLessEqual(distance([line["embedding"] for line in lines], rows), bound)
        self.run_candor("embed", package("classic"), "--text", "a", "--dimensions", "33", code=2)

    def test_prompts_by_name_and_literal(self):
        want = golden("default_prompt")
        rows = rows_of(want["embeddings_f64"])
        seen = set()
        for i, item in enumerate(want["items"]):
            kind = next((k for k in ("prompt_name", "prompt") if k in item), None)
            if kind is None or kind in seen or "\0" in item["text"]:
                continue
            seen.add(kind)
            option = "--" + kind.replace("_", "-")
            (line,) = self.lines("embed", package("default_prompt"), "--text", item["text"], option, item[kind])
            self.assertLessEqual(distance([line["embedding"]], [rows[i]]), max(16 * want["delta"], 4e-6))
            self.assertEqual(line["tokens"], len(item["ids"]))
        self.assertEqual(seen, {"prompt_name", "prompt"})
        self.run_candor("embed", package("default_prompt"), "--text", "a", "--prompt-name", "nobody", code=2)

    def test_receipt(self):  # EXE-05
        path = self.folder / "receipt.json"
        stdin = '{"text":"river"}\n{"text":"the lake"}\n{"ids":[]}\n'
        out, err = self.run_candor("embed", package("classic"), "--receipt", path, "-v", code=1, stdin=stdin)
        receipt = json.loads(path.read_text())
        self.conforms(receipt, "receipt")
        tokens = [json.loads(line).get("tokens", 0) for line in out.splitlines()]
        self.assertEqual(receipt["tokens"], tokens)
        self.assertEqual((receipt["items"], receipt["failed"], receipt["padding_rows"]), (3, 1, 0))
        self.assertEqual(receipt["rows"], sum(tokens))
        self.assertTrue(receipt["kernels"] and receipt["as_planned"])
        self.assertEqual((receipt["profile"], receipt["decision"]), ("f32", "eligible"))
        plan = json.loads(self.run_candor("plan", package("classic"), "--json")[0])
        self.assertEqual((receipt["plan"], receipt["package"]), (plan["fingerprint"], plan["package"]))
        self.assertIn(receipt["plan"][:19], err)

    def test_a_receipt_has_a_place_of_its_own_before_the_work(self):
        both = self.folder / "both.jsonl"
        for place in (both, self.folder / "no" / "r.json"):
            self.run_candor("embed", package("classic"), "--text", "a", "--output", both, "--receipt", place, code=2)
            self.assertEqual(os.listdir(self.folder), [])

    def test_an_array_has_no_lines_so_every_failure_is_named(self):  # EXE-06
        stdin = '{"ids":[9999]}\n' * 8 + '{"text":"a"}\n'
        _, err = self.run_candor("embed", package("classic"), "--input", "-", "--output", self.folder / "v.npy",
                                 code=1, stdin=stdin)
        self.assertEqual([line for line in range(1, 9) if f"line {line}: ids" in err], list(range(1, 9)))

    def test_the_receipt_names_the_table_that_was_forced(self):  # DEV, CANDOR_ISA
        path = self.folder / "receipt.json"
        self.run_candor("embed", package("classic"), "--text", "a", "--receipt", path, env={"CANDOR_ISA": "scalar"})
        self.assertTrue(all("scalar" in k["kernel"] for k in json.loads(path.read_text())["kernels"]))
        self.run_candor("embed", package("classic"), "--text", "a", env={"CANDOR_ISA": "neon9"}, code=3)

    def test_a_run_in_slices_is_the_run_in_one(self):
        texts = [item["text"] for item in golden("classic")["items"] if item["text"].isascii() and item["text"]]
        texts = [t for t in texts if not set(t) & set("\n\r\0")][:3]
        path = self.file("many.txt", "".join(texts[i % len(texts)] + "\n" for i in range(5000)))
        alone = self.lines("embed", package("classic"), "--text", *texts)
        receipt = self.folder / "r.json"
        many = self.lines("embed", package("classic"), "--input", path, "--receipt", receipt)
        self.assertEqual(len(many), 5000)
        for i, line in enumerate(many):
            self.assertEqual(line["embedding"], alone[i % len(texts)]["embedding"])
        account = json.loads(receipt.read_text())
        self.assertEqual((account["items"], len(account["tokens"])), (5000, 5000))
        for threads in ("1", "3"):
            again = self.lines("embed", package("classic"), "--input", path, "--threads", threads, "--max-batch-tokens", "64")
            self.assertEqual(again, many)

    def test_a_full_disk_is_no_success(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([CANDOR, "embed", package("classic"), "--text", "a"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"No space left on device", done.stderr)

    def test_text_for_people(self):
        out, _ = self.run_candor("embed", package("classic"), "--text", "river", "--format", "text")
        self.assertIn("river", out)
        self.assertIn("32 numbers", out)


if __name__ == "__main__":
    unittest.main()
