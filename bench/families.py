#!/usr/bin/env python3
"""Candor beside PyTorch, ONNX Runtime and OpenVINO on a package of every family, in turns; writes
bench/results/families/DATE.json and the table of docs/performance.md.

    bench/setup.sh families                                # once: packages with random weights, converted, 14 GB
    bench/families.py [--candor build/release/candor] [--rounds 3] [--texts 96] [--only NAME,...]    about an hour
    bench/families.py --report [bench/results/families/DATE.json]

As compare.py, with the corpus alone: each peer first finds its best graph, batch and streams for each package; in each round,
each engine runs once on each package in a fresh process. Every peer's vectors are compared with Candor's of the same run."""

import argparse
import datetime
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass

import common
import page
from engines import PEERS, Candor, Setting, compare_rows, launch, machine, read_rows, sweep
from report import Rounds, machine_lines
from shapes import SHAPES

RESULTS = common.BENCH / "results" / "families"
BATCHES = "1,4,16"
SWEEP_TEXTS = 16
# A peer, and what it can run: the fastest is taken. The steps of prepare.py tell why one can't.
ENGINES = {
    "PyTorch": {"sentence-transformers": None},
    "ONNX Runtime": {"onnxruntime-plain": "onnx", "onnxruntime-fused": "fused"},
    "OpenVINO": {"openvino": "openvino"},
}


@dataclass
class Choice:
    """What runs for an engine on a package, or why nothing does."""

    peer: str = ""
    setting: Setting | None = None
    seconds: float = 0
    reason: str = ""


def choose(engine, args):
    found, reasons = [], []
    for name, step in ENGINES[engine].items():
        failed = common.converted(args.package) / f"{step}.failed"
        if failed.exists():
            reasons.append(failed.read_text(encoding="utf-8").strip())
            continue
        found += [Choice(name, setting, seconds) for setting, seconds in sweep(PEERS[name], args, BATCHES)]
    return min(found, key=lambda choice: choice.seconds) if found else Choice(reason="; ".join(reasons))


def tune(packages, say):
    chosen = {}
    for package in packages:
        args = argparse.Namespace(package=package, texts=SWEEP_TEXTS, seconds=0)
        for engine in ENGINES:
            choice = chosen[package, engine] = choose(engine, args)
            say(f"{package}, {engine}: " + (choice.reason or f"{choice.peer}, {choice.setting}"))
    return chosen


def shape_of(package):
    config = json.loads((common.package(package) / "config.json").read_text(encoding="utf-8"))
    layers, width = (config.get(a) or config[b] for a, b in (("num_hidden_layers", "n_layers"), ("hidden_size", "dim")))
    weights = (common.package(package) / "model.safetensors").stat().st_size / 1e6
    like = SHAPES[package].like
    return {"model_type": config["model_type"], "like": like, "layers": layers, "width": width, "weights_mb": weights}


def vectors(candor, args):
    with tempfile.TemporaryDirectory() as folder:
        launch(candor.command("vectors", None, args, f"{folder}/rows.npy"))
        return read_rows(f"{folder}/rows.npy")


def measure(candor, chosen, ours, args, number):
    """The runs of one round on one package; `ours` are Candor's vectors."""
    engines = ["Candor", *(engine for engine in ENGINES if chosen[args.package, engine].peer)]
    first = number % len(engines)
    for engine in engines[first:] + engines[:first]:
        if engine == "Candor":
            run, far = launch(candor.command("throughput", None, args)), {}
        else:
            choice = chosen[args.package, engine]
            with tempfile.TemporaryDirectory() as folder:
                command = PEERS[choice.peer].command("throughput", choice.setting, args, f"{folder}/rows.npy")
                run = launch(command, choice.setting)
                far = compare_rows(read_rows(f"{folder}/rows.npy"), ours)
        yield {"round": number, "package": args.package, "engine": engine, **run["answer"], **far,
               "others": run["others"]}  # fmt: skip


def report(path):
    r = Rounds(path, "package", ENGINES)
    refused = [
        f"- {engine} does not run {r.all['packages'][package]['model_type']}: {reason}"
        for package, engines in r.all["settings"].items()
        for engine, setting in engines.items()
        if (reason := setting["reason"])
    ]
    lines = [f"The first {r.all['texts']} texts of the corpus; texts/s, medians. Ratios are those of one round.", ""]
    lines += page.table(
        ("`model_type`", "shape of", "layers × width", *r.head),
        [page.row(f"`{shape['model_type']}`", shape["like"], f"{shape['layers']} × {shape['width']}", *r.cells(package))
         for package, shape in r.all["packages"].items()],
    )  # fmt: skip
    lines += [*refused, f"- {r.versions()}", *machine_lines(r)]
    page.replace("families", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candor", default="build/release/candor", help="program, with options if need be")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--texts", type=int, default=96)
    parser.add_argument("--seconds", type=float, default=1, help="how long a peer runs at least, behind its first pass")
    parser.add_argument("--only", help="these packages")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--report", nargs="?", const=True)
    args = parser.parse_args()
    if args.report:
        report(max(RESULTS.glob("*.json")) if args.report is True else pathlib.Path(args.report))
        return
    say = lambda text: print(text, file=sys.stderr, flush=True)
    names = args.only.split(",") if args.only else list(SHAPES)
    candor, runs, today = Candor(shlex.split(args.candor)), [], datetime.date.today().isoformat()
    version = json.loads(subprocess.check_output([*candor.program, "version", "--json"]))
    chosen = tune(names, say)
    settings = {name: {engine: asdict(chosen[name, engine]) for engine in ENGINES} for name in names}
    result = {
        "date": today,
        "command": shlex.join(["bench/families.py", *sys.argv[1:]]),
        "machine": machine(),
        "candor": f"{version['version']} ({version['commit']})",
        "texts": args.texts,
        "packages": {name: shape_of(name) for name in names},
        "settings": settings,
        "runs": runs,
    }
    output = args.output or RESULTS / f"{today}.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as corpus:
        corpus.write("\n".join(common.texts(args.texts)) + "\n")
        corpus.flush()
        work = {
            name: argparse.Namespace(package=name, texts=args.texts, seconds=args.seconds, corpus=corpus.name)
            for name in names
        }
        ours = {name: vectors(candor, work[name]) for name in names}
        for number in range(args.rounds):
            for name in names:
                for run in measure(candor, chosen, ours[name], work[name], number):
                    runs.append(run)
                    say(json.dumps(run))
                    output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    say(f"{output}: now bench/families.py --report")


if __name__ == "__main__":
    main()
