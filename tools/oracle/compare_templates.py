#!/usr/bin/env python3
"""Compares random templates of the subset with transformers and jinja2.

    python tools/oracle/compare_templates.py build/release/tests/template_driver/template_driver [COUNT [FIRST_SEED]]
    python tools/oracle/compare_templates.py --sample COUNT     # writes goldens/templates/random.json

What the reference renders must come out byte for byte or be refused as outside of the subset; what it refuses must be
refused. Prints how often, every difference, and what was outside most often. Exit status 1 on a difference.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import warnings

from template_random import CONTEXT, template
from template_reference import render

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "goldens" / "templates" / "random.json"
MEMORY = re.compile(r"<.*(object|function|method).* at 0x|<(bound|built-in) method|<function|dict_(items|keys|values)\(|<class|<Namespace|<LoopContext|<Macro")


class Driver:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def ask(self, text):
        self.process.stdin.write(json.dumps({"template": text, "context": CONTEXT}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"code": "died"}


def verdict(ours, reference):
    if "text" in ours:
        return "same" if ours["text"] == reference.get("text") else "DIFFERENT"
    if ours["code"] == "unsupported_processor_recipe":
        return "outside"
    if ours["code"] == "died":
        return "DIFFERENT"
    return "refused" if "refused" in reference else "DIFFERENT"


def compare(path, count, first):
    driver, counts, outside = Driver(path), collections.Counter(), collections.Counter()
    for seed in range(first, first + count):
        text = template(seed)
        reference, ours = render(text, CONTEXT), driver.ask(text)
        what = verdict(ours, reference)
        counts[what] += 1
        if what == "outside":
            outside["refused too" if "refused" in reference else "prints memory" if MEMORY.search(reference["text"])
                    else ours["found"].split("`: ")[-1][:60]] += 1
        if what == "DIFFERENT":
            print(f"seed {seed}: {text!r}\n  reference {reference}\n  ours      {ours}", flush=True)
            if ours["code" if "code" in ours else "text"] == "died":
                driver = Driver(path)
    print(dict(counts))
    for found, times in outside.most_common(40):
        print(f"{times:7d}  {found}")
    return 1 if counts["DIFFERENT"] else 0


def sample(count):
    cases = []
    for seed in range(count):
        text = template(seed)
        if len(text) > 350:
            continue
        answer = render(text, CONTEXT)
        if "text" in answer and (MEMORY.search(answer["text"]) or len(answer["text"]) > 300):
            continue
        answer.pop("says", None)
        cases.append({"seed": seed, "template": text, **answer})
    lines = ",\n".join(json.dumps(case) for case in cases)
    GOLDEN.write_text(f'{{"format": 1, "made_by": "compare_templates.py --sample {count}",\n"context": {json.dumps(CONTEXT)},\n'
                      f'"cases": [\n{lines}\n]}}\n', encoding="ascii")
    print(f"{len(cases)} cases")
    return 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "--sample":
        sys.exit(sample(int(sys.argv[2])))
    numbers = [int(n) for n in sys.argv[2:]]
    sys.exit(compare(sys.argv[1], numbers[0] if numbers else 100_000, numbers[1] if len(numbers) > 1 else 0))
