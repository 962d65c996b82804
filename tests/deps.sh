#!/bin/sh
# Installs the Debian packages named as arguments that are missing, and says so.
# Silent, and needs no network, when nothing is.
command -v dpkg-query >/dev/null || {
  command -v pkg-config >/dev/null && exit 0
  echo "continuo: not a Debian machine; please install by your own means: $*" >&2
  exit 1
}
missing=
for p in "$@"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  as_root=sudo
  command -v sudo >/dev/null || {
    echo "continuo: please install, as root:$missing" >&2
    exit 1
  }
fi
echo "continuo: installing with ${as_root:+sudo }apt-get:$missing"
install() { DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing; }
log=$(mktemp)
{ $as_root apt-get update -qq; install; } >"$log" 2>&1 || {
  cat "$log" >&2
  echo "continuo: apt-get could not install:$missing" >&2
  exit 1
}
rm -f "$log"
