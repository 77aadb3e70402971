#!/usr/bin/env python3
"""Writes goldens/<family>/<case>/{package,golden.json}:   make_family_goldens.py [FAMILY | FAMILY/CASE ...]

Without a name: all cases, and folders of other names within the families are removed.

Deterministic: same versions, same bytes in package/; f32 values may differ between machines within delta."""

import itertools
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import torch
import transformers

import flash_original  # noqa: F401, registers itself
import jina_model
import routers
from family_cases import CASES
from family_packages import FamilyCase, read_as, write_package
from new_model import check_against_gte
from reference import distance, encode, features_of, first_layer, golden, hidden_rows, load, values_of, versions
from static_cases import write_package as write_static
from static_reference import static_golden
from texts import COMMON

ROOT = Path(__file__).resolve().parents[2] / "goldens"


def items_of(case, texts=COMMON):
    adapters = itertools.cycle(case.adapters or (None,))
    items = [{"text": t, **({"adapter": a} if a else {})} for t, a in zip([*texts, *case.texts], adapters)]
    items += [{"text": t, "prompt_name": name} for name, t in case.prompts]
    return items + [{"text": t, "role": role} for role, t in case.roles]


def check_all_loaded(case, package: Path):
    """The library fills what it does not find with its own start values: nothing but a pooler may be missing."""
    config = transformers.AutoConfig.from_pretrained(package)
    _, info = transformers.AutoModel.from_pretrained(package, config=config, output_loading_info=True)
    missing = [k for k in info["missing_keys"] if not k.startswith("pooler.")]
    if missing or info["mismatched_keys"]:
        raise AssertionError(f"{case.name}: the library did not find {missing or info['mismatched_keys']}")


def check_shows(case, package: Path, delta: float):
    """A case is no test of a key if another value gives the same vectors within the bound."""
    items = items_of(case, COMMON[:5])
    single = load(package, double=True)
    right = [encode(single, i) for i in items]
    for key, value in case.shows.items():
        other = load(package, double=True, overrides={key: value})
        far = distance([encode(other, i) for i in items], right)
        if far < 20 * max(4 * delta, 1e-6):
            raise AssertionError(f"{case.name}: {key} {value} is only {far:.1e} away")


def check_agrees(case, package: Path, items):
    """A straight-line class may speak for cases that transformers has no class for, if it says the same where there
    is one: the rows of every text, in double."""
    ours = read_as(package, case.agrees)
    both = [(load(p), load(p, double=True)) for p in (package, ours)]
    for item in items:
        theirs, mine = (hidden_rows(s, d, item)[0] for s, d in both)
        if distance(mine, theirs) > 1e-13:
            raise AssertionError(f"{case.name}: {case.agrees} is {distance(mine, theirs):.1e} away from the library")


def check_padded(package: Path, items, alone, delta: float):
    """One batch of all texts, the shorter ones padded on either side: what our rows without padding stand for."""
    for side in ("left", "right"):
        model = load(package)
        model.tokenizer.padding_side = side
        texts = [features_of(model, item)[0] for item in items]
        far = distance(model.encode(texts, prompt="", batch_size=len(texts)), alone)
        if far > max(4 * delta, 1e-6):
            raise AssertionError(f"{package}: padded on the {side}, {far:.1e} away")


def of_encoder(case, package: Path) -> dict:
    write_package(case, package)
    run = read_as(package, case.stand_in) if case.stand_in else package
    items = items_of(case)
    result = golden(run, items, hidden_items=case.hidden, cut=case.cut, similarity=False)
    f32 = values_of(result.pop("embeddings_f32"))
    routers.check()
    if case.hidden:
        cut = {case.layers: 1, **case.first_layer}
        result["first_layer"] = {"config": cut, "hidden": first_layer(run, items, case.hidden, cut)}
    check_all_loaded(case, run)
    check_shows(case, run, result["delta"])
    if case.padded:
        check_padded(run, result["items"], f32, result["delta"])
    if case.agrees:
        check_agrees(case, package, result["items"])
    return result


def of_table(case, package: Path) -> dict:
    write_static(case, package)
    items = [{"text": t} for t in [*COMMON, *case.texts]]
    for name, literal, text in case.prompts:
        items.append({"text": text, **({"prompt_name": name} if name else {}), **({"prompt": literal} if literal else {})})
    return static_golden(case, package, items)


def make(case) -> dict:
    routers.begin()
    with tempfile.TemporaryDirectory() as tmp:
        package = Path(tmp) / "package"
        result = of_encoder(case, package) if isinstance(case, FamilyCase) else of_table(case, package)
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
    check_against_gte()
    jina_model.check_against_library()
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
