#!/bin/sh
# python_with.sh "MODULE, ..." ARGUMENTS...: runs a Python that has these modules; 77 where there is none.
modules=$1
shift
for python in python3 /usr/bin/python3; do
  if "$python" -c "import $modules" 2>/dev/null; then
    exec "$python" -B "$@"
  fi
done
echo "no Python with $modules"
exit 77
