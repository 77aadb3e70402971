#!/usr/bin/env bash
# Clang 14 over every source, and over every header compiled alone: warnings, thread-safety analysis. No code is made.
# A header that is the first include of the source of its name has been compiled alone there.
# And over tests/compile_failures, where each file must fail for its reason: so this pass is known to find something.
set -euo pipefail
cd "$(dirname "$0")/.."
one() {
  local alone=()
  case "$1" in *.h) alone=(-x c++ -Wno-pragma-once-outside-header -Wno-unused-const-variable) ;; esac
  clang++-14 -std=c++20 -fsyntax-only -Isrc -Iinclude -isystem build/release/src/text -Wall -Wextra -Wconversion -Wshadow -Wthread-safety -Werror \
    -ffp-contract=off -DCANDOR_SOURCE_DIR='"."' -DCANDOR_BINARY_DIR='"build/release"' \
    -DCANDOR_VERSION='"0"' -DCANDOR_COMMIT='"0"' "${alone[@]}" "$1" ||
    { echo "clang: $1"; return 1; }
}
export -f one
must_fail() { python3 tests/compile_failures/must_fail.py clang++-14 "$1" . -Wthread-safety; }
export -f must_fail
find tests/compile_failures -name '*.cc' -print0 | sort -z | xargs -0 -P "$(nproc)" -I{} bash -c 'must_fail "$1"' _ {}
covered() {
  local source=${1%.h}.cc
  [ -f "$source" ] && [ "$(grep -m1 '^#include' "$source")" = "#include \"${1#src/}\"" ]
}
sources() {
  find src include tests fuzz \( -name '*.h' -o -name '*.cc' \) 2> /dev/null | grep -v compile_failures | sort |
    while read -r file; do
      case "$file" in *.h) covered "$file" && continue ;; esac
      echo "$file"
    done
}
# The release build has made the protobuf headers. bench needs a library that only ./check --all installs.
sources | xargs -P "$(nproc)" -I{} bash -c 'one "$1"' _ {}
