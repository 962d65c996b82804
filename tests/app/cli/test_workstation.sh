#!/bin/sh
# The real program in a real terminal (tmux): draw a phrase, let the model
# continue it, accept, save, leave, open again. No sound device is needed.
set -eu
: "${CONTINUO_BIN:?}"
dir=$(mktemp -d)
socket=continuo-test-$$
tm() { tmux -L "$socket" -f /dev/null "$@"; }
# The program is given time to end: it still writes what it keeps for the next one.
finish() {
  tm kill-server 2>/dev/null || true
  for _ in $(seq 50); do rm -rf "$dir" 2>/dev/null && break; sleep 0.1; done
}
trap finish EXIT

screen() { tm capture-pane -p -t w; }
fail() {
  echo "test_workstation: $1"
  screen || true
  exit 1
}
wait_for() { # PATTERN [TENTHS]
  for _ in $(seq "${2:-300}"); do
    screen | grep -qE -- "$1" && return 0
    sleep 0.1
  done
  fail "never saw: $1"
}
keys() { tm send-keys -t w "$@"; }
start() { # FILE
  keys "'$CONTINUO_BIN' --audio none --seed 3 $1; echo left-with-\$?" Enter
}
# That of our own shell: other tests run the same program at the same time.
end_program() {
  pkill -TERM -P "$(tm display-message -p -t w '#{pane_pid}')" || fail "no program to end"
}

export HOME="$dir" XDG_STATE_HOME="$dir" LC_ALL=C.UTF-8
tm new-session -d -s w -x 80 -y 24 -c "$dir" "sh"
start song.mid
wait_for 'NORMAL'
wait_for 'new file|song.mid'

# Four quarter notes, drawn by hand.
keys i 4 Enter k k 4 Enter k k 4 Enter k 4 Enter Escape
wait_for 'NORMAL'
keys C-s
wait_for 'saved song.mid, 4 notes'

keys 2 C
wait_for 'a accepts' 900
keys a
wait_for 'accepted [0-9]+ notes'
accepted=$(screen | sed -n 's/.*accepted \([0-9]*\) notes.*/\1/p')
[ "$accepted" -gt 0 ] || fail "nothing was accepted"
keys C-s
wait_for "saved song.mid, $((accepted + 4)) notes"

# One undo takes the whole take back; redo brings it again.
keys u
wait_for 'undone: continue'
keys C-s
wait_for 'saved song.mid, 4 notes'
keys C-r
wait_for 'redone'
keys C-s
wait_for "saved song.mid, $((accepted + 4)) notes"

keys : q Enter
wait_for 'left-with-0'
keys clear Enter
start song.mid
wait_for "$((accepted + 4)) notes"
keys '?'
wait_for 'every key'
keys Escape
wait_for 'NORMAL'
keys Z Q
wait_for 'left-with-0'

# Ended from outside with unsaved music: it is put beside, the terminal is back.
keys clear Enter
start song.mid
wait_for "$((accepted + 4)) notes"
keys x
wait_for 'song.mid'
sleep 0.3
end_program
wait_for 'left-with-1'
screen | grep -q 'stty\|\[?1006' && fail "the terminal was not put back"

# So are edits, and takes that wait, whose music was not saved.
keys clear Enter
start song.mid
wait_for '1 unsaved edit is restored'
keys C
wait_for 'a accepts' 900
end_program
wait_for 'left-with-1'
keys clear Enter
start song.mid
wait_for '1 unsaved edit is restored'
keys l
wait_for 'takes wait'

# What is missing is said at once.
keys : q ! Enter
wait_for 'left-with-0'
keys clear Enter
start "song.mid --model /none"
wait_for 'the model /none cannot be opened: No such file'
keys : e ' ' /nonexist/x.mid Enter
wait_for '/nonexist/x.mid cannot be opened: its folder does not exist'
keys : q ! Enter
wait_for 'left-with-0'
echo "drew 4 notes, accepted $accepted"
