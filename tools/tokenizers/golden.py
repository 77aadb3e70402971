#!/usr/bin/env python3
"""Writes the committed sample that golden_test.cc runs: the library's answers for every component.

    PYTHON tools/tokenizers/golden.py goldens/tokenizer [--texts 20000] [--driver DRIVER]

models.json holds the models and the charsmaps once for all, sample.json the packages and texts. Most answers are kept as the
first 8 bytes of the SHA-256 of the line that AnswerTo (src/text/test_answer.h) gives, in hexadecimal; some in full,
for readable failures; a text that the library refuses has the mark "refused". With --driver, packages that it refuses are left out, and named.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import re
import tempfile

import reference
from compare import DEFAULT_SEED, options_of, systematic, write_package
from components import CHARSMAPS, package
from driver import Driver
from models import all_models
from texts import SCALARS, Texts

FIXED = [
    {"a": ""}, {"a": "   "}, {"a": "hello", "b": ""}, {"a": "one\nline note\tbook\r\none"}, {"a": "abc\0def"},
    {"a": "caf\u00e9 cafe\u0301 CAF\u00c9"}, {"a": "hello\u4f60\u597dworld"}, {"a": "a" * 100}, {"a": "a" * 101}, {"a": "\u00e9" * 100}, {"a": "\u00e9" * 101},
    {"a": "hello [SEP] world [sep] </s> b"}, {"a": "hello   <m>  world"}, {"a": "hello [SEP] world", "parse": False}, {"a": "!!!!!!"},
    {"a": "the hello world " * 9, "b": "one line " * 4, "max": 16}, {"a": "the hello world " * 9, "b": "one line " * 9, "max": 11, "left": True},
    {"a": "  a  "}, {"a": "a\nb \U0001f363"}, {"a": "un" + "believable" * 3 + "!"}, {"a": "\ufb01 \u00bd \u2460 \u212b \u304b\u3099 \uff76\uff9e"},
]
FULL = 40  # one of so many answers stands in full


def answers(tokenizer, spec, inputs, options):
    lines, _ = reference.expected(tokenizer, spec, inputs, options)
    return lines


def escaped(line):
    """As JsonWriter writes it: no short escapes of these two."""
    return re.sub(r"\\(.)", lambda m: {"b": "\\u0008", "f": "\\u000c"}.get(m[1], m[0]), line)


def request_of(value, options):
    return {"a": value[0], "b": value[1], **options} if isinstance(value, tuple) else {"a": value, **options}


def cases(spec, tokenizer, r, count, texts, fixed):
    """(full cases, hashed ones) of a package."""
    full, hashed = [], []
    for request in fixed:
        request = {**request, "tokens": True}
        options = {key: value for key, value in request.items() if key not in "ab"}
        value = (request["a"], request["b"]) if "b" in request else request["a"]
        line, = answers(tokenizer, spec, [value], options)
        if line.startswith("["):
            full.append({**request, "answer": json.loads(line)})
    for _ in range(4):
        options = options_of(r)
        values = []
        for _ in range(count // 4):
            first = texts.text()[:200]
            values.append((first, texts.text()[:100]) if r.random() < 0.2 else first)
        rows = []
        for value, line in zip(values, answers(tokenizer, spec, values, options)):
            if line == reference.PANICS:
                continue  # the library's own fault
            if line == reference.FAILS:
                rows.append([*value, "refused"] if isinstance(value, tuple) else [value, "refused"])
            elif r.randrange(FULL) == 0 and len(line) < 1000:
                full.append({**request_of(value, options), "answer": json.loads(line)})
            else:
                mark = hashlib.sha256(escaped(line).encode()).hexdigest()[:16]
                rows.append([*value, mark] if isinstance(value, tuple) else [value, mark])
        hashed.append({"options": options, "texts": rows})
    return full, hashed


def shared(tokenizer, model):
    """tokenizer.json with names in place of what models.json holds."""
    text = json.dumps({**tokenizer, "model": "@" + model}, ensure_ascii=False)
    for i, charsmap in enumerate(CHARSMAPS):
        text = text.replace(json.dumps(charsmap), json.dumps(f"@charsmap {i}"))
    return json.loads(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--texts", type=int, default=21000)
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--driver")
    options = parser.parse_args()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the library prints where it breaks off
    models = {}
    for kind, name, model in all_models(options.seed):
        models.setdefault(kind, []).append((kind, name, model))
    names = {id(model): f"{kind} {name}" for rows in models.values() for kind, name, model in rows}
    r = random.Random(f"{options.seed} golden")
    specs = systematic(options.seed, models) + [package(r, models) for _ in range(150)]
    points = SCALARS[:]
    r.shuffle(points)
    driver = Driver(options.driver) if options.driver else None
    read = []
    with tempfile.TemporaryDirectory(prefix="tokenizers") as work:
        for spec in specs:
            tokenizer = reference.read(spec)
            if isinstance(tokenizer, str):
                continue
            if driver:
                folder = pathlib.Path(work) / "package"
                write_package(folder, spec)
                if "refused" in driver.ask([{"package": str(folder)}])[0]:
                    print("left out:", spec["name"])
                    continue
            read.append((spec, tokenizer))
    texts = Texts(r, points)
    each = options.texts // len(read) // 4 * 4 + 4
    used, total, lines, seen = {}, 0, [], set()
    for spec, tokenizer in read:
        model = names[id(spec["tokenizer"]["model"])]
        used["@" + model] = spec["tokenizer"]["model"]
        kind = model.split()[0]
        fixed = FIXED if kind not in seen else FIXED[11:13] if spec["name"].startswith("added") else []
        seen.add(kind)
        full, hashed = cases(spec, tokenizer, r, each, texts, fixed)
        total += len(full) + sum(len(group["texts"]) for group in hashed)
        lines.append(reference.DUMPS({"name": spec["name"], "config": spec["config"], "tokenizer": shared(spec["tokenizer"], model),
                                      "cases": full, "hashed": hashed}))
    for i, charsmap in enumerate(CHARSMAPS):
        used[f"@charsmap {i}"] = charsmap
    folder = pathlib.Path(options.folder)
    (folder / "models.json").write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {reference.DUMPS(v)}" for k, v in used.items()) + "\n}\n")
    head = {"made_by": "tools/tokenizers/golden.py", "tokenizers": reference.VERSION, "seed": options.seed, "texts": total}
    (folder / "sample.json").write_text(json.dumps(head)[:-1] + ',\n"packages": [\n' + ",\n".join(lines) + "\n]}\n")
    print(f"{len(read)} packages, {total} texts")


if __name__ == "__main__":
    main()
