"""Paths, model and texts that the scripts here share. Standard library only: every environment imports it."""

import os
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent
HOME = Path(os.environ.get("BENCH_HOME") or Path(tempfile.gettempdir()) / "candor-bench")
MODEL = HOME / "minilm"  # the package that Candor and PyTorch read
CONVERTED = HOME / "converted"  # what the other peers read
REFERENCE = HOME / "reference.npy"
MAX_LENGTH = 256
CORPUS = BENCH / "data" / "corpus256.txt"
QUERY = "how does solar power work?"  # 8 tokens with [CLS] and [SEP]


def texts(count=0):
    """The first `count` texts (the file is shuffled), or all."""
    lines = CORPUS.read_text(encoding="utf-8").splitlines()
    return lines[: count or None]
