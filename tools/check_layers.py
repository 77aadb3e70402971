#!/usr/bin/env python3
"""Checks the borders between rooms. Every violation is printed; the exit code is 1 if there is one.

  check_layers.py [--root DIR]        everything below
  check_layers.py --borders --room X  includes and links of one room only (runs before that room is compiled)

Borders: each #include and each linked candor_* target of a room stands in its line of tools/layers.txt; the
table has no cycle; headers of others have one home (tools/homes.txt).
Files: every C++ file opens with a comment (x.cc and x_test.cc may leave it to x.h), has at most 500 lines, and past 400 says in that comment
"Long because ..."; no `using namespace` in a header; every header has #pragma once.
Rooms: README.md of at most 20 lines with a line "May include: ..." equal to the table.
"""
import argparse
import fnmatch
import pathlib
import re
import sys

CODE = {".h", ".cc", ".inl"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
MOST_LINES, LONG_LINES, README_LINES = 500, 400, 20


def read_table(path):
    """tools/layers.txt as {room: (may include, links beyond that)}."""
    table = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        match = re.fullmatch(r"([a-z]+):([a-z ]*)(?:\|([a-z ]*))?", line)
        if not match:
            sys.exit(f"{path}:{number}: not a row of the layer table: {line}")
        table[match[1]] = (match[2].split(), (match[3] or "").split())
    return table


def read_homes(path):
    """tools/homes.txt as [(header pattern, [file patterns])]."""
    homes = []
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            header, files = line.split(":")
            homes.append((header.strip(), files.split()))
    return homes


def find_cycles(table):
    problems, done = [], set()

    def visit(room, path):
        if room in path:
            problems.append("tools/layers.txt: cycle " + " -> ".join(path[path.index(room):] + [room]))
        elif room not in done:
            for next_room in table.get(room, ([], []))[0] + table.get(room, ([], []))[1]:
                if next_room not in table:
                    problems.append(f"tools/layers.txt: {room} names a room without a line: {next_room}")
                    continue
                visit(next_room, path + [room])
            done.add(room)

    for room in table:
        visit(room, [])
    return problems


def check_include(name, quote, header, room, table, homes):
    """One #include of file `name` (of room, public header or test): a problem's text, or None."""
    patterns = [files for pattern, files in homes if fnmatch.fnmatch(header, pattern)]
    if patterns:
        if not any(fnmatch.fnmatch(name, f) for files in patterns for f in files):
            return f"<{header}> has its home in {' '.join(patterns[0])}"
        return None
    if quote == "<":
        standard = "/" not in header and "." not in header
        return None if standard else f"<{header}> has no home in tools/homes.txt"
    target = header.split("/")[0]
    if "/" not in header and room is not None:
        return f'"{header}" must be written from src/ or include/'
    if room is None or target == "candor":
        return None
    allowed = {room} if room in ("base", "candor") else {room, "base", *table[room][0]}
    if target not in allowed:
        return f'"{header}" crosses a border: {room} may include {" ".join(sorted(allowed | {"candor"}))}'
    return None


def check_borders(root, name, text, room, table, homes):
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            problem = check_include(name, match[1], match[2], room, table, homes)
            if problem:
                problems.append(f"{name}:{number}: {problem}")
    return problems


def check_links(name, text, room, table):
    allowed = {room, "base", "flags", "room", *table[room][0], *table[room][1]}
    return [
        f"{name}:{number}: links candor_{target} across a border"
        for number, line in enumerate(text.splitlines(), 1)
        for target in re.findall(r"\bcandor_([a-z]+)\b", line.split("#")[0])
        if target in table and target not in allowed
    ]


def leading_comment(text):
    lines = []
    for line in text.splitlines():
        if line.startswith("//"):
            lines.append(line)
        elif line.strip() or lines:
            break
    return "\n".join(lines)


def spoken_for(root, name):
    """Whether the header beside this source, or the file that this test is for, says what it is."""
    if name.endswith("_test.cc") and (root / name.replace("_test.cc", ".cc")).exists():
        return True
    return name.endswith(".cc") and (root / re.sub(r"(_test)?\.cc$", ".h", name)).exists()


def check_file(root, name, text):
    problems = []
    comment = leading_comment(text)
    count = text.count("\n")
    if not comment and not spoken_for(root, name):
        problems.append(f"{name}:1: opens without a comment that says what it is")
    if count > MOST_LINES:
        problems.append(f"{name}: {count} lines; {MOST_LINES} is the most")
    elif count > LONG_LINES and "Long because" not in comment:
        problems.append(f'{name}: {count} lines; past {LONG_LINES} the first comment says "Long because ..."')
    if name.endswith(".h"):
        if "\n#pragma once\n" not in text:
            problems.append(f"{name}:1: no #pragma once")
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(r"\s*using namespace\b", line):
                problems.append(f"{name}:{number}: using namespace in a header")
    return problems


def check_readme(root, room, table):
    name = f"src/{room}/README.md"
    path = root / name
    if not path.exists():
        return [f"{name}: missing"]
    lines = path.read_text().splitlines()
    problems = []
    if len(lines) > README_LINES:
        problems.append(f"{name}: {len(lines)} lines; {README_LINES} is the most")
    said = [line.split(":", 1)[1].strip("`.() ").replace("`", "") for line in lines if line.startswith("May include:")]
    wanted = " ".join(table[room][0])
    if said != [wanted] and not (not wanted and said == ["nothing"]):
        problems.append(f'{name}: needs the line "May include: {wanted or "nothing"}", as in tools/layers.txt')
    return problems


def room_of(name):
    parts = name.split("/")
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return "candor" if parts[0] == "include" else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--room", help="only this room")
    parser.add_argument("--borders", action="store_true", help="only includes and links")
    args = parser.parse_args()
    root = args.root
    table = read_table(root / "tools/layers.txt")
    homes = read_homes(root / "tools/homes.txt")

    problems = find_cycles(table)
    tops = [f"src/{args.room}"] if args.room else ["src", "include", "tests", "bench", "fuzz"]
    paths = sorted(p for top in tops for p in (root / top).rglob("*"))
    rooms = set()
    for path in paths:
        name = path.relative_to(root).as_posix()
        room = room_of(name)
        if room not in (None, "candor") and room not in table:
            problems.append(f"{name}: room {room} has no line in tools/layers.txt")
            continue
        if room not in (None, "candor"):
            rooms.add(room)
        if path.suffix in CODE:
            text = path.read_text(errors="replace")
            problems += check_borders(root, name, text, room, table, homes)
            if not args.borders:
                problems += check_file(root, name, text)
        elif path.name == "CMakeLists.txt" and room:
            problems += check_links(name, path.read_text(), room, table)
    if not args.borders:
        for room in sorted(rooms):
            problems += check_readme(root, room, table)

    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} layer problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
