#!/usr/bin/env python3
"""Candor's f32 product beside oneDNN's on one core, in turns; writes the kernel table of docs/performance.md.

    cmake --preset release -DCANDOR_BENCH=ON && cmake --build build/release --target kernels_bench
    bench/kernels.py [PROGRAM]

The cells are the best of five interleaved repetitions, since a busy neighbour only ever slows one down."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROWS = (1, 8, 32, 128, 512)
TABLE = "avx512"


def measure(program):
    rows = "|".join(map(str, ROWS))
    command = ["taskset", "-c", "0", program, "--benchmark_repetitions=5", "--benchmark_min_time=0.05",
               "--benchmark_enable_random_interleaving=true", "--benchmark_format=json",
               f"--benchmark_filter=^(gemm/.*/{TABLE}|onednn/.*)/({rows})$|^peak/{TABLE}$"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    best = {}
    for run in answer["benchmarks"]:
        if run["run_type"] == "iteration":
            best[run["name"]] = max(best.get(run["name"], 0), run["GFLOP/s"])
    return best


def table(best):
    peak = best[f"peak/{TABLE}"]
    shapes = sorted({name.split("/")[1] for name in best if name.startswith("gemm/")})
    lines = [f"The core's peak, measured in the same run: {peak:.0f} GFLOP/s. Each cell: Candor / oneDNN, GFLOP/s.", "",
             "| inner x outer | " + " | ".join(f"{m} rows" for m in ROWS) + " |", "| --- " * (len(ROWS) + 1) + "|"]
    for shape in shapes:
        cells = [f"{best[f'gemm/{shape}/{TABLE}/{m}']:.0f} / {best[f'onednn/{shape}/{m}']:.0f}" for m in ROWS]
        lines.append(f"| {shape.replace('x', ' x ')} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bench/kernels_bench")
    page = ROOT / "docs/performance.md"
    begin, end = "<!-- kernels: begin -->", "<!-- kernels: end -->"
    text = re.sub(f"{begin}.*{end}", lambda _: f"{begin}\n{table(measure(program))}\n{end}", page.read_text(), flags=re.S)
    page.write_text(text)


if __name__ == "__main__":
    main()
