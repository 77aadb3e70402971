#!/usr/bin/env python3
"""Writes goldens/token_heads/<case>/{package,golden.json}:   make_token_goldens.py [CASE ...]

What classes of transformers for tokens answer: logits of every token in double, with the library's own f32 distance
beside them, and in some cases what its pipeline makes of them under each aggregation. The pipeline runs twice, over the
model in f32 and in double: labels and places must be the same, and the scores kept are those in double. Deterministic:
same versions, same bytes in package/."""

import contextlib
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import tokenizers
import torch
import transformers
from tokenizers import decoders, models, pre_tokenizers, processors, trainers

import jina_model  # noqa: F401, registers itself
import row_head
from family_packages import read_as, write_package
import routers
from reference import OnlyDouble, array, distance, stated_tokenizer, versions, widened
from texts import COMMON, LONG, WORDS
from token_cases import CASES

ROOT = Path(__file__).resolve().parents[2] / "goldens" / "token_heads"
STRATEGIES = ("none", "simple", "first", "average", "max")
TEXTS = [
    *(COMMON[i] for i in (0, 1, 3, 4, 6, 7, 8, 9)),
    "Hello World hello world, tea tea tea",  # the same words again
    "  \t ",  # blanks alone
    "reading  rewordsing -quick 中re[UNK]ed <unk>unseen",  # doubled blanks, subwords, unknown words and their names
    LONG,
]


def pieces(special) -> list:
    """Of a Unigram model, with scores: some words with a blank in front, some without one, and letters. Its trainer does not
    make the same twice."""
    words = [w for w in WORDS if w.isascii() and not w.startswith("##")]
    out = {token: 0.0 for token in special}
    for i, piece in enumerate(["▁", *("▁" + w for w in words[:60]), "ing", "ed", "s", "er", "able", *words[60:80], *"abcdefghijklmnopqrstuvwxyz,.中é"]):
        out.setdefault(piece, -2.0 - i / 16)
    return list(out.items())


def write_other_tokenizer(kind: str, tokens: dict, folder: Path):
    """Of the words of texts.py; special tokens have the ids that the package's other tokenizer gives them."""
    special = list(tokens.values())
    if kind == "bpe":
        tok = tokenizers.Tokenizer(models.BPE())
        tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tok.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=350, special_tokens=special, initial_alphabet=alphabet, show_progress=False)
        tok.train_from_iterator([w for w in WORDS if not w.startswith("##")] * 3 + [LONG], trainer)
    else:
        tok = tokenizers.Tokenizer(models.Unigram(pieces(special), special.index(tokens["unk"]), False))
        tok.pre_tokenizer = pre_tokenizers.Metaspace()
        tok.decoder = decoders.Metaspace()
        tok.add_special_tokens(special)
    ends = [(tokens[side], tok.token_to_id(tokens[side])) for side in ("sep", "cls")]
    tok.post_processor = processors.RobertaProcessing(*ends, trim_offsets=kind == "bpe")
    (folder / "tokenizer.json").write_text(tok.to_str(), encoding="utf-8")


def write(case, folder: Path):
    write_package(case.package, folder)
    for file in ("modules.json", "sentence_bert_config.json"):
        (folder / file).unlink()
    for other in folder.glob("*_*"):
        if other.is_dir():
            shutil.rmtree(other)
    if case.tokenizer:
        write_other_tokenizer(case.tokenizer, case.package.tokens, folder)


def load(package: Path, double: bool):
    model = transformers.AutoModelForTokenClassification.from_pretrained(
        package, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    return widened(model) if double else routers.one_by_one(model)


def inside(double: bool):
    return OnlyDouble() if double else contextlib.nullcontext()


def logits(package: Path, items, double: bool) -> list:
    model = load(package, double)
    with torch.inference_mode(), inside(double):
        return [model(input_ids=torch.tensor([i["ids"]])).logits[0].numpy() for i in items]


def spans(package: Path, items, double: bool) -> list:
    """Of each item under each strategy, as rows of label, score, begin and end; of single tokens the index too."""
    pipe = transformers.pipeline(
        "token-classification", model=load(package, double), tokenizer=transformers.AutoTokenizer.from_pretrained(package)
    )
    out = []
    for item in items:
        answer = {}
        for strategy in STRATEGIES:
            with inside(double):
                found = pipe(item["text"], aggregation_strategy=strategy)
            answer[strategy] = [
                [e.get("entity_group", e.get("entity")), float(e["score"]), int(e["start"]), int(e["end"])]
                + ([e["index"]] if strategy == "none" else [])
                for e in found
            ]
        out.append(answer)
    return out


def check_same(case, f32, f64):
    """That rounding decides nothing: labels and places are those of the f32 run."""

    def places(of):
        return [{s: [[e[0], *e[2:]] for e in answer[s]] for s in answer} for answer in of]

    if places(f32) != places(f64):
        raise AssertionError(f"{case.name}: spans of the f32 run differ")


def make(case) -> dict:
    routers.begin()
    with tempfile.TemporaryDirectory() as tmp:
        package = Path(tmp) / "package"
        write(case, package)
        tok, untruncated = stated_tokenizer(package, case.limit), stated_tokenizer(package, case.limit)
        untruncated.no_truncation()
        ran = read_as(package, case.package.stand_in) if case.package.stand_in else package
        library = transformers.AutoTokenizer.from_pretrained(ran)
        items = []
        for text in TEXTS:
            encoded = tok.encode(text)
            if library(text, truncation=True)["input_ids"] != encoded.ids:
                raise AssertionError(f"{case.name}: ids differ from the stated tokenizer for {text[:60]!r}")
            items.append(
                {"text": text, "ids": encoded.ids, "offsets": encoded.offsets, "special": encoded.special_tokens_mask,
                 "tokens_before_truncation": len(untruncated.encode(text).ids)}
            )
        f32, f64 = (np.concatenate(logits(ran, items, double)) for double in (False, True))
        routers.check()
        if case.spans:
            single, double = (spans(ran, items, wide) for wide in (False, True))
            check_same(case, single, double)
            for item, answer in zip(items, double):
                item["spans"] = answer
        result = {
            "format": 1,
            "case": case.name,
            "about": case.package.about,
            "family": case.package.family,
            "task": "classify-tokens",
            "made_by": {
                "command": f"tools/oracle/make_token_goldens.py {case.name}",
                "seed": case.package.seed,
                **versions(),
            },
            "max_length": case.limit,
            "labels": [case.package.config["id2label"][str(i)] for i in range(f64.shape[1])],
            "items": items,
            "logits_f64": array(f64, "f64"),
            "delta": distance(f32, f64),
        }
        target = ROOT / case.name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(package, target / "package")
        for file in (target / "package").rglob("*.safetensors"):
            file.chmod(0o644)
        (target / "golden.json").write_text(json.dumps(result, separators=(",", ":")) + "\n", encoding="ascii")
    return result


def main():
    asked = set(sys.argv[1:])
    known = {c.name for c in CASES}
    if asked - known:
        sys.exit(f"no such case: {', '.join(sorted(asked - known))}")
    logging.disable(logging.WARNING)
    if not asked and ROOT.exists():
        for folder in ROOT.glob("*"):
            if folder.name not in known:
                shutil.rmtree(folder)
    row_head.check_against_bert()
    for case in CASES:
        if asked and case.name not in asked:
            continue
        result = make(case)
        size = sum(f.stat().st_size for f in (ROOT / case.name).rglob("*") if f.is_file())
        found = sum(len(s) for i in result["items"] for s in i.get("spans", {}).values())
        print(f"{case.name:24} delta {result['delta']:.1e} {found:4} spans {size // 1024:4} KiB", flush=True)


if __name__ == "__main__":
    main()
