#!/bin/sh
# Keeps the arrows between the rooms: app > tui > midi, app > model.
status=0
forbid() { # ROOM OTHER...
  room=$1; shift
  for other in "$@"; do
    if grep -nE "#include \"$other/" "$room"/*.[ch]; then
      echo "lint: $room/ may not include $other/" >&2
      status=1
    fi
  done
}
forbid midi tui app model
forbid model midi tui app
forbid tui app model
exit $status
