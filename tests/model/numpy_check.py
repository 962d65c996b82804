"""Checks the logits that test_python.c wrote against models/reader.py: of each variant in
f32, and of the same with weights in eight bits."""
import json
import sys

import numpy as np

sys.path.insert(0, "models")
import reader

folder, n = sys.argv[1], int(sys.argv[2])
bad = 0
for i in range(n):
    with open(f"{folder}/batch-{i}.json") as f:
        batch = json.load(f)
    first = [batch[k][0] for k in ("tokens", "times", "sources", "source_times", "state")]
    for stem in ("before", "eight"):
        config, tensors = reader.load(f"{folder}/{stem}-{i}.safetensors")
        theirs = reader.logits(config, tensors, *first)
        ours = np.fromfile(f"{folder}/{stem}-{i}.f32", "<f4").reshape(theirs.shape)
        worst = np.abs(theirs - ours).max()
        print(f"variant {i}, {stem}: logits of size {np.abs(theirs).max():.3g} agree to {worst:.2g}")
        bad += not worst < 1e-4
sys.exit(bad > 0)
