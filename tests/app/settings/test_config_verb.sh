#!/bin/sh
# `continuo config`: a file to begin with, and what is wrong in the user's own.
set -eu
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export XDG_CONFIG_HOME="$home"
file=$home/continuo/continuo.conf
said_nothing() { [ ! -s "$home/said" ] || { cat "$home/said"; exit 1; }; }

"$CONTINUO_BIN" config >"$home/usual"
grep -q "^# velocity = 80$" "$home/usual"
grep -q "^# $file$" "$home/usual"
mkdir "$home/continuo"

# What is printed can be kept, and then says nothing.
cp "$home/usual" "$file"
"$CONTINUO_BIN" config >"$home/again" 2>"$home/said"
said_nothing
diff "$home/usual" "$home/again"

# Nor does every line of it, said aloud: what equals what is built in is a comment again.
sed 's/^# \([a-z.-]* = \)/\1/' "$home/usual" >"$file"
[ "$(grep -c '^[a-z.-]* = ' "$file")" -gt 200 ]
"$CONTINUO_BIN" config >"$home/again" 2>"$home/said"
said_nothing
diff "$home/usual" "$home/again"

printf '[edit]\nvelocity = 99\nvelocity = \033[2Jmany\n[keys]\nundo = x\n' >"$file"
if "$CONTINUO_BIN" config >"$home/again" 2>"$home/said"; then
  echo "a wrong file is no failure"; exit 1
fi
grep -q "^velocity = 99$" "$home/again"
grep -qF "continuo: $file:3: the line is not plain UTF-8 text" "$home/said"
grep -qF "continuo: $file:5: x is " "$home/said"
if grep -q "$(printf '\033')" "$home/said"; then
  echo "an escape sequence arrived"; exit 1
fi
