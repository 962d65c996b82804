"""Checks the cases that test_python.c wrote against models/train.py."""
import importlib.util
import json
import sys

import numpy as np
import torch

spec = importlib.util.spec_from_file_location("train", "models/train.py")
train = importlib.util.module_from_spec(spec)
spec.loader.exec_module(train)
torch.set_num_threads(1)
folder, n = sys.argv[1], int(sys.argv[2])
bad = 0


def check(name, got, wanted):
    global bad
    worst = (got - wanted).abs().max().item()
    if not worst < 1e-4:
        bad += 1
        print(f"{name}: off by {worst:.3g}")
    return worst


def check_logits(model, stem, row, state):
    wanted = torch.from_numpy(np.fromfile(f"{folder}/{stem}.f32", "<f4"))
    with torch.no_grad():
        got = model.eval()(*row, state=state[:1])[0]
    check(f"{stem} logits", got, wanted.view(got.shape))


def check_windows():
    """What `continuo tokens --melody` writes: sources end with the longest taken."""
    global bad
    rows = np.zeros((5, 3, 8), "<i2")
    for window, length in enumerate((2, 4, 6)):
        rows[3, window, length:] = -1
    np.save(f"{folder}/windows.npy", rows)
    with open(f"{folder}/windows.json", "w") as f:
        json.dump({}, f)
    state = np.full((3, 8, 32), -1, "<i2")
    state[0, 0, :5] = state[2, 0, :9] = 3
    np.save(f"{folder}/windows.state.npy", state)
    windows = train.Windows(f"{folder}/windows.npy", "cpu")
    if windows.state([0, 1]).shape != (2, 8, 5):
        bad += 1
        print("windows: bags are not cut to the largest")
    part = windows.take([0, 1])
    if [x.shape[1] for x in part] != [8, 8, 8, 4, 4]:
        bad += 1
        print("windows: sources are not cut to the longest")


check_windows()
for i in range(n):
    with open(f"{folder}/batch-{i}.json") as f:
        batch = json.load(f)
    tokens, targets, times = (
        torch.tensor(batch[k]) for k in ("tokens", "targets", "times"))
    model, _ = train.load_model(f"{folder}/before-{i}.safetensors")
    encodes = model.c.n_encoder_layers > 0
    source = ()
    if encodes:
        source = tuple(torch.tensor(batch[k]) for k in ("sources", "source_times"))
    first = tokens[:1], times[:1], *(x[:1] for x in source)
    state = torch.tensor(batch["state"])
    check_logits(model, f"before-{i}", first, state)
    check_logits(train.load_model(f"{folder}/eight-{i}.safetensors")[0], f"eight-{i}", first,
                 state)
    _, after = train.read_checkpoint(f"{folder}/after-{i}.safetensors")
    optimiser = train.make_optimiser(model, batch["options"])
    loss = train.loss_of(model.train(), tokens, targets, times, *source, state=state)
    (loss / (targets >= 0).sum()).backward()
    train.update(model, optimiser, batch["options"], 0)
    worst = max(
        check(f"{i} {name}", value, after[name])
        for name, value in model.state_dict().items())
    print(f"variant {i}: one step agrees to {worst:.2g}")
sys.exit(bad > 0)
