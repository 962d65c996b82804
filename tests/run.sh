#!/bin/sh
# Runs the test programs given as arguments and the scripts tests/**/test_*.sh, and ends
# with the slowest of them and "N passed, N failed", then ", N skipped" if cases were skipped.
# Every cmocka case and every script counts as one. A program that crashes, hangs, or ends
# without a case that ran or was skipped is a failure, and so is a run of nothing. A script
# that skips exits with 77; the last line that it prints says why. ONLY: the beginnings of the
# paths that are wanted, without tests/. ON_CPU: what runs a program of another processor.
#
# Those that wait for sound or a terminal in real time come first, four at a time, since they
# mostly sleep and nothing else is to press them; then the others, one more than there are
# processors, those that take longest before the rest.
B=build/$FLAVOUR
TIMED='test_(playing|keyboard|device_lost|instrument|stress|answered|truth|soundfont_changed)'
LONGEST='test_(playing|keyboard|train_gradients|kill.sh|batch|train|corpus|rehearse|same_bytes|python|every_key|bench|inspect|soak|grammar_fill|attention)'

# run.sh --one PROGRAM: runs it, tells how it went, and notes what there is to count.
if [ "$1" = --one ]; then
  name=${2#"$B"/} log=$(mktemp -p "$RESULTS") corpus= with=$ON_CPU
  case $2 in
  */replay/*) corpus=tests/$(echo "${2#*/replay/}" | sed 's|fuzz_|corpus/|') ;;
  *.sh) with=sh ;;
  esac
  began=$(date +%s%N)
  timeout "$LIMIT" $with "$2" $corpus >"$log" 2>&1
  status=$?
  ms=$((($(date +%s%N) - began) / 1000000))
  # summed WORD: the number of cases in cmocka's own last line of that kind.
  summed() { sed -n "s/^ *\([0-9][0-9]*\) $1 TEST(S)\$/\1/p" "$log" | tail -n 1; }
  ok=$(grep -c '^\[       OK \]' "$log")
  bad=$(summed FAILED) skipped=$(summed SKIPPED)
  bad=${bad:-0} skipped=${skipped:-0}
  case $2:$status in
  *.sh:77) skipped=1 status=0 ;;
  *.sh:0) ok=1 ;;
  */replay/*:0) ok=$(grep -c '^[1-9][0-9]* replayed$' "$log") ;;
  esac
  if [ $status != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  if [ $((ok + bad + skipped)) = 0 ]; then
    echo "no case ran, and none was skipped" >>"$log"
    bad=1
  fi
  if [ "$bad" != 0 ]; then
    printf 'FAILED %s (exit %s)\n%s\n' "$name" $status "$(tail -n 60 "$log")"
  elif [ "$skipped" != 0 ]; then
    printf 'ok     %s (%s, %s skipped)\n' "$name" "$ok" "$skipped"
    case $2 in
    *.sh) echo "$name: $(tail -n 1 "$log")" ;;
    *) sed -n "s|^\[  SKIPPED \] \([^ ]*\)\$|$name: \1|p" "$log" | sort -u ;;
    esac >>"$RESULTS/skipped"
  else
    printf 'ok     %s (%s)\n' "$name" "$ok"
  fi
  echo "$ok $bad $name $ms $skipped" >>"$RESULTS/counts"
  exit 0
fi

PROCESSORS=$(getconf _NPROCESSORS_ONLN)
# Seconds; the sanitizers' programs are many times slower.
case $FLAVOUR in asan | tsan) LIMIT=${LIMIT:-1200} ;; arm64) LIMIT=${LIMIT:-3600} ;; *) LIMIT=${LIMIT:-240} ;; esac
export LIMIT
export CONTINUO_BIN="$PWD/$B/continuo" CONTINUO_HOME="$PWD"
export CONTINUO_TEST_SOUNDFONT="$PWD/$B/soundfonts/continuo.sf2" CONTINUO_STANDIN="$PWD/$B/standin"
# FluidSynth loads soundfonts through libgomp, whose threads TSan cannot follow.
export CMOCKA_MESSAGE_OUTPUT=STDOUT OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}"
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp:halt_on_error=1"
unset CONTINUO_SOUNDFONT
RESULTS=$(mktemp -d)
export RESULTS FLAVOUR
: >"$RESULTS/counts"
trap 'rm -rf "$RESULTS"' EXIT

# at_a_time N: runs those whose names come in, the longest first.
at_a_time() {
  cat >"$RESULTS/some"
  { grep -E "/($LONGEST)\$" "$RESULTS/some"; grep -vE "/($LONGEST)\$" "$RESULTS/some"; } |
    xargs -r -P "$1" -n 1 sh "$0" --one
}
{ find tests -name 'test_*.sh' | grep -E "^tests/($(echo "$ONLY" | tr ' ' '|'))" | sort; printf '%s\n' "$@"; } >"$RESULTS/all"
grep -E "/($TIMED)\$" "$RESULTS/all" | at_a_time 4
grep -vE "/($TIMED)\$" "$RESULTS/all" | at_a_time $((PROCESSORS + 1))
echo "the slowest, in seconds:"
sort -k 4 -rn "$RESULTS/counts" | awk 'NR <= 10 { printf "%6.1f %s\n", $4 / 1000, $3 }'
[ ! -s "$RESULTS/skipped" ] || { echo "skipped:"; sort "$RESULTS/skipped"; }
# A program that left no line was killed together with its run.sh --one.
awk -v programs="$(grep -c . "$RESULTS/all")" '
  { passed += $1; failed += $2; skipped += $5; if ($2) broken = broken " " $3 }
  END {
    lost = programs - NR
    if (programs == 0) { print "no test has such a path"; lost = 1 }
    else if (lost > 0) print lost " programs did not tell how they went"
    if (broken) print "failed:" broken
    failed += lost
    print passed + 0 " passed, " failed + 0 " failed" (skipped ? ", " skipped " skipped" : "")
    exit failed > 0
  }' "$RESULTS/counts"
