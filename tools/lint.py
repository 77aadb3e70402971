#!/usr/bin/env python3
"""House rules that neither compiler nor formatter knows. lint.py [FILE...]; default: every file that git tracks.

Every finding is printed as file:line: text; the exit code is 1 if there is one. A line may carry
`lint: allow RULE because ...` in a comment; the reason is part of the rule.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = r"\.(h|cc|inl)$"
LIBRARY = r"^(src/(?!apps/)(?!.*_test\.cc)|include/).*\.(h|cc|inl)$"  # what is linked into other programs
SHIPPED = r"^(src/(?!.*_test\.cc)|include/).*\.(h|cc|inl)$"
TEST = r"(_test\.cc|^tests/.*\.cc)$"
TEXT = r"\.(h|cc|inl|py|sh|md|txt|cmake|json)$|^[^.]*$"

# name, files, what must not stand there, what to do
RULES = [
    ("unfinished", TEXT, r"\b(TODO|FIXME|XXX|HACK)\b", "finish it, or refuse the case"),
    ("machine-path", TEXT, r"(?<![\w.$}/-])/(work|root|home|tmp)/[\w.-]", "no paths of one machine"),
    ("prints", LIBRARY, r"\bstd::(cout|cerr|clog)\b|(?<!\w)(std::)?f?(printf|puts|putchar)\s*\(",
     "the library never prints"),
    ("ends-process", LIBRARY, r"(?<![\w.>])(std::)?(exit|_exit|abort|quick_exit|terminate)\s*\(",
     "the library never ends the process"),
    # base/check.cc turns a broken promise of ours into internal_invariant, which the public calls catch.
    ("throws", r"^(?!src/base/check\.cc)" + SHIPPED[1:], r"\bthrow\b", "errors are values"),
    ("environment", LIBRARY, r"\b(std::)?(secure_)?getenv\s*\(", "the environment is read in apps only"),
    ("raw-new", SHIPPED, r"(?<!operator )\bnew\s+[A-Za-z_(]|(?<!operator )(?<!= )\bdelete\b(?!;\s*$)\s*[A-Za-z_\[]",
     "owners are containers and smart pointers"),
    ("volatile-math", CODE, r"-ffast-math|-Ofast|_MM_SET_FLUSH_ZERO|__STDC_IEC_559__\s*=", "no fast-math, no flush to zero"),
    ("skipped-test", TEST, r"\bGTEST_SKIP\b|\bDISABLED_|SUCCEED\s*\(\)", "no skipped test, no test that cannot fail"),
    ("void-cast-result", SHIPPED, r"\(void\)\s*\w", "static_cast<void> with a reason, or handle it"),
]
OWNED_NEW = re.compile(r"(?<=_ptr<)([\w: ]+>\s*\w*)\(new\b")
STRINGS = re.compile(r'"(\\.|[^"\\])*"')


def tracked():
    # A clone made by another user is still read: nothing of it is run.
    out = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if out.returncode != 0:
        sys.exit("lint.py: needs a git checkout, or file names as arguments")
    return [name for name in out.stdout.split("\0") if name and (ROOT / name).is_file()]


def code_only(line):
    """The line without strings and // comments, so that words in prose do not count as code, and without a
    `new` that a smart pointer owns at once (private constructors need it)."""
    return OWNED_NEW.sub("(", STRINGS.sub('""', line).split("//")[0])


def findings(name, text):
    rules = [rule for rule in RULES if re.search(rule[1], name)]
    for number, line in enumerate(text.splitlines(), 1):
        allowed = re.search(r"lint: allow ([\w-]+) because \w", line)
        for rule, files, pattern, remedy in rules:
            if allowed and allowed[1] == rule:
                continue
            searched = line if files is TEXT else code_only(line)
            if re.search(pattern, searched):
                yield f"{name}:{number}: {rule}: {line.strip()[:90]} ({remedy})"


def main():
    own = {"tools/lint.py", "tests/tools/lint_test.py"}  # they spell out what they look for
    names = sys.argv[1:] or [name for name in tracked() if name not in own]
    problems = []
    for name in names:
        if not name.startswith(("goldens/", "bench/data/")) and re.search(TEXT, name):
            problems += findings(name, (ROOT / name).read_text(errors="replace"))
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
