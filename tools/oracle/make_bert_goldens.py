#!/usr/bin/env python3
"""Writes goldens/bert/<case>/{package,golden.json}:   make_bert_goldens.py [CASE...]

Without a name: all cases, and folders of other names are removed.

Deterministic: same versions, same bytes in package/; f32 values may differ between machines within delta."""

import json
import shutil
import sys
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers.activations import ACT2FN

from bert_cases import CASES
from packages import Layers, write_package
from reference import distance, encode, encoder_folder, golden, load, versions
from saved import encoder_of, save_dense
from texts import COMMON

ROOT = Path(__file__).resolve().parents[2] / "goldens" / "bert"
SAME = {
    "silu": {"swish"},
    "gelu": {"gelu_python"},
    "gelu_new": {"gelu_pytorch_tanh", "gelu_python_tanh", "gelu_fast", "gelu_accurate"},
}


def check_activation_shows(case, folder: Path, delta: float):
    """A case is no test of its activation if another one gives the same vectors within the bound."""
    items = [{"text": t} for t in COMMON[:5]]
    right = [encode(load(folder, double=True), i) for i in items]
    group = next((({k} | v) for k, v in SAME.items() if case.act in {k} | v), {case.act})
    for other in {"gelu", "gelu_new", "relu", "silu"} - group:
        model = load(folder, double=True)
        for layer in encoder_of(model).auto_model.encoder.layer:
            layer.intermediate.intermediate_act_fn = ACT2FN[other]
        far = distance([encode(model, i) for i in items], right)
        if far < 20 * max(4 * delta, 1e-6):
            raise AssertionError(f"{case.name}: {other} in place of {case.act} is only {far:.1e} away")


def check_layers_show(case, folder: Path, delta: float):
    """A mean of several layers is no test of it if the last one alone gives the same vectors."""
    if not case.config.get("output_hidden_states") or any(isinstance(m, Layers) and len(m.weights) == 1 for m in case.modules):
        return
    items = [{"text": t} for t in COMMON[:5]]
    with_layers, without = (
        [encode(load(folder, double=True, overrides={"output_hidden_states": on}), i) for i in items] for on in (True, False)
    )
    far = distance(without, with_layers)
    if far < 20 * max(4 * delta, 1e-6):
        raise AssertionError(f"{case.name}: the last layer alone is only {far:.1e} away")


def check_all_loaded(case, package: Path):
    """The library fills what it does not find with its own start values, silently for norms: so every stored
    tensor of the encoder is looked up in what was loaded."""
    state = encoder_of(load(package)).auto_model.state_dict()
    for file in encoder_folder(package).glob("*.safetensors"):
        for name, tensor in load_file(file).items():
            if name.startswith("cls.") or name.endswith("position_ids"):
                continue
            mine = name.removeprefix(case.prefix).replace("gamma", "weight").replace("beta", "bias")
            if not torch.equal(state[mine], tensor.float()):
                raise AssertionError(f"{case.name}: the library did not load {name}")


def make(case) -> dict:
    with tempfile.TemporaryDirectory() as tmp:
        package = Path(tmp) / "package"
        write_package(case, package)
        if case.whole_routes:
            save_dense(package, case.whole_routes)
        items = [{"text": t} for t in COMMON]
        for name, prompt, text in case.prompts:
            items.append(
                {
                    "text": text,
                    **({"prompt_name": name} if name else {}),
                    **({"prompt": prompt} if prompt else {}),
                }
            )
        items += [{"text": text, "role": role} for role, text in case.roles]
        result = golden(package, items, hidden_items=(2, 4), cut=case.cut)
        check_all_loaded(case, package)
        check_activation_shows(case, package, result["delta"])
        check_layers_show(case, package, result["delta"])
        head = {
            "format": 1,
            "case": case.name,
            "about": case.about,
            "family": "bert",
            "task": "embed",
            "made_by": {
                "command": f"tools/oracle/make_bert_goldens.py {case.name}",
                "seed": case.seed,
                **versions(),
            },
        }
        target = ROOT / case.name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(package, target / "package")
        for file in (target / "package").rglob("*.safetensors"):
            file.chmod(0o644)
        (target / "golden.json").write_text(json.dumps({**head, **result}, indent=1) + "\n", encoding="ascii")
    return result


def main():
    names = set(sys.argv[1:])
    unknown = names - {c.name for c in CASES}
    if unknown:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    if not names and ROOT.is_dir():
        for folder in ROOT.iterdir():
            if folder.name not in {c.name for c in CASES}:
                shutil.rmtree(folder)
    torch.manual_seed(0)
    for case in CASES:
        if names and case.name not in names:
            continue
        result = make(case)
        size = sum(f.stat().st_size for f in (ROOT / case.name).rglob("*") if f.is_file())
        print(
            f"{case.name:24} limit {result['max_length']:4} width {result['dimension']:3} "
            f"delta {result['delta']:.1e} {size // 1024:4} KiB",
            flush=True,
        )


if __name__ == "__main__":
    main()
