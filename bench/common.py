"""Paths, packages and texts that the scripts here share. Standard library only: every environment imports it."""

import os
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent
HOME = Path(os.environ.get("BENCH_HOME") or Path(tempfile.gettempdir()) / "candor-bench")
PACKAGES = HOME / "packages"  # what Candor and PyTorch read
MINILM = "minilm"
MODEL = PACKAGES / MINILM
MAX_LENGTH = 256
CORPUS = BENCH / "data" / "corpus256.txt"
QUERY = "how does solar power work?"  # 8 tokens with [CLS] and [SEP]


def package(name):
    return PACKAGES / name


def converted(name):
    """What the other peers read of a package, and its vectors by PyTorch (reference.npy)."""
    return HOME / "converted" / name


def texts(count=0):
    """The first `count` texts (the file is shuffled), or all."""
    lines = CORPUS.read_text(encoding="utf-8").splitlines()
    return lines[: count or None]
