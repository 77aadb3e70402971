#!/usr/bin/env bash
# Makes the reference's Python environment:   tools/oracle/setup.sh VENV   (about 5 GB, mostly PyTorch's CUDA parts)
# Only makers of goldens need it; neither the build nor a test does. Safe to run again.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,3p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$1/bin/python" ] || python3 -m venv "$1"
"$1/bin/python" -m pip install -q --disable-pip-version-check -r "$here/requirements.txt"
"$1/bin/python" -c 'import torch, transformers, sentence_transformers as s
print("torch", torch.__version__, "transformers", transformers.__version__, "sentence-transformers", s.__version__)'
