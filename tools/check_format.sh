#!/usr/bin/env bash
# Compares every C++ file with .clang-format. check_format.sh --fix rewrites them. Generated tables are left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run -Werror)
[ "${1:-}" = --fix ] && mode=(-i)
find src include tests fuzz bench \( -name '*.h' -o -name '*.cc' -o -name '*.inl' \) -print0 2> /dev/null |
  xargs -0 -P "$(nproc)" -n 20 clang-format-14 --style=file "${mode[@]}"
