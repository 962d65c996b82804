#!/bin/sh
# gcc's analyzer over the files given as arguments, with the flags in $ANALYZE: each finding
# that tests/analyze.known does not explain is told, and is a failure.
if [ "$1" = --one ]; then
  log=$(mktemp -p "$FOUND") || exit 1
  # shellcheck disable=SC2086
  ${CC:-gcc} $ANALYZE -fanalyzer -fdiagnostics-path-format=none -c "$2" -o /dev/null >"$log" 2>&1 ||
    echo "$2: cannot be compiled" >>"$FOUND/new"
  LC_ALL=C awk -v file="$2" '
    FNR == NR { if ($1 ~ /^[a-z]/) known[$1 " " $2] = 1; next }
    /In function/ { split($0, part, "\047"); fn = part[2] }
    /warning: .*\[-Wanalyzer-/ {
      match($0, /-Wanalyzer-[a-z-]*/)
      what = substr($0, RSTART + 11, RLENGTH - 11)
      if (!known[fn " " what]) print file ": " fn ": " $0
    }' tests/analyze.known "$log" | sort -u >>"$FOUND/new"
  rm -f "$log"
  exit 0
fi
export LC_ALL=C ANALYZE CC
FOUND=$(mktemp -d)
export FOUND
trap 'rm -rf "$FOUND"' EXIT
: >"$FOUND/new"
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 sh "$0" --one
cat "$FOUND/new"
[ -s "$FOUND/new" ] && exit 1
echo "$# files analysed, nothing new found"
