"""The engines as commands, and how one of them is run in a fresh process: for compare.py and families.py."""

import array
import json
import math
import os
import platform
import shlex
import subprocess
import tempfile
import time
from dataclasses import dataclass

import common

CPUS = len(os.sched_getaffinity(0))


@dataclass
class Setting:
    threads: int = CPUS
    streams: int = 1
    batch: int = 32


class Candor:
    """As it comes. `args` of a command: package, texts and seconds for peers, corpus (a file) for Candor."""

    title = "Candor"
    tunable = False

    def __init__(self, program):
        self.program = program

    def command(self, scenario, setting, args, output=None):
        model = str(common.package(args.package))
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
            self.python, str(common.BENCH / "worker.py"), self.name, scenario, "--package", args.package,
            "--threads", str(setting.threads), "--streams", str(setting.streams),
            "--batch", str(setting.batch), "--texts", str(args.texts), "--seconds", str(args.seconds),
            "--least", str(getattr(args, "least", 300)), *(["--output", output] if output else []),
        ]  # fmt: skip


PEERS = {
    "sentence-transformers": Peer(
        "sentence-transformers", "sentence-transformers (PyTorch)", has_streams=False
    ),
    "sentence-transformers-bf16": Peer("sentence-transformers-bf16", "sentence-transformers (PyTorch), bf16", has_streams=False),
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


def sweep(peer, args, batches):
    """Seconds that a peer takes for its texts, for each way to share the CPUs and each batch: Setting, seconds."""
    tried = []
    # (threads, streams): all CPUs on one batch, and a batch for each CPU; or fewer threads, where no more fits.
    for threads, streams in sorted({(CPUS, 1), (CPUS, CPUS) if peer.has_streams else (1, 1)}):
        setting = Setting(threads, streams, batches)
        for batch, seconds in launch(peer.command("sweep", setting, args), setting)["answer"]["seconds"].items():
            tried.append((Setting(threads, streams, int(batch)), seconds))
    return tried


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


def compare_rows(got, want):
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
