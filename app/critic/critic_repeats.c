/* See critic_features.h. */
#include "app/critic/critic_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bar_keys {
    uint32_t *keys[REPEAT_KINDS];
    size_t *first[REPEAT_KINDS]; /* [n_bars + 1] */
};

void bar_keys_destroy(struct bar_keys *k)
{
    for (int i = 0; k && i < REPEAT_KINDS; i++) {
        free(k->keys[i]);
        free(k->first[i]);
    }
    free(k);
}

static bool is_of(enum repeat_kind kind, const struct scene *c, int track, int bass)
{
    bool is_drums = c->tracks[track].is_drums;
    return kind == REPEAT_DRUMS   ? is_drums
           : kind == REPEAT_BASS  ? track == bass
           : kind == REPEAT_SHAPE ? !is_drums
                                  : true;
}

struct key_builder {
    const struct scene *c;
    enum repeat_kind kind;
    int bass;
    int start[SCENE_TRACKS]; /* of the bar: each track's first pitch; -1: none yet */
};

/* A bar's keys ascend as its notes do: by place, then track, then the rest. */
static uint32_t key_of(struct key_builder *m, const struct grid_note *n, int32_t bar)
{
    int *start = &m->start[n->track];
    *start = *start < 0 ? n->pitch : *start;
    int rest = m->kind == REPEAT_RHYTHM  ? 0
               : m->kind == REPEAT_SHAPE ? n->pitch - *start + 128
                                         : n->pitch;
    return (uint32_t)(n->step - bar) << 14 | (uint32_t)n->track << 8 | (uint32_t)rest;
}

/* Keeps one key of notes that are equal in everything. Returns the index of the next note. */
static size_t make_bar(struct bar_keys *k, struct key_builder *m, int bar, size_t i,
                       size_t *n)
{
    uint32_t *keys = k->keys[m->kind];
    const size_t first = *n;
    memset(m->start, -1, sizeof m->start);
    for (; i < m->c->n_notes && m->c->notes[i].step < m->c->bars[bar + 1]; i++) {
        const struct grid_note *note = &m->c->notes[i];
        if (!is_of(m->kind, m->c, note->track, m->bass))
            continue;
        uint32_t it = key_of(m, note, m->c->bars[bar]);
        if (*n == first || keys[*n - 1] != it)
            keys[(*n)++] = it;
    }
    k->first[m->kind][bar + 1] = *n;
    return i;
}

struct bar_keys *bar_keys_create(const struct scene *c, int bass_track)
{
    struct bar_keys *k = calloc(1, sizeof *k);
    for (int kind = 0; k && kind < REPEAT_KINDS; kind++) {
        k->keys[kind] = calloc(c->n_notes + 1, sizeof *k->keys[kind]);
        k->first[kind] = calloc((size_t)c->n_bars + 1, sizeof *k->first[kind]);
        if (!k->keys[kind] || !k->first[kind]) {
            bar_keys_destroy(k);
            return NULL;
        }
        struct key_builder m = {c, (enum repeat_kind)kind, bass_track, {0}};
        size_t n = 0, i = 0;
        for (int bar = 0; bar < c->n_bars; bar++)
            i = make_bar(k, &m, bar, i, &n);
    }
    return k;
}

static double likeness(const struct bar_keys *k, int kind, int a, int b)
{
    const uint32_t *x = k->keys[kind];
    size_t i = k->first[kind][a], i_end = k->first[kind][a + 1];
    size_t j = k->first[kind][b], j_end = k->first[kind][b + 1];
    size_t both = 0, all = i_end - i + (j_end - j);
    while (i < i_end && j < j_end) {
        both += x[i] == x[j];
        uint32_t left = x[i], right = x[j];
        i += left <= right;
        j += right <= left;
    }
    return all > both ? (double)both / (double)(all - both) : 0;
}

static bool is_empty(const struct bar_keys *k, int kind, int bar)
{
    return k->first[kind][bar] == k->first[kind][bar + 1];
}

/* Of the bars before `end`. */
static double best_of(const struct bar_keys *k, int kind, int bar, int end)
{
    double best = 0;
    for (int other = 0; other < end; other++)
        best = fmax(best, likeness(k, kind, bar, other));
    return best;
}

static void find_kind(struct repeats *r, const struct bar_keys *k, int kind, int first,
                      int end)
{
    int n = 0;
    for (int bar = first > 1 ? first : 1; bar < end; bar++) {
        if (is_empty(k, kind, bar))
            continue;
        n++;
        r->before[kind] += likeness(k, kind, bar, bar - 1);
        r->best[kind] += best_of(k, kind, bar, bar);
    }
    r->has[kind] = n > 0;
    r->before[kind] /= n ? n : 1;
    r->best[kind] /= n ? n : 1;
}

static double groove(const struct bar_keys *k, int first, int end)
{
    double sum = 0;
    int n = 0;
    for (int bar = first; bar < end; bar++) {
        if (is_empty(k, REPEAT_DRUMS, bar))
            continue;
        sum += best_of(k, REPEAT_DRUMS, bar, first);
        n++;
    }
    return n ? sum / n : 0;
}

static double back(const struct bar_keys *k, int first, int end, int lag)
{
    double sum = 0;
    int n = 0;
    for (int bar = first > lag ? first : lag; bar < end; bar++, n++)
        sum += likeness(k, REPEAT_EXACT, bar, bar - lag);
    return n ? sum / n : 0;
}

void repeats_find(struct repeats *r, const struct bar_keys *k, int first, int end)
{
    int n = 0, n_same = 0;
    memset(r, 0, sizeof *r);
    for (int bar = first > 1 ? first : 1; bar < end; bar++, n++)
        n_same += likeness(k, REPEAT_EXACT, bar, bar - 1) > 0.999;
    r->loops = n ? (double)n_same / n : 0;
    for (int kind = 0; kind < REPEAT_KINDS; kind++)
        find_kind(r, k, kind, first, end);
    r->two = back(k, first, end, 2);
    r->four = back(k, first, end, 4);
    r->eight = back(k, first, end, 8);
    r->groove = groove(k, first, end);
}
