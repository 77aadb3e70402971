#!/usr/bin/env python3
"""Writes goldens/sparse/<case>/{package,golden.json}:   make_sparse_goldens.py [CASE ...]

What sentence-transformers' SparseEncoder answers, or m3_original.py of BGE-M3's head, in double, with the distance of its
own f32 run, and logits of a masked-LM head for the first rows of a few texts. Deterministic: same versions, same bytes in
package/; f32 values may differ between machines within delta."""

import contextlib
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import flash_original
import jina_model  # noqa: F401, registers itself, as the next
import m3_original
import nomic_original  # noqa: F401
import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file
from sentence_transformers import SparseEncoder

from family_packages import read_as, write_package
from packages import DTYPES, write_json
from reference import OnlyDouble, array, distance, stated_tokenizer, versions, widened
from saved import encoder_of, save_sparse
from sparse_cases import CASES, CODES
from texts import COMMON

ROOT = Path(__file__).resolve().parents[2] / "goldens" / "sparse"
LOGIT_ROWS = 3


def load(case, package: Path, double: bool):
    if case.token_weights:
        model = m3_original.Sparse(package, double)
        return widened(model) if double else model
    kwargs = {"dtype": torch.float32, **({"attn_implementation": "eager"} if double else {})}
    with contextlib.chdir(package):  # from there the library opens the path of a table
        model = SparseEncoder(str(package), device="cpu", local_files_only=True, model_kwargs=kwargs).eval()
    return widened(model) if double else model


def write(case, package: Path):
    write_package(case.package, package)
    if case.token_weights:
        m3_original.write_heads(package, case.package.width, 16, case.package.seed + 3)
        return
    if case.codes:
        write_codes(case, package)
        return
    for folder in package.glob("*_*"):
        if folder.is_dir():
            shutil.rmtree(folder)
    write_json(package / "modules.json", case.modules)
    write_json(package / "sentence_bert_config.json", case.settings)
    write_json(package / "1_SpladePooling" / "config.json", case.pooling)
    write_own(case, package)
    file = package / "model.safetensors"
    tensors = load_file(file)
    words = max(len(t) for t in tensors.values())
    for name, tensor in tensors.items():
        if tensor.shape == (words,):
            tensors[name] = (tensor.float() + case.shift).to(tensor.dtype)
    save_file(tensors, file, metadata={"format": "pt"})
    if case.saved:
        save_sparse(package, case.saved, case.pooling, torch.from_numpy(weights_of(case, words)), case.own)
        if case.idf:
            write_idf(case, package)
    elif case.table:
        write_table(case, package, words)


def write_own(case, package: Path):
    write_json(
        package / "config_sentence_transformers.json",
        {"model_type": "SparseEncoder", "prompts": {}, "default_prompt_name": None, "similarity_fn_name": "dot", **case.own},
    )


def write_codes(case, package: Path):
    """An auto-encoder behind the package's modules; of the two names of its weight the library stores the decoder's."""
    modules = json.loads((package / "modules.json").read_text(encoding="utf-8"))
    n = len(modules)
    modules.append({"idx": n, "name": str(n), "path": f"{n}_SparseAutoEncoder", "type": CODES})
    write_json(package / "modules.json", modules)
    write_own(case, package)
    folder = package / f"{n}_SparseAutoEncoder"
    write_json(folder / "config.json", case.codes)
    wide, out = case.codes["input_dim"], case.codes["hidden_dim"]
    rng = np.random.Generator(np.random.PCG64(case.package.seed + 2))
    values = {
        "pre_bias": 0.3 * rng.standard_normal(wide),
        "decoder.linear.weight": 1.5 / wide**0.5 * rng.standard_normal((out, wide)),
        "latent_bias": 0.3 * rng.standard_normal(out),
    }
    for old, new in case.package.renames:
        values = {name.replace(old, new): value for name, value in values.items()}
    dtype = DTYPES[case.package.module_storage]
    tensors = {k: torch.from_numpy(v.astype(np.float32)).to(dtype) for k, v in values.items()}
    tensors["stats_last_nonzero"] = torch.arange(out)
    save_file(tensors, folder / "model.safetensors")


def weights_of(case, words: int) -> np.ndarray:
    rng = np.random.Generator(np.random.PCG64(case.package.seed + 2))
    weight = (rng.standard_normal(words) + 1.5).astype(np.float32)
    weight[::5] = 0
    return weight


def write_idf(case, package: Path):
    """The weights in JSON, with more digits than f32 has; what no token has is the unknown token's, the last of them."""
    folder = package / case.table
    weight = load_file(folder / "model.safetensors")["weight"].double().numpy()
    (folder / "model.safetensors").unlink()
    vocab = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    table = {t: weight[i] * 1.0000000123 for t, i in vocab.items() if weight[i] != 0}
    write_json(package / "idf.json", {"no such word": 7, **table, "nor this": 2.5})
    write_json(folder / "config.json", {"frozen": True, "path": "idf.json"})


def write_table(case, package: Path, words: int):
    """A router in the root, whose queries are looked up in a folder with a tokenizer of its own."""
    write_json(package / "router_config.json", case.router)
    folder = package / case.table
    write_json(folder / "config.json", {"frozen": True})
    shutil.copy(package / "tokenizer.json", folder)
    config = json.loads((package / "tokenizer_config.json").read_text(encoding="utf-8"))
    write_json(folder / "tokenizer_config.json", {**config, "model_max_length": 20})
    save_file({"weight": torch.from_numpy(weights_of(case, words))}, folder / "model.safetensors", metadata={"format": "pt"})


def stated_ids(case, package: Path, tok, item, cut: bool):
    """What tokenizer files and modules say, without the library."""
    prompt = case.own.get("prompts", {}).get(item.get("role"), "")
    if not case.table or item.get("role") != "query":
        return tok.encode(prompt + item["text"]).ids
    ids = tok.encode(prompt + item["text"], add_special_tokens=False).ids
    limit = json.loads((package / case.table / "tokenizer_config.json").read_text()).get("model_max_length")
    return ids[:limit] if cut else ids


def check_all_loaded(case, package: Path):
    """The library fills what it does not find with its own start values."""
    config = transformers.AutoConfig.from_pretrained(package)
    _, info = transformers.AutoModelForMaskedLM.from_pretrained(package, config=config, output_loading_info=True)
    if info["missing_keys"] or info["mismatched_keys"]:
        raise AssertionError(f"{case.name}: the library did not find {info['missing_keys'] or info['mismatched_keys']}")


def encode(model, item) -> np.ndarray:
    how = {"query": "encode_query", "document": "encode_document", None: "encode"}[item.get("role")]
    return getattr(model, how)([item["text"]], convert_to_sparse_tensor=False)[0].numpy()


def logits(model, item) -> np.ndarray:
    encoder = encoder_of(model)
    with torch.inference_mode():
        return encoder(encoder.preprocess([item["text"]]))["token_embeddings"][0, :LOGIT_ROWS].numpy()


def make(case) -> dict:
    with tempfile.TemporaryDirectory() as tmp:
        package = Path(tmp) / "package"
        write(case, package)
        stand_in = case.package.stand_in
        ran = read_as(package, stand_in) if stand_in else package
        if not case.token_weights and not case.codes:
            check_all_loaded(case, ran)
        single, double = load(case, ran, False), load(case, ran, True)
        limit = single.max_seq_length
        tok, untruncated = stated_tokenizer(package, limit), stated_tokenizer(package, limit)
        untruncated.no_truncation()
        items = [{"text": t} for t in COMMON]
        if case.roles:
            items += [{"text": t, "role": role} for role in ("query", "document") for t in (*COMMON[1:4], COMMON[-1])]
        for item in items:
            prompt = case.own.get("prompts", {}).get(item.get("role"), "")
            looked_up = case.table and item.get("role") == "query"
            item["ids"] = stated_ids(case, package, untruncated if looked_up else tok, item, True)
            item["tokens_before_truncation"] = len(stated_ids(case, package, untruncated, item, False))
            got = single.preprocess([item["text"]], prompt=prompt or None, task=item.get("role"))["input_ids"][0].tolist()
            assert got == item["ids"], f"{case.name}: {item['text'][:60]!r}"
        f32 = np.stack([encode(single, i) for i in items])
        with OnlyDouble():
            f64 = np.stack([encode(double, i) for i in items])
        assert f32.dtype == np.float32 and f64.dtype == np.float64 and np.isfinite(f64).all()
        if most := case.own.get("max_active_dims") or (case.codes or {}).get("k"):  # what is kept must not hang on a rounding
            assert all(np.array_equal(a != 0, b != 0) and (a != 0).sum() <= most for a, b in zip(f32, f64))
        rows = [
            {"item": i, "rows": array(want, "f64"), "delta": distance(logits(single, items[i]), want)}
            for i in (() if case.token_weights or case.codes else (2, 4))
            for want in [logits(double, items[i])]
        ]
        similarity = double.similarity(torch.from_numpy(f64), torch.from_numpy(f64)).numpy()
        result = {
            "format": 1,
            "case": case.name,
            "about": case.package.about,
            "family": case.package.family,
            "task": "embed-sparse",
            "made_by": {
                "command": f"tools/oracle/make_sparse_goldens.py {case.name}",
                "seed": case.package.seed,
                **versions(),
            },
            "max_length": limit,
            "dimension": int(f64.shape[1]),
            "items": items,
            "vectors_f64": array(f64, "f64"),
            "delta": distance(f32, f64),
            "logits": rows,
            "similarity": {"function": double.similarity_fn_name, "matrix": array(similarity, "f64")},
        }
        target = ROOT / case.name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(package, target / "package")
        for file in (target / "package").rglob("*.safetensors"):
            file.chmod(0o644)
        (target / "golden.json").write_text(json.dumps(result, separators=(",", ":")) + "\n", encoding="ascii")
        zeros = float((f64 == 0).mean())
    return {**result, "zeros": zeros}


def main():
    asked = set(sys.argv[1:])
    known = {c.name for c in CASES}
    if asked - known:
        sys.exit(f"no such case: {', '.join(sorted(asked - known))}")
    logging.disable(logging.WARNING)
    flash_original.check_against_roberta()
    if not asked and ROOT.exists():
        for folder in ROOT.glob("*"):
            if folder.name not in known:
                shutil.rmtree(folder)
    for case in CASES:
        if asked and case.name not in asked:
            continue
        result = make(case)
        size = sum(f.stat().st_size for f in (ROOT / case.name).rglob("*") if f.is_file())
        print(f"{case.name:24} delta {result['delta']:.1e} zeros {result['zeros']:.2f} {size // 1024:4} KiB", flush=True)


if __name__ == "__main__":
    main()
