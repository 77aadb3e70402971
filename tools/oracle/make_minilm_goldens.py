#!/usr/bin/env python3
"""Writes goldens/minilm/golden.json for the real package:   make_minilm_goldens.py MINILM_DIR

tools/fetch_minilm.sh lays the package out. It is not committed: the golden names its SHA-256."""

import hashlib
import json
import sys
from pathlib import Path

from reference import golden, versions
from texts import COMMON

ROOT = Path(__file__).resolve().parents[2] / "goldens" / "minilm"

SENTENCES = [
    "How do I reset my password?",
    "I forgot my login credentials and cannot sign in.",
    "for (int i = 0; i < n; ++i) sum += a[i] * b[i];",
    "SELECT name, COUNT(*) FROM orders GROUP BY name HAVING COUNT(*) > 3;",
    "https://example.org/path/to/page?query=value&lang=en#section-2",
    "Der schnelle braune Fuchs springt über den faulen Hund.",
    "Быстрая коричневая лиса прыгает через ленивую собаку.",
    "素早い茶色の狐がのろまな犬を飛び越える。",
    "敏捷的棕色狐狸跳过了懒狗。",
    "الثعلب البني السريع يقفز فوق الكلب الكسول.",
    "तेज़ भूरी लोमड़ी आलसी कुत्ते के ऊपर कूदती है।",
    "빠른 갈색 여우가 게으른 개를 뛰어넘는다.",
    "1234567890 3.14159 -42 1e-9 0xDEADBEEF 50% $99.99",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "a",
    ".",
    " ",
    "\n\n\t",
    "[CLS] already marked [SEP]",
    "ｆｕｌｌ ｗｉｄｔｈ　ｔｅｘｔ",
    "👩‍👩‍👧‍👦 family, 🇨🇭 flag, ☕ coffee",
    "To be, or not to be, that is the question.",
    "What is the capital of France? Paris is the capital of France. " * 4,
    "Numbers and words alternate: " + " ".join(f"item {i} costs {i * i} coins," for i in range(40)),
    "word " * 253 + "last",  # exactly the limit of 256 with both special tokens
    "word " * 254 + "last",  # one more: cut
    "word " * 252 + "last",  # one less
    "The history of the city is long. " * 90,
    "x" * 100,
    "x" * 101,
]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    package = Path(sys.argv[1])
    items = [{"text": t} for t in COMMON + SENTENCES]
    result = golden(package, items, hidden_items=(1,), similarity=False)
    head = {
        "format": 1,
        "case": "minilm",
        "about": "The real all-MiniLM-L6-v2, varied texts.",
        "family": "bert",
        "task": "embed",
        "made_by": {"command": "tools/oracle/make_minilm_goldens.py MINILM_DIR", **versions()},
        "package_sha256": {
            f: digest(package / f) for f in ("model.safetensors", "tokenizer.json", "config.json")
        },
    }
    ROOT.mkdir(parents=True, exist_ok=True)
    (ROOT / "golden.json").write_text(
        json.dumps({**head, **result}, separators=(",", ":")) + "\n", encoding="ascii"
    )
    print(
        f"{len(items)} texts, limit {result['max_length']}, delta {result['delta']:.1e}, "
        f"{(ROOT / 'golden.json').stat().st_size // 1024} KiB"
    )


if __name__ == "__main__":
    main()
