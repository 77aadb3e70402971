"""must_fail.py COMPILER FILE ROOT [FLAG...]: FILE compiles as it stands, and with -DCANDOR_MUST_FAIL it does not.

The first line of FILE is `// must fail: REGEX`; the compiler's message must match it, so that a misspelt
include does not count as a proof.
"""
import re
import subprocess
import sys

FLAGS = "-std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Werror".split()


def compiles(compiler, path, root, *more):
    command = [compiler, *FLAGS, f"-I{root}/src", f"-I{root}/include", *more, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


def main():
    compiler, path, root, *flags = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        match = re.fullmatch(r"// must fail: (.+)", f.readline().rstrip("\n"))
    if not match:
        return f"{path}:1: no `// must fail: REGEX`"
    good, message = compiles(compiler, path, root, *flags)
    if not good:
        return f"{path} does not compile even without the fault:\n{message}"
    good, message = compiles(compiler, path, root, *flags, "-DCANDOR_MUST_FAIL")
    if good:
        return f"{path} compiles, but must not"
    if not re.search(match[1], message):
        return f"{path} fails for another reason than {match[1]!r}:\n{message}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
