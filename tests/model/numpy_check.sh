#!/bin/sh
# numpy_check.sh FOLDER N: runs numpy_check.py with a Python that has NumPy; 77
# when there is none.
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import numpy' 2>/dev/null; then
    exec "$python" -B tests/model/numpy_check.py "$1" "$2"
  fi
done
echo "no Python with NumPy"
exit 77
