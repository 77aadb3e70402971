#!/usr/bin/env python3
"""Candor beside the other engines on this machine, in turns; writes bench/results/DATE.json for report.py.

    bench/setup.sh                                   # once: environments and converted models in $BENCH_HOME
    bench/compare.py [--candor build/release/candor] [--rounds 5] [--texts N] [--seconds 3] [--only NAME,...]

First every peer finds its best batch, threads and streams on the first texts of the corpus. Then, in each
round, each engine runs once in a fresh process, so that a slow minute of the machine meets all of them; the
engine that begins changes from round to round. Every engine's vectors are compared with PyTorch's. Candor
runs as it comes. The CPU that other processes used meanwhile is written beside each number."""

import argparse
import datetime
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from dataclasses import asdict

import common
from engines import CPUS, PEERS, Candor, Setting, compare_rows, launch, machine, read_rows, sweep

BATCHES = "1,2,4,8,16,32,64"
SWEEP_TEXTS = 300
SCENARIOS = ("latency", "throughput", "cold", "vectors")


def tune(peer, args):
    """The best setting for the corpus and for one query, and all that was tried."""
    several = argparse.Namespace(package=args.package, texts=args.sweep_texts, seconds=0)
    bulk = sweep(peer, several, BATCHES)
    tried = [{"threads": s.threads, "streams": s.streams, "batch": s.batch, "seconds": t} for s, t in bulk]
    one = []
    quick = argparse.Namespace(package=args.package, texts=1, seconds=1)
    for threads in sorted({1, CPUS}):
        setting = Setting(threads)
        one.append((setting, launch(peer.command("latency", setting, quick), setting)["answer"]["p50_ms"]))
        tried.append({"threads": threads, "p50_ms": one[-1][1]})
    fastest = lambda settings: min(settings, key=lambda pair: pair[1])[0]
    return fastest(bulk), fastest(one), tried


def check(path, args):
    reference = common.converted(args.package) / "reference.npy"
    return compare_rows(read_rows(path), read_rows(reference)[: args.count])


def measure(engine, scenario, setting, args):
    if scenario == "vectors":
        with tempfile.TemporaryDirectory() as folder:
            output = f"{folder}/rows.npy"
            run = launch(engine.command(scenario, setting, args, output), setting, watch_memory=True)
            return {
                "peak_mb": run["peak_mb"],
                "others": run["others"],
                **check(output, args),
                **run["answer"],
            }
    run = launch(engine.command(scenario, setting, args), setting)
    if scenario == "cold":
        return {"seconds": run["seconds"], "others": run["others"]}
    wanted = ("p50_ms", "p99_ms") if scenario == "latency" else ("texts_per_s", "tokens_per_s", "kernels")
    return {key: run["answer"][key] for key in wanted if key in run["answer"]} | {"others": run["others"]}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--candor", default="build/release/candor", help="program, with options if need be")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--texts", type=int, default=0, help="default: the whole corpus")
    parser.add_argument("--seconds", type=float, default=3, help="how long a peer's scenario runs at least")
    parser.add_argument("--only", help="these engines: candor," + ",".join(PEERS))
    parser.add_argument("--output", help="default: bench/results/DATE.json")
    args = parser.parse_args()
    args.package = common.MINILM
    program = shlex.split(args.candor)
    engines = {"candor": Candor(program)} | PEERS
    if args.only:
        engines = {name: engines[name] for name in args.only.split(",")}
    say = lambda text: print(text, file=sys.stderr, flush=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as corpus:
        lines = common.texts(args.texts)
        corpus.write("\n".join(lines) + "\n")
        corpus.flush()
        args.corpus, args.count, args.sweep_texts = corpus.name, len(lines), min(len(lines), SWEEP_TEXTS)
        settings, tried, runs = {}, {}, []
        for name, engine in engines.items():
            bulk = one = Setting()
            if engine.tunable:
                bulk, one, tried[name] = tune(engine, args)
            settings[name] = {"latency": one, "cold": one, "throughput": bulk, "vectors": bulk}
            say(f"{name}: corpus {bulk}, one query {one}")
        for number in range(args.rounds):
            order = list(engines)
            order = order[number % len(order) :] + order[: number % len(order)]
            for scenario in SCENARIOS:
                for name in order:
                    values = measure(engines[name], scenario, settings[name][scenario], args)
                    runs.append({"round": number, "engine": name, "scenario": scenario, **values})
                    say(json.dumps(runs[-1]))
    version = json.loads(subprocess.check_output([program[0], "version", "--json"]))
    today = datetime.date.today().isoformat()
    result = {
        "date": today,
        "command": shlex.join(["bench/compare.py", *sys.argv[1:]]),
        "machine": machine(),
        "candor": f"{version['version']} ({version['commit']})",
        "titles": {name: engine.title for name, engine in engines.items()},
        "texts": len(lines),
        "corpus_sha256": hashlib.sha256(common.CORPUS.read_bytes()).hexdigest(),
        "query": common.QUERY,
        "weights_mb": (common.MODEL / "model.safetensors").stat().st_size / 1e6,
        "settings": {n: {s: asdict(v) for s, v in by.items()} for n, by in settings.items() if n != "candor"},
        "tried": tried,
        "runs": runs,
    }
    output = args.output or common.BENCH / "results" / f"{today}.json"
    os.makedirs(os.path.dirname(output), exist_ok=True)
    with open(output, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    say(f"{output}: now bench/report.py")


if __name__ == "__main__":
    main()
