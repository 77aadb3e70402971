#!/usr/bin/env python3
"""Writes goldens/late_interaction/<case>/{package,golden.json}:   make_multi_vector_goldens.py [CASE ...]

What sentence-transformers' MultiVectorEncoder, or m3_original.py of BGE-M3's head, answers for queries, documents and texts of neither side: the rows in
double, with the library's own f32 distance beside them, the rows of the encoder of one query, and the scores of its
similarity. Both runs attend by torch's scaled_dot_product_attention, as the library does unless told otherwise: a row that
sees nothing is zero there, and something else in its plain attention. Deterministic: same versions, same bytes in
package/; f32 values may differ between machines within delta."""

import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import m3_original
import numpy as np
import torch
from sentence_transformers import MultiVectorEncoder

import flash_original  # noqa: F401, registers itself
import jina_model  # noqa: F401
import nomic_original  # noqa: F401
from family_packages import read_as, write_package
from multi_vector_cases import CASES as OF_LAYOUTS
from hidden_expansion_cases import CASES as OF_FAMILIES
from packages import vocabulary
from reference import OnlyDouble, array, distance, versions, widened
from texts import COMMON

CASES = [*OF_LAYOUTS, *OF_FAMILIES]
ROOT = Path(__file__).resolve().parents[2] / "goldens" / "late_interaction"
TEXTS = [COMMON[i] for i in (0, 1, 2, 3, 8, 10)]  # the second is the one whose hidden rows are kept
ROLES = (None, "query", "document")


def write_json(file: Path, content):
    file.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def write(case, folder: Path):
    write_package(case.package, folder)
    if case.m3:
        m3_original.write_heads(folder, case.package.width, 16, case.package.seed + 3)
        return
    (folder / "modules.json").unlink()
    (folder / "sentence_bert_config.json").unlink()
    if case.modules is not None:
        base = "sentence_transformers.models.Transformer" if case.files else ""
        rows = [("", base, None), *case.modules]
        write_json(folder / "modules.json",
                   [{"idx": i, "name": str(i), "path": path, "type": kind} for i, (path, kind, _) in enumerate(rows)])
        for path, _, config in case.modules:
            if config is not None:
                (folder / path).mkdir()
                write_json(folder / path / "config.json", config)
    for name, content in case.files.items():
        write_json(folder / name, content)
    if case.architecture:
        config = json.loads((folder / "config.json").read_text())
        write_json(folder / "config.json", {**config, "architectures": [case.architecture]})
    file = folder / "tokenizer.json"
    tok = json.loads(file.read_text(encoding="utf-8"))
    first = len(vocabulary(case.package.tokens.values()))
    for i, word in enumerate(case.words):
        tok["model"]["vocab"][word] = first + i
    for i, word in enumerate(case.added):
        tok["added_tokens"].append({"id": first + i, "content": word, "single_word": False, "lstrip": False,
                                    "rstrip": False, "normalized": True, "special": False})
    file.write_text(json.dumps(tok, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def load(case, folder: Path, double: bool):
    if case.m3:
        model = m3_original.Colbert(folder, double)
        return widened(model) if double else model
    model = MultiVectorEncoder(str(folder), device="cpu", local_files_only=True, model_kwargs={"dtype": torch.float32}).eval()
    return widened(model) if double else model


def prompt_of(model, role):
    return model.prompts.get(role) if role else None


def features_of(model, item):
    prompt = prompt_of(model, item["role"])
    return model.preprocess([item["text"]], prompt=prompt, task=item["role"])


def encode(model, item):
    how = {"query": "encode_query", "document": "encode_document", None: "encode"}[item["role"]]
    return getattr(model, how)([item["text"]])[0].numpy()


def of_double(model, item):
    with OnlyDouble():
        return encode(model, item)


def rows_of(model, features):
    if isinstance(model, m3_original.M3):
        return model.encoder(**features).last_hidden_state[0].numpy()
    return model[0](dict(features))["token_embeddings"][0].numpy()


def hidden(single, double, item):
    with torch.inference_mode(), OnlyDouble():
        rows = rows_of(double, features_of(single, item))
    with torch.inference_mode():
        f32 = rows_of(single, features_of(single, item))
    return {"rows": array(rows, "f64"), "delta": distance(f32, rows)}


def maxsim(one, many, mean):
    """The library's own, on doubles."""
    scores = [(one @ document.T).max(1).sum() if len(document) else -1e9 for document in many]
    return np.asarray(scores) / (max(len(one), 1) if mean else 1)


def describe(single, double, item):
    """Ids, which rows are scored, and how many tokens there were before any was cut."""
    features = features_of(single, item)
    item["ids"] = features["input_ids"][0].tolist()
    seen = features["attention_mask"][0].bool()
    expanded = features.get("query_expansion_positions")
    item["expansion"] = int(expanded.sum()) if expanded is not None else 0
    item["unseen"] = int((~seen).sum())
    if isinstance(single, m3_original.M3):
        item["scored"] = list(range(1, len(item["ids"])))
    else:
        with torch.inference_mode():
            out = single(dict(features), task=item["role"])
        item["scored"] = out["attention_mask"][0].bool().nonzero().flatten().tolist()
    text = (prompt_of(single, item["role"]) or "") + item["text"]
    backend = single.tokenizer.backend_tokenizer
    backend.no_truncation(), backend.no_padding()
    item["total"] = len(backend.encode(text).ids)


def make(case) -> dict:
    with tempfile.TemporaryDirectory() as tmp:
        package = Path(tmp) / "package"
        write(case, package)
        # Of a copy: loading must not change what is published.
        run = read_as(package, case.package.stand_in) if case.package.stand_in else package
        single, double = load(case, run, False), load(case, run, True)
        texts = [TEXTS[i] for i in case.texts]
        items = [{"text": t, "role": role} for role in ((None,) if case.m3 else ROLES) for t in texts]
        for item in items:
            describe(single, double, item)
        f32 = [encode(single, i) for i in items]
        f64 = [of_double(double, i) for i in items]
        for item, got in zip(items, f64):
            assert got.dtype == np.float64 and len(got) == len(item["scored"]), case.name
            assert np.isfinite(got).all(), case.name
        asks, answers = (None, None) if case.m3 else ("query", "document")
        queries = [v for i, v in zip(items, f64) if i["role"] == asks]
        documents = [v for i, v in zip(items, f64) if i["role"] == answers]
        mean = single.similarity_fn_name == "meanmaxsim"
        scores = np.stack([maxsim(q, documents, mean) for q in queries])
        own = single.similarity([torch.from_numpy(q) for q in queries], [torch.from_numpy(d) for d in documents]).numpy()
        if not np.allclose(own, scores, rtol=1e-5, atol=1e-5):
            raise AssertionError(f"{case.name}: the library's scores are {np.abs(own - scores).max():.1e} away")
        chosen = next(i for i, item in enumerate(items) if item["role"] == asks and item["text"] == TEXTS[1])
        result = {
            "format": 1,
            "case": case.name,
            "about": case.package.about,
            "family": case.package.family,
            "task": "embed-tokens",
            "made_by": {
                "command": f"tools/oracle/make_multi_vector_goldens.py {case.name}",
                "seed": case.package.seed,
                **versions(),
            },
            "max_length": single.max_seq_length,
            "dimensions": int(f64[0].shape[1]),
            "items": items,
            "rows_f64": array(np.concatenate(f64), "f64"),
            "delta": distance(np.concatenate(f32), np.concatenate(f64)),
            "hidden": {"item": chosen, **hidden(single, double, items[chosen])},
            "similarity": single.similarity_fn_name,
            "scores_f64": array(scores, "f64"),
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
    for case in CASES:
        if asked and case.name not in asked:
            continue
        result = make(case)
        size = sum(f.stat().st_size for f in (ROOT / case.name).rglob("*") if f.is_file())
        counts = [len(i["scored"]) for i in result["items"]]
        print(f"{case.name:24} delta {result['delta']:.1e} rows {sum(counts):4} {size // 1024:4} KiB", flush=True)


if __name__ == "__main__":
    main()
