#!/usr/bin/env python3
"""Compares Candor's tokenizer with the PyPI package `tokenizers` on packages and texts made here.

    PYTHON tools/tokenizers/compare.py build/release/tests/tokenizer_driver/tokenizer_driver [--count 120000] [--jobs 2]
    ... --seed 7 --only normalizers/Nmt            packages with that component only
    ... --package DIR                              a real tokenizer in place of the small ones
    ... --count 2000000 --jobs 2 --summary goldens/tokenizer/SUMMARY.json     the whole proof, about 10 minutes on 2 cores

Ids, type ids, offsets, tokens, special marks, totals, the table of tokens and decoded text must be equal; where the library
refuses a package or a text, Candor must too, and only there. Package i, its texts and options follow from the
seed and i, whatever the number of jobs; its model is one of goldens/tokenizer/models.json, or with --train of new ones. A difference is printed as small as it could be made, and kept with its package under --keep DIR.
"""
import argparse
import collections
import hashlib
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import sys
import tempfile

import reference
from components import singles
from configs import config_packages, package_with_config
from driver import Driver
from models import all_models, stored_models
from reference import FAILS, PANICS
from shrink import shrink
from texts import SCALARS, Texts

BATCH, BATCHES = 48, 8  # texts that share their options, and how often they are drawn for one package
SHOWN = 12
PAIR = 120  # code points of each text of a pair that is cut
# Refusals of what the library reads that are meant: patterns whose meaning PCRE2 may not share, added tokens that the
# library itself confuses, byte pieces of what is not in the text, two templates in a row (the library breaks off on
# pairs), texts that grow without end. docs/tokenizers.md says why.
MAY_REFUSE = ("/Regex: ", "tokens that stay distinct", "/byte_fallback: true, with", "steps that the library cannot take",
              "times longer")
DEFAULT_SEED = 20260
MODELS = pathlib.Path(__file__).parents[2] / "goldens/tokenizer/models.json"


def write_package(folder, spec):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_text(json.dumps(spec["tokenizer"], ensure_ascii=False))
    if spec["config"] is not None:
        (folder / "tokenizer_config.json").write_text(json.dumps(spec["config"]))


def options_of(r):
    options = {"tokens": True}
    if r.random() < 0.4:
        options["max"] = r.choice((4, 6, 7, 8, 9, 10, 11, 16, 33))
        if r.random() < 0.5:
            options["left"] = True
        if r.random() < 0.4:
            options["truncation"] = r.choice(("only_first", "only_second"))
    if r.random() < 0.15:
        options["add_special"] = False
    if r.random() < 0.15:
        options["parse"] = False
    if r.random() < 0.35:
        options["text"] = True
    return options


def bad_bytes(r):
    return r.choice(("ff", "c0af", "c3", "e282", "eda080", "f4908080", "f8888080", "80", "61c3", "61e28261", "f09f98", "c1bf"))


class Share:
    """The packages that one process compares."""

    def __init__(self, options, work):
        self.options = options
        self.driver = Driver(options.driver)
        self.folder = pathlib.Path(work) / "package"
        self.counts = collections.Counter()
        self.parts = collections.Counter()
        self.refused = collections.Counter()
        self.digests = {}
        self.drawn = []
        self.failures = []
        self.shapes = collections.Counter()

    def open(self, spec):
        """Both sides of a package: the library's tokenizer or why there is none, and the driver's problems."""
        if not self.options.package:
            write_package(self.folder, spec)
        self.driver.start([{"package": str(self.options.package or self.folder)}])
        tokenizer = reference.read(spec)
        answers = self.driver.finish()
        if not answers:
            return tokenizer, None
        return tokenizer, json.loads(answers[0]).get("refused", [])

    def restart(self):
        self.driver.close()
        self.driver = Driver(self.options.driver)

    def difference(self, spec, request, want, got):
        """One that is no fault of the library: kept, and made small while there are few of its shape."""
        self.counts["different"] += 1
        shape = (tuple(spec["parts"]), kind_of(want, got))
        self.shapes[shape[1]] += 1
        alike = sum(failure["shape"][1] == shape[1] for failure in self.failures)
        if len(self.failures) >= SHOWN or alike >= SHOWN // 3 or any(failure["shape"] == shape for failure in self.failures):
            return
        if request is not None and "a" in request and got is not None and not self.options.package:
            whole = spec
            spec, request = shrink(spec, request, lambda *both: self.differs(shape[1], *both))
            again = self.both(spec, request)
            if agree(*again):
                spec = {**spec, "name": spec["name"] + " (not when asked alone)"}
            else:
                want, got = again
            self.open(whole)  # where the driver was
        self.failures.append({"shape": shape, "spec": spec, "request": request, "want": want, "got": got})

    def both(self, spec, request):
        tokenizer, problems = self.open(spec)
        if problems is None:
            self.restart()
            return "", None
        if problems or isinstance(tokenizer, str):
            return FAILS, FAILS
        inputs = [(request["a"], request["b"])] if "b" in request else [request["a"]]
        lines, _ = reference.expected(tokenizer, spec, inputs, request)
        answers = self.driver.ask([request])
        if not answers:
            self.restart()
        return lines[0], answers[0] if answers else None

    def differs(self, kind, spec, request):
        """Still in the same way: what differs in more ways at once is often two differences."""
        want, got = self.both(spec, request)
        return not agree(want, got) and kind_of(want, got) == kind

    def compare(self, index, spec, r):
        if self.options.package and self.counts["packages"]:
            return self.encode(index, spec, self.real, r)  # a large one is read once
        tokenizer, problems = self.open(spec)
        self.real = tokenizer
        if problems is None:
            self.difference(spec, None, "an answer", None)
            return self.restart()
        if tokenizer == PANICS:
            self.counts["packages on which the library breaks off"] += 1
            return None
        if problems:
            self.counts["packages refused by both" if tokenizer == FAILS else "packages refused here only"] += 1
            if tokenizer != FAILS:
                first = problems[0]
                text = f"{first['file']} {first['pointer']}: {first['found']}, allowed {first['allowed']}"[:200]
                self.refused[text] += 1
                if not any(rule in text for rule in MAY_REFUSE):
                    self.difference(spec, None, "the package is read", text)
            return None
        if tokenizer == FAILS:
            return self.difference(spec, None, "a refusal of the package", "it was read")
        self.counts["packages"] += 1
        self.table(spec, tokenizer)
        self.encode(index, spec, tokenizer, r)
        return None

    def encode(self, index, spec, tokenizer, r):
        texts = Texts(r, self.options.points)
        begin = texts.used = index * 1000
        digest = hashlib.sha256()
        for _ in range(BATCHES):
            inputs, requests = [], []
            shared = options_of(r)
            for _ in range(BATCH):
                first = texts.text()
                if r.random() < 0.25:
                    second = texts.text()
                    if "max" in shared:  # the library makes every pair of the parts that overflow
                        first, second = first[:PAIR], second[:PAIR]
                    inputs.append((first, second))
                    requests.append({"a": first, "b": second, **shared})
                else:
                    inputs.append(first)
                    requests.append({"a": first, **shared})
            digest.update(reference.DUMPS([inputs, shared]).encode())
            requests.append({"hex": bad_bytes(r), **shared})
            self.driver.start(requests)
            lines, _ = reference.expected(tokenizer, spec, inputs, shared)
            lines.append(FAILS)
            answers = self.driver.finish()
            for request, want, got in zip(requests, lines, answers):
                if want != got:
                    if want == PANICS:
                        self.counts["texts on which the library breaks off"] += 1
                    elif not agree(want, got):
                        self.difference(spec, request, want, got)
            if len(answers) < len(requests):
                self.difference(spec, requests[len(answers)], lines[len(answers)], None)
                return self.restart()
            self.counts["texts"] += len(inputs)
            for part in spec["parts"]:
                self.parts[part] += len(inputs)
        self.digests[index] = digest.digest()
        self.drawn.append((begin, texts.used))

    def table(self, spec, tokenizer):
        answer = self.driver.ask([{"table": True}])
        size = max(tokenizer.get_vocab().values()) + 1
        # id_to_token gives the normalised form of an added token, which is for decoding only.
        added = tokenizer.get_added_tokens_decoder()
        want = [added[i].content if i in added else tokenizer.id_to_token(i) or "" for i in range(size)]
        if not answer or (got := json.loads(answer[0])) != want:
            wrong = [(i, a, b) for i, (a, b) in enumerate(zip(want, got)) if a != b] if answer else []
            self.difference(spec, {"table": True}, f"{size} tokens", f"{len(got)} tokens, first wrong {wrong[:3]}" if answer else None)


def agree(want, got):
    if want == got or want == PANICS:
        return True
    if got is None:
        return False
    if want == FAILS:
        return got == FAILS or got.startswith('{"error"')
    return json.loads(want) == json.loads(got)


def kind_of(want, got):
    if got is None:
        return "the driver ended"
    if want == FAILS or not want.startswith("[") or not got.startswith("["):
        return "the table" if "tokens" in want else "refusal" if got.startswith(('{"error"', '"error')) else "should be refused" if want == FAILS else "package"
    names = ("ids", "type ids", "offsets", "special", "total", "tokens", "decoded", "decoded without special")
    return ", ".join(name for name, a, b in zip(names, json.loads(want), json.loads(got)) if a != b)


def systematic(seed, models):
    return [*config_packages(models), *singles(random.Random(f"{seed} singles"), models)]


def packages(options, models):
    """(index, spec, random) of the run, endlessly."""
    first = systematic(options.seed, models)
    index = options.begin
    while True:
        r = random.Random(f"{options.seed}/{index}")
        yield index, first[index] if index < len(first) else package_with_config(r, models), r
        index += 1


def run_share(arguments):
    options, number, models = arguments
    silence = os.open(os.devnull, os.O_WRONLY)  # the library prints where it breaks off
    with tempfile.TemporaryDirectory(prefix="tokenizers") as work:
        share = Share(options, work)
        os.dup2(silence, 2)
        wanted = options.count // options.jobs + (number < options.count % options.jobs)
        for index, spec, r in rounds(options) if options.package else packages(options, models):
            if share.counts["texts"] >= wanted or index > options.begin + options.most_packages:
                break
            if index % options.jobs != number or (options.only and not any(options.only in part for part in spec["parts"] + [spec["name"]])):
                continue
            share.compare(index, spec, r)
        share.driver.close()
    return {"counts": share.counts, "parts": share.parts, "refused": share.refused, "digests": share.digests, "drawn": share.drawn,
            "failures": share.failures, "shapes": share.shapes}


def rounds(options):
    """A real package again and again, with other texts."""
    spec = real_package(options)
    index = 0
    while True:
        yield index, spec, random.Random(f"{options.seed}/{index}")
        index += 1


def real_package(options):
    folder = pathlib.Path(options.package)
    config = folder / "tokenizer_config.json"
    return {"name": folder.name, "parts": ["real/" + folder.name], "tokenizer": json.loads((folder / "tokenizer.json").read_text()),
            "config": json.loads(config.read_text()) if config.exists() else None}


def show(number, failure, keep):
    spec, tokenizer = failure["spec"], failure["spec"]["tokenizer"]
    if tokenizer:
        small = {**tokenizer, "model": {k: v for k, v in tokenizer["model"].items() if k not in ("vocab", "merges")}}
        print(f"{number}. {spec['name']}: {failure['shape'][1]}\n   {json.dumps({k: v for k, v in small.items() if v}, ensure_ascii=True)}")
    print(f"   request {json.dumps(failure['request'])}\n   want {failure['want'][:1500]}\n   got  {(failure['got'] or '(nothing)')[:1500]}")
    if keep:
        folder = pathlib.Path(keep) / str(number)
        write_package(folder, spec)
        (folder / "request.json").write_text(json.dumps(failure["request"]) + "\n")


def covered(intervals):
    """How many of the code points stand in at least one interval, counted in turn and around."""
    marks = bytearray(len(SCALARS))
    for begin, end in intervals:
        for start in range(begin, end, len(SCALARS)):
            low, high = start % len(SCALARS), start % len(SCALARS) + min(end - start, len(SCALARS))
            marks[low:high] = b"\1" * (min(high, len(SCALARS)) - low)
            if high > len(SCALARS):
                marks[:high - len(SCALARS)] = b"\1" * (high - len(SCALARS))
    return sum(marks)


def summary_of(results, options):
    total = {name: collections.Counter() for name in ("counts", "parts", "refused", "shapes")}
    digests, drawn = {}, []
    for result in results:
        for name, counter in total.items():
            counter.update(result[name])
        digests.update(result["digests"])
        drawn += result["drawn"]
    digest = hashlib.sha256(b"".join(digests[index] for index in sorted(digests))).hexdigest()
    return {"made_by": "tools/tokenizers/compare.py", "seed": options.seed, "jobs": options.jobs,
            "versions": {"tokenizers": reference.VERSION, "python": sys.version.split()[0]},
            "counts": dict(sorted(total["counts"].items())), "different": total["counts"]["different"],
            "code points in turn": covered(drawn), "sha256 of the texts": digest,
            "texts by component": dict(sorted(total["parts"].items())),
            "refused here only": dict(total["refused"].most_common()), "kinds of difference": dict(total["shapes"].most_common())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("driver")
    parser.add_argument("--count", type=int, default=120000)
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--begin", type=int, default=0, help="the first package")
    parser.add_argument("--only", help="part of a component's name, as in the summary")
    parser.add_argument("--package", help="a folder with tokenizer.json")
    parser.add_argument("--keep", help="a folder for the packages of differences")
    parser.add_argument("--train", action="store_true", help="new models, which differ from run to run")
    parser.add_argument("--summary", help="a file for the summary")
    options = parser.parse_args()
    options.points = SCALARS[:]
    random.Random(f"{options.seed} points").shuffle(options.points)
    options.most_packages = 20 * (options.count // (BATCH * BATCHES) + 1) + 600 + (200000 if options.only else 0)
    models = {}
    found = () if options.package else all_models(options.seed) if options.train else stored_models(MODELS)
    for kind, name, model in found:
        models.setdefault(kind, []).append((kind, name, model))
    jobs = [(options, number, models) for number in range(options.jobs)]
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        results = pool.map(run_share, jobs, chunksize=1)
    summary = summary_of(results, options)
    number = 0
    for result in results:
        for failure in result["failures"]:
            number += 1
            show(number, failure, options.keep)
    text = json.dumps(summary, indent=2, ensure_ascii=False)
    print(text)
    if options.summary:
        pathlib.Path(options.summary).write_text(text + "\n")
    counts = summary["counts"]
    print(f"{counts.get('texts', 0)} texts of {counts.get('packages', 0)} packages compared, {summary['different']} different, "
          f"{counts.get('packages refused here only', 0)} packages refused here only")
    sys.exit(1 if summary["different"] or not counts.get("texts") else 0)


if __name__ == "__main__":
    main()
