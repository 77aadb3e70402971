#!/usr/bin/env python3
"""Candor beside the other engines on this machine, in turns; writes bench/results/DATE.json for report.py.

    bench/setup.sh                                   # once: environments and converted models in $BENCH_HOME
    bench/compare.py [--candor build/release/candor] [--rounds 5] [--texts N] [--seconds 3] [--only NAME,...]

First every peer finds its best batch, threads and streams on the first texts of the corpus. Then, in each
round, each engine runs once in a fresh process, so that a slow minute of the machine meets all of them; the
engine that begins changes from round to round. Every engine's vectors are compared with PyTorch's. Candor
runs as it comes. The CPU that other processes used meanwhile is written beside each number."""

import argparse
import array
import datetime
import hashlib
import json
import math
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass

import common

CPUS = len(os.sched_getaffinity(0))
BATCHES = "1,2,4,8,16,32,64"
SWEEP_TEXTS = 300
SCENARIOS = ("latency", "throughput", "cold", "vectors")


@dataclass
class Setting:
    threads: int = CPUS
    streams: int = 1
    batch: int = 32


class Candor:
    title = "Candor"
    tunable = False

    def __init__(self, program):
        self.program = program

    def command(self, scenario, setting, args, output=None):
        model = str(common.MODEL)
        if scenario == "latency":
            return [*self.program, "bench", model, "--text", common.QUERY, "--json"]
        if scenario == "throughput":
            return [*self.program, "bench", model, "--input", args.corpus, "--json"]
        if scenario == "cold":
            return [*self.program, "embed", model, "--text", common.QUERY, "--format", "json"]
        return [*self.program, "embed", model, "--input", args.corpus, "--output", output, "--quiet"]


class Peer:
    tunable = True

    def __init__(self, name, title, environment="main", has_streams=True):
        self.name, self.title, self.has_streams = name, title, has_streams
        self.python = str(common.HOME / environment / "bin/python")

    def command(self, scenario, setting, args, output=None):
        return [
            self.python, str(common.BENCH / "worker.py"), self.name, scenario,
            "--threads", str(setting.threads), "--streams", str(setting.streams),
            "--batch", str(setting.batch), "--texts", str(args.texts), "--seconds", str(args.seconds),
            *(["--output", output] if output else []),
        ]  # fmt: skip


PEERS = {
    "sentence-transformers": Peer(
        "sentence-transformers", "sentence-transformers (PyTorch)", has_streams=False
    ),
    "onnxruntime-fused": Peer("onnxruntime-fused", "ONNX Runtime, fused graph"),
    "onnxruntime-plain": Peer("onnxruntime-plain", "ONNX Runtime, plain export"),
    "openvino": Peer("openvino", "OpenVINO"),
    # CTranslate2 brings an OpenMP of its own, which must not meet PyTorch's in one process.
    "ctranslate2": Peer("ctranslate2", "CTranslate2", "alt"),
}


def busy_seconds():
    """CPU seconds that the whole machine has worked, and that this process and its children have."""
    fields = [int(x) for x in open("/proc/stat").readline().split()[1:8]]
    all_of_it = (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")
    own = os.times()
    return all_of_it, own.user + own.system + own.children_user + own.children_system


def peak_megabytes(pid):
    """VmHWM; ru_maxrss would not do, because it survives exec and can show the parent's."""
    try:
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    return 0


def environment(setting):
    drop = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
    kept = {name: value for name, value in os.environ.items() if name not in drop}
    return kept | {
        "BENCH_HOME": str(common.HOME),
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": str(max(1, setting.threads // setting.streams)),
        "TOKENIZERS_PARALLELISM": "true" if setting.threads > 1 else "false",
    }


def launch(command, setting=Setting(), watch_memory=False):
    """Runs a command: its answer line parsed, seconds until that line, peak memory, CPU used by others."""
    everyone, ours = busy_seconds()
    with tempfile.TemporaryFile("w+") as errors:
        begin, peak = time.perf_counter(), 0
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment(setting)
        ) as process:
            while watch_memory and process.poll() is None:
                peak = max(peak, peak_megabytes(process.pid))
                time.sleep(0.002)
            line = process.stdout.readline()
            seconds = time.perf_counter() - begin
            process.stdout.read()
        if process.returncode != 0:
            errors.seek(0)
            raise RuntimeError(f"{shlex.join(command)}: exit {process.returncode}: {errors.read()[-600:]}")
    elapsed = time.perf_counter() - begin
    everyone, ours = busy_seconds()[0] - everyone, busy_seconds()[1] - ours
    answer = json.loads(line) if line.strip() else {}
    return {
        "answer": answer,
        "seconds": seconds,
        "peak_mb": peak,
        "others": max(0, everyone - ours) / elapsed,
    }


def tune(peer, args):
    """The best setting for the corpus and for one query, and all that was tried."""
    tried = []
    # (threads, streams): all CPUs on one batch, and a batch for each CPU; or fewer threads, where no more fits.
    for threads, streams in sorted({(CPUS, 1), (CPUS, CPUS) if peer.has_streams else (1, 1)}):
        setting = Setting(threads, streams, BATCHES)
        command = peer.command("sweep", setting, argparse.Namespace(texts=args.sweep_texts, seconds=0))
        for batch, seconds in launch(command, setting)["answer"]["seconds"].items():
            tried.append({"threads": threads, "streams": streams, "batch": int(batch), "seconds": seconds})
    quick = argparse.Namespace(texts=1, seconds=1)
    for threads in sorted({1, CPUS}):
        setting = Setting(threads)
        answer = launch(peer.command("latency", setting, quick), setting)["answer"]
        tried.append({"threads": threads, "p50_ms": answer["p50_ms"]})
    bulk = min((t for t in tried if "seconds" in t), key=lambda t: t["seconds"])
    one = min((t for t in tried if "p50_ms" in t), key=lambda t: t["p50_ms"])
    return Setting(bulk["threads"], bulk["streams"], bulk["batch"]), Setting(one["threads"]), tried


def read_rows(path):
    """A two-dimensional little-endian float32 .npy file, version 1, as lists."""
    data = open(path, "rb").read()
    start = 10 + int.from_bytes(data[8:10], "little")
    header = data[10:start].decode()
    if "'<f4'" not in header or "'fortran_order': False" not in header:
        raise RuntimeError(f"{path}: not float32 rows: {header}")
    width = int(header.split("(")[1].split(")")[0].split(",")[1])
    flat = array.array("f", data[start:])
    return [flat[i : i + width] for i in range(0, len(flat), width)]


def check(path, args):
    got, want = read_rows(path), read_rows(common.REFERENCE)[: args.count]
    if len(got) != len(want):
        raise RuntimeError(f"{len(got)} vectors for {len(want)} texts")
    norm = lambda row: math.sqrt(sum(x * x for x in row))
    return {
        "vectors": len(got),
        "min_cosine": min(
            sum(map(lambda x, y: x * y, a, b)) / (norm(a) * norm(b)) for a, b in zip(got, want)
        ),
        "largest_difference": max(abs(x - y) for a, b in zip(got, want) for x, y in zip(a, b)),
    }


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


def machine():
    info = open("/proc/cpuinfo").read()
    field = lambda name: next((l.split(":")[1].strip() for l in info.splitlines() if l.startswith(name)), "")
    isa = [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_tile") if flag in field("flags").split()]
    memory = int(open("/proc/meminfo").readline().split()[1]) * 1024 / 1e9
    return {
        "cpu": field("model name"),
        "family": f"{field('vendor_id')} family {field('cpu family')} model {field('model')}".replace(
            "\t", ""
        ),
        "cpus": CPUS,
        "isa": isa,
        "memory_gb": round(memory, 1),
        "system": f"{platform.freedesktop_os_release().get('PRETTY_NAME')}, Linux {platform.release()}",
    }


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
