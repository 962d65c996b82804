"""Logits of a continuo checkpoint, in float64.

Written from FORMAT.md alone: no line of the program's source was read.

    reader.py MODEL --tokens "1 2 3" [--times "0 0 24"] [--state "0 7, 3, 3 9"]
              [--source "4 5" [--source-times "0 6"]]

prints one JSON line of logits for each token.
"""
import argparse
import json
import math
import struct

import numpy as np

DEFAULTS = {"architecture": "continuo-decoder", "version": 1, "norm": "pre", "relative": "none",
            "reach": 0, "time": "none", "mixing": "attention", "block": 0, "n_encoder_layers": 0,
            "state": 0, "values": False}
BUCKETS = 193  # rows of time_key for each head
erf = np.vectorize(math.erf, otypes=[float])
watch = None  # a function that sees, and may change, the weights [H, n, n] of each attention


# ---- the container

def decode(raw, dtype):
    """Bytes of a tensor as float64; BF16 is the upper half of an f32."""
    if dtype == "F32":
        return np.frombuffer(raw, "<f4").astype(float)
    if dtype == "BF16":
        return (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32).astype(float)
    if dtype == "I8":
        return np.frombuffer(raw, "i1").astype(float)
    raise ValueError("unknown dtype " + dtype)


def widened(name, dtype, tensors):
    """A tensor as weights: integers, where they have scales, times those of their rows."""
    scale = tensors.get(name + "_scale") if dtype == "I8" else None
    return tensors[name] if scale is None else tensors[name] * scale[:, None]


def load(path):
    """The configuration and a dictionary of tensors."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > 16 << 20:
            raise ValueError("the header is too long")
        header = json.loads(file.read(length))
        data = file.read()
    config = {**DEFAULTS, **json.loads(header.pop("__metadata__")["config"])}
    if (config["architecture"], config["version"]) != ("continuo-decoder", 1):
        raise ValueError("not a continuo-decoder of version 1")
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] in ("F32", "BF16", "I8"):  # tensors we do not know are ignored
            begin, end = entry["data_offsets"]
            tensors[name] = decode(data[begin:end], entry["dtype"]).reshape(entry["shape"])
    return config, {name: widened(name, header[name]["dtype"], tensors) for name in tensors}


# ---- the parts

def linear(tensors, name, x):
    return x @ tensors[name + ".weight"].T + tensors[name + ".bias"]


def layer_norm(tensors, name, x):
    centred = x - x.mean(-1, keepdims=True)
    scale = np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-5)
    return centred / scale * tensors[name + ".weight"] + tensors[name + ".bias"]


def activate(kind, x):
    return np.maximum(x, 0) if kind == "relu" else x * (1 + erf(x / math.sqrt(2))) / 2


def place(config, tensors, n):
    """What is added to the embeddings of places 0 … n - 1."""
    d = config["d_model"]
    if config["position"] == "learned":
        return tensors["position_embedding.weight"][:n]
    out = np.zeros((n, d))
    if config["position"] == "sinusoidal":
        angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
        out[:, 0::2] = np.sin(angle)
        out[:, 1::2] = np.cos(angle)[:, :d // 2]
    return out


def embed(config, tensors, tokens):
    return tensors["token_embedding.weight"][tokens] + place(config, tensors, len(tokens))


def add_state(tensors, bags):
    """The sum of the rows of each token's bag, [n, d]; -1 is no row."""
    table = tensors["state_embedding.weight"]
    return np.stack([table[[row for row in bag if row >= 0]].sum(0) for bag in bags])


def rotate(x, z):
    """Turn the neighbouring pairs of the last axis of x [H, n, e] by z [n]."""
    pairs = x.shape[-1] // 2
    angle = z[:, None] / 10000 ** (np.arange(pairs) / pairs)
    cos, sin, even, odd = np.cos(angle), np.sin(angle), x[..., 0::2], x[..., 1::2]
    out = np.empty_like(x)
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out


def turn(config, x, times, by_index):
    """Rotary turning of a head: by index, by time, or half the pairs by each."""
    index, time = config["relative"] == "rotary", config["time"] == "rotary"
    split = x.shape[-1] // 2 if index and time else x.shape[-1] * index  # dimensions by index
    first, rest = x[..., :split], x[..., split:]
    if index and by_index:
        first = rotate(first, np.arange(x.shape[-2]))
    if time:
        rest = rotate(rest, times)
    return np.concatenate([first, rest], -1)


def bucket(delta):
    """b(δ): the row of time_key for each difference of times."""
    size = np.abs(delta)
    middle = np.clip(size, 48, 12288)
    row = 49 + np.floor(47 * np.log(middle / 48) / np.log(256)).astype(int)
    row = np.where(size <= 48, size, np.where(size < 12288, row, 96))
    return 96 + np.sign(delta) * row


def add_by_row(score, q, table, rows):
    """score[h, t, u] += q[h, t] · table[h, rows[t, u]]; table is [H or 1, rows, e]."""
    dots = q @ np.swapaxes(table, -1, -2)
    return score + np.take_along_axis(dots, np.broadcast_to(rows, score.shape), -1)


def attend(config, tensors, name, q, k, v, times, others, seen, rows):
    """Attention of q over k and v, both [n, d]; rows picks E and F, or is None."""
    heads, e = config["n_heads"], config["d_model"] // config["n_heads"]
    q, k, v = (x.reshape(len(x), heads, e).swapaxes(0, 1) for x in (q, k, v))
    by_index = rows is not None
    q, k = turn(config, q, times, by_index), turn(config, k, others, by_index)
    score = q @ np.swapaxes(k, -1, -2)
    if by_index and config["relative"] in ("shaw", "music"):
        count = heads if config["relative"] == "music" else 1
        table = tensors[name + ".relative_key"].reshape(count, -1, e)
        score = add_by_row(score, q, table, rows)
    if config["time"] == "buckets":
        table = tensors[name + ".time_key"].reshape(heads, BUCKETS, e)
        score = add_by_row(score, q, table, bucket(times[:, None] - others[None, :]))
    score = np.where(seen, score / math.sqrt(e), -np.inf)
    p = np.exp(score - score.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    if watch:
        p = watch(p)
    y = p @ v
    if by_index and config["relative"] == "shaw":
        y += np.einsum("htu,tue->hte", p, tensors[name + ".relative_value"][rows])
    return linear(tensors, name + ".out", y.swapaxes(0, 1).reshape(-1, heads * e))


def self_attention(config, tensors, name, x, times, causal, tokens):
    n, reach, block = len(x), config["reach"], config["block"]
    t, u = np.arange(n)[:, None], np.arange(n)[None, :]
    rows = reach - 1 + np.clip(u - t, 1 - reach, reach - 1) if reach else np.zeros((n, n), int)
    seen = (u <= t) if causal else np.ones((n, n), bool)
    if causal and block:
        seen &= u >= (t // block - 1) * block
    rows = np.where(seen, rows, 0)  # a decoder's table ends at distance 0
    q, k, v = np.split(linear(tensors, name + ".qkv", x), 3, -1)
    if causal and config["values"]:
        v = v + tensors[name + ".value_embedding"][tokens]
    return attend(config, tensors, name, q, k, v, times, times, seen, rows)


def cross_attention(config, tensors, name, x, times, source, source_times):
    q = linear(tensors, name + ".q", x)
    k, v = np.split(linear(tensors, name + ".kv", source), 2, -1)
    seen = np.ones((len(x), len(source)), bool)
    return attend(config, tensors, name, q, k, v, times, source_times, seen, None)


def fourier(config, x):
    (n, d), w = x.shape, config["block"]
    spectrum = np.fft.fft(x, axis=-1)  # c - i s
    c, s = spectrum.real, -spectrum.imag
    t, u = np.arange(n)[:, None], np.arange(n)[None, :]
    omega = 2 * np.pi * ((t % w) * (u % w) % w) / w
    seen = (u <= t) & (u > t - w)
    return ((seen * np.cos(omega)) @ c - (seen * np.sin(omega)) @ s) / math.sqrt(w * d)


# ---- the whole

def branch(config, tensors, norm, x, function):
    """A residual branch, with its norm before or after."""
    if config["norm"] == "pre":
        return x + function(layer_norm(tensors, norm, x))
    return layer_norm(tensors, norm, x + function(x))


def run_layer(config, tensors, name, x, times, causal=True, source=None, source_times=None,
              tokens=None):
    def mix(h):
        if config["mixing"] == "fourier":
            return fourier(config, h)
        return self_attention(config, tensors, name + ".attn", h, times, causal, tokens)

    def cross(h):
        return cross_attention(config, tensors, name + ".cross", h, times, source, source_times)

    def feed_forward(h):
        hidden = activate(config["activation"], linear(tensors, name + ".ff1", h))
        return linear(tensors, name + ".ff2", hidden)

    x = branch(config, tensors, name + ".norm1", x, mix)
    if source is not None:
        x = branch(config, tensors, name + ".norm_cross", x, cross)
    return branch(config, tensors, name + ".norm2", x, feed_forward)


def encode(config, tensors, tokens, times):
    x = embed(config, tensors, tokens)
    for layer in range(config["n_encoder_layers"]):
        x = run_layer(config, tensors, f"encoder.layers.{layer}", x, times, causal=False)
    return layer_norm(tensors, "encoder.norm", x) if config["norm"] == "pre" else x


def logits(config, tensors, tokens, times=None, source=None, source_times=None, state=None):
    """The logits [n, V]; times are 0, 1, 2 … unless given; state has a bag for each token."""
    times = np.arange(len(tokens)) if times is None else np.asarray(times)
    z = None
    if config["n_encoder_layers"]:
        if source is None:
            raise ValueError("this model needs --source")
        source_times = np.arange(len(source)) if source_times is None else np.asarray(source_times)
        z = encode(config, tensors, source, source_times)
    x = embed(config, tensors, tokens)
    if config["state"]:
        if state is None:
            raise ValueError("this model needs --state")
        x = x + add_state(tensors, state)
    for layer in range(config["n_layers"]):
        x = run_layer(config, tensors, f"layers.{layer}", x, times, True, z, source_times, tokens)
    if config["norm"] == "pre":
        x = layer_norm(tensors, "norm", x)
    return x @ tensors["token_embedding.weight" if config["tied"] else "head.weight"].T


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    for name in ("--tokens", "--times", "--source", "--source-times"):
        parser.add_argument(name, type=lambda text: [int(word) for word in text.split()],
                            required=name == "--tokens")
    parser.add_argument("--state", help="a bag of rows for each token, separated by commas",
                        type=lambda text: [[int(word) for word in bag.split()]
                                           for bag in text.split(",")])
    args = parser.parse_args()
    config, tensors = load(args.model)
    for row in logits(config, tensors, args.tokens, args.times, args.source, args.source_times,
                      args.state):
        print(json.dumps(row.tolist()))


if __name__ == "__main__":
    main()
