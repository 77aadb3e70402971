#!/usr/bin/env python3
"""Writes goldens/heads/<case>/{package,golden.json}:   make_head_goldens.py [CASE ...]

What classes of transformers for sequences answer: logits in double, with the library's own f32 distance beside them, and
the scores that its pipeline, or sentence-transformers' CrossEncoder, makes of them. Deterministic: same versions, same
bytes in package/; f32 values may differ between machines within delta."""

import contextlib
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
import transformers
from sentence_transformers import CrossEncoder

import flash_original
import jina_model  # noqa: F401, registers itself
from family_packages import read_as, write_package
from head_cases import CASES as CLASSES
from pooler_head import check_against_bert
import routers
from reference import OnlyDouble, array, distance, stated_tokenizer, versions, widened
from texts import COMMON
from word_cases import CASES as WORDS

CASES = [*CLASSES, *WORDS]
ROOT = Path(__file__).resolve().parents[2] / "goldens" / "heads"


def load(case, package: Path, double: bool):
    if case.modular:
        model = cross_encoder(case, package, attn_implementation="eager").eval()
    else:
        model = transformers.AutoModelForSequenceClassification.from_pretrained(
            package, dtype=torch.float32, attn_implementation="eager"
        ).eval()
    return widened(model) if double else routers.one_by_one(model)


def cross_encoder(case, package: Path, **kwargs) -> CrossEncoder:
    return routers.one_by_one(CrossEncoder(
        str(package), device="cpu", local_files_only=True, max_length=case.limit, model_kwargs={"dtype": torch.float32, **kwargs}
    ))


def tokens(case, model, text, pair, limit):
    """By the library's own steps; `total` are those before the cut."""
    model.max_seq_length = limit
    features = model.preprocess([(text, pair)], prompt=case.prompt or None)
    model.max_seq_length = case.limit
    return features["input_ids"][0].tolist()


def chat_items(case, package: Path, texts):
    model = cross_encoder(case, package)
    for text, pair in texts:
        ids = tokens(case, model, text, pair, case.limit)
        yield {
            "text": text, "pair": pair, "ids": ids, "type_ids": [0] * len(ids),
            "tokens_before_truncation": len(tokens(case, model, text, pair, 10**6)),
        }


def outputs(case, model, item):
    if case.modular:
        features = model.preprocess([(item["text"], item["pair"])], prompt=case.prompt or None)
        assert features["input_ids"][0].tolist() == item["ids"], item
        return model(features)["scores"][0]
    inputs = {"input_ids": torch.tensor([item["ids"]])}
    if case.types:
        inputs["token_type_ids"] = torch.tensor([item["type_ids"]])
    return model(**inputs).logits[0]


def run(case, model, item):
    """What goes into the last product, and the logits. Where the class takes the mean after that, or the last row, so is
    it here."""
    seen = []  # input and output of each product, in order
    products = [m for m in model.modules() if isinstance(m, torch.nn.Linear)]
    hooks = [m.register_forward_hook(lambda _, given, out: seen.append((given[0][0], out[0]))) for m in products]
    logits = outputs(case, model, item)
    for hook in hooks:
        hook.remove()
    pooled, last = (x if x.ndim == 1 else x[-1] if case.last_row else x.mean(0) for x in seen[-1])
    assert case.modular or torch.equal(last, logits)
    return pooled.numpy(), logits.numpy()


def run_all(case, package: Path, items, double: bool):
    model = load(case, package, double)
    with torch.inference_mode(), OnlyDouble() if double else contextlib.nullcontext():
        return [np.stack(rows) for rows in zip(*(run(case, model, item) for item in items))]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


SCORES = {"none": lambda x: x, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "softmax": softmax}


def check_scores(case, package: Path, items, f32):
    """What the library itself makes of its f32 logits, against the function that the case says it is."""
    want = SCORES[case.activation](f32.astype(np.float64))
    if case.by_cross_encoder:
        model = cross_encoder(case, package)
        got = model.predict([(i["text"], i["pair"]) for i in items], batch_size=1)
        got = np.asarray(got, np.float64).reshape(want.shape)
    else:
        pipe = transformers.pipeline(
            "text-classification", model=load(case, package, False), tokenizer=transformers.AutoTokenizer.from_pretrained(package)
        )
        got = np.zeros_like(want)
        names = [case.config["id2label"][str(i)] for i in range(want.shape[1])]
        for row, item in enumerate(items):
            answer = pipe(
                {"text": item["text"], **({"text_pair": item["pair"]} if "pair" in item else {})},
                top_k=None, truncation=True, max_length=case.limit,
            )
            for label in answer:
                got[row, names.index(label["label"])] = label["score"]
    if np.abs(got - want).max() > 2e-6 * max(1.0, np.abs(want).max()):
        raise AssertionError(f"{case.name}: the library's scores are {np.abs(got - want).max():.1e} away")


def make(case) -> dict:
    routers.begin()
    with tempfile.TemporaryDirectory() as tmp:
        package = Path(tmp) / "package"
        write_package(case.package, package)
        if not case.own_modules:
            for file in ("modules.json", "sentence_bert_config.json"):
                (package / file).unlink()
            for folder in package.glob("*_*"):
                if folder.is_dir():
                    shutil.rmtree(folder)
        for name, content in case.files.items():
            (package / name).parent.mkdir(exist_ok=True)
            text = content if isinstance(content, str) else json.dumps(content, indent=2) + "\n"
            (package / name).write_text(text, encoding="utf-8")
        if case.words:
            file = package / "tokenizer.json"
            tokenizer = json.loads(file.read_text(encoding="utf-8"))
            words = tokenizer["model"]["vocab"]
            tokenizer["model"]["vocab"] = {case.words.get(word, word): i for word, i in words.items()}
            file.write_text(json.dumps(tokenizer, ensure_ascii=False, indent=2), encoding="utf-8")
        tok, untruncated = stated_tokenizer(package, case.limit), stated_tokenizer(package, case.limit)
        untruncated.no_truncation()
        # Of an empty second text the library makes no pair when it comes alone, and one when it comes in a list.
        pairs = [(a, b) for a, b in zip(COMMON, reversed(COMMON)) if b or case.by_cross_encoder]
        texts = pairs if case.by_cross_encoder else [*pairs[:6], *((t, None) for t in COMMON)]
        items = []
        if case.chats:
            items, texts = list(chat_items(case, package, texts)), []
        for text, pair in texts:
            both = (case.prompt + text,) if pair is None else (case.prompt + text, pair)
            encoded = tok.encode(*both)
            item = {"text": text, **({} if pair is None else {"pair": pair})}
            items.append(
                {**item, "ids": encoded.ids, "type_ids": encoded.type_ids,
                 "tokens_before_truncation": len(untruncated.encode(*both).ids)}
            )
        ran = read_as(package, case.package.stand_in) if case.package.stand_in else package
        (pooled32, f32), (pooled64, f64) = (run_all(case, ran, items, double) for double in (False, True))
        check_scores(case, ran, items, f32)
        routers.check()
        result = {
            "format": 1,
            "case": case.name,
            "about": case.package.about,
            "family": case.package.family,
            "task": case.task,
            "made_by": {
                "command": f"tools/oracle/make_head_goldens.py {case.name}",
                "seed": case.package.seed,
                **versions(),
            },
            "max_length": case.limit,
            "labels": [] if case.task == "rerank" else [case.config["id2label"][str(i)] for i in range(f64.shape[1])],
            "activation": case.activation,
            "prompt": case.prompt,
            **({"chats": True} if case.chats else {}),
            "items": items,
            "logits_f64": array(f64, "f64"),
            "scores_f64": array(SCORES[case.activation](f64), "f64"),
            "delta": distance(f32, f64),
            "pooled_f64": array(pooled64, "f64"),
            "pooled_delta": distance(pooled32, pooled64),
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
    check_against_bert()
    flash_original.check_against_roberta()
    for case in CASES:
        if asked and case.name not in asked:
            continue
        result = make(case)
        size = sum(f.stat().st_size for f in (ROOT / case.name).rglob("*") if f.is_file())
        print(f"{case.name:28} {case.activation:8} delta {result['delta']:.1e} {size // 1024:4} KiB", flush=True)


if __name__ == "__main__":
    main()
