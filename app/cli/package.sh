#!/bin/sh
# package.sh ROOT OUT: makes OUT/continuo_VERSION_ARCHITECTURE.deb of what `make install`
# put below ROOT, whose prefix is /usr. The Debian packages that it needs are found from its
# libraries (dpkg-shlibdeps). Needs dpkg-dev; gives all files to root.
set -eu
root=$1 out=$2
architecture=$(dpkg --print-architecture)
version=$("$root/usr/bin/continuo" --version | cut -d ' ' -f 2)
doc=$root/usr/share/doc/continuo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install -D -m 644 app/cli/continuo.desktop "$root/usr/share/applications/continuo.desktop"
install -D -m 644 README.md "$doc/README.md"
{
  echo "The program:"
  echo
  cat LICENSE
  echo
  echo "The models in /usr/share/continuo/models: see README.md there for the licence of each,"
  echo "CC BY-SA 4.0 for continuo.safetensors, and for the music that each was trained on."
} >"$doc/copyright"
chmod 644 "$doc/copyright"
gzip -9nf "$root/usr/share/man/man1/continuo.1"
if [ -d "$root/usr/share/zsh/site-functions" ]; then # where Debian's zsh looks
  mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
fi

# dpkg-shlibdeps reads its package's name here.
mkdir -p "$work/debian" "$root/DEBIAN"
printf 'Source: continuo\n\nPackage: continuo\nArchitecture: any\n' >"$work/debian/control"
cp "$root/usr/bin/continuo" "$work/continuo"
strip "$root/usr/bin/continuo"
depends=$(cd "$work" && dpkg-shlibdeps -O continuo 2>/dev/null | sed 's/^shlibs:Depends=//')
cat >"$root/DEBIAN/control" <<END
Package: continuo
Version: $version
Architecture: $architecture
Maintainer: the continuo project <continuo@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: $depends
Recommends: timgm6mb-soundfont
Section: sound
Priority: optional
Description: composition workstation for the terminal
 A piano roll in which a transformer decoder continues a phrase or rewrites exactly
 the part that is pointed at. FluidSynth plays the takes, and for every generated note
 the attention of each head can be seen. It runs on an ordinary processor, offline.
END
mkdir -p "$out"
dpkg-deb --root-owner-group --build "$root" "$out/continuo_${version}_$architecture.deb"
