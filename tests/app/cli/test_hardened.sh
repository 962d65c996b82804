#!/bin/sh
# The program as it was built is position-independent, resolves its calls before it runs and
# cannot write over them, keeps canaries on its stacks and checked copies, and runs no data.
# The flavours for sanitizers and for other systems' ways are built without.
case $FLAVOUR in asan | tsan | portable) echo "the $FLAVOUR programs are not hardened" && exit 77 ;; esac
bin=${CONTINUO_BIN:?run through make test}
export LC_ALL=C
failed=0

# holds WHAT TEXT PATTERN: a line of the text matches.
holds() {
  printf '%s\n' "$2" | grep -Eq "$3" && return
  echo "$bin: $1" && failed=1
}
# lacks WHAT TEXT PATTERN: none does.
lacks() {
  printf '%s\n' "$2" | grep -Eq "$3" || return 0
  echo "$bin: $1" && failed=1
}

header=$(readelf -hW "$bin") && segments=$(readelf -lW "$bin") && dynamic=$(readelf -dW "$bin") &&
  symbols=$(readelf --dyn-syms -W "$bin") || exit 1
holds "lies at a fixed address" "$header" 'Type: +DYN'
holds "is no program" "$segments" 'INTERP'
holds "does not say that it is position-independent" "$dynamic" 'FLAGS_1.* PIE'
holds "can have its addresses written over" "$segments" 'GNU_RELRO'
holds "looks its calls up as it goes" "$dynamic" 'BIND_NOW|FLAGS.* NOW'
holds "does not say what its stack may be" "$segments" 'GNU_STACK'
lacks "can run its stack" "$segments" 'GNU_STACK.* RWE'
lacks "can write over what it runs" "$segments" 'LOAD.* RWE'
lacks "changes its own text" "$dynamic" 'TEXTREL'
lacks "looks for libraries in a folder of its own" "$dynamic" 'RPATH|RUNPATH'
holds "has no canaries on its stacks" "$symbols" '__stack_chk_fail'
holds "copies without checking" "$symbols" '__(mem|str|s|vs)[a-z]*_chk'
holds "reads without checking" "$symbols" '__(read|fread|pread|readlink|poll|realpath)_chk'
case $(uname -m) in
x86_64) # the mark in its notes depends on libc's own start files, which may lack it
  holds "lets calls land anywhere" "$(objdump -d --disassemble=main "$bin")" 'endbr64'
  ;;
esac
exit $failed
