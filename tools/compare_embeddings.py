#!/usr/bin/env python3
"""Runs a built `candor embed` beside the reference and prints the largest differences.

    compare_embeddings.py CANDOR                        every golden package, against goldens/*/golden.json
    compare_embeddings.py CANDOR --minilm DIR           the real MiniLM's golden as well
    compare_embeddings.py CANDOR --random N [--seed S]  N random texts a package, live reference
    compare_embeddings.py CANDOR --random N --package DIR   the same for a real package, or all in a folder; may be given
                                                        again; --encoder-only: without its module manifest;
                                                        --pooling MODE: with one that says this pooling alone

The first two need Python alone; --random needs the environment of tools/oracle/setup.sh. Exit code 1 if
anything is outside its bound: relative L2 over all rows of at most max(4 delta, 1e-6), equal token counts."""

import argparse
import base64
import json
import math
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
GOLDENS = TOOLS.parent / "goldens"


def rows_of(array) -> list:
    count = math.prod(array["shape"])
    code = {"f32": "f", "f64": "d"}[array["dtype"]]
    flat = struct.unpack(f"<{count}{code}", base64.b64decode(array["base64"]))
    width = array["shape"][-1]
    return [flat[i : i + width] for i in range(0, count, width)]


def distance(got, want) -> float:
    error = sum((a - b) ** 2 for r, s in zip(got, want) for a, b in zip(r, s))
    return math.sqrt(error / sum(b * b for s in want for b in s))


def is_sparse(package) -> bool:
    own = package / "config_sentence_transformers.json"
    return own.exists() and json.loads(own.read_text(encoding="utf-8")).get("model_type") == "SparseEncoder"


def dense_row(line, package) -> list:
    row = [0.0] * json.loads((package / "config.json").read_text(encoding="utf-8"))["vocab_size"]
    for index, value in zip(line["indices"], line["values"]):
        row[index] = value
    return row


def embed(candor, package, texts, *options) -> list:
    """One answer line per text, parsed."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="ascii") as file:
        file.writelines(json.dumps({"text": t}) + "\n" for t in texts)
        file.flush()
        command = [
            candor,
            "embed",
            str(package),
            "--input",
            file.name,
            "--format",
            "json",
            "--allow-unqualified",
        ]
        if is_sparse(package):
            command += ["--task", "sparse"]
        run = subprocess.run([*command, *options], capture_output=True, text=True, encoding="utf-8")
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    for line in lines:
        if "indices" in line:
            line["embedding"] = dense_row(line, package)
    if len(lines) != len(texts) or any("embedding" not in line for line in lines):
        raise RuntimeError(f"exit {run.returncode}: {(run.stderr or run.stdout)[:400]}")
    return lines


def is_model2vec(package) -> bool:
    """Without modules.json and by name, or without any: what model2vec wrote first."""
    if (package / "modules.json").exists():
        return False
    config = json.loads((package / "config.json").read_text())
    return config.get("model_type", None if "architectures" in config else "model2vec") == "model2vec"


def first_module(package) -> dict:
    file = package / "modules.json"
    return json.loads(file.read_text())[0] if file.exists() else {"type": "", "path": ""}


def is_static(package) -> bool:
    return first_module(package)["type"].endswith(".StaticEmbedding")


def tokenizer_file(package) -> Path:
    return package / (first_module(package)["path"] if is_static(package) else "") / "tokenizer.json"


def leaves_pooling(package) -> bool:
    return not (package / "modules.json").exists() and not is_model2vec(package)


def answers(candor, package, items, *options) -> list:
    """As embed, for items that may ask for different prompts and adapters: one run per choice."""
    groups, out = {}, [None] * len(items)
    for i, item in enumerate(items):
        asked = ("prompt-name", item.get("prompt_name")), ("prompt", item.get("prompt")), ("adapter", item.get("adapter"))
        key = tuple(word for name, value in asked if value is not None for word in (f"--{name}", value))
        groups.setdefault(key, []).append(i)
    for key, indices in groups.items():
        # Without a module manifest the caller chooses; the reference takes the mean by itself.
        chosen = ("--pooling", "mean") if leaves_pooling(package) else ()
        lines = embed(candor, package, [items[i]["text"] for i in indices], *key, *chosen, *options)
        for i, line in zip(indices, lines):
            out[i] = line
    return out


def judge(name, lines, items, want, delta) -> bool:
    got = [line["embedding"] for line in lines]
    far, bound = distance(got, want), max(4 * delta, 1e-6)
    largest = max(abs(a - b) for r, s in zip(got, want) for a, b in zip(r, s))
    counts = [i for i, (line, item) in enumerate(zip(lines, items)) if line["tokens"] != len(item["ids"])]
    ok = far <= bound and len(got[0]) == len(want[0]) and not counts
    print(
        f"{'ok ' if ok else 'BAD'} {name:28} L2 {far:.2e} of {bound:.2e}   largest {largest:.2e}"
        + (f"   token counts differ in items {counts}" if counts else ""),
        flush=True,
    )
    return ok


def compare_golden(candor, golden_file, package) -> bool:
    golden = json.loads(golden_file.read_text())
    items = golden["items"]
    want = rows_of(golden["embeddings_f64"])
    ok = judge(golden["case"], answers(candor, package, items), items, want, golden["delta"])
    if cut := golden.get("cut"):
        lines = answers(candor, package, items, "--dimensions", str(cut["dimensions"]))
        name = f"{golden['case']} cut to {cut['dimensions']}"
        ok &= judge(name, lines, items, rows_of(cut["embeddings_f64"]), cut["delta"])
    return ok


def random_texts(count, rng, vocabulary) -> list:
    """Half of known words and pieces, half of arbitrary code points; from no word to past every limit."""
    plain = [w.removeprefix("##") for w in vocabulary]
    ranges = [(0x20, 0x7F), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x5FF), (0x2000, 0x206F), (0x4E00, 0x9FFF),
              (0xAC00, 0xD7A3), (0x1F300, 0x1FAFF), (1, 0xD7FF), (0xE000, 0x10FFFF)]  # fmt: skip
    texts = []
    for _ in range(count):
        length = int(rng.expovariate(1 / 25))
        words = [
            rng.choice(plain) if rng.random() < 0.7 else "".join(
                chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(1, 6)))
            for _ in range(length)
        ]  # fmt: skip
        texts.append(rng.choice(["", " "]).join(words) if rng.random() < 0.1 else " ".join(words))
    return texts


def compare_random(candor, name, package, count, seed) -> bool:
    sys.path.insert(0, str(TOOLS / "oracle"))
    import reference
    import static_reference

    pieces = json.loads(tokenizer_file(package).read_text(encoding="utf-8"))["model"]["vocab"]
    vocabulary = sorted(pieces if isinstance(pieces, dict) else (piece for piece, _ in pieces))
    items = [{"text": t} for t in random_texts(count, random.Random(seed), vocabulary)]
    if table := static_reference.Model2Vec if is_model2vec(package) else is_static(package) and static_reference.Module:
        single, double = table(package, False), table(package, True)
        for item in items:
            item["ids"] = single.ids(item)
        want, f32 = ([run.vector(item).tolist() for item in items] for run in (double, single))
    elif is_sparse(package):
        import make_sparse_goldens as sparse

        single, double = sparse.load(package, False), sparse.load(package, True)
        for item in items:
            item["ids"] = single.preprocess([item["text"]])["input_ids"][0].tolist()
        f32 = [sparse.encode(single, item).tolist() for item in items]
        with reference.OnlyDouble():
            want = [sparse.encode(double, item).tolist() for item in items]
    else:
        single, double = reference.load(package), reference.load(package, double=True)
        for item in items:
            item["ids"] = reference.features_of(single, item)[1]["input_ids"][0].tolist()
        # A text without a token has no answer on either side.
        items = [item for item in items if item["ids"]]
        f32 = [reference.encode(single, item).tolist() for item in items]
        with reference.OnlyDouble():
            want = [reference.encode(double, item).tolist() for item in items]
    delta = distance(f32, want)
    return judge(f"{name} random", answers(candor, package, items), items, want, delta)


def packages_in(folder) -> list:
    """The folder itself, or the packages in it."""
    return [folder] if (folder / "config.json").exists() else sorted(f.parent for f in folder.glob("*/config.json"))


def without_manifest(package, scratch) -> Path:
    copy = Path(scratch) / package.name
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("modules.json", "config_sentence_transformers.json"))
    return copy


def with_pooling(package, scratch, mode) -> Path:
    """Both sides read it from files, as published embedders say it."""
    copy = without_manifest(package, scratch)
    width = json.loads((copy / "config.json").read_text(encoding="utf-8"))["hidden_size"]
    modules = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
               {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]  # fmt: skip
    (copy / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    (copy / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": width, "pooling_mode_mean_tokens": False, f"pooling_mode_{mode}": True}
    (copy / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    return copy


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("candor")
    parser.add_argument("--minilm", type=Path)
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--package", type=Path, action="append", help="of your own, or a folder of them; with --random")
    parser.add_argument("--encoder-only", action="store_true", help="the mean of the encoder's rows, whatever follows it")
    parser.add_argument("--pooling", metavar="MODE", help="lasttoken, mean_tokens, cls_token, max_tokens")
    parser.add_argument("--case", action="append", help="only this golden; may be given again")
    args = parser.parse_args()
    packages = [
        (f"{file.parts[-3]}/{file.parts[-2]}", file, file.parent / "package")
        for file in sorted(GOLDENS.glob("*/*/golden.json"))
        if json.loads(file.read_text()).get("task", "embed") == "embed"
        and (not args.case or f"{file.parts[-3]}/{file.parts[-2]}" in args.case)
    ]
    if args.package:
        packages = [(package.name, None, package) for folder in args.package for package in packages_in(folder)]
    if args.minilm:
        packages.append(("minilm", GOLDENS / "minilm" / "golden.json", args.minilm))
    bad = 0
    for name, golden, package in packages:
        try:
            if args.random:
                with tempfile.TemporaryDirectory() as scratch:
                    tried = without_manifest(package, scratch) if args.encoder_only else package
                    if args.pooling:
                        tried = with_pooling(package, scratch, args.pooling)
                    ok = compare_random(args.candor, name, tried, args.random, args.seed)
            else:
                ok = compare_golden(args.candor, golden, package)
        except RuntimeError as error:
            ok = False
            print(f"BAD {name:28} {error}", flush=True)
        bad += not ok
    print(f"{len(packages) - bad} of {len(packages)} packages within their bounds")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
