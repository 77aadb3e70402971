#!/usr/bin/env bash
# Makes the reference's Python environment, 5 GB (mostly PyTorch's CUDA parts):   tools/oracle/setup.sh VENV
# Only makers of goldens need it; neither the build nor a test does. Safe to run again.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,3p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$1/bin/python" ] || python3 -m venv "$1"
"$1/bin/python" -m pip install -q --disable-pip-version-check -r "$here/requirements.txt"
"$1/bin/python" -c 'import torch, transformers, sentence_transformers
for m in (torch, transformers, sentence_transformers): print(m.__name__, m.__version__)'
