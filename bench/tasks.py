#!/usr/bin/env python3
"""Candor beside PyTorch, ONNX Runtime and OpenVINO on re-ranking and on sparse vectors, in turns; writes
bench/results/tasks/DATE.json and the table of docs/performance.md.

    bench/setup.sh tasks                                   # once: two packages with random weights, converted
    bench/tasks.py [--candor build/release/candor] [--rounds 3] [--texts 100] [--only rerank,sparse]    minutes
    bench/tasks.py --report [bench/results/tasks/DATE.json]

rerank: one query, every text a document. sparse: every text a document. Each peer first finds its best graph, batch and
streams; in each round every engine runs once in a fresh process, and its numbers are compared with Candor's. Candor's time is
its receipts': of a long run less that of a short one, so that neither loading nor the first pass counts for it."""

import argparse
import datetime
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
from dataclasses import asdict

import common
import page
from engines import PEERS, Setting, compare_rows, launch, machine, read_rows, sweep
from report import Rounds, machine_lines

RESULTS = common.BENCH / "results" / "tasks"
PACKAGES = {"rerank": "cross-encoder", "sparse": "splade"}
TITLES = {"rerank": "one query, {} documents", "sparse": "SPLADE vectors of {} texts"}
ENGINES = {
    "PyTorch": ["sentence-transformers"],
    "ONNX Runtime": ["onnxruntime-plain", "onnxruntime-fused"],
    "OpenVINO": ["openvino"],
}
SWEEP_TEXTS = 16
WARM = 1  # repetitions of Candor's short run


class TaskPeer:
    """A peer of engines.py, by the worker of tasks."""

    def __init__(self, peer, task):
        self.python, self.name, self.task, self.has_streams = peer.python, peer.name, task, peer.has_streams

    def command(self, scenario, setting, args, output=None):
        return [
            self.python, str(common.BENCH / "tasks_worker.py"), self.name, self.task, scenario,
            "--threads", str(setting.threads), "--streams", str(setting.streams), "--batch", str(setting.batch),
            "--texts", str(args.texts), "--seconds", str(args.seconds), *(["--output", output] if output else []),
        ]  # fmt: skip


def lines_of(task, texts, repetitions):
    """Candor's input: one query with its documents, or the texts, so many times."""
    one = [{"query": common.QUERY, "documents": texts}] if task == "rerank" else [{"text": text} for text in texts]
    return "".join(json.dumps(line) + "\n" for line in one * repetitions)


def run_candor(program, task, texts, repetitions):
    """Seconds of the run by its receipt, its answers, and what other processes used."""
    verb = ["rerank"] if task == "rerank" else ["embed", "--task", "sparse"]
    with tempfile.TemporaryDirectory() as folder:
        names = {name: f"{folder}/{name}" for name in ("in.jsonl", "out.jsonl", "receipt.json")}
        pathlib.Path(names["in.jsonl"]).write_text(lines_of(task, texts, repetitions), encoding="utf-8")
        command = [*program, verb[0], str(common.package(PACKAGES[task])), *verb[1:], "--input", names["in.jsonl"],
                   "--output", names["out.jsonl"], "--receipt", names["receipt.json"], "--quiet"]  # fmt: skip
        run = launch(command)
        receipt = json.loads(pathlib.Path(names["receipt.json"]).read_text())
        answers = [json.loads(line) for line in open(names["out.jsonl"], encoding="utf-8")]
    return receipt["timings_ms"]["total"] / 1e3, answers, run["others"]


def measure_candor(program, args, task):
    texts, long = common.texts(args.texts), WARM + args.repetitions
    short, answers, before = run_candor(program, task, texts, WARM)
    seconds, _, after = run_candor(program, task, texts, long)
    if task == "rerank":
        rows = [[score] for score in answers[0]["scores"]]
    else:
        rows = [[0.0] * 30522 for _ in texts]
        for row, answer in zip(rows, answers):
            for index, value in zip(answer["indices"], answer["values"]):
                row[index] = value
    rate = len(texts) * args.repetitions / (seconds - short)
    return {"texts_per_s": rate, "others": max(before, after)}, rows


def measure_peer(choice, task, args, ours):
    name, setting = choice
    with tempfile.TemporaryDirectory() as folder:
        command = TaskPeer(PEERS[name], task).command("run", setting, args, f"{folder}/rows.npy")
        run = launch(command, setting)
        far = compare_rows(read_rows(f"{folder}/rows.npy"), ours)
    return {**run["answer"], **far, "others": run["others"]}


def tune(task, say):
    chosen, args = {}, argparse.Namespace(texts=SWEEP_TEXTS, seconds=0)
    for engine, names in ENGINES.items():
        found = []
        for name in names:
            found += [((name, s), seconds) for s, seconds in sweep(TaskPeer(PEERS[name], task), args, "1,4,16")]
        chosen[engine] = min(found, key=lambda pair: pair[1])[0]
        say(f"{task}, {engine}: {chosen[engine]}")
    return chosen


def report(path):
    r = Rounds(path, "task", ENGINES)
    lines = ["Documents or texts a second, medians. Ratios are those of one round.", ""]
    lines += page.table(("task", *r.head), [page.row(TITLES[task].format(r.all["texts"]), *r.cells(task)) for task in r.all["settings"]])
    lines += [f"- {r.versions()}", *machine_lines(r)]
    page.replace("tasks", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candor", default="build/release/candor", help="program, with options if need be")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--texts", type=int, default=100)
    parser.add_argument("--repetitions", type=int, default=3, help="how often Candor answers within its measured run")
    parser.add_argument("--seconds", type=float, default=3, help="how long a peer runs at least, behind its first pass")
    parser.add_argument("--only", default="rerank,sparse")
    parser.add_argument("--report", nargs="?", const=True)
    args = parser.parse_args()
    if args.report:
        report(max(RESULTS.glob("*.json")) if args.report is True else pathlib.Path(args.report))
        return
    say = lambda text: print(text, file=sys.stderr, flush=True)
    tasks, program, today, runs = args.only.split(","), shlex.split(args.candor), datetime.date.today().isoformat(), []
    version = json.loads(subprocess.check_output([*program, "version", "--json"]))
    chosen = {task: tune(task, say) for task in tasks}
    result = {
        "date": today,
        "command": shlex.join(["bench/tasks.py", *sys.argv[1:]]),
        "machine": machine(),
        "candor": f"{version['version']} ({version['commit']})",
        "texts": args.texts,
        "settings": {task: {e: [name, asdict(s)] for e, (name, s) in by.items()} for task, by in chosen.items()},
        "runs": runs,
    }
    output = RESULTS / f"{today}.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    for number in range(args.rounds):
        for task in tasks:
            ours, rows = measure_candor(program, args, task)
            found = {"Candor": ours, **{e: measure_peer(c, task, args, rows) for e, c in chosen[task].items()}}
            for engine, run in found.items():
                runs.append({"round": number, "task": task, "engine": engine, **run})
                say(json.dumps(runs[-1]))
            output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    say(f"{output}: now bench/tasks.py --report")


if __name__ == "__main__":
    main()
