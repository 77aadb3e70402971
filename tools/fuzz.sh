#!/usr/bin/env bash
# Coverage-guided fuzzing under the address and undefined sanitizers:   tools/fuzz.sh SECONDS TARGET...
# TARGET is a name from fuzz/CMakeLists.txt ("tokenizer_json"), but for wire, whose library Clang 14 does not compile
# with coverage; one process each, one after the other. What was found
# to reach new code is kept in build/fuzz/corpus/TARGET and taken up again; an input that breaks something is written
# to build/fuzz/broken/TARGET-*. Prints one line per target; exit status 1 when any broke.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
seconds=$1
shift
tools/install_packages.sh build check all
cmake --preset fuzz > /dev/null
cmake --build build/fuzz --target "${@/%/_fuzz}"
mkdir -p build/fuzz/broken
status=0
for target in "$@"; do
  corpus=build/fuzz/corpus/$target
  seeds=$(sed -n "s|^candor_fuzz($target .* \${CMAKE_SOURCE_DIR}/\(.*\))$|\1|p" fuzz/CMakeLists.txt)
  mkdir -p "$corpus"
  result=clean
  ASAN_OPTIONS=allocator_may_return_null=1 "build/fuzz/fuzz/${target}_fuzz" "$corpus" "$seeds" \
    -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/broken/$target-" > "build/fuzz/$target.log" 2>&1 || { result=BROKEN status=1; }
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$target.log")
  echo "$target: ${runs:-0} runs in $seconds s, $(ls "$corpus" | wc -l) inputs kept, $result"
done
exit "$status"
