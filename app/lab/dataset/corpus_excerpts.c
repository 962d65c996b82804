/* The file: "CNTEXC01", the number of 16-bit numbers that follow, as 32 bits, then those numbers
 * deflated (zlib). All are little-endian. An excerpt is
 *
 *   length of the corpus's name, that many bytes, each as a number
 *   1 if the music continues after its last bar, else 0
 *   number of tokens, and the tokens
 *
 * Nothing in it is trusted: tokens are read by the decoder of midi/tokens/tokens.h. */
#include "app/lab/dataset/corpus_excerpts.h"

#include "app/lab/dataset/corpus_build.h"
#include "app/lab/dataset/corpus_row.h"
#include "midi/base/array.h"
#include "midi/base/file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    MAGIC_BYTES = 8,
    HEAD_BYTES = MAGIC_BYTES + 4,
    MOST_NUMBERS = 1 << 23, /* of a file that is read */
    MOST_TOKENS = 1 << 15,  /* of an excerpt */
    MOST_NAME = 63,
    ONE_IN = 8, /* held out */
};
static const char MAGIC[] = "CNTEXC01";

/* -- writing -- */

struct numbers {
    uint16_t *all;
    size_t n, capacity;
};

static bool put(struct numbers *to, int number)
{
    uint16_t x = (uint16_t)number;
    return array_add(&to->all, &to->n, &to->capacity, &x, sizeof x);
}

static bool put_excerpt(struct numbers *to, const char *name, bool goes_on,
                        const struct tokens *t)
{
    bool ok = put(to, (int)strlen(name));
    for (const char *at = name; ok && *at; at++)
        ok = put(to, (uint8_t)*at);
    ok = ok && put(to, goes_on) && put(to, (int)t->n);
    for (size_t i = 0; ok && i < t->n; i++)
        ok = put(to, t->id[i]);
    return ok;
}

static enum midi_status add_excerpt(struct numbers *to, const struct corpus *c,
                                    const struct corpus_view *w, int length)
{
    struct piece part = {0};
    struct tokens t = {0};
    bool to_end;
    enum midi_status st = corpus_view_cut(&part, w, length, &to_end);
    if (!st)
        st = tokens_encode(&t, &part, to_end);
    if (!st && part.n_notes && t.n < MOST_TOKENS &&
        !put_excerpt(to, c->groups[w->from->group].name, !to_end, &t))
        st = MIDI_NO_MEMORY;
    piece_fini(&part);
    tokens_fini(&t);
    return st;
}

/* The low bytes of all numbers, then the high ones: so it deflates better. */
static enum midi_status write_deflated(const struct numbers *of, FILE *to)
{
    uLongf n = compressBound(2 * of->n);
    uint8_t *plain = malloc(2 * of->n + 1), *packed = malloc(n), head[HEAD_BYTES];
    enum midi_status st = plain && packed ? MIDI_OK : MIDI_NO_MEMORY;
    for (size_t i = 0; !st && i < of->n; i++) {
        plain[i] = (uint8_t)of->all[i];
        plain[of->n + i] = (uint8_t)(of->all[i] >> 8);
    }
    memcpy(head, MAGIC, MAGIC_BYTES);
    for (int i = 0; i < 4; i++)
        head[MAGIC_BYTES + i] = (uint8_t)(of->n >> 8 * i);
    if (!st && compress2(packed, &n, plain, 2 * of->n, Z_BEST_COMPRESSION) != Z_OK)
        st = MIDI_NO_MEMORY;
    if (!st && (fwrite(head, 1, sizeof head, to) != sizeof head ||
                fwrite(packed, 1, n, to) != n))
        st = MIDI_CANNOT_WRITE;
    free(plain);
    free(packed);
    return st;
}

enum midi_status corpus_excerpts_write(const struct corpus *c, enum corpus_split split,
                                       int count, int length, FILE *to)
{
    struct numbers all = {0};
    enum midi_status st = MIDI_OK;
    for (int i = 0; !st && i < count; i++) {
        struct corpus_view w;
        st = corpus_fixed_view(c, split, i, count, &w)
                 ? add_excerpt(&all, c, &w, length)
                 : MIDI_EMPTY;
    }
    if (!st)
        st = write_deflated(&all, to);
    free(all.all);
    return st;
}

/* -- reading -- */

struct excerpts {
    uint8_t *plain; /* [2 * n], as written */
    size_t n, at;
};

/* -1: the end. */
static int next(struct excerpts *e)
{
    if (e->at == e->n)
        return -1;
    int x = e->plain[e->at] | e->plain[e->n + e->at] << 8;
    e->at++;
    return x;
}

static enum midi_status inflate_all(struct excerpts *e, const uint8_t *bytes, size_t n)
{
    if (n < HEAD_BYTES || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0)
        return MIDI_BAD_TOKEN;
    for (int i = HEAD_BYTES; i-- > MAGIC_BYTES;)
        e->n = e->n << 8 | bytes[i];
    if (e->n > MOST_NUMBERS)
        return MIDI_TOO_LONG;
    uLongf size = 2 * e->n;
    e->plain = malloc(size + 1);
    if (!e->plain)
        return MIDI_NO_MEMORY;
    bool ok = uncompress(e->plain, &size, bytes + HEAD_BYTES, n - HEAD_BYTES) == Z_OK;
    return ok && size == 2 * e->n ? MIDI_OK : MIDI_BAD_TOKEN;
}

static bool read_name(struct excerpts *e, char name[MOST_NAME + 1])
{
    int n = next(e);
    if (n < 1 || n > MOST_NAME || (size_t)n > e->n - e->at)
        return false;
    for (int i = 0; i < n; i++)
        name[i] = (char)next(e);
    name[n] = '\0';
    return true;
}

static enum midi_status read_piece(struct excerpts *e, struct piece *p)
{
    int n = next(e);
    if (n < 1 || n > MOST_TOKENS || (size_t)n > e->n - e->at)
        return MIDI_BAD_TOKEN;
    int32_t *ids = malloc((size_t)n * sizeof *ids);
    if (!ids)
        return MIDI_NO_MEMORY;
    for (int i = 0; i < n; i++)
        ids[i] = next(e);
    enum midi_status st = tokens_decode(p, ids, (size_t)n);
    free(ids);
    return st;
}

static enum midi_status read_excerpt(struct corpus *c, struct excerpts *e,
                                     const char *path)
{
    char name[MOST_NAME + 1];
    struct corpus_piece p = {0};
    if (!read_name(e, name))
        return MIDI_BAD_TOKEN;
    p.group = corpus_find_group(c, name);
    int goes_on = next(e);
    p.goes_on = goes_on == 1;
    if (p.group < 0 || goes_on < 0 || goes_on > 1)
        return p.group < 0 ? MIDI_NO_MEMORY : MIDI_BAD_TOKEN;
    enum midi_status st = read_piece(e, &p.piece);
    if (st)
        return st;
    const struct corpus_group *g = &c->groups[p.group];
    int k = g->n_pieces[CORPUS_TRAIN] + g->n_pieces[CORPUS_VALID];
    return corpus_add(c, &p, path,
                      k % ONE_IN == ONE_IN - 1 ? CORPUS_VALID : CORPUS_TRAIN);
}

enum midi_status corpus_excerpts_open(struct corpus **out, const char *path)
{
    struct corpus *c = corpus_create();
    struct excerpts e = {0};
    uint8_t *bytes = NULL;
    size_t n;
    enum midi_status st = c ? file_read(path, &bytes, &n) : MIDI_NO_MEMORY;
    if (!st)
        st = inflate_all(&e, bytes, n);
    while (!st && e.at < e.n)
        st = read_excerpt(c, &e, path);
    if (!st)
        st = corpus_finish(c);
    free(bytes);
    free(e.plain);
    if (st)
        corpus_close(c);
    else
        *out = c;
    return st;
}
