#!/bin/sh
# The completion scripts, read by each shell; what bash completes is compared. Skipped where
# zsh or fish is missing, once the others are tried.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for shell in bash zsh fish; do "$CONTINUO_BIN" completions $shell >"$out/$shell"; done
if "$CONTINUO_BIN" completions tcsh >/dev/null 2>"$out/said"; then
  echo "tcsh is no shell we know"; exit 1
fi
grep -q 'tcsh: is not a known shell' "$out/said"

missing=
for shell in bash zsh fish; do
  if command -v $shell >/dev/null; then $shell -n "$out/$shell"; else missing="$missing $shell"; fi
done
for verb in continue inpaint train eval config completions; do
  "$CONTINUO_BIN" completions verbs | grep -q "^$verb	." || { echo "$verb is not listed"; exit 1; }
done
# They ask the program, by its name.
mkdir "$out/bin"
ln -s "$(realpath "$CONTINUO_BIN")" "$out/bin/continuo"
PATH=$out/bin:$PATH
export PATH

mkdir "$out/here"
: >"$out/here/intro song.mid"
cat >"$out/ask" <<'END'
# WORD...: what bash would complete the last of them to, a line each
source "$1/bash"
cd "$1/here"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_continuo
printf '%s\n' "${COMPREPLY[@]}"
END
expect() { # ANSWER WORD...
  wanted=$1; shift
  got=$(bash "$out/ask" "$out" "$@" | tr '\n' '/')
  [ "$got" = "$wanted/" ] || { echo "$*: $got, not $wanted"; exit 1; }
}
expect "inpaint/info/intro song.mid" continuo in
expect "--from" continuo inpaint --fr
expect "f32/bf16/int8" continuo continue --precision ""
expect "piano/pop" continuo inpaint --style p
expect "plan" continuo continue --without pl
expect "--model" continuo --mo
expect "intro song.mid" continuo render i
expect "intro song.mid" continuo render x.mid -o i
expect "" continuo continue x.mid --bars ""
expect "--minutes" continuo train --minu
expect "--tutor" continuo --tu
if command -v fish >/dev/null; then
  said=$(cd "$out/here" && fish -c "source $out/fish; complete -C 'continuo inp'; complete -C 'continuo inpaint --fr'; complete -C 'continuo inpaint --style p'" | tr '\t\n' ' /')
  case $said in
  "inpaint rewrite a part"*"/--from the bar and beat"*"/piano/pop/") ;;
  *) echo "fish completes: $said"; exit 1 ;;
  esac
fi
[ -z "$missing" ] || { echo "missing:$missing"; exit 77; }
