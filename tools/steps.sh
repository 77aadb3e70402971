# Sourced by ./check: named steps with their time, a log each, and a count at the end.
# A step's output goes to build/check/NAME.log; it is shown when the step fails.
CANDOR_LOGS=build/check
CANDOR_JOBS=$(nproc)
passed=0
failed=0
failed_steps=()
mkdir -p "$CANDOR_LOGS"

# step NAME "what it does" COMMAND...: runs the command and counts one, or what ctest counted in it.
step() {
  local name=$1 words=$2 log="$CANDOR_LOGS/$1.log" begin=$SECONDS status=0
  shift 2
  printf '%-44s' "$words"
  "$@" > "$log" 2>&1 || status=$?
  local note="" ran bad seen_bad=0
  # ctest's last word: "97% tests passed, 2 tests failed out of 78"; one command may run it more than once.
  while read -r bad ran; do
    passed=$((passed + ran - bad))
    failed=$((failed + bad))
    seen_bad=$((seen_bad + bad))
    note="$note, $((ran - bad)) of $ran tests"
  done < <(sed -n 's/.*tests passed, \([0-9]*\) tests\? failed out of \([0-9]*\).*/\1 \2/p' "$log")
  if [ "$status" = 0 ]; then
    [ -n "$note" ] || passed=$((passed + 1))
    printf 'ok      %4d s%s\n' "$((SECONDS - begin))" "$note"
  else
    [ "$seen_bad" != 0 ] || failed=$((failed + 1))
    failed_steps+=("$name")
    printf 'FAILED  %4d s%s\n' "$((SECONDS - begin))" "$note"
    tail -n 60 "$log" | sed 's/^/    /'
    printf '    (all of it: %s)\n' "$log"
  fi
  return 0
}
