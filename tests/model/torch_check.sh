#!/bin/sh
# torch_check.sh FOLDER N: runs torch_check.py with a Python that has torch; 77
# when there is none.
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import torch, numpy' 2>/dev/null; then
    exec "$python" -B tests/model/torch_check.py "$1" "$2"
  fi
done
echo "no Python with torch and numpy"
exit 77
