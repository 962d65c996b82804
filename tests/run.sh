#!/bin/sh
# Runs the test programs given as arguments, then the scripts tests/*/test_*.sh,
# and ends with "N passed, N failed". A program that crashes, or hangs, is a
# failure; every cmocka case and every script counts as one.
B=build/$FLAVOUR
export CONTINUO_BIN="$PWD/$B/continuo" CONTINUO_HOME="$PWD"
export CONTINUO_TEST_SOUNDFONT="$PWD/$B/soundfonts/continuo.sf2" CONTINUO_STANDIN="$PWD/$B/standin"
# FluidSynth loads soundfonts through libgomp, whose threads TSan cannot follow.
export CMOCKA_MESSAGE_OUTPUT=STDOUT OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}"
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp:halt_on_error=1"
unset CONTINUO_SOUNDFONT
passed=0 failed=0 broken=
log=$(mktemp)
trap 'rm -f "$log"' EXIT

report() { # NAME EXIT-STATUS
  ok=$(grep -c '^\[       OK \]' "$log")
  bad=$(sed -n 's/^ *\([0-9][0-9]*\) FAILED TEST(S)$/\1/p' "$log" | tail -n 1)
  bad=${bad:-0}
  if [ "$2" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  if [ "$2" = 0 ] && [ "$ok" = 0 ]; then ok=1; fi
  passed=$((passed + ok)) failed=$((failed + bad))
  if [ "$bad" != 0 ]; then
    broken="$broken $1"
    echo "FAILED $1 (exit $2)"
    tail -n 60 "$log"
  else
    echo "ok     $1 ($ok)"
  fi
}

for program in "$@"; do
  corpus=
  case $program in
  */replay/*) corpus=tests/$(echo "${program#*/replay/}" | sed 's|fuzz_|corpus/|') ;;
  esac
  timeout 240 "$program" $corpus >"$log" 2>&1
  report "${program#"$B"/}" $?
done
for script in tests/*/test_*.sh; do
  [ -f "$script" ] || continue
  timeout 240 sh "$script" >"$log" 2>&1
  report "$script" $?
done
[ -n "$broken" ] && echo "failed:$broken"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
