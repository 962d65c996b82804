#!/usr/bin/env python3
"""Our prefill and training beside PyTorch's, in turns.

    make beside-torch [SHAPES=SM]         `continuo bench` is ours

Not a test. PyTorch is that of this Python; where it has none, the current one is taken from PyPI into
build/torch, a virtual environment. The same shapes with random weights, f32, two threads each; PyTorch's
model is as lean as its operations allow: attention in batched products, one softmax, logits of the last
token alone in prefill. Debian's PyTorch is faster with the OpenBLAS that uses OpenMP
(libopenblas0-openmp), which is taken where it is installed.
"""
import json
import os
import subprocess
import sys
import time
import venv

OPENMP = "/usr/lib/x86_64-linux-gnu/openblas-openmp"
SHAPES = {"S": (256, 8, 6), "M": (512, 8, 8), "L": (768, 12, 12)}
VOCAB, CONTEXT, BATCH, LENGTH, ROUNDS = 512, 2048, 8, 512, 3


def use_openmp():
    """Before libraries are loaded: starts itself again."""
    path = os.environ.get("LD_LIBRARY_PATH", "")
    if os.path.isdir(OPENMP) and OPENMP not in path:
        os.environ["LD_LIBRARY_PATH"] = f"{OPENMP}:{path}"
        os.environ.pop("OMP_NUM_THREADS", None)
        os.execv(sys.executable, [sys.executable] + sys.argv)


def find_torch():
    """Starts itself again in the virtual environment where this Python has no PyTorch."""
    try:
        import torch
    except ImportError:
        folder = os.path.abspath("build/torch")
        python = os.path.join(folder, "bin", "python3")
        if os.path.realpath(sys.prefix) == os.path.realpath(folder):
            sys.exit("beside_torch: PyTorch could not be installed")
        if not os.path.exists(python):
            venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "torch", "numpy", "--extra-index-url",
                        "https://download.pytorch.org/whl/cpu"])
        os.execv(python, [python] + sys.argv)


def make_model(shape):
    import torch
    import torch.nn.functional as F
    from torch import nn

    d, n_heads, n_layers = SHAPES[shape]

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
            self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
            self.ff1, self.ff2 = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

        def attend(self, x, mask):
            b, n, _ = x.shape
            heads = self.qkv(x).view(b, n, 3 * n_heads, d // n_heads).transpose(1, 2)
            q, k, v = heads.reshape(b, 3, n_heads, n, -1).unbind(1)
            q, k, v = (t.reshape(b * n_heads, n, -1) for t in (q, k, v))
            scale = (d // n_heads) ** -0.5
            scores = torch.baddbmm(mask, q, k.transpose(1, 2), alpha=scale)
            mixed = torch.bmm(scores.softmax(-1), v).view(b, n_heads, n, -1)
            return self.out(mixed.transpose(1, 2).reshape(b, n, d))

        def forward(self, x, mask):
            x = x + self.attend(self.norm1(x), mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.places = nn.Embedding(VOCAB, d), nn.Embedding(CONTEXT, d)
            self.layers = nn.ModuleList(Layer() for _ in range(n_layers))
            self.norm = nn.LayerNorm(d)

        def forward(self, tokens, last_only):
            n = tokens.shape[1]
            mask = torch.full((1, n, n), -1e30).triu(1)
            x = self.tokens(tokens) + self.places.weight[:n]
            for layer in self.layers:
                x = layer(x, mask)
            x = self.norm(x[:, -1:] if last_only else x)
            return x @ self.tokens.weight.T

    return Model()


def seconds_of(run):
    """The median of a few runs, after one that is not counted."""
    times = []
    run()
    while len(times) < 3 or (sum(times) < 1.5 and len(times) < 9):
        start = time.monotonic()
        run()
        times.append(time.monotonic() - start)
    return sorted(times)[len(times) // 2]


def prefill_speed(model, n):
    import torch

    tokens = torch.randint(VOCAB, (1, n))

    def run():
        with torch.inference_mode():
            model(tokens, True)

    return n / seconds_of(run)


def train_speed(model):
    import torch
    import torch.nn.functional as F

    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.95))
    tokens = torch.randint(VOCAB, (BATCH, LENGTH + 1))

    def run():
        optimiser.zero_grad(set_to_none=True)
        logits = model(tokens[:, :-1], False)
        F.cross_entropy(logits.reshape(-1, VOCAB), tokens[:, 1:].reshape(-1)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()

    return BATCH * LENGTH / seconds_of(run)


def our_speeds(program, part, shapes):
    """{(model, numbers, tokens): speed}, from a run of continuo bench for each shape."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    speeds = {}
    for shape in shapes:
        out = subprocess.run([program, "bench", part, shape, "--threads", "2"], env=environment, check=True,
                             stdout=subprocess.PIPE, text=True).stdout
        for f in map(json.loads, out.splitlines()):
            if "part" in f:
                speeds[f["model"], f["numbers"], f["tokens"]] = f["tokens_per_second"]
    return speeds


def median(values):
    return sorted(values)[len(values) // 2]


def compare(program, part, shapes, theirs):
    """theirs: {(shape, tokens): function of no arguments, its speed}"""
    ours, others = [], {key: [] for key in theirs}
    for _ in range(ROUNDS):
        ours.append(our_speeds(program, part, shapes))
        for key, run in theirs.items():
            others[key].append(run())
    for (shape, n), values in others.items():
        for numbers in ("f32", "bf16"):
            speeds = [o[(shape, numbers, n)] for o in ours if (shape, numbers, n) in o]
            if speeds:
                ratio = median([a / b for a, b in zip(speeds, values)])
                print(f"{shape} {part} {n:5d} {numbers:5s} {median(speeds):8.0f} "
                      f"{median(values):8.0f}   {ratio:5.2f}", flush=True)


def main():
    use_openmp()
    find_torch()
    import torch

    program, shapes = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "SM"
    torch.set_num_threads(2)
    print(f"torch {torch.__version__}; tokens a second  ours  torch   ratio, medians of "
          f"{ROUNDS} rounds")
    models = {shape: make_model(shape) for shape in shapes}
    compare(program, "prefill", shapes,
            {(s, n): lambda s=s, n=n: prefill_speed(models[s], n)
             for s in shapes for n in (512, 1024)})
    compare(program, "train", shapes,
            {(s, BATCH * LENGTH): lambda s=s: train_speed(models[s])
             for s in shapes if s != "L"})


main()
