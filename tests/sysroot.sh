#!/bin/sh
# sysroot.sh FOLDER ARCHITECTURE PACKAGE...: unpacks Debian packages of another architecture, and
# all that they depend on, into FOLDER. apt gets a state of its own there, so that the machine's
# packages, lists and architectures stay as they are. Nothing is installed: no script of theirs
# runs. Silent if FOLDER has these packages already.
root=$1 architecture=$2
shift 2
[ "$(cat "$root/.packages" 2>/dev/null)" = "$*" ] && exit 0
rm -rf "$root"
mkdir -p "$root/.apt/lists/partial" "$root/.apt/archives/partial"
apt=$(cd "$root/.apt" && pwd)
: >"$apt/status"
echo "continuo: unpacking packages for $architecture into $root"
get() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o "APT::Architecture=$architecture" \
    -o "APT::Architectures=$architecture" -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" \
    -o "Dir::Cache=$apt" -o "Dir::Log=$apt" -o APT::Sandbox::User="$(id -un)" "$@" >>"$apt/log" 2>&1
}
{ get update && get install -y --no-install-recommends --download-only "$@"; } || {
  cat "$apt/log" >&2
  exit 1
}
for package in "$apt"/archives/*.deb; do
  dpkg-deb -x "$package" "$root" || exit 1
done
# Links that begin at the root lead out of it.
find "$(cd "$root" && pwd)" -type l -lname '/*' | while read -r link; do
  ln -snf "${apt%/.apt}$(readlink "$link")" "$link"
done
rm -rf "$apt"
echo "$*" >"$root/.packages"
