#!/usr/bin/env python3
"""show_similarities.py CANDOR MODEL TEXT...: each text against all, as a table, and the receipt's short form."""
import json
import subprocess
import sys


def main():
    candor, model, *texts = sys.argv[1:]
    arguments = [part for text in texts for part in ("--text", text)]
    # The receipt's short form (-v) goes to standard error; it is kept for the end.
    done = subprocess.run(
        [candor, "embed", model, "--format", "json", "-v", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        return done.returncode
    vectors = [json.loads(line)["embedding"] for line in done.stdout.splitlines()]
    print(f"   {len(vectors)} vectors of {len(vectors[0])} numbers. Cosine similarity, 1 is the same direction:\n")
    width = max(map(len, texts))
    print("   " + " " * (width + 4) + "".join(f"{i + 1:>8}" for i in range(len(texts))))
    for i, (text, a) in enumerate(zip(texts, vectors)):
        row = "".join(f"{sum(x * y for x, y in zip(a, b)):8.3f}" for b in vectors)
        print(f"   {i + 1}  {text:<{width}} {row}")
    print("\nReceipt (what really ran):")
    print("".join(f"   {line}\n" for line in done.stderr.splitlines()), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
