#!/bin/sh
# run.sh tells passed, failed and skipped cases apart. Its programs here are scripts without
# .sh in their names, which print what cmocka prints.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tests"
cp tests/run.sh "$dir/tests"
program() { # NAME STATUS LINE...
  mkdir -p "$(dirname "$dir/$1")"
  file=$dir/$1 status=$2; shift 2
  { echo '#!/bin/sh'; printf "echo '%s'\n" "$@"; echo "exit $status"; } >"$file"
  chmod +x "$file"
}
expect() { # STATUS LAST-LINE NAME...
  status=$1 line=$2; shift 2
  got=0
  (cd "$dir" && ONLY=none sh tests/run.sh "$@") >"$dir/said" 2>&1 || got=$?
  [ "$got" = "$status" ] && [ "$(tail -n 1 "$dir/said")" = "$line" ] && return
  echo "$*: expected '$line' and status $status; status $got and:"
  cat "$dir/said"
  exit 1
}
says() { grep -qF -- "$1" "$dir/said" || { echo "not said: $1"; cat "$dir/said"; exit 1; }; }

program passes 0 '[       OK ] one' '[       OK ] two' '[  PASSED  ] 2 test(s).'
program skips 0 '[  SKIPPED ] three' '[  PASSED  ] 0 test(s).' '[  SKIPPED ] 1 test(s), listed below:' \
  '[  SKIPPED ] three' '' ' 1 SKIPPED TEST(S)'
program both 0 '[       OK ] four' '[  SKIPPED ] five' ' 1 SKIPPED TEST(S)'
program fails 1 '[       OK ] six' '[  FAILED  ] seven' ' 1 FAILED TEST(S)'
program fails_and_skips 1 '[  SKIPPED ] eight' ' 1 SKIPPED TEST(S)' '[  FAILED  ] nine' ' 1 FAILED TEST(S)'
program crashes 139 '[       OK ] ten' ' 1 SKIPPED TEST(S)'
program empty 0 '[==========] Running 0 test(s).' '[  PASSED  ] 0 test(s).'
program silent 0
program replay/reads 0 '3 replayed'
program replay/reads_nothing 0 '0 replayed'
program replay/silent 0
program passes.sh 0
program skips.sh 77 'no such shell'
program fails.sh 1
program 77 77 '[       OK ] eleven'

expect 0 '2 passed, 0 failed' ./passes
expect 0 '2 passed, 0 failed, 1 skipped' ./passes ./skips
says 'skips: three'
expect 0 '0 passed, 0 failed, 1 skipped' ./skips
expect 0 '1 passed, 0 failed, 1 skipped' ./both
expect 1 '3 passed, 1 failed' ./fails ./passes
expect 1 '0 passed, 1 failed, 1 skipped' ./fails_and_skips
expect 1 '1 passed, 1 failed, 1 skipped' ./crashes
expect 1 '0 passed, 1 failed' ./empty
says 'no case ran, and none was skipped'
expect 1 '0 passed, 1 failed' ./silent
expect 0 '1 passed, 0 failed' ./replay/reads
expect 1 '0 passed, 1 failed' ./replay/reads_nothing
expect 1 '0 passed, 1 failed' ./replay/silent
expect 0 '1 passed, 0 failed, 1 skipped' ./passes.sh ./skips.sh
says 'skips.sh: no such shell'
expect 1 '0 passed, 1 failed' ./fails.sh
expect 1 '1 passed, 1 failed' ./77
expect 1 '0 passed, 1 failed' ./missing
expect 1 '0 passed, 1 failed'
says 'no test has such a path'
