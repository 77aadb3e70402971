#!/usr/bin/env python3
"""Looks into the compiled kernel tables: usage inspect_objects.py NM OBJDUMP LIBRARY.

The objects of an instruction set define their table and nothing else that the linker could share with other code
(an inline function compiled there could replace the copy that older machines run), need no static initialiser, and
really use the registers that their name claims. Exit code 1 with a line for each violation."""
import re
import subprocess
import sys

# What a kernel may call: exact functions of the C library.
ALLOWED_CALLS = {"fmaf", "ldexpf", "nearbyintf", "sqrtf", "memset", "memcpy", "__stack_chk_fail"}
REGISTERS = {"scalar": (None, r"%[yz]mm"), "avx2": (r"%ymm", r"%zmm"), "avx512": (r"%zmm", None)}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def members(text):
    """The parts of a listing of an archive, by member name."""
    found = {}
    name = None
    for line in text.splitlines():
        match = re.match(r"^(\S+\.o):", line)
        if match:
            name = match.group(1)
            found[name] = []
        elif name:
            found[name].append(line)
    return found


def main():
    nm, objdump, library = sys.argv[1:4]
    problems = []
    symbols = members(run(nm, "-C", library))
    code = members(run(objdump, "-d", "--no-show-raw-insn", library))
    seen = 0
    for name, lines in symbols.items():
        match = re.match(r"table_(\w+)\.cc\.o", name)
        if not match:
            continue
        isa = match.group(1)
        seen += 1
        for line in lines:
            parts = line.split(None, 2) if line[:1] != " " else ["", *line.split(None, 1)]
            if len(parts) < 3:
                continue
            _, kind, symbol = parts
            if kind in "tr" or kind in "db":  # local to the object
                if "GLOBAL__sub" in symbol or "static_initialization" in symbol:
                    problems.append(f"{name}: static initialiser {symbol}")
            elif kind == "U":
                if symbol not in ALLOWED_CALLS:
                    problems.append(f"{name}: calls {symbol}")
            elif not (kind in "DR" and symbol.startswith("candor::cpu::k") and symbol.endswith("Table")):
                problems.append(f"{name}: defines {symbol} ({kind})")
        text = "\n".join(code[name])
        wanted, unwanted = REGISTERS[isa]
        if wanted and not re.search(wanted, text):
            problems.append(f"{name}: no {wanted} register used")
        if unwanted and re.search(unwanted, text):
            problems.append(f"{name}: {unwanted} register used")
    if seen != 3:
        problems.append(f"{seen} kernel tables instead of 3 in {library}")
    print("\n".join(problems) if problems else f"{seen} kernel tables, as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
