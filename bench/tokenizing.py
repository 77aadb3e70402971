#!/usr/bin/env python3
"""Candor's tokenizer beside the Rust library `tokenizers`, in turns; writes bench/results/tokenizing/DATE.json and the
tables of docs/performance.md between the markers.

    cmake --preset release -DCANDOR_BENCH=ON && cmake --build build/release --target tokenizing_bench
    $BENCH_HOME/alt/bin/python bench/tokenizing.py [--rounds 5] [--seconds 1] [--only NAME,...] [--one-thread]     about 20 minutes
    bench/tokenizing.py --report [bench/results/tokenizing/DATE.json]

Needs an interpreter with PyPI tokenizers (setup.sh makes one) and MiniLM's files; what make_tokenizers.py makes is made
when $BENCH_HOME/tokenizers lacks one. Every number is a fresh process; both engines take turns, and the one that
begins changes. Texts have at most 1,000 characters; both engines must give the same ids. One thread is measured in processor
time, which a busy neighbour hardly changes, all threads by the clock. With --only, --one-thread or --long-texts, what is not measured again stays
as DATE.json has it. Loading is reading tokenizer.json, parsing it and
building the tokenizer, on one thread and so in processor time too, the fastest of the rounds."""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import common
import page
from page import row, table

FOLDER = common.HOME / "tokenizers"
RESULTS = common.BENCH / "results" / "tokenizing"
CPUS = len(os.sched_getaffinity(0))
# Name: what it is, which texts, times of the library's speed on one thread that are wanted.
SPEED = {
    "minilm": ("WordPiece (MiniLM)", ("english", "code", "mixed"), 4),
    "bpe": ("byte-level BPE, GPT-2's split", ("english", "code", "chinese", "mixed"), 4),
    "bpe_llama3": ("byte-level BPE, Llama 3's split", ("english", "code", "chinese", "mixed"), 4),
    "unigram": ("Unigram", ("english", "code", "chinese", "mixed"), 2),
}
TEXTS = {texts for _, sets, _ in SPEED.values() for texts in sets}
LOAD = {
    "word_piece_250k": "WordPiece",
    "word_level_250k": "WordLevel",
    "bpe_250k": "byte-level BPE, merges as lists",
    "bpe_lines_250k": "byte-level BPE, merges as lines",
    "unigram_250k": "Unigram",
    "added_250k": "WordPiece and 6,000 added tokens",
}
LOAD_SECONDS = 0.15
SIZES = (100_000, 1_000_000)
LINEAR = {
    "a word without blanks": lambda size: "".join(chr(97 + i * i // 7 % 26) for i in range(size)),
    "one character": lambda size: "a" * size,
    "combining marks": lambda size: "e" + "\u0301" * (size // 2),
}
LINEAR_MODELS = ("minilm", "bpe", "bpe_llama3", "unigram")


class Engines:
    def __init__(self, program, minilm):
        worker = [sys.executable, str(common.BENCH / "tokenizing_worker.py")]
        self.commands = {"candor": [program], "library": worker}
        self.minilm = minilm

    def folder(self, tokenizer):
        return str(self.minilm if tokenizer == "minilm" else FOLDER / tokenizer)

    def measure(self, engine, what, tokenizer, *arguments):
        command = [*self.commands[engine], what, self.folder(tokenizer), *map(str, arguments)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{command}: {run.stderr}")
        return {"engine": engine, "what": what, "tokenizer": tokenizer, **json.loads(run.stdout.splitlines()[-1])}


def measure_all(engines, args, runs):
    def add(number, what, tokenizer, label, *arguments):
        both = list(engines.commands)
        for engine in both if number % 2 == 0 else both[::-1]:
            runs.append({"round": number, "label": label, **engines.measure(engine, what, tokenizer, *arguments)})
            print(json.dumps(runs[-1]), file=sys.stderr, flush=True)
        if runs[-1].get("ids") != runs[-2].get("ids"):
            sys.exit("the ids differ")

    only = args.only.split(",") if args.only else [*SPEED, *LOAD]
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(0 if args.long_texts else args.rounds):
            for name in filter(only.__contains__, SPEED):
                for texts in SPEED[name][1]:
                    for threads in sorted({1, 1 if args.one_thread else CPUS}):
                        path = FOLDER / f"{texts}.txt"
                        add(number, "speed", name, f"{texts} {threads}", path, threads, args.seconds)
            for name in filter(only.__contains__, LOAD):
                add(number, "load", name, "load")
        for name in filter(only.__contains__, LINEAR_MODELS):
            for kind, make in LINEAR.items():
                for size in SIZES:
                    path = pathlib.Path(scratch) / "text"
                    path.write_text(json.dumps(make(size), ensure_ascii=False) + "\n", encoding="utf-8")
                    add(0, "speed", name, f"{kind} {size}", path, 1, 0)


def tables(result, everywhere):
    cpus = result["cpus"]

    def of_label(engine, name, label):
        return [r for r in result["runs"] if (r["engine"], r["tokenizer"], r["label"]) == (engine, name, label)]

    def median(engine, name, label, value):
        return statistics.median(map(value, of_label(engine, name, label)))

    def present(name, label):
        return any((r["tokenizer"], r["label"]) == (name, label) for r in result["runs"])

    seconds = lambda r: r["seconds" if r["label"].endswith(f" {cpus}") and cpus > 1 else "processor_s"]
    speeds, worst, totals = [], {}, {}
    counts = sorted({int(r["label"].split()[1]) for r in result["runs"] if r["label"].split()[0] in TEXTS})
    for name, (title, sets, _) in SPEED.items():
        for texts in sets:
            if not present(name, f"{texts} 1"):
                continue
            cells = []
            for threads in counts:
                of = lambda engine, value: median(engine, name, f"{texts} {threads}", value)
                rate = [of(e, lambda r: r["bytes"] / seconds(r) / 1e6) for e in ("candor", "library")]
                count = of("candor", lambda r: r["texts"] / seconds(r))
                ratio = of("library", seconds) / of("candor", seconds)
                cells += [f"{count:,.0f}", f"{rate[0]:.1f} / {rate[1]:.1f}", f"{ratio:.1f}"]
                if threads == 1:
                    worst[name] = min(worst.get(name, (ratio, texts)), (ratio, texts))
                    totals.setdefault(name, []).append([of(e, seconds) for e in ("library", "candor")])
            speeds.append(row(title, texts, *cells))
    header = ["tokenizer", "texts"]
    for threads in counts:
        where = f"{threads} thread" + ("s" if threads > 1 else "")
        header += [f"texts/s, {where}", "MB/s", "times"]
    targets = []
    for name, (slowest, texts) in worst.items():
        title, _, wanted = SPEED[name]
        theirs, ours = map(sum, zip(*totals[name]))
        for what, ratio in (("all texts in a row", theirs / ours), (f"the slowest, {texts}", slowest)):
            reached = "reached" if ratio >= wanted else "**missed**"
            targets.append(row(f"{title}, one thread, {what}", f"{ratio:.2f} times", f"≥ {wanted}", reached))
    for name in LOAD:
        # In seconds, so every processor that was measured is told.
        for measured in everywhere:
            loads = [r for r in measured["runs"] if (r["tokenizer"], r["label"]) == (name, "load")]
            if not loads:
                continue
            ours, theirs = (min(r["processor_s"] for r in loads if r["engine"] == e) for e in ("candor", "library"))
            reached = "reached" if ours < LOAD_SECONDS else "**missed**"
            targets.append(row(f"{LOAD[name]}, 250,000 entries, seconds to load, {measured['cpu']}",
                               f"{ours:.3f} (library {theirs:.2f})", f"< {LOAD_SECONDS}", reached))  # fmt: skip
    linear = []
    for name in LINEAR_MODELS:
        for kind in LINEAR:
            if not present(name, f"{kind} {SIZES[1]}"):
                continue
            small, large = (median("candor", name, f"{kind} {size}", seconds) for size in SIZES)
            theirs = median("library", name, f"{kind} {SIZES[1]}", seconds)
            linear.append(row(SPEED[name][0], kind, f"{large * 1e3:.1f}", f"{large / small:.1f}", f"{theirs * 1e3:.0f}"))
    return [
        *table(("target", "Candor", "to reach", ""), targets),
        "Cells: Candor / library. Both gave the same ids everywhere.", "",
        *table(header, speeds),
        "One text of 1 MB, one thread; growth is from 100 KB, which the caches hold, to 1 MB, which they do not.", "",
        *table(("tokenizer", "text", "ms", "growth", "library, ms"), linear),
        f"{result['date']}: `{'`, then `'.join(result['commands'])}`, tokenizers {result['library']}, {result['cpu']}, {result['cpus']} CPUs.",
    ]  # fmt: skip


def report(path):
    everywhere = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(RESULTS.glob("*.json"))]
    page.replace("tokenizing", tables(json.loads(path.read_text(encoding="utf-8")), everywhere))


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "an unknown CPU")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(common.BENCH.parent / "build/release/bench/tokenizing_bench"))
    parser.add_argument("--minilm", type=pathlib.Path, default=common.MODEL)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--only", help="names of tokenizers")
    parser.add_argument("--one-thread", action="store_true", help="not all threads, which a busy machine slows")
    parser.add_argument("--long-texts", action="store_true", help="only the texts of megabytes")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--report", nargs="?", const=True)
    args = parser.parse_args()
    if args.report:
        report(max(RESULTS.glob("*.json")) if args.report is True else pathlib.Path(args.report))
        return
    import tokenizers

    if not all((FOLDER / name).exists() for name in LOAD):
        subprocess.run([sys.executable, str(common.BENCH / "make_tokenizers.py"), str(FOLDER)], check=True)
    today, runs = datetime.date.today().isoformat(), []
    measure_all(Engines(args.program, args.minilm), args, runs)
    command = f"bench/tokenizing.py --rounds {args.rounds} --seconds {args.seconds:g}"
    command += f" --only {args.only}" * bool(args.only) + " --one-thread" * args.one_thread + " --long-texts" * args.long_texts
    output = args.output or RESULTS / f"{today}.json"
    earlier = {"commands": [], "runs": []}
    if (args.only or args.one_thread or args.long_texts) and output.exists():
        earlier = json.loads(output.read_text(encoding="utf-8"))
        if (earlier["cpu"], earlier["library"]) != (processor(), tokenizers.__version__):
            sys.exit(f"{output} is of another machine or library: name another --output")
    measured = {(run["tokenizer"], run["label"]) for run in runs}
    runs = [run for run in earlier["runs"] if (run["tokenizer"], run["label"]) not in measured] + runs
    result = {"date": today, "commands": [*earlier["commands"], command], "library": tokenizers.__version__, "cpu": processor(),
              "cpus": CPUS, "runs": runs}  # fmt: skip
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"{output}: now bench/tokenizing.py --report", file=sys.stderr)


if __name__ == "__main__":
    main()
