#!/bin/sh
# gcc's analyzer over the files given as arguments, with the flags in $ANALYZE: each finding
# that tests/analyze.known does not explain is told, and is a failure; so is an explanation
# of what is not found any more.
#
# A finding is a file (where it is, which may be a header), a function and a warning.
if [ "$1" = --one ]; then
  log=$(mktemp -p "$FOUND") || exit 1
  # shellcheck disable=SC2086
  ${CC:-gcc} $ANALYZE -fanalyzer -fdiagnostics-path-format=none -c "$2" -o /dev/null >"$log" 2>&1 ||
    echo "$2: cannot be compiled" >>"$FOUND/new"
  awk -v file="$2" -v seen="$FOUND/seen" '
    FNR == NR { if ($1 ~ /^[a-z]/) known[$0] = 1; next }
    /In function/ { split($0, part, "\047"); fn = part[2] }
    /warning: .*\[-Wanalyzer-/ {
      match($0, /-Wanalyzer-[a-z-]*/)
      what = substr($0, RSTART + 11, RLENGTH - 11)
      where = $1
      sub(/^\.\//, "", where)
      sub(/:.*/, "", where)
      finding = (where == "cc1" ? file : where) " " fn " " what
      if (!told[finding]++) print finding >>seen
      if (!known[finding]) print finding ": " $0
    }' tests/analyze.known "$log" | sort -u >>"$FOUND/new"
  rm -f "$log"
  exit 0
fi
export LC_ALL=C ANALYZE CC
FOUND=$(mktemp -d)
export FOUND
trap 'rm -rf "$FOUND"' EXIT
: >"$FOUND/new"
: >"$FOUND/seen"
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 sh "$0" --one
grep '^[a-z]' tests/analyze.known | grep -vxFf "$FOUND/seen" | sed 's/$/: is not found any more/' >>"$FOUND/new"
cat "$FOUND/new"
[ -s "$FOUND/new" ] && exit 1
echo "$# files analysed, nothing new found"
