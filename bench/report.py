#!/usr/bin/env python3
"""Writes the tables of docs/performance.md from what compare.py measured.

    bench/report.py [bench/results/DATE.json]        default: the newest

Everything between the two markers of that page is replaced. Each number is the median over the rounds, with
the lowest and the highest. Runs beside which other processes used more than 0.15 of a CPU are left out; where
no other run exists, they are used and the number is marked with ~."""

import json
import pathlib
import statistics
import sys

import page
from common import BENCH
from page import row, table

DISTURBED = 0.15


class Results:
    def __init__(self, path):
        self.all = json.loads(path.read_text(encoding="utf-8"))
        self.engines = self.all.get("titles")

    def runs(self, engine, scenario):
        runs = [r for r in self.all["runs"] if (r["engine"], r["scenario"]) == (engine, scenario)]
        quiet = [r for r in runs if r["others"] <= DISTURBED]
        return quiet or runs, not quiet

    def median(self, engine, scenario, key):
        return statistics.median(run[key] for run in self.runs(engine, scenario)[0])

    def show(self, engine, scenario, key, digits, scale=1.0):
        runs, disturbed = self.runs(engine, scenario)
        values = sorted(run[key] * scale for run in runs)
        middle, low, high = statistics.median(values), values[0], values[-1]
        spread = f" ({low:.{digits}f}–{high:.{digits}f})" if len(values) > 1 else ""
        return f"{'~' if disturbed else ''}{middle:.{digits}f}{spread}"

    def best_peer(self, scenario, key, best, only=""):
        """(value, title) of the best engine beside Candor."""
        names = [n for n in self.engines if n != "candor" and n.startswith(only)]
        return best((self.median(name, scenario, key), self.engines[name]) for name in names)


class Rounds:
    """Engines on several subjects, where each round is compared by itself: the ratio of two neighbours in time."""

    def __init__(self, path, subject, peers):
        self.all = json.loads(path.read_text(encoding="utf-8"))
        self.subject, self.peers = subject, list(peers)
        self.head = ("Candor", *self.peers, "Candor / the fastest other", "≥ 1", "largest difference of one number")

    def of(self, name, engine):
        return {r["round"]: r for r in self.all["runs"] if (r[self.subject], r["engine"]) == (name, engine)}

    def speed(self, name, engine):
        runs = [run["texts_per_s"] for run in self.of(name, engine).values()]
        return f"{statistics.median(runs):.1f}" if runs else "does not run it"

    def cells(self, name):
        """The columns of `head`."""
        peers = [self.of(name, engine) for engine in self.peers]
        ratios = sorted(run["texts_per_s"] / max(peer[number]["texts_per_s"] for peer in peers if number in peer)
                        for number, run in self.of(name, "Candor").items())  # fmt: skip
        far = max(run["largest_difference"] for peer in peers for run in peer.values())
        middle = statistics.median(ratios)
        return (
            *(self.speed(name, engine) for engine in ("Candor", *self.peers)),
            f"{middle:.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})", "reached" if middle >= 1 else "**missed**", f"{far:.1e}",
        )  # fmt: skip

    def versions(self):
        found = sorted({run["version"] for run in self.all["runs"] if "version" in run})
        return f"Candor {self.all['candor']}, {', '.join(found)}"


def targets(r):
    weights = r.all["weights_mb"]
    bulk, bulk_peer = r.best_peer("throughput", "texts_per_s", max)
    query, query_peer = r.best_peer("latency", "p50_ms", min, "onnxruntime")
    ours = {
        "bulk": r.median("candor", "throughput", "texts_per_s"),
        "query": r.median("candor", "latency", "p50_ms"),
        "cold": r.median("candor", "cold", "seconds"),
        "memory": r.median("candor", "vectors", "peak_mb"),
    }
    limit = 1.5 * weights + 60
    verdict = lambda reached: "reached" if reached else "**missed**"
    return table(
        ("target", "Candor", "to reach", ""),
        [
            row("bulk throughput, texts/s", f"{ours['bulk']:.0f}", f"≥ {bulk:.0f}, the fastest other: {bulk_peer}",
                verdict(ours["bulk"] >= bulk)),
            row("one short query, p50 ms", f"{ours['query']:.2f}", f"≤ {query:.2f}, {query_peer}",
                verdict(ours["query"] <= query)),
            row("cold start, s", f"{ours['cold']:.2f}", "< 0.25", verdict(ours["cold"] < 0.25)),
            row("peak memory, MB", f"{ours['memory']:.0f}", f"< {limit:.0f}: 1.5 × {weights:.1f} of weights + 60",
                verdict(ours["memory"] < limit)),
        ],
    )  # fmt: skip


def comparison(r):
    def speed(name):
        return row(
            r.engines[name], r.show(name, "throughput", "texts_per_s", 0),
            f"{r.median(name, 'throughput', 'texts_per_s') * tokens:.0f}",
            r.show(name, "latency", "p50_ms", 2), r.show(name, "latency", "p99_ms", 2),
            r.show(name, "cold", "seconds", 2), r.show(name, "vectors", "peak_mb", 0),
        )  # fmt: skip

    candor = r.runs("candor", "throughput")[0][0]
    tokens = candor["tokens_per_s"] / candor["texts_per_s"]
    order = sorted(r.engines, key=lambda name: -r.median(name, "throughput", "texts_per_s"))
    header = ("engine", "corpus, texts/s", "tokens/s", "query p50, ms", "query p99, ms", "cold start, s",
              "peak memory, MB")  # fmt: skip
    lines = [f"{r.all['texts']} texts, {tokens:.1f} tokens each on average. Medians (lowest–highest).", ""]
    return lines + table(header, [speed(name) for name in order]), order


def vectors(r, order):
    rows = []
    for name in order:
        runs = r.runs(name, "vectors")[0]
        cosine = min(run["min_cosine"] for run in runs)
        largest = max(run["largest_difference"] for run in runs)
        rows.append(row(r.engines[name], str(runs[0]["vectors"]), f"{1 - cosine:.1e}", f"{largest:.1e}"))
    return table(("engine", "vectors", "1 − smallest cosine", "largest difference of one number"), rows)


def settings(r, order):
    rows = []
    for name in order:
        if name == "candor":
            kernels = ", ".join(r.runs(name, "throughput")[0][0]["kernels"])
            rows.append(row(r.engines[name], r.all["candor"], "as it comes", "as it comes", kernels))
            continue
        bulk, one = r.all["settings"][name]["throughput"], r.all["settings"][name]["latency"]
        about = r.runs(name, "vectors")[0][0]
        rows.append(
            row(r.engines[name], about["version"],
                f"batch {bulk['batch']}, {bulk['streams']} at once, {bulk['threads']} threads in all",
                f"{one['threads']} thread" + ("s" if one["threads"] > 1 else ""), about["ran"])
        )  # fmt: skip
    return table(("engine", "version", "corpus", "query", "what it says it ran"), rows)


def machine_lines(r):
    m, others = r.all["machine"], sorted(run["others"] for run in r.all["runs"])
    kept = sum(x <= DISTURBED for x in others)
    return [
        f"- {r.all['date']}: `{r.all['command']}`",
        f"- {m['cpu']} ({m['family']}), {m['cpus']} CPUs, {', '.join(m['isa'])}, {m['memory_gb']} GB; {m['system']}",
        f"- {len({run['round'] for run in r.all['runs']})} rounds, {len(others)} runs, "
        f"{kept} of them undisturbed: other processes used at most {DISTURBED} of a CPU meanwhile "
        f"(median over all {statistics.median(others):.2f}, highest {others[-1]:.2f})",
    ]


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else max((BENCH / "results").glob("*.json"))
    r = Results(path)
    speeds, order = comparison(r)
    lines = ["## Targets", "", *targets(r), "## Side by side", "", *speeds]
    lines += ["## The vectors", "", *vectors(r, order), "## Versions and settings", "", *settings(r, order)]
    lines += ["## The machine and the run", "", *machine_lines(r)]
    page.replace("tables", ["", *lines])


if __name__ == "__main__":
    main()
