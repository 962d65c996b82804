#!/usr/bin/env python3
"""Our decoder beside llama.cpp's, in turns. Standard library only.

    make beside-llama LLAMA=FOLDER [SHAPES=SM]     the folder of llama.cpp's shared libraries
        (npm's @node-llama-cpp/linux-x64 has a build for each kind of processor)

Not a test. Models of the same shape with random weights; ours are measured by `continuo bench`. llama.cpp
runs on threads that stay from step to step, as llama-bench's do, and sleep when it is our turn; with and
without flash attention, and the faster counts. Its interface is that of release v0.5.0; another one is
noticed by its defaults, and refused.
"""
import ctypes
import glob
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

SHAPES = {"S": (256, 8, 6, 1024), "M": (512, 8, 8, 2048), "L": (768, 12, 12, 3072)}
TYPES = {"f32": 0, "bf16": 30, "int8": 8}  # of GGUF: F32, BF16, Q8_0
VOCAB, CONTEXT, STEPS, MOST_TAKES, MOST_BATCH, ROUNDS = 512, 2048, 16, 8, 1024, 5


# --- a model of random weights, as GGUF ---


def write_gguf(path, shape, numbers):
    d, heads, layers, ff = SHAPES[shape]
    rng, kind = random.Random(1), TYPES[numbers]
    pair = lambda name, a, b, t: [(name + ".weight", (a, b) if b > 1 else (a,), t), (name + ".bias", (b if b > 1 else a,), 0)]
    tensors = [("token_embd.weight", (d, VOCAB), kind), ("position_embd.weight", (d, CONTEXT), 0)]
    for i in range(layers):
        for name, a, b, t in (("attn_norm", d, 1, 0), ("attn_qkv", d, 3 * d, kind), ("attn_output", d, d, kind),
                              ("ffn_norm", d, 1, 0), ("ffn_up", d, ff, kind), ("ffn_down", ff, d, kind)):
            tensors += pair(f"blk.{i}.{name}", a, b, t)
    tensors += pair("output_norm", d, 1, 0)
    text = lambda s: struct.pack("<Q", len(s)) + s.encode()
    values = [text("general.architecture") + struct.pack("<I", 8) + text("gpt2"),
              text("tokenizer.ggml.model") + struct.pack("<I", 8) + text("no_vocab"),
              text("gpt2.attention.layer_norm_epsilon") + struct.pack("<If", 6, 1e-5)]
    for key, x in (("vocab_size", VOCAB), ("context_length", CONTEXT), ("embedding_length", d), ("feed_forward_length", ff),
                   ("block_count", layers), ("attention.head_count", heads)):
        values.append(text("gpt2." + key) + struct.pack("<II", 4, x))
    padded = lambda n: -(-n // 32) * 32
    size = lambda dims, t: (lambda n: {0: 4 * n, 30: 2 * n, 8: n // 32 * 34}[t])(dims[0] * (dims[1] if len(dims) > 1 else 1))
    head, at = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values)) + b"".join(values), 0
    for name, dims, t in tensors:
        head += text(name) + struct.pack("<I", len(dims)) + struct.pack(f"<{len(dims)}Q", *dims) + struct.pack("<IQ", t, at)
        at = padded(at + size(dims, t))
    # Weights in ±0.03: 4096 made once and repeated, since only their number matters for speed.
    some = [rng.uniform(-0.03, 0.03) for _ in range(4096)]
    floats = struct.pack("<4096f", *some)
    block = {0: floats, 30: b"".join(floats[i + 2 : i + 4] for i in range(0, len(floats), 4)),
             8: b"".join(struct.pack("<H", 0x0BBD) + rng.randbytes(32) for _ in range(128))}
    with open(path, "wb") as f:
        f.write(head.ljust(padded(len(head)), b"\0"))
        for _, dims, t in tensors:
            n = size(dims, t)
            f.write((block[t] * (n // len(block[t]) + 1))[:n].ljust(padded(n), b"\0"))


# --- llama.cpp's interface, as far as it is used ---


class Batch(ctypes.Structure):
    _fields_ = [("n_tokens", ctypes.c_int32), ("token", ctypes.POINTER(ctypes.c_int32)), ("embd", ctypes.c_void_p),
                ("pos", ctypes.POINTER(ctypes.c_int32)), ("n_seq_id", ctypes.POINTER(ctypes.c_int32)),
                ("seq_id", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))), ("logits", ctypes.POINTER(ctypes.c_int8))]


class ModelParams(ctypes.Structure):  # handed over by value, on the stack: what is read is its beginning
    _fields_ = [("bytes", ctypes.c_uint64 * 64)]


class ContextParams(ctypes.Structure):
    _fields_ = [*((n, ctypes.c_uint32) for n in ("n_ctx", "n_batch", "n_ubatch", "n_seq_max", "n_rs_seq", "outputs0", "outputs1")),
                *((n, ctypes.c_int32) for n in ("n_threads", "n_threads_batch", "ctx_type", "rope_scaling_type", "pooling_type",
                                                 "attention_type", "flash_attn_type")),
                ("rope", ctypes.c_float * 6), ("yarn_orig_ctx", ctypes.c_uint32), ("defrag_thold", ctypes.c_float),
                ("cb_eval", ctypes.c_void_p), ("cb_eval_user_data", ctypes.c_void_p), ("type_k", ctypes.c_int32),
                ("type_v", ctypes.c_int32), ("abort_callback", ctypes.c_void_p), ("abort_callback_data", ctypes.c_void_p),
                *((n, ctypes.c_bool) for n in ("embeddings", "offload_kqv", "no_perf", "op_offload", "swa_full", "kv_unified")),
                ("rest", ctypes.c_uint64 * 64)]


class Library:
    """The functions of the three libraries of a folder, with the types that they return."""

    RETURNS = {"ggml_backend_reg_by_name": ctypes.c_void_p, "ggml_backend_reg_get_proc_address": ctypes.c_void_p,
               "llama_model_default_params": ModelParams, "llama_context_default_params": ContextParams,
               "llama_model_load_from_file": ctypes.c_void_p, "llama_init_from_model": ctypes.c_void_p,
               "llama_get_memory": ctypes.c_void_p, "llama_batch_init": Batch,
               "llama_get_logits_ith": ctypes.POINTER(ctypes.c_float)}

    def __init__(self, folder):
        self.parts = []
        for prefix in ("libggml-base.", "libggml.", "libllama."):
            found = sorted(glob.glob(f"{folder}/{prefix}*"))
            if not found:
                sys.exit(f"beside_llama: there is no {prefix}* in {folder}")
            self.parts.append(ctypes.CDLL(found[0], mode=ctypes.RTLD_GLOBAL))
        self.quiet = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda level, text, data: None)
        self.llama_log_set(self.quiet, None)
        self.ggml_backend_load_all_from_path(folder.encode())
        self.llama_backend_init()
        p = self.llama_context_default_params()
        if (p.n_ctx, p.n_threads, p.n_threads_batch, p.flash_attn_type, p.type_k, p.offload_kqv, p.kv_unified) != \
                (512, 4, 4, -1, 1, True, False):
            sys.exit("beside_llama: the interface of this llama.cpp is another one")

    def __getattr__(self, name):
        for part in self.__dict__["parts"]:
            if hasattr(part, name):
                f = getattr(part, name)
                f.restype = self.RETURNS.get(name, ctypes.c_int32)
                setattr(self, name, f)
                return f
        raise AttributeError(name)


class Llama:
    def __init__(self, lib, path, threads, flash):
        self.lib = lib
        self.model = ctypes.c_void_p(lib.llama_model_load_from_file(path.encode(), lib.llama_model_default_params()))
        p = lib.llama_context_default_params()
        p.n_ctx, p.n_seq_max, p.n_threads, p.n_threads_batch, p.flash_attn_type, p.kv_unified = 4096, MOST_TAKES, threads, threads, flash, True
        self.context = ctypes.c_void_p(lib.llama_init_from_model(self.model, p))
        if not self.context:
            sys.exit("beside_llama: it cannot open the model")
        self.memory = ctypes.c_void_p(lib.llama_get_memory(self.context))
        self.batch = lib.llama_batch_init(MOST_BATCH, 0, 1)
        params = ctypes.create_string_buffer(1024)
        reg = ctypes.c_void_p(lib.ggml_backend_reg_by_name(b"CPU"))
        create = lib.ggml_backend_reg_get_proc_address(reg, b"ggml_threadpool_new")
        lib.ggml_threadpool_params_init(params, threads)
        self.pool = ctypes.c_void_p(ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(create)(ctypes.addressof(params)))

    def decode(self, tokens):
        """[(token, position, take, are its logits wanted)]"""
        b = self.batch
        b.n_tokens = len(tokens)
        for i, (token, at, take, wanted) in enumerate(tokens):
            b.token[i], b.pos[i], b.n_seq_id[i], b.logits[i] = token, at, 1, wanted
            b.seq_id[i][0] = take
        if self.lib.llama_decode(self.context, b):
            sys.exit("beside_llama: llama_decode failed")

    def read(self, n):
        self.lib.llama_memory_clear(self.memory, False)
        for first in range(0, n, MOST_BATCH):
            self.decode([(i * 7919 % VOCAB, i, 0, i == n - 1) for i in range(first, min(first + MOST_BATCH, n))])

    def seconds(self, context, takes):
        """Of a step of so many takes after `context` tokens; takes 0: of reading them."""
        self.lib.llama_attach_threadpool(self.context, self.pool, self.pool)
        if not takes:
            start = time.monotonic()
            self.read(context)
            spent = time.monotonic() - start
        else:
            self.read(context)
            for take in range(1, takes):
                self.lib.llama_memory_seq_cp(self.memory, 0, take, 0, context)
            step = lambda k: self.decode([((k * MOST_TAKES + i) * 7919 % VOCAB, context + k, i, True) for i in range(takes)])
            step(0)
            start = time.monotonic()
            for k in range(1, STEPS + 1):
                step(k)
                self.lib.llama_get_logits_ith(self.context, 0)[0]
            spent = (time.monotonic() - start) / STEPS
        self.lib.llama_detach_threadpool(self.context)
        return spent


def our_speeds(program, part, shape, threads):
    out = subprocess.run([program, "bench", part, shape, "--threads", str(threads)], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [json.loads(line) for line in out.splitlines()]
    return {(x["numbers"], x.get("context", x.get("tokens")), x.get("takes", 0)): x["tokens_per_second"] for x in lines if "part" in x}


def main(a):
    if len(a) < 2:
        sys.exit(__doc__)
    program, folder, shapes = a[0], a[1], a[2] if len(a) > 2 else "SM"
    lib, median = Library(folder), lambda xs: sorted(xs)[len(xs) // 2]
    print(f"tokens a second, medians of {ROUNDS} rounds: ours, llama.cpp, with flash attention, ratio to the faster")
    for shape in shapes:
        for numbers in ("bf16", "int8"):
            for threads in (2, 1):
                with tempfile.NamedTemporaryFile(suffix=".gguf") as f:
                    write_gguf(f.name, shape, numbers)
                    theirs = [Llama(lib, f.name, threads, flash) for flash in (0, 1)]
                scenes = [("decode", 1000, 1), ("decode", 1900, 1), ("decode", 1000, 8)]
                scenes += [("prefill", 512, 0), ("prefill", 1024, 0)] if numbers == "bf16" and threads > 1 else []
                ours, his = [], {s: [] for s in scenes}
                for _ in range(ROUNDS):
                    ours.append({**our_speeds(program, "decode", shape, threads), **our_speeds(program, "prefill", shape, threads)})
                    for s in scenes:
                        his[s].append([(s[2] or s[1]) / l.seconds(s[1], s[2]) for l in theirs])
                for s in scenes:
                    mine = median([o[numbers, s[1], s[2]] for o in ours])
                    plain, flash = (median([x[k] for x in his[s]]) for k in (0, 1))
                    print(f"{shape} {numbers} {threads} threads, {s[0]} {s[1]}, takes {s[2]}: {mine:8.0f} {plain:8.0f} {flash:8.0f}   "
                          f"{mine / max(plain, flash):5.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
