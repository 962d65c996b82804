#!/bin/sh
# Training runs: one that is interrupted ends as the whole one; it goes on with other lengths and for more
# minutes, and not as another run.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/data/songs/train" "$out/data/songs/valid"
for split in train valid; do cp "$CONTINUO_HOME/models/example.mid" "$out/data/songs/$split"; done
fail() { echo "$1"; cat "$out/said"; exit 1; }
# run NAME OPTIONS...: the model and its state are NAME.safetensors and NAME.state.
run() { name=$1; shift; "$CONTINUO_BIN" train --data "$out/data" -o "$out/$name.safetensors" --preset tiny --threads 1 "$@" >"$out/said" 2>&1; }
refused() { if run "$@"; then fail "was taken: $*"; fi; }
of_model() { "$CONTINUO_BIN" info "$out/$1.safetensors" --json | grep -m1 "\"$2\"" || fail "no $2"; }
steps() { head -c 4096 "$out/minutes.state" | grep -ao '"steps":"[0-9]*"'; }

# It is asked to stop, after some time, until it does; before and after its run it ignores the signal, so that it
# ends by itself wherever the signal falls.
interrupt() {
  ms=$1 name=$2; shift 2
  (trap '' TERM; exec "$CONTINUO_BIN" train --data "$out/data" -o "$out/$name.safetensors" --preset tiny --threads 1 "$@" >"$out/said" 2>&1) & pid=$!
  sleep "0.0$ms"
  while kill -TERM $pid 2>/dev/null; do sleep 0.02; done
  wait $pid || fail "was interrupted badly"
}
short="--length 32 --batch 2 --f32 --steps 16"
run whole $short || fail "no run"
interrupt 20 broken $short
for ms in 40 60 80; do interrupt $ms broken $short --resume; done
run broken $short --resume || fail "does not go on"
[ "$(of_model whole hash)" = "$(of_model broken hash)" ] || fail "the interrupted run is another"
of_model whole nats_per_note >/dev/null
head -c 65536 "$out/whole.safetensors" | grep -aq 'name\\":\\"score' || fail "no tokens"
refused none $short --resume

# By Ctrl-C, a run that rehearses is measured once more, and keeps its best model.
"$CONTINUO_BIN" train --from "$out/whole.safetensors" --data "$out/data" -o "$out/own.safetensors" --rehearse 0.5 \
  --threads 1 --length 32 --batch 2 --f32 --steps 160 >"$out/said" 2>&1 & pid=$!
until [ -s "$out/own.safetensors" ]; do kill -0 $pid || fail "nothing was learnt"; sleep 0.02; done
kill -INT $pid
wait $pid || fail "Ctrl-C is a failure"
if of_model own steps | grep -qw 160; then fail "it went on to the end"; fi

run staged --length 32 --batch 2 --steps 4 --cooldown 0 || fail "no run"
run staged --length 48 --batch 1 --steps 7 --lr 1e-3 --resume || fail "does not go on"
of_model staged steps | grep -qw 7 || fail "not seven steps"
of_model staged tokens_seen | grep -qw 400 || fail "not 4 2 32 + 3 48 tokens"
for other in "--optimiser adamw" "--seed 2" "--layers 1"; do
  refused staged --length 32 --batch 2 --steps 9 --resume $other
done
run staged --length 32 --batch 2 --steps 9 --resume || fail "does not go on"

# Minutes are of all runs together: with fewer than were taken it makes no step, with more it goes on. (The end is
# an estimate, so that as many again may allow a step more.) On a busy machine the first step may have taken longer
# than a few seconds.
run minutes --length 32 --batch 1 --minutes 0.02 || fail "no run"
before=$(steps)
run minutes --length 32 --batch 1 --minutes 0.01 --resume || fail "does not go on"
[ "$(steps)" = "$before" ] || fail "the time was over"
for more in 0.03 0.05 0.1 0.2 0.4 1; do
  [ "$(steps)" != "$before" ] || run minutes --length 24 --batch 1 --minutes $more --resume || fail "does not go on"
done
[ "$(steps)" != "$before" ] || fail "with more time it does no more"
