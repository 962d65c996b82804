#!/bin/sh
# The real program in a real terminal (tmux) is killed with SIGKILL in the middle of
# editing, again and again. Notes are drawn in a row, so that the cursor's place on the
# last screen tells how many it showed; after a burst of undoing, the list of what was
# done tells the state. Whatever was shown without the mark "…" beside the name, which says
# that not all of it is written yet, must be there when the piece is opened again.
# Then a few times while takes of the bundled model wait, or are being written.
# CONTINUO_KILLS: how often; CONTINUO_KILL_SEED: another sequence.
set -eu
: "${CONTINUO_BIN:?}"
kills=${CONTINUO_KILLS:-20}
# Two minutes: on a busy machine, or watched over, a take needs dozens of times as long.
tries=4000
dir=$(mktemp -d)
socket=continuo-kill-$$
tm() { tmux -L "$socket" -f /dev/null "$@"; }
# A program that is still leaving may write beside its music meanwhile.
finish() {
  tm kill-server 2>/dev/null || true
  for _ in 1 2 3 4 5; do rm -rf "$dir" 2>/dev/null && break || sleep 0.2; done
}
trap finish EXIT

screen() { tm capture-pane -p -t w; }
fail() {
  echo "test_kill: kill $i: $1"
  screen || true
  exit 1
}
wait_for() { # PATTERN
  for _ in $(seq $tries); do
    screen >"$dir/screen" && grep -qE -- "$1" "$dir/screen" && return 0
    sleep 0.03
  done
  fail "never saw: $1"
}
keys() { tm send-keys -t w "$@"; }
# Numbers below $1, the same for the same seed.
state=${CONTINUO_KILL_SEED:-1}
random() { state=$(((state * 1103515245 + 12345) % 2147483648)); echo $((state / 65536 % $1)); }

# The shell keeps the screen as it is when the program is gone, and says nothing on it.
begin() { # in the editor, with these options
  options=$*
  tm respawn-pane -k -t w "exec 2>/dev/null; \
    '$CONTINUO_BIN' --audio none $options; echo >'$dir/dead'; exec sleep 1000"
  wait_for 'NORMAL'
  victim=$(pgrep -P "$(tm display-message -p -t w '#{pane_pid}')")
}
# Keeps the screen, and also in "written" if all that it shows is written.
look() {
  screen >"$dir/screen"
  head -n 1 "$dir/screen" | grep -qE '\.mid●?…' || cp "$dir/screen" "$dir/written"
}
kill_it() { # after $1 hundredths and as many looks, of which some show all as written
  rm -f "$dir/dead" "$dir/written"
  for _ in $(seq "$1"); do
    sleep 0.01
    look
  done
  kill -KILL "$victim"
  for _ in $(seq 100); do
    [ -e "$dir/dead" ] && break
    sleep 0.01
  done
  tm display-message -p '' >/dev/null # tmux has read what was written by then
  look
  cmp -s "$dir/screen" "$dir/written" || n_late=$((n_late + 1))
}
# The steps from the start to the cursor, in sixteenths of common time.
steps_shown() {
  sed -n '1s/.* 0*\([0-9][0-9]*\)\.\([1-4]\)\.0*\([0-9][0-9]*\) .*/\1 \2 \3/p' "$dir/written" |
    { read -r bar beat ticks || return 1; echo $((bar * 16 - 16 + beat * 4 - 4 + ticks / 120)); }
}
# The number beside the mark of the present state.
state_shown() { sed -n '2,$s/.*●[^0-9]* \([0-9][0-9]*\) .*/\1/p' "$dir/$1" | head -n 1; }
list_states() {
  keys U
  wait_for '│.*●' # the title has a mark of its own
}

# What came back of the kill before: `least` to `most` notes, at the latest in `state`.
check() {
  [ "$most" -gt 0 ] || return 0
  [ "$least" = 0 ] || wait_for 'unsaved edits? (is|are) restored'
  have=$(sed -n 's/^ *\([0-9][0-9]*\) notes\{0,1\}; .*/\1/p' "$dir/screen")
  have=${have:-0}
  [ "$have" -ge "$least" ] || fail "$least notes were shown, $have came back"
  [ "$have" -le "$most" ] || fail "there were $most notes at the most, $have came back"
  [ -n "$latest" ] || return 0
  list_states
  now=$(state_shown screen)
  [ "$now" -le "$latest" ] || fail "undone to state $latest, and state $now came back"
  keys Escape
  wait_for 'NORMAL'
}
draw_and_die() {
  bursts=$((2 + $(random 6)))
  [ "$have" = 0 ] || keys "$have" l
  keys i
  for _ in $(seq $bursts); do keys -N 7 Enter; done &
  typist=$!
  kill_it $((3 + $(random 25)))
  wait $typist || true
  least=$have
  if [ -e "$dir/written" ]; then
    least=$(steps_shown) || fail "no place is shown"
  fi
  [ "$least" -ge "$have" ] || least=$have # it was on its way there
  most=$((have + 7 * bursts)) latest=
}
undo_and_die() {
  undone=$((1 + $(random 8)))
  list_states
  latest=$(state_shown screen)
  keys -N "$undone" u
  kill_it $((3 + $(random 15)))
  [ ! -e "$dir/written" ] || latest=$(state_shown written)
  [ -n "$latest" ] || fail "no state is shown"
  least=$((have - undone)) most=$have
}

export HOME="$dir" XDG_STATE_HOME="$dir" LC_ALL=C.UTF-8
i=0 n_late=0 song=1 least=0 most=0 have=0 latest=
tm new-session -d -s w -x 120 -y 24 -c "$dir" "sleep 1000"
while [ "$i" -lt "$kills" ]; do
  i=$((i + 1))
  begin --model /nonexistent song$song.mid
  check
  if [ "$have" -gt 3000 ]; then # another piece: counts go to 9999
    song=$((song + 1)) least=0 most=0 have=0 latest=
    begin --model /nonexistent song$song.mid
  fi
  if [ "$(random 4)" -gt 0 ] || [ "$have" -lt 9 ]; then draw_and_die; else undo_and_die; fi
done
echo "killed $kills times, $n_late with the mark of what is not written, $have notes at the \
end of piece $song"

# The notes of the take that is shown: "take 1 of 2, ...  23 notes  ...".
notes_of_take() {
  keys T
  wait_for 'take 1'
  sed -n 's/^ *take 1.*  \([0-9][0-9]*\) notes .*/\1/p' "$dir/screen"
}
# All have come: what waits is beside the music a moment later, whatever the piece is.
kill_waiting() {
  begin "$@"
  keys ':takes 2' Enter ':draws 1' Enter 2 C
  wait_for '2 takes in'
  shown=$(notes_of_take)
  kill_it 30
  begin "$@"
  wait_for '2 takes? wait'
  came=$(notes_of_take)
  [ "$came" = "$shown" ] || fail "$shown notes of take 1 were shown, $came came back"
  kill_it 1
}
# They are coming: those of a second ago are there.
kill_composing() {
  begin "$@"
  keys ':takes 8' Enter ':draws 1' Enter 64 C
  wait_for 'composing bar ([2-9]|[1-9][0-9]) of|8 takes in'
  sleep 1
  kill_it 40
  begin "$@"
  wait_for 'takes? waits?'
}

i=takes
kill_waiting
kill_waiting song$song.mid
kill_waiting "new.mid"
kill_composing "newer.mid"
echo "killed with takes that wait, and none was lost"
