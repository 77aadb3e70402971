#!/usr/bin/env bash
# Clang 14 over every source, and over every header compiled alone: warnings, thread-safety analysis. No code is made.
set -euo pipefail
cd "$(dirname "$0")/.."
one() {
  local alone=()
  case "$1" in *.h) alone=(-x c++ -Wno-pragma-once-outside-header -Wno-unused-const-variable) ;; esac
  clang++-14 -std=c++20 -fsyntax-only -Isrc -Iinclude -Wall -Wextra -Wconversion -Wshadow -Wthread-safety -Werror \
    -ffp-contract=off -DCANDOR_SOURCE_DIR='"."' -DCANDOR_BINARY_DIR='"build/release"' \
    -DCANDOR_VERSION='"0"' -DCANDOR_COMMIT='"0"' "${alone[@]}" "$1" ||
    { echo "clang: $1"; return 1; }
}
export -f one
# tests/compile_failures has its own driver; bench needs a library that only ./check --all installs.
find src include tests fuzz \( -name '*.h' -o -name '*.cc' \) -print0 2> /dev/null | grep -zv compile_failures |
  sort -z | xargs -0 -P "$(nproc)" -I{} bash -c 'one "$1"' _ {}
