#!/bin/sh
# What ways of drawing are worth: one row for each, of takes of held-out music and of a
# composer's own pieces. sampling.sh TOOLS DATA PIECES OUT [BARS [N]]
#   TOOLS   the folder of music_eval.py and user_takes.py     DATA    corpora with splits
#   PIECES  a folder of MIDI files                            OUT     where logs go
# CONTINUO_BIN is the program. SETTINGS: lines of options; the first one given is "" (the
# defaults). Rows: told apart from real music as a pair (0.5: not at all), entropy of pitch
# classes and bars that repeat the one before (real, ours), then, of what is shown first,
# notes in key, exact loops, groove.
set -eu
tools=$1 data=$2 pieces=$3 out=$4 bars=${5:-8} n=${6:-30}
bin=${CONTINUO_BIN:-build/release/continuo}
settings=${SETTINGS:-"
--top-p 0.9
--top-p 0.98
--temperature 1.05
--temperature 0.95
--top-p 1 --min-p 0.02"}
mkdir -p "$out"
printf '%-28s %6s  %-13s %-13s  %5s %5s %6s\n' options pair entropy rhythm key loop groove
echo "$settings" | while read -r args; do
    log=$out/$(echo "default $args" | tr -c 'a-z0-9.\n' _)
    CONTINUO_ARGS=$args python3 "$tools/music_eval.py" "$bin" "$data" "$log" "$n" \
        "$bars" valid </dev/null >"$log.music" 2>&1 || true
    CONTINUO_ARGS=$args python3 "$tools/user_takes.py" "$bin" "$pieces"/*.mid \
        </dev/null >"$log.takes" 2>&1 || true
    awk -v args="${args:-(default)}" '
        / as a pair / { pair = $NF }
        $1 == "entropy" { entropy = $2 " " $3 }
        $1 == "rhythm_last" { last = $2 " " $3 }
        $1 == "mean" && /rank 1/ { key = $5; loop = $9; groove = $NF }
        END { printf "%-28s %6s  %-13s %-13s  %5s %5s %6s\n", args, pair, entropy,
              last, key, loop, groove }' "$log.music" "$log.takes"
done
