#!/usr/bin/env python3
"""Trains the same checkpoints as continuo's own trainer, in PyTorch, on one GPU or several.

    continuo tokens --data DIR --split train --windows 20000 -o train.npy
    continuo tokens --data DIR --split valid --windows 256   -o valid.npy
        (with a file of four voices as DIR, --melody for an encoder; if the tokens have a
        state, train.state.npy and valid.state.npy are written too)
    python3 models/train.py train --config config.json --train train.npy \
            --valid valid.npy -o model.safetensors [--minutes 60] [--resume]
    torchrun --nproc_per_node 8 models/train.py train ...      (data parallel)

    python3 models/train.py logits MODEL --tokens "1 2 3" [--state "0 7, 3, 3 9"]
    python3 models/train.py step FROM TO BATCH.json              (one optimiser step)

config.json is the `config` of models/FORMAT.md, which also has every formula below.
`--config MODEL.safetensors` takes the config of a model, `--from` also its weights.
Needs only torch and numpy. Checkpoints hold the model's config, the tokenizer of the
token files, and the provenance; continuo runs them unchanged.
"""
import argparse
import json
import math
import os
import struct
import sys
import time

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn

BUCKETS, SIDE, EXACT, FAR = 193, 96, 48, 12288


# --- checkpoints (safetensors, models/FORMAT.md) ---


def read_checkpoint(path):
    """The metadata, and the tensors as float32."""
    with open(path, "rb") as f:
        (n,) = struct.unpack("<Q", f.read(8))
        header, data = json.loads(f.read(n)), f.read()
    metadata, tensors = header.pop("__metadata__", {}), {}
    for name, t in header.items():
        raw = data[t["data_offsets"][0] : t["data_offsets"][1]]
        if t["dtype"] == "BF16":
            bits = np.frombuffer(raw, "<u2").astype("<u4") << 16
            value = bits.view("<f4")
        else:
            value = np.frombuffer(raw, {"F32": "<f4", "I8": "i1"}[t["dtype"]]).astype("<f4")
        tensors[name] = torch.from_numpy(value.reshape(t["shape"]).copy())
    for name in [name for name, t in header.items() if t["dtype"] == "I8"]:
        tensors[name] *= tensors.pop(name + "_scale")[:, None]
    return metadata, tensors


def write_checkpoint(path, metadata, tensors, bf16=False):
    """Writes a temporary file, then renames it."""
    header, blobs, at = {"__metadata__": metadata}, [], 0
    for name, value in tensors.items():
        value = value.detach().to("cpu", torch.bfloat16 if bf16 else torch.float32)
        raw = value.contiguous().view(torch.int16 if bf16 else torch.int32)
        blob = raw.numpy().tobytes()
        header[name] = {
            "dtype": "BF16" if bf16 else "F32",
            "shape": list(value.shape),
            "data_offsets": [at, at + len(blob)],
        }
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % 64)
    with open(path + ".part", "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        f.writelines(blobs)
        f.flush()
        os.fsync(f.fileno())
    os.replace(path + ".part", path)


# --- the model ---

DEFAULTS = {"norm": "pre", "relative": "none", "reach": 0, "time": "none",
            "mixing": "attention", "block": 0, "n_encoder_layers": 0,
            "state": 0, "values": False}


class Config:
    def __init__(self, fields):
        self.__dict__.update(DEFAULTS)
        self.__dict__.update(fields)
        self.e = self.d_model // self.n_heads

    def fields(self):
        return {k: v for k, v in self.__dict__.items() if k != "e"}


def sinusoids(n, d):
    i = torch.arange(d)
    angle = torch.arange(n).double()[:, None] / 10000.0 ** ((i - i % 2).double() / d)
    return torch.where(i % 2 == 0, angle.sin(), angle.cos()).float()


def time_bucket(delta):
    far = delta.abs().double()
    wide = EXACT + 1 + (
        (SIDE - EXACT - 1) * torch.log(far.clamp(min=1) / EXACT) / math.log(FAR / EXACT)
    ).floor()
    row = torch.where(far <= EXACT, far, torch.where(far < FAR, wide, SIDE + far * 0))
    return (SIDE + delta.sign() * row).long()


def turns_of(c, parts):
    """Cosines and sines [batch, 1, n, pairs] of groups (pairs, positions)."""
    angles = [
        place.double()[..., None]
        / 10000.0 ** (torch.arange(n, device=place.device).double() / n)
        for n, place in parts
    ]
    if not angles:
        return None
    angle = torch.cat(angles, -1)[:, None]
    return angle.cos().float(), angle.sin().float()


def self_turns(c, times, index=1):
    """Rotations by index and by time; index 0: only by time, as towards a source."""
    pairs, parts = c.e // 2, []
    both = c.relative == "rotary" and c.time == "rotary"
    t = index * torch.arange(times.shape[1], device=times.device).expand_as(times)
    if c.relative == "rotary":
        parts.append((pairs // 2 if both else pairs, t))
    if c.time == "rotary":
        parts.append((pairs - pairs // 2 if both else pairs, times))
    return turns_of(c, parts)


class Places:
    """The data of a sequence's positions that all layers share."""

    def __init__(self, c, n, times, both_ways=False):
        device, t = times.device, torch.arange(n, device=times.device)
        distance = t[:, None] - t[None, :]
        self.both_ways = both_ways
        self.seen = (distance >= 0) | both_ways
        if c.mixing == "attention" and c.block and not both_ways:
            self.seen &= t[None, :] // c.block >= t[:, None] // c.block - 1
        far = max(c.reach - 1, 0)
        self.row = far - distance.clamp(-far if both_ways else 0, far)
        self.bucket = None
        if c.time == "buckets":
            self.bucket = time_bucket(times[:, :, None] - times[:, None, :])
        self.turns = self_turns(c, times)
        if c.mixing == "fourier":
            self.make_circle(c, t, distance, device)

    def make_circle(self, c, t, distance, device):
        w, d = c.block, c.d_model
        near = self.seen & (distance < w)
        angle = 2 * math.pi / w * ((t % w)[:, None] * (t % w)[None, :] % w).double()
        self.cosines = (angle.cos() * near).float()
        self.sines = (angle.sin() * near).float()
        a = torch.arange(d, device=device)
        wave = 2 * math.pi / d * (a[:, None] * a[None, :] % d).double()
        self.wave_cosines = (wave.cos() / math.sqrt(w * d)).float()
        self.wave_sines = (wave.sin() / math.sqrt(w * d)).float()


def turn(x, turns):
    cosine, sine = turns
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cosine - b * sine, a * sine + b * cosine), -1).flatten(-2)


def seen_of(source):
    """A source ends before its first token below 0; the rest is masked."""
    return (source >= 0).cumprod(-1).bool()[:, None, None]


class Source:
    """An encoder's output for a source, and its times relative to the target's."""

    def __init__(self, c, memory, source, source_times, times):
        self.memory, self.seen = memory, seen_of(source)
        self.turns, self.source_turns = (
            self_turns(c, t, 0) if c.time == "rotary" else None
            for t in (times, source_times))
        self.bucket = None
        if c.time == "buckets":
            self.bucket = time_bucket(times[:, :, None] - source_times[:, None, :])


def heads_of(c, x):
    return x.view(*x.shape[:2], c.n_heads, c.e).transpose(1, 2)


def read(c, q, table, rows, index):
    """q times each row of the tables, gathered by `index`."""
    products = q @ table.view(-1, rows, c.e).transpose(-1, -2)
    return products.gather(-1, index.expand(*products.shape[:-1], -1))


class Cross(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.q = nn.Linear(c.d_model, c.d_model)
        self.kv = nn.Linear(c.d_model, 2 * c.d_model)
        self.out = nn.Linear(c.d_model, c.d_model)
        if c.time == "buckets":
            self.time_key = nn.Parameter(torch.empty(c.n_heads * BUCKETS, c.e))

    def forward(self, x, source):
        c = self.c
        q = heads_of(c, self.q(x))
        k, v = (heads_of(c, part) for part in self.kv(source.memory).chunk(2, -1))
        if source.turns:
            q, k = turn(q, source.turns), turn(k, source.source_turns)
        scores = q @ k.transpose(-1, -2)
        if c.time == "buckets":
            scores = scores + read(
                c, q, self.time_key, BUCKETS, source.bucket[:, None])
        scores = scores.float() / math.sqrt(c.e)
        p = scores.masked_fill(~source.seen, -math.inf).softmax(-1).to(v.dtype)
        return self.out((p @ v).transpose(1, 2).reshape(x.shape))


class Attention(nn.Module):
    def __init__(self, c, both_ways):
        super().__init__()
        self.c = c
        if c.values and not both_ways:
            self.value_embedding = nn.Parameter(torch.zeros(c.vocab, c.d_model))
        self.rows = 2 * c.reach - 1 if both_ways else c.reach
        self.qkv = nn.Linear(c.d_model, 3 * c.d_model)
        self.out = nn.Linear(c.d_model, c.d_model)
        if c.relative in ("shaw", "music"):
            tables = c.n_heads if c.relative == "music" else 1
            self.relative_key = nn.Parameter(torch.empty(tables * self.rows, c.e))
        if c.relative == "shaw":
            self.relative_value = nn.Parameter(torch.empty(self.rows, c.e))
        if c.time == "buckets":
            self.time_key = nn.Parameter(torch.empty(c.n_heads * BUCKETS, c.e))

    def forward(self, x, places):
        c = self.c
        q, k, v = self.qkv(x).chunk(3, -1)
        if hasattr(self, "value_embedding"):
            v = v + F.embedding(places.tokens, self.value_embedding).to(v.dtype)
        q, k, v = (heads_of(c, part) for part in (q, k, v))
        if places.turns:
            q, k = turn(q, places.turns), turn(k, places.turns)
        scores = q @ k.transpose(-1, -2)
        if c.reach:
            scores = scores + read(c, q, self.relative_key, self.rows, places.row)
        if c.time == "buckets":
            scores = scores + read(
                c, q, self.time_key, BUCKETS, places.bucket[:, None])
        scores = scores.float() / math.sqrt(c.e)
        p = scores.masked_fill(~places.seen, -math.inf).softmax(-1).to(v.dtype)
        y = p @ v
        if c.relative == "shaw":
            summed = torch.zeros(*p.shape[:-1], self.rows, dtype=p.dtype, device=p.device)
            summed = summed.scatter_add(-1, places.row.expand_as(p), p)
            y = y + summed @ self.relative_value.to(p.dtype)
        return self.out(y.transpose(1, 2).reshape(x.shape))


class Layer(nn.Module):
    def __init__(self, c, dropout, encoder=False):
        super().__init__()
        self.c, self.dropout = c, dropout
        self.norm1 = nn.LayerNorm(c.d_model)
        if c.mixing == "attention":
            self.attn = Attention(c, encoder)
        if c.n_encoder_layers and not encoder:
            self.norm_cross = nn.LayerNorm(c.d_model)
            self.cross = Cross(c)
        self.norm2 = nn.LayerNorm(c.d_model)
        self.ff1 = nn.Linear(c.d_model, c.d_ff)
        self.ff2 = nn.Linear(c.d_ff, c.d_model)

    def mix(self, x, places):
        if self.c.mixing == "attention":
            return self.attn(x, places)
        cosines = places.cosines @ (x @ places.wave_cosines)
        return cosines - places.sines @ (x @ places.wave_sines)

    def feed(self, x):
        x = self.ff1(x)
        return self.ff2(x.relu() if self.c.activation == "relu" else F.gelu(x))

    def drop(self, x):
        return F.dropout(x, self.dropout, self.training)

    def residual(self, x, norm, branch):
        if self.c.norm == "pre":
            return x + self.drop(branch(norm(x)))
        return norm(x + self.drop(branch(x)))

    def forward(self, x, places, source=None):
        x = self.residual(x, self.norm1, lambda h: self.mix(h, places))
        if source:
            x = self.residual(x, self.norm_cross, lambda h: self.cross(h, source))
        return self.residual(x, self.norm2, self.feed)


class Encoder(nn.Module):
    def __init__(self, c, dropout):
        super().__init__()
        self.layers = nn.ModuleList(
            Layer(c, dropout, True) for _ in range(c.n_encoder_layers))
        if c.norm == "pre":
            self.norm = nn.LayerNorm(c.d_model)

    def forward(self, x, places):
        for layer in self.layers:
            x = layer(x, places)
        return self.norm(x) if hasattr(self, "norm") else x


def begins_at_zero(name):
    """Tables that begin at zero and do not decay."""
    return name == "state_embedding.weight" or name.endswith(".value_embedding")


class Decoder(nn.Module):
    def __init__(self, c, dropout=0.0):
        super().__init__()
        self.c, self.dropout = c, dropout
        self.token_embedding = nn.Embedding(c.vocab, c.d_model)
        if c.state:
            self.state_embedding = nn.Embedding(c.state, c.d_model)
        if c.position == "learned":
            self.position_embedding = nn.Embedding(c.context, c.d_model)
        if c.n_encoder_layers:
            self.encoder = Encoder(c, dropout)
        self.layers = nn.ModuleList(Layer(c, dropout) for _ in range(c.n_layers))
        if c.norm == "pre":
            self.norm = nn.LayerNorm(c.d_model)
        if not c.tied:
            self.head = nn.Linear(c.d_model, c.vocab, bias=False)
        for name, value in self.named_parameters():
            if value.dim() == 2 and not begins_at_zero(name):
                nn.init.normal_(value, std=0.02)
            elif value.dim() == 2:
                nn.init.zeros_(value)
        for name, value in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(value)

    def embed(self, tokens, state=None):
        c, n = self.c, tokens.shape[1]
        x = self.token_embedding(tokens.clamp(min=0))
        if state is not None:
            bags = state.flatten(0, 1)  # -1: no row
            x = x + F.embedding_bag(
                bags.clamp(min=0), self.state_embedding.weight, mode="sum",
                per_sample_weights=(bags >= 0).float()).view(x.shape)
        if c.position == "learned":
            x = x + self.position_embedding.weight[:n]
        elif c.position == "sinusoidal":
            x = x + sinusoids(n, c.d_model).to(x.device)
        return F.dropout(x, self.dropout, self.training)

    def read(self, source, source_times, times):
        places = Places(self.c, source.shape[1], source_times, both_ways=True)
        places.seen = seen_of(source)
        memory = self.encoder(self.embed(source), places)
        return Source(self.c, memory, source, source_times, times)

    def forward(self, tokens, times, source=None, source_times=None, state=None):
        c = self.c
        if c.state and state is None:
            sys.exit("a model with a state table needs the state of its tokens")
        x = self.embed(tokens, state if c.state else None)
        if c.n_encoder_layers and source is None:
            sys.exit("a model with an encoder needs a source to read")
        if source is not None:
            source = self.read(source, source_times, times)
        places = Places(c, tokens.shape[1], times)
        places.tokens = tokens
        for layer in self.layers:
            x = layer(x, places, source)
        if c.norm == "pre":
            x = self.norm(x)
        return F.linear(x, self.token_embedding.weight if c.tied else self.head.weight)


def load_model(path, dropout=0.0):
    metadata, tensors = read_checkpoint(path)
    model = Decoder(Config(json.loads(metadata["config"])), dropout)
    model.load_state_dict(tensors)
    return model, metadata


def loss_of(model, tokens, targets, times, *source, state=None):
    logits = model(tokens, times, *source, state=state).float()
    return F.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=-1, reduction="sum"
    )


# --- training ---


# Muon's matrices by the ending of their name, and how many are stacked in one tensor.
MUON_PARTS = {".attn.qkv.weight": 3, ".attn.out.weight": 1, ".cross.q.weight": 1,
              ".cross.kv.weight": 2, ".cross.out.weight": 1, ".ff1.weight": 1,
              ".ff2.weight": 1}


def orthogonal(x):
    """Approximately the orthogonal matrix nearest to x: five Newton-Schulz steps."""
    if x.shape[0] > x.shape[1]:
        return orthogonal(x.T).T
    x = x / (x.norm() + 1e-7)
    if x.is_cuda:
        x = x.bfloat16()
    for _ in range(5):
        a = x @ x.T
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return x.float()


class Muon(torch.optim.AdamW):
    """Muon (Jordan 2024) for the groups that have parts; AdamW for the others."""

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            if group["parts"]:
                for p in group["params"]:
                    self.turn(p, group)
                    p.grad = None
        super().step()

    def turn(self, p, group):
        if not self.state[p]:  # AdamW looks for a step when it is loaded
            self.state[p] = {"step": torch.tensor(0.0), "momentum": torch.zeros_like(p)}
        m = self.state[p]["momentum"]
        m.lerp_(p.grad, 1 - group["momentum"])
        steps = [orthogonal(part) for part in
                 p.grad.lerp(m, group["momentum"]).chunk(group["parts"])]
        size = 0.2 * math.sqrt(max(steps[0].shape))
        p.mul_(1 - group["lr"] * group["weight_decay"])
        p.sub_(torch.cat(steps), alpha=group["lr"] * size)


def make_optimiser(model, o):
    """Matrices decay; vectors and tables that begin at zero do not. The rate of a group is
    its share of the run's."""
    muon, groups = o.get("optimiser") == "muon", {}
    for name, p in model.named_parameters():
        parts = [n for end, n in MUON_PARTS.items() if muon and name.endswith(end)]
        key = (parts[0] if parts else 0, p.dim() > 1 and not begins_at_zero(name))
        groups.setdefault(key, []).append(p)
    groups = [{"params": params, "parts": parts,
               "weight_decay": o["weight_decay"] if decay else 0,
               "momentum": o.get("momentum", 0.95),
               "share": o["adam_share"] if muon and not parts else 1.0}
              for (parts, decay), params in sorted(groups.items(), key=lambda g: g[0])]
    return Muon(groups, o["lr"], (o["beta1"], o["beta2"]), o["eps"])


def rate(o, step, share=0.0):
    """Linear warm-up, then the schedule down to min_lr, by steps or by the share of the
    time that is over, whichever is further. Linear: the rate stays until the last
    `cooldown` of the run."""
    if step < o["warmup_steps"]:
        return o["lr"] * (step + 1) / o["warmup_steps"]
    if o.get("schedule") == "linear":
        left = 1 - min(1.0, max(step / o["max_steps"], share))
        left = min(1.0, left / o["cooldown"]) if o["cooldown"] > 0 else 1.0
        return o["min_lr"] + left * (o["lr"] - o["min_lr"])
    done = (step - o["warmup_steps"]) / max(1, o["max_steps"] - o["warmup_steps"])
    done = max(done, share)
    half = 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    return o["min_lr"] + half * (o["lr"] - o["min_lr"])


def clip(optimiser, most):
    """Clips by the norm of all gradients; Muon's are not clipped."""
    grads = {parts: [p.grad for g in optimiser.param_groups if bool(g["parts"]) == parts
                     for p in g["params"] if p.grad is not None]
             for parts in (False, True)}
    norm = torch.stack([g.norm() for g in grads[False] + grads[True]]).norm()
    for g in grads[False]:
        g.mul_((most / (norm + 1e-6)).clamp(max=1.0))


def update(optimiser, o, step, share=0.0):
    for group in optimiser.param_groups:
        group["lr"] = rate(o, step, share) * group["share"]
    if o["clip"] > 0:
        clip(optimiser, o["clip"])
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)


class Windows:
    """A file of `continuo tokens`: int16 [3, count, length] tokens, targets, times;
    or [5, count, length], and the sources, -1 past their end, and their times. Beside
    it may be the tokens' state, int16 [count, length, most], -1 where there is none."""

    def __init__(self, path, device):
        self.path, self.device = path, device
        self.all = np.load(path, mmap_mode="r")
        if self.all.ndim != 3 or self.all.shape[0] not in (3, 5):
            sys.exit(f"{path}: is not a file of `continuo tokens`")
        self.has_sources = self.all.shape[0] == 5
        self.count = self.all.shape[1]
        self.all_state = None
        state = os.path.splitext(path)[0] + ".state.npy"
        if os.path.exists(state):
            self.all_state = np.load(state, mmap_mode="r")
        with open(os.path.splitext(path)[0] + ".json") as f:
            self.about = json.load(f)

    def take(self, rows):
        """The arguments of loss_of: sources are cut to the longest of these."""
        part = torch.from_numpy(self.all[:, rows].astype(np.int64)).to(self.device)
        if not self.has_sources:
            return tuple(part)
        longest = (part[3] >= 0).sum(-1).max()
        return (*part[:3], *part[3:, :, :longest])

    def state(self, rows):
        """The state of the same windows, [rows, length, most of these]; None: no state."""
        if self.all_state is None:
            return None
        part = torch.from_numpy(self.all_state[rows].astype(np.int64)).to(self.device)
        return part[:, :, : int((part >= 0).sum(-1).max())]


class Run:
    """One process of a training run: alone, or one of WORLD_SIZE."""

    def __init__(self, a):
        self.a = a
        self.rank = int(os.environ.get("RANK", 0))
        self.world = int(os.environ.get("WORLD_SIZE", 1))
        cuda = torch.cuda.is_available()
        self.device = f"cuda:{os.environ.get('LOCAL_RANK', 0)}" if cuda else "cpu"
        if cuda:
            torch.cuda.set_device(self.device)
        if self.world > 1:
            dist.init_process_group("nccl" if cuda else "gloo")
        self.mixed = cuda and not a.f32
        self.train = Windows(a.train, self.device)
        self.valid = Windows(a.valid, self.device)
        self.model = self.make_model().to(self.device)
        self.check_sources()
        self.o = {"optimiser": a.optimiser, "schedule": a.schedule,
                  "cooldown": a.cooldown, "adam_share": a.adam_share, "momentum": 0.95,
                  "lr": a.lr, "min_lr": a.lr / 20 if a.schedule == "cosine" else 0.0,
                  "beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "weight_decay": a.decay,
                  "clip": 1.0, "warmup_steps": a.warmup, "max_steps": a.steps}
        self.optimiser = make_optimiser(self.model, self.o)
        self.step, self.best, self.seconds = 0, math.inf, 0.0
        if a.resume and os.path.exists(a.output + ".pt"):
            self.load_state()
        self.parallel = self.model
        if self.world > 1:
            self.parallel = nn.parallel.DistributedDataParallel(self.model)

    def make_model(self):
        a = self.a
        torch.manual_seed(a.seed)
        if a.start:
            return load_model(a.start, a.dropout)[0]
        if a.config.endswith(".safetensors"):
            fields = json.loads(read_checkpoint(a.config)[0]["config"])
        else:
            with open(a.config) as f:
                fields = json.load(f)
        fields.setdefault("vocab", self.train.about["vocab"])
        if fields.get("state") is True:
            fields["state"] = self.train.about.get("state", 0)
        return Decoder(Config(fields), a.dropout)

    def check_sources(self):
        needed = self.model.c.n_encoder_layers > 0
        for windows in (self.train, self.valid):
            if needed and not windows.has_sources:
                sys.exit(f"{windows.path}: has no sources, which the model's encoder "
                         "is to read: write it with --melody")
            rows = self.model.c.state
            if rows and (windows.all_state is None or windows.about.get("state") != rows):
                sys.exit(f"{windows.path}: has no state of {rows} rows beside it, which the "
                         "model's table is for: write it with this continuo")
            if windows.has_sources and not needed:
                sys.exit(f"{windows.path}: has sources, and the model has no encoder "
                         "to read them: write it without --melody")

    def load_state(self):
        state = torch.load(self.a.output + ".pt", map_location=self.device)
        self.model.load_state_dict(state["model"])
        if state["kind"] != self.a.optimiser:
            sys.exit(f"{self.a.output}.pt: is of --optimiser {state['kind']}")
        settings = [{k: v for k, v in group.items() if k != "params"}
                    for group in self.optimiser.param_groups]
        self.optimiser.load_state_dict(state["optimiser"])
        for group, own in zip(self.optimiser.param_groups, settings):
            group.update(own)
        self.step, self.best, self.seconds = (
            state["step"], state["best"], state["seconds"])

    def save_state(self):
        path = self.a.output + ".pt"
        torch.save({"model": self.model.state_dict(),
                    "optimiser": self.optimiser.state_dict(),
                    "kind": self.a.optimiser, "step": self.step,
                    "best": self.best, "seconds": self.seconds}, path + ".part")
        os.replace(path + ".part", path)

    def save_model(self, valid):
        about = self.train.about
        provenance = {**about["provenance"], "program": "models/train.py",
                      "steps": self.step, "minutes": round(self.seconds / 60, 2),
                      "batch": self.a.batch * self.world, "options": self.o,
                      "valid_nats_per_token": round(valid, 6)}
        metadata = {"config": json.dumps(self.model.c.fields()),
                    "tokenizer": json.dumps(about["tokenizer"]),
                    "provenance": json.dumps(provenance)}
        write_checkpoint(self.a.output, metadata, self.model.state_dict(), self.a.bf16)

    def autocast(self):
        kind = "cuda" if self.mixed else "cpu"
        return torch.autocast(kind, torch.bfloat16, enabled=self.mixed)

    def draw(self):
        """This rank's rows of this step; they depend only on the seed and the step."""
        g = np.random.default_rng([self.a.seed, self.step, self.rank])
        return np.sort(g.choice(self.train.count, self.a.batch, replace=False))

    def learn(self):
        rows = self.draw()
        part = self.train.take(rows)
        count = (part[1] >= 0).sum()
        with self.autocast():
            loss = loss_of(self.parallel, *part, state=self.train.state(rows)) / count
        loss.backward()
        update(self.optimiser, self.o, self.step, self.share)
        self.step += 1
        return loss.detach()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        nats, count = 0.0, 0
        for at in range(0, self.valid.count, self.a.batch):
            rows = slice(at, at + self.a.batch)
            part = self.valid.take(rows)
            with self.autocast():
                nats += loss_of(self.model, *part, state=self.valid.state(rows)).item()
            count += (part[1] >= 0).sum().item()
        self.model.train()
        return nats / count

    def check(self):
        valid = self.validate()
        if self.rank == 0:
            print(f"valid at step {self.step}: {valid:.4f} nats per token", flush=True)
            if valid < self.best:
                self.save_model(valid)
            self.best = min(self.best, valid)
            self.save_state()

    def look_at_clock(self):
        """The share of the time that has passed, decided by rank 0."""
        share = self.seconds / (60 * self.a.minutes) if self.a.minutes > 0 else 0.0
        share = torch.tensor(share, device=self.device)
        if self.world > 1:
            dist.broadcast(share, 0)
        self.share = share.item()

    def go(self):
        last = time.monotonic()
        self.look_at_clock()
        while self.step < self.a.steps and self.share < 1.0:
            loss = self.learn()
            if self.step % 50 == 0:
                now = time.monotonic()
                self.seconds += now - last
                self.look_at_clock()
                done = 50 * self.a.batch * self.world * self.train.all.shape[2]
                if self.rank == 0:
                    print(f"step {self.step}/{self.a.steps}  loss {loss.item():.4f}  "
                          f"{done / (now - last):.0f} tokens/s", flush=True)
                last = now
            if self.step % self.a.every == 0:
                self.check()
        self.check()


# --- the verbs ---


def verb_logits(a):
    model, _ = load_model(a.model)
    ids = torch.tensor([[int(x) for x in a.tokens.replace(",", " ").split()]])
    times, state = torch.arange(ids.shape[1])[None], None
    if a.state is not None:
        bags = [[int(x) for x in bag.split()] for bag in a.state.split(",")]
        most = max(1, *(len(bag) for bag in bags))
        state = torch.tensor([[bag + [-1] * (most - len(bag)) for bag in bags]])
    with torch.no_grad():
        logits = model.eval()(ids, times, state=state)[0]
    for row in logits:
        print(json.dumps(row.tolist()))


def verb_step(a):
    """One step of a model on a batch, for the test that both trainers agree."""
    with open(a.batch) as f:
        b = json.load(f)
    model, metadata = load_model(a.source)
    names = ["tokens", "targets", "times"]
    if model.c.n_encoder_layers:
        names += ["sources", "source_times"]
    rows = [torch.tensor(b[k]) for k in names]
    state = torch.tensor(b["state"]) if model.c.state else None
    optimiser = make_optimiser(model, b["options"])
    loss = loss_of(model.train(), *rows, state=state) / (rows[1] >= 0).sum()
    loss.backward()
    update(optimiser, b["options"], 0)
    write_checkpoint(a.target, metadata, model.state_dict())
    print(f"{loss.item():.9g}")


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = p.add_subparsers(dest="verb", required=True)
    t = verbs.add_parser("train")
    t.add_argument("--config", help="a JSON file, or a model with the config")
    t.add_argument("--from", dest="start", help="fine-tune this model")
    t.add_argument("--train", required=True)
    t.add_argument("--valid", required=True)
    t.add_argument("-o", "--output", required=True)
    t.add_argument("--minutes", type=float, default=0)
    t.add_argument("--steps", type=int, default=20000)
    t.add_argument("--every", type=int, default=500, help="steps between validations")
    t.add_argument("--batch", type=int, default=32, help="windows per step and process")
    t.add_argument("--optimiser", choices=["muon", "adamw"], default="muon")
    t.add_argument("--lr", type=float,
                   help="8e-3, or 2e-3 with --from; adamw: 1e-3, or 2e-4")
    t.add_argument("--adam-share", type=float, default=1.0,
                   help="factor of the rate for AdamW beside Muon")
    t.add_argument("--schedule", choices=["linear", "cosine"],
                   help="linear with muon, cosine with adamw")
    t.add_argument("--cooldown", type=float, default=0.6,
                   help="share of the run at the end in which the linear rate falls; 0: none")
    t.add_argument("--warmup", type=int, default=200)
    t.add_argument("--decay", type=float, default=0.05)
    t.add_argument("--dropout", type=float, default=0.1)
    t.add_argument("--seed", type=int, default=1)
    t.add_argument("--resume", action="store_true")
    t.add_argument("--f32", action="store_true", help="no bfloat16 on a GPU")
    t.add_argument("--bf16", action="store_true", help="write 16-bit weights")
    logits = verbs.add_parser("logits")
    logits.add_argument("model")
    logits.add_argument("--tokens", required=True)
    logits.add_argument("--state", help="a bag of rows for each token, separated by commas")
    step = verbs.add_parser("step")
    step.add_argument("source")
    step.add_argument("target")
    step.add_argument("batch")
    a = p.parse_args()
    if a.verb == "train" and not (a.config or a.start):
        p.error("train needs --config or --from")
    if a.verb == "train":
        muon = a.optimiser == "muon"
        a.lr = a.lr or {(True, False): 8e-3, (True, True): 2e-3, (False, False): 1e-3,
                        (False, True): 2e-4}[muon, a.start is not None]
        a.schedule = a.schedule or ("linear" if muon else "cosine")
    return a


def main():
    a = arguments()
    if a.verb == "logits":
        verb_logits(a)
    elif a.verb == "step":
        verb_step(a)
    else:
        Run(a).go()


if __name__ == "__main__":
    main()
