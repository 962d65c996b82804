/* See random_gguf.h. The header is gathered in a memory stream, tensor by tensor with the
 * place of its data, and then the data are made up in the same order. */
#include "tests/app/benchmark/random_gguf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 32, Q8_BLOCK = 32, MOST_TENSORS = 1024 };
enum { VALUE_U32 = 4, VALUE_F32 = 6, VALUE_STRING = 8 };

struct tensor {
    char name[48];
    uint64_t columns, rows; /* of a vector 1 row */
    enum gguf_type type;
};

struct file {
    FILE *to;
    struct tensor tensors[MOST_TENSORS];
    uint64_t n_tensors, n_values, random;
};

static uint64_t aligned(uint64_t n)
{
    return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static uint64_t bytes_of(const struct tensor *t)
{
    uint64_t n = t->columns * t->rows;
    switch (t->type) {
    case GGUF_BF16:
        return 2 * n;
    case GGUF_Q8_0:
        return n / Q8_BLOCK * (2 + Q8_BLOCK);
    default:
        return 4 * n;
    }
}

/* -- what there is -- */

static void add(struct file *f, const char *name, int columns, int rows,
                enum gguf_type type)
{
    struct tensor *t = &f->tensors[f->n_tensors++];
    snprintf(t->name, sizeof t->name, "%s", name);
    t->columns = (uint64_t)columns;
    t->rows = (uint64_t)rows;
    t->type = type;
}

/* A matrix from so many to so many, or of a norm a vector, and its bias. */
static void add_pair(struct file *f, const char *what, int from, int to,
                     enum gguf_type type)
{
    char name[48];
    snprintf(name, sizeof name, "%s.weight", what);
    add(f, name, from, to, type);
    snprintf(name, sizeof name, "%s.bias", what);
    add(f, name, to > 1 ? to : from, 1, GGUF_F32);
}

static void add_layer(struct file *f, int layer, const struct model_config *c,
                      enum gguf_type type)
{
    const int d = c->d_model;
    const struct {
        const char *name;
        int from, to;
        enum gguf_type type;
    } pairs[] = {{"attn_norm", d, 1, GGUF_F32}, {"attn_qkv", d, 3 * d, type},
                 {"attn_output", d, d, type},   {"ffn_norm", d, 1, GGUF_F32},
                 {"ffn_up", d, c->d_ff, type},  {"ffn_down", c->d_ff, d, type}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char name[40];
        snprintf(name, sizeof name, "blk.%d.%s", layer, pairs[i].name);
        add_pair(f, name, pairs[i].from, pairs[i].to, pairs[i].type);
    }
}

static void add_all(struct file *f, const struct model_config *c, enum gguf_type type)
{
    add(f, "token_embd.weight", c->d_model, c->vocab, type);
    add(f, "position_embd.weight", c->d_model, c->context, GGUF_F32);
    for (int i = 0; i < c->n_layers; i++)
        add_layer(f, i, c, type);
    add_pair(f, "output_norm", c->d_model, 1, GGUF_F32);
}

/* -- the header -- */

static void put_u32(FILE *to, uint32_t x)
{
    fwrite(&x, sizeof x, 1, to);
}

static void put_u64(FILE *to, uint64_t x)
{
    fwrite(&x, sizeof x, 1, to);
}

static void put_text(FILE *to, const char *text)
{
    put_u64(to, strlen(text));
    fputs(text, to);
}

static void put_key(struct file *f, FILE *to, const char *key, uint32_t type)
{
    f->n_values++;
    put_text(to, key);
    put_u32(to, type);
}

static void put_number(struct file *f, FILE *to, const char *key, int x)
{
    put_key(f, to, key, VALUE_U32);
    put_u32(to, (uint32_t)x);
}

static void put_word(struct file *f, FILE *to, const char *key, const char *word)
{
    put_key(f, to, key, VALUE_STRING);
    put_text(to, word);
}

static void put_values(struct file *f, FILE *to, const struct model_config *c)
{
    const float epsilon = 1e-5F;
    put_word(f, to, "general.architecture", "gpt2");
    put_word(f, to, "tokenizer.ggml.model", "no_vocab");
    put_number(f, to, "gpt2.vocab_size", c->vocab);
    put_number(f, to, "gpt2.context_length", c->context);
    put_number(f, to, "gpt2.embedding_length", c->d_model);
    put_number(f, to, "gpt2.feed_forward_length", c->d_ff);
    put_number(f, to, "gpt2.block_count", c->n_layers);
    put_number(f, to, "gpt2.attention.head_count", c->n_heads);
    put_key(f, to, "gpt2.attention.layer_norm_epsilon", VALUE_F32);
    fwrite(&epsilon, sizeof epsilon, 1, to);
}

static void put_tensors(const struct file *f, FILE *to)
{
    uint64_t place = 0;
    for (uint64_t i = 0; i < f->n_tensors; i++) {
        const struct tensor *t = &f->tensors[i];
        put_text(to, t->name);
        put_u32(to, t->rows > 1 ? 2 : 1);
        put_u64(to, t->columns);
        if (t->rows > 1)
            put_u64(to, t->rows);
        put_u32(to, (uint32_t)t->type);
        put_u64(to, place);
        place = aligned(place + bytes_of(t));
    }
}

static void put_header(struct file *f, const struct model_config *c)
{
    char *text;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    put_values(f, to, c);
    put_tensors(f, to);
    fclose(to);
    fputs("GGUF", f->to);
    put_u32(f->to, 3);
    put_u64(f->to, f->n_tensors);
    put_u64(f->to, f->n_values);
    fwrite(text, 1, n, f->to);
    for (uint64_t at = 24 + n; at % ALIGNMENT; at++)
        fputc(0, f->to);
    free(text);
}

/* -- the data -- */

/* Xorshift64 (Marsaglia 2003). */
static uint64_t next_random(struct file *f)
{
    f->random ^= f->random << 13;
    f->random ^= f->random >> 7;
    return f->random ^= f->random << 17;
}

static float random_weight(struct file *f)
{
    return ((float)(next_random(f) >> 40) / (1 << 23) - 1) * 0.03F;
}

static void put_weight(struct file *f, enum gguf_type type)
{
    float x = random_weight(f);
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    fwrite((const char *)&bits + (type == GGUF_BF16 ? 2 : 0), type == GGUF_BF16 ? 2 : 4,
           1, f->to);
}

/* Of 8 bits: the scale, an f16, and the numbers. */
static void put_block(struct file *f)
{
    const uint16_t scale = 0x0bbd; /* 0.03 / 127 */
    fwrite(&scale, sizeof scale, 1, f->to);
    for (int i = 0; i < Q8_BLOCK; i += 8) {
        uint64_t eight = next_random(f);
        fwrite(&eight, sizeof eight, 1, f->to);
    }
}

static void put_data(struct file *f, const struct tensor *t)
{
    uint64_t n = t->columns * t->rows;
    for (uint64_t i = 0; t->type == GGUF_Q8_0 && i < n / Q8_BLOCK; i++)
        put_block(f);
    for (uint64_t i = 0; t->type != GGUF_Q8_0 && i < n; i++)
        put_weight(f, t->type);
    for (uint64_t at = bytes_of(t); at < aligned(bytes_of(t)); at++)
        fputc(0, f->to);
}

bool random_gguf_write(const char *path, const struct model_config *c,
                       enum gguf_type type)
{
    static struct file f;
    f = (struct file){.to = fopen(path, "wb"), .random = 88172645463325252U};
    if (!f.to)
        return false;
    add_all(&f, c, type);
    put_header(&f, c);
    for (uint64_t i = 0; i < f.n_tensors; i++)
        put_data(&f, &f.tensors[i]);
    bool is_written = !ferror(f.to);
    return fclose(f.to) == 0 && is_written;
}
