#!/bin/sh
# Every package that the Makefile names has a name in each system, or a reason for none, and each
# system's own command is asked to install what is missing.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }

named=$(make -s --no-print-directory -f Makefile -f - named-packages <<'M'
named-packages:
	@echo $(DEBS) $(TEST_DEBS) $(LINT_DEBS) $(ARM64_DEBS) valgrind dpkg-dev
M
)
[ -n "$named" ] || fail "the Makefile names no packages"
for p in $named; do
  awk -v p="$p" '$1 == p { n++; for (i = 2; i <= 6; i++) if ($i !~ /^([A-Za-z0-9]|-(base|own|debian|none)$)/) bad = 1 }
    END { exit !(n == 1 && !bad) }' tests/deps.table || fail "tests/deps.table: $p has no names, or twice"
done
grep -v '^#' tests/deps.table | awk 'NF != 6 { exit 1 }' || fail "tests/deps.table: a row has not six names"

# Stand-ins: all but one package are there, and what is installed is written down.
for command in apt-get dnf pacman apk pkg brew dpkg-query rpm sudo; do
  cat >"$folder/$command" <<S
#!/bin/sh
case "$command \$1" in
"sudo "*) exec "\$@" ;;
"dpkg-query "*) eval last=\\\${\$#}; case \$last in tmux) exit 1 ;; esac; echo "install ok installed"; exit ;;
"rpm "* | "pacman -Q" | "apk info" | "pkg info" | "brew list")
  eval last=\\\${\$#}; case \$last in tmux) exit 1 ;; *) exit 0 ;; esac ;;
"apt-get update") exit 0 ;;
esac
echo "$command \$*" >>"$folder/called"
S
  chmod +x "$folder/$command"
done
expect() {
  : >"$folder/called"
  PATH="$folder:$PATH" DEPS_SYSTEM=$1 sh tests/deps.sh libpng-dev tmux zlib1g-dev clang-format \
    >"$folder/said" || fail "$1: exit $?"
  [ "$(cat "$folder/called")" = "$2" ] || fail "$1 was asked '$(cat "$folder/called")', not '$2'"
  grep -q 'tmux$' "$folder/said" || fail "$1: does not say what it installs"
  PATH="$folder:$PATH" DEPS_SYSTEM=$1 sh tests/deps.sh libpng-dev >"$folder/said" || fail "$1"
  [ ! -s "$folder/said" ] || fail "$1: speaks although nothing is missing"
}
expect debian "apt-get install -y -qq --no-install-recommends tmux"
expect fedora "dnf install -y tmux"
expect arch "pacman -S --needed --noconfirm tmux"
expect alpine "apk add tmux"
expect freebsd "pkg install -y tmux"
expect homebrew "brew install tmux"
DEPS_SYSTEM=debian sh tests/deps.sh no-such-package 2>/dev/null && fail "an unknown package is no error"
exit 0
