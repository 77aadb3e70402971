#!/usr/bin/env python3
"""Candor's f32 product beside oneDNN's on one core, in turns; writes the kernel table of docs/performance.md.

    cmake --preset release -DCANDOR_BENCH=ON && cmake --build build/release --target kernels_bench
    bench/kernels.py [PROGRAM]

The cells are the best of five interleaved repetitions, since a busy neighbour only ever slows one down."""

import json
import pathlib
import subprocess
import sys

import page

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
    rows = []
    for shape in shapes:
        cells = [f"{best[f'gemm/{shape}/{TABLE}/{m}']:.0f} / {best[f'onednn/{shape}/{m}']:.0f}" for m in ROWS]
        rows.append(page.row(shape.replace("x", " x "), *cells))
    header = ("inner x outer", *(f"{m} rows" for m in ROWS))
    peaks = f"The core's peak, measured in the same run: {peak:.0f} GFLOP/s. Each cell: Candor / oneDNN, GFLOP/s."
    return [peaks, "", *page.table(header, rows)[:-1]]


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bench/kernels_bench")
    page.replace("kernels", table(measure(program)))


if __name__ == "__main__":
    main()
