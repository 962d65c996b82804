/* See registers.h. */
#include "app/registers.h"

#include <stdlib.h>
#include <string.h>

const char REGISTER_NAMES[N_REGISTERS + 1] = "abcdefghijklmnopqrstuvwxyz0123456789";

enum { COPIED = N_LETTERS, TAKEN_FIRST = N_LETTERS + 1, TAKEN_LAST = N_REGISTERS - 1 };

/* -- passages -- */

static bool is_near(int64_t ticks)
{
    return ticks >= -PASSAGE_FURTHEST && ticks <= PASSAGE_FURTHEST;
}

bool passage_is_sane(const struct passage *p)
{
    bool ok = p->span >= 0 && p->span <= PASSAGE_FURTHEST / 2;
    for (size_t i = 0; ok && i < p->n; i++) {
        const struct passage_note *n = &p->notes[i];
        ok = is_near(n->offset) && n->length >= 0 && is_near(n->length) &&
             n->track >= 0 && n->track < PASSAGE_TRACKS;
    }
    return ok;
}

bool passage_copy(struct passage *to, const struct passage *from)
{
    struct passage p = *from;
    p.notes = calloc(from->n ? from->n : 1, sizeof *p.notes);
    if (!p.notes)
        return false;
    if (from->n)
        memcpy(p.notes, from->notes, from->n * sizeof *p.notes);
    *to = p;
    return true;
}

void passage_fini(struct passage *p)
{
    free(p->notes);
    *p = (struct passage){0};
}

int passage_n_tracks(const struct passage *p)
{
    return p->n ? p->notes[p->n - 1].track + 1 : 0;
}

int64_t passage_ticks(const struct passage *p, int64_t ticks, int ticks_per_quarter)
{
    int64_t from = p->ticks_per_quarter, to = ticks_per_quarter;
    ticks = ticks > PASSAGE_FURTHEST    ? PASSAGE_FURTHEST
            : ticks < -PASSAGE_FURTHEST ? -PASSAGE_FURTHEST
                                        : ticks;
    int64_t whole = ticks / from, rest = ticks % from;
    int64_t twice = 2 * rest * to + (rest < 0 ? -from : from);
    return whole * to + twice / (2 * from);
}

static int by_track(const void *a, const void *b)
{
    const struct passage_note *x = a, *y = b;
    return x->track != y->track ? x->track - y->track
                                : (x->offset > y->offset) - (x->offset < y->offset);
}

/* As it would be after a passage of that span, in its division. */
static struct passage_note later(const struct passage *more, size_t i, int64_t span,
                                 int ticks_per_quarter)
{
    struct passage_note n = more->notes[i];
    n.offset = span + passage_ticks(more, n.offset, ticks_per_quarter);
    n.length = passage_ticks(more, n.length, ticks_per_quarter);
    return n;
}

bool passage_append(struct passage *p, const struct passage *more)
{
    struct passage both = {.ticks_per_quarter = p->ticks_per_quarter};
    both.span = p->span + passage_ticks(more, more->span, p->ticks_per_quarter);
    both.n = p->n + more->n;
    both.notes = calloc(both.n + 1, sizeof *both.notes);
    if (!both.notes)
        return false;
    if (p->n)
        memcpy(both.notes, p->notes, p->n * sizeof *p->notes);
    for (size_t i = 0; i < more->n; i++)
        both.notes[p->n + i] = later(more, i, p->span, p->ticks_per_quarter);
    qsort(both.notes, both.n, sizeof *both.notes, by_track);
    if (!passage_is_sane(&both)) {
        passage_fini(&both);
        return false;
    }
    passage_fini(p);
    *p = both;
    return true;
}

/* -- registers -- */

void registers_fini(struct registers *r)
{
    for (int i = 0; i < N_REGISTERS; i++)
        passage_fini(&r->at[i]);
    *r = (struct registers){0};
}

/* -1: there is none. */
static int index_of(const struct registers *r, uint32_t name)
{
    if (name == 0 || name == '"')
        return r->last;
    if (name >= 'A' && name <= 'Z')
        name += 'a' - 'A';
    const char *at = name < 128 ? strchr(REGISTER_NAMES, (int)name) : NULL;
    return at ? (int)(at - REGISTER_NAMES) : -1;
}

bool register_is_name(uint32_t name)
{
    const struct registers none = {0};
    return name && index_of(&none, name) >= 0;
}

const struct passage *registers_get(const struct registers *r, uint32_t name)
{
    int i = index_of(r, name);
    return i < 0 ? NULL : &r->at[i];
}

/* What was taken away before moves on by one, and the oldest is let go. */
static void shift(struct registers *r)
{
    passage_fini(&r->at[TAKEN_LAST]);
    memmove(&r->at[TAKEN_FIRST + 1], &r->at[TAKEN_FIRST],
            (TAKEN_LAST - TAKEN_FIRST) * sizeof r->at[0]);
    r->at[TAKEN_FIRST] = (struct passage){0};
}

static void fill(struct registers *r, int i, struct passage *p)
{
    passage_fini(&r->at[i]);
    r->at[i] = *p;
    r->last = i;
    r->changed = true;
}

bool registers_put(struct registers *r, uint32_t name, const struct passage *p,
                   bool taken_away)
{
    struct passage mine;
    bool is_named = name && name != '"';
    bool adds = name >= 'A' && name <= 'Z';
    int i = is_named ? index_of(r, name) : taken_away ? TAKEN_FIRST : COPIED;
    if (i < 0)
        return false;
    if (!passage_copy(&mine, adds && r->at[i].n ? &r->at[i] : p))
        return false;
    if (adds && r->at[i].n && !passage_append(&mine, p)) {
        passage_fini(&mine);
        return false;
    }
    if (!is_named && taken_away)
        shift(r);
    fill(r, i, &mine);
    return true;
}
