#!/bin/sh
# mutate.py on a tree of two functions: the faults of the one that a test calls are caught, those
# of the other live.
set -eu
script=$PWD/tests/mutate.py
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/app" "$dir/tests/app"
cp tests/run.sh "$dir/tests"
cd "$dir"
printf 'int sum(int a, int b)\n{\n    return a + b;\n}\n' >app/sum.c
printf 'int least(int a, int b)\n{\n    return a < b ? a : b;\n}\n' >app/least.c
printf '#include <stdio.h>\nint sum(int a, int b);\nint main(void)\n{\n%s%s}\n' \
  '    puts("[       OK ] one");' 'return sum(2, 3) != 5;' >tests/app/test_sum.c
cat >Makefile <<'END'
B := build/release
built: $(B)/continuo $(B)/tests/app/test_sum
$(B)/%.o: %.c
	@mkdir -p $(@D)
	cc -I. -c $< -o $@
$(B)/app.a: $(B)/app/sum.o $(B)/app/least.o
	ar rcs $@ $^
$(B)/continuo $(B)/tests/app/test_sum: $(B)/tests/app/test_sum.o $(B)/app.a
	cc $^ -lm -o $@
END
git init -q .
git add .
git -c user.name=x -c user.email=x@x commit -q -m tree
unset MAKEFLAGS # of the make that runs this
make -s built
python3 "$script" draw faults.json --number 2 --since HEAD >drawn
python3 "$script" try faults.json results.tsv >tried
cat drawn tried
[ "$(grep -c 'sum.c:.*caught by tests/app/test_sum.c$' tried)" = "$(grep -c '^[0-9].*sum.c:' drawn)" ]
[ "$(grep -c 'least.c:.*lives: 0 tests' tried)" = "$(grep -c '^[0-9].*least.c:' drawn)" ]
grep -q 'least.c' drawn && grep -q 'sum.c' drawn
