#!/bin/sh
# Installs the packages named as arguments, by their Debian names, that are missing, and says so.
# Silent, and needs no network, when nothing is. deps.table has the names of other systems.
# DEPS_SYSTEM chooses one of its columns.
here=$(dirname "$0")
known() { command -v "$1" >/dev/null; }
system=$DEPS_SYSTEM
[ -n "$system" ] || case $(uname) in
Darwin) system=homebrew ;;
FreeBSD) system=freebsd ;;
*) for pair in dpkg-query:debian dnf:fedora pacman:arch apk:alpine; do
    known "${pair%:*}" && system=${pair#*:} && break
  done ;;
esac

as_root=sudo
case $system in
debian)
  has() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
  install="apt-get install -y -qq --no-install-recommends"; column=1 ;;
fedora) has() { rpm -q --whatprovides "$1"; }; install="dnf install -y"; column=2 ;;
arch) has() { pacman -Q "$1"; }; install="pacman -S --needed --noconfirm"; column=3 ;;
alpine) has() { apk info -e "$1"; }; install="apk add"; column=4 ;;
freebsd) has() { pkg info -e "$1"; }; install="pkg install -y"; column=5 ;;
homebrew) has() { brew list --formula "$1"; }; install="brew install"; column=6; as_root= ;;
*)
  known pkg-config && exit 0
  echo "continuo: unknown system; please install by your own means what Debian calls: $*" >&2
  exit 1 ;;
esac

missing=
for p in "$@"; do
  name=$(awk -v p="$p" -v c=$column '$1 == p { print $c }' "$here/deps.table")
  case $name in
  '') echo "continuo: tests/deps.table does not know $p" >&2; exit 1 ;;
  -*) ;;
  *) has "$name" >/dev/null 2>&1 || missing="$missing $name" ;;
  esac
done
[ -z "$missing" ] && exit 0

[ "$(id -u)" != 0 ] || as_root=
if [ -n "$as_root" ] && ! known sudo; then
  echo "continuo: please install, as root:$missing" >&2
  exit 1
fi
echo "continuo: installing with ${as_root:+sudo }${install%% *}:$missing"
log=$(mktemp)
{
  [ $system != debian ] || $as_root apt-get update -qq
  export DEBIAN_FRONTEND=noninteractive
  $as_root $install $missing
} >"$log" 2>&1 || {
  cat "$log" >&2
  echo "continuo: ${install%% *} could not install:$missing" >&2
  exit 1
}
rm -f "$log"
