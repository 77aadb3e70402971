#!/usr/bin/env python3
"""Candor beside PyTorch, in f32 and in bf16, on a whole decoder of 0.6 billion random parameters stored in bf16, in turns;
writes bench/results/decoders/DATE.json and the table of docs/performance.md.

    $BENCH_HOME/main/bin/python bench/make_packages.py qwen3-0.6b       # once
    bench/decoders.py [--candor build/release/candor] [--rounds 2] [--texts 16]         minutes
    bench/decoders.py --report [bench/results/decoders/DATE.json]

In each round every engine answers the first texts of the corpus, one short query again and again, and that query in a
process of its own whose memory is watched. PyTorch takes the batch that is best for it."""

import argparse
import datetime
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict

import common
import page
from engines import PEERS, Candor, Setting, compare_rows, launch, machine, read_rows, sweep
from report import machine_lines
from shapes import DECODERS

RESULTS = common.BENCH / "results" / "decoders"
ENGINES = {
    "Candor": None,
    "PyTorch, f32": "sentence-transformers",
    "PyTorch, bf16": "sentence-transformers-bf16",
}
QUERIES = 10


def engine_of(candor, name):
    return candor if ENGINES[name] is None else PEERS[ENGINES[name]]


def measure(engine, setting, args):
    """One engine's numbers of one round, and its vectors."""
    one = Setting(setting.threads, setting.streams, 1)
    texts = launch(engine.command("throughput", setting, args), setting)
    query = launch(engine.command("latency", one, args), one)
    alone = launch(engine.command("cold", one, args), one, watch_memory=True)
    with tempfile.TemporaryDirectory() as folder:
        launch(engine.command("vectors", setting, args, f"{folder}/rows.npy"), setting)
        rows = read_rows(f"{folder}/rows.npy")
    run = {
        "texts_per_s": texts["answer"]["texts_per_s"],
        "p50_ms": query["answer"]["p50_ms"],
        "cold_s": alone["seconds"],
        "peak_mb": alone["peak_mb"],
        "others": max(r["others"] for r in (texts, query, alone)),
    }
    if "version" in texts["answer"]:
        run["version"] = texts["answer"]["version"]
    return run, rows


def report(path):
    r = argparse.Namespace(all=json.loads(path.read_text(encoding="utf-8")))
    runs, lines = r.all["runs"], []
    middle = lambda name, key: statistics.median(run[key] for run in runs if run["engine"] == name)
    for package, shape in r.all["packages"].items():
        lines += [f"Shape of {shape['like']}, {shape['weights_mb']:.0f} MB in {shape['stored']}; {r.all['texts']} texts; medians.", ""]
        lines += page.table(
            ("engine", "texts/s", "one query, p50 ms", "cold start, s", "peak memory, MB", "largest difference from Candor"),
            [page.row(name, f"{middle(name, 'texts_per_s'):.2f}", f"{middle(name, 'p50_ms'):.0f}", f"{middle(name, 'cold_s'):.1f}",
                      f"{middle(name, 'peak_mb'):.0f}", "" if name == "Candor" else f"{middle(name, 'largest_difference'):.1e}")
             for name in ENGINES],
        )  # fmt: skip
        faster = middle("Candor", "texts_per_s") / middle("PyTorch, f32", "texts_per_s")
        sooner = middle("PyTorch, f32", "p50_ms") / middle("Candor", "p50_ms")
        excess = middle("Candor", "peak_mb") - shape["weights_mb"]
        verdict = lambda ok: "reached" if ok else "**missed**"
        lines += page.table(
            ("target", "Candor", "to reach", ""),
            [page.row("texts/s beside PyTorch in f32", f"{faster:.2f} times", "≥ 1", verdict(faster >= 1)),
             page.row("one short query beside PyTorch in f32", f"{sooner:.2f} times", "≥ 1.3", verdict(sooner >= 1.3)),
             page.row("peak memory beside the weights' file", f"{excess:.0f} MB more", "", "")],
        )  # fmt: skip
    versions = sorted({run["version"] for run in runs if "version" in run})
    lines += [f"- Candor {r.all['candor']}, {', '.join(versions)}", *machine_lines(r)]
    page.replace("decoders", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candor", default="build/release/candor", help="program, with options if need be")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--texts", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=1, help="how long a peer runs at least, behind its first pass")
    parser.add_argument("--report", nargs="?", const=True)
    args = parser.parse_args()
    if args.report:
        report(max(RESULTS.glob("*.json")) if args.report is True else pathlib.Path(args.report))
        return
    say = lambda text: print(text, file=sys.stderr, flush=True)
    candor, runs, today = Candor(shlex.split(args.candor)), [], datetime.date.today().isoformat()
    version = json.loads(subprocess.check_output([*candor.program, "version", "--json"]))
    package = "qwen3-0.6b"
    weights = sum(file.stat().st_size for file in common.package(package).glob("*.safetensors")) / 1e6
    result = {
        "date": today,
        "command": shlex.join(["bench/decoders.py", *sys.argv[1:]]),
        "machine": machine(),
        "candor": f"{version['version']} ({version['commit']})",
        "texts": args.texts,
        "packages": {package: {"like": DECODERS[package].like, "stored": DECODERS[package].dtype, "weights_mb": weights}},
        "settings": {},
        "runs": runs,
    }
    output = RESULTS / f"{today}.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as corpus:
        corpus.write("\n".join(common.texts(args.texts)) + "\n")
        corpus.flush()
        work = argparse.Namespace(package=package, texts=args.texts, seconds=args.seconds, corpus=corpus.name, least=QUERIES)
        few, chosen = argparse.Namespace(**vars(work) | {"texts": 8}), {"Candor": Setting()}
        for name, peer in ENGINES.items():
            if peer is not None:
                chosen[name] = min(sweep(PEERS[peer], few, "1,4"), key=lambda pair: pair[1])[0]
                say(f"{name}: {chosen[name]}")
        result["settings"] = {name: asdict(setting) for name, setting in chosen.items()}
        for number in range(args.rounds):
            ours = None
            for name in ENGINES:
                run, rows = measure(engine_of(candor, name), chosen[name], work)
                ours = ours or rows
                run |= {"round": number, "package": package, "engine": name} | ({} if rows is ours else compare_rows(rows, ours))
                runs.append(run)
                say(json.dumps(run))
                output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    say(f"{output}: now bench/decoders.py --report")


if __name__ == "__main__":
    main()
