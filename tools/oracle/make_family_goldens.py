#!/usr/bin/env python3
"""Writes goldens/<family>/<case>/{package,golden.json}:   make_family_goldens.py [FAMILY | FAMILY/CASE ...]

Without a name: all cases, and folders of other names within the families are removed.

Deterministic: same versions, same bytes in package/; f32 values may differ between machines within delta."""

import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import torch
import transformers

from family_cases import CASES
from family_packages import write_package
from reference import distance, encode, first_layer, golden, load, versions
from texts import COMMON

ROOT = Path(__file__).resolve().parents[2] / "goldens"


def check_all_loaded(case, package: Path):
    """The library fills what it does not find with its own start values: nothing but a pooler may be missing."""
    config = transformers.AutoConfig.from_pretrained(package)
    _, info = transformers.AutoModel.from_pretrained(package, config=config, output_loading_info=True)
    missing = [k for k in info["missing_keys"] if not k.startswith("pooler.")]
    if missing or info["mismatched_keys"]:
        raise AssertionError(f"{case.name}: the library did not find {missing or info['mismatched_keys']}")


def check_shows(case, package: Path, delta: float):
    """A case is no test of a key if another value gives the same vectors within the bound."""
    items = [{"text": t} for t in [*COMMON[:5], *case.texts]]
    single = load(package, double=True)
    right = [encode(single, i) for i in items]
    for key, value in case.shows.items():
        other = load(package, double=True, overrides={key: value})
        far = distance([encode(other, i) for i in items], right)
        if far < 20 * max(4 * delta, 1e-6):
            raise AssertionError(f"{case.name}: {key} {value} is only {far:.1e} away")


def make(case) -> dict:
    with tempfile.TemporaryDirectory() as tmp:
        package = Path(tmp) / "package"
        write_package(case, package)
        items = [{"text": t} for t in [*COMMON, *case.texts]]
        result = golden(package, items, hidden_items=case.hidden, similarity=False)
        del result["embeddings_f32"]
        cut = {case.layers: 1, **case.first_layer}
        result["first_layer"] = {"config": cut, "hidden": first_layer(package, items, case.hidden, cut)}
        check_all_loaded(case, package)
        check_shows(case, package, result["delta"])
        head = {
            "format": 1,
            "case": case.name,
            "about": case.about,
            "family": case.family,
            "task": "embed",
            "made_by": {
                "command": f"tools/oracle/make_family_goldens.py {case.family}/{case.name}",
                "seed": case.seed,
                **versions(),
            },
        }
        target = ROOT / case.family / case.name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(package, target / "package")
        for file in (target / "package").rglob("*.safetensors"):
            file.chmod(0o644)
        text = json.dumps({**head, **result}, separators=(",", ":"))
        (target / "golden.json").write_text(text + "\n", encoding="ascii")
    return result


def main():
    asked = set(sys.argv[1:])
    known = {f"{c.family}/{c.name}" for c in CASES} | {c.family for c in CASES}
    if asked - known:
        sys.exit(f"no such case: {', '.join(sorted(asked - known))}")
    logging.disable(logging.WARNING)
    if not asked:
        for family in {c.family for c in CASES}:
            for folder in (ROOT / family).glob("*"):
                if f"{family}/{folder.name}" not in known:
                    shutil.rmtree(folder)
    torch.manual_seed(0)
    for case in CASES:
        name = f"{case.family}/{case.name}"
        if asked and not {name, case.family} & asked:
            continue
        result = make(case)
        size = sum(f.stat().st_size for f in (ROOT / name).rglob("*") if f.is_file())
        print(
            f"{name:28} limit {result['max_length']:4} width {result['dimension']:3} "
            f"delta {result['delta']:.1e} {size // 1024:4} KiB",
            flush=True,
        )


if __name__ == "__main__":
    main()
