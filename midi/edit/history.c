/* The tree of states. A state has a number, a parent, and the change that leads to it.
 * Numbers are given in the order of doing, so the newest child of a state has the
 * largest. Going to a state joins changes of notes, so that a thousand cost little more
 * than one. */
#include "midi/base/array.h"
#include "midi/edit/apply.h"
#include "midi/score/notes.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

struct history {
    struct history_state *states;
    size_t n_states, cap_states;
    size_t at;
};

struct history *history_create(void)
{
    struct history *h = calloc(1, sizeof *h);
    if (!h || !ARRAY_GROW(h->states, h->n_states, h->cap_states)) {
        free(h);
        return NULL;
    }
    h->states[h->n_states++] = (struct history_state){0};
    return h;
}

void history_destroy(struct history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->n_states; i++)
        change_destroy(h->states[i].change);
    free(h->states);
    free(h);
}

enum midi_status history_do(struct history *h, struct score *s, struct change *c)
{
    bool has_room = ARRAY_GROW(h->states, h->n_states, h->cap_states);
    enum midi_status st = has_room ? change_apply(c, s, true) : MIDI_NO_MEMORY;
    if (st) {
        change_destroy(c);
        return st;
    }
    history_put(h, h->at, c, (int64_t)time(NULL)); /* which has room */
    h->at = h->n_states - 1;
    return MIDI_OK;
}

bool history_put(struct history *h, uint64_t parent, struct change *c, int64_t when)
{
    if (parent >= h->n_states || !ARRAY_GROW(h->states, h->n_states, h->cap_states)) {
        change_destroy(c);
        return false;
    }
    /* A history holds many changes, most of a single note: unused capacity is freed. */
    struct edit *edits = c->n_edits && c->n_edits < c->cap_edits
                             ? array_resize(c->edits, c->n_edits, sizeof *edits)
                             : NULL;
    if (edits) {
        c->edits = edits;
        c->cap_edits = c->n_edits;
    }
    struct history_state *from = &h->states[parent];
    const struct edit *time = c->kinds >> EDIT_TIME & 1 ? change_time(c) : NULL;
    const int64_t by = !time ? 0 : time->has_before ? -time->time.by : time->time.by;
    const bool arranges = c->kinds & (1u << EDIT_TRACK_REMOVED | 1u << EDIT_CHUNK_MOVE);
    from->newest_child = h->n_states;
    h->states[h->n_states] = (struct history_state){
        .change = c,
        .parent = (size_t)parent,
        /* unsigned, since a stored history may hold any values */
        .inserted_ticks = (int64_t)((uint64_t)from->inserted_ticks + (uint64_t)by),
        .arrangement = arranges ? h->n_states : from->arrangement,
        .time = when,
    };
    h->n_states++;
    return true;
}

void history_reserve_ids(const struct history *h, struct score *s)
{
    for (size_t i = 1; i < h->n_states; i++) {
        const struct change *c = h->states[i].change;
        for (size_t k = 0; k < c->n_edits; k++) {
            const struct edit *e = &c->edits[k];
            if (e->kind == EDIT_NOTE && e->has_after && e->after.id >= s->next_id)
                s->next_id = e->after.id + 1;
        }
    }
}

uint64_t history_state(const struct history *h)
{
    return h->at;
}

size_t history_n_states(const struct history *h)
{
    return h->n_states;
}

const struct history_state *history_now(const struct history *h)
{
    return &h->states[h->at];
}

const struct history_state *history_at(const struct history *h, uint64_t state)
{
    assert(state < h->n_states);
    return &h->states[state];
}

/* A parent has a smaller number than its children. */
static size_t common_state(const struct history *h, size_t a, size_t b)
{
    while (a != b)
        if (a > b)
            a = h->states[a].parent;
        else
            b = h->states[b].parent;
    return a;
}

static size_t height_above(const struct history *h, size_t top, size_t state)
{
    size_t n = 0;
    for (; state != top; state = h->states[state].parent)
        n++;
    return n;
}

size_t history_distance(const struct history *h, uint64_t from, uint64_t to)
{
    assert(from < h->n_states && to < h->n_states);
    size_t top = common_state(h, (size_t)from, (size_t)to);
    return height_above(h, top, (size_t)from) + height_above(h, top, (size_t)to);
}

/* -- going to a state -- */

/* A change, and the direction to apply it in. */
struct change_step {
    struct change *change;
    bool is_forwards;
    size_t to; /* the state it leads to */
};

/* Many changes of notes are joined into one.
 *
 * Applying a change takes a pass over each track that it touches, so ten thousand
 * changes would take ten thousand passes. But only the first and the last state of each
 * note matter. So all edits are sorted by note, and the first and the last of each note
 * make one edit. */
struct note_edit {
    int track;
    uint64_t id;
    size_t order;                      /* number among all edits */
    const struct note *before, *after; /* in the step's direction; NULL: no note */
};

static int by_note(const void *a, const void *b)
{
    const struct note_edit *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Returns how many of the first edits are of one note. `most` is the number of edits.
 * Returns 0 if an edit does not start from the result of the one before. */
static size_t story_length(const struct note_edit *a, size_t most)
{
    size_t n = 1;
    for (; n < most && a[n].track == a->track && a[n].id == a->id; n++) {
        const struct note *was = a[n - 1].after, *is = a[n].before;
        if (was && is ? !note_equal(was, is) : was != is)
            return 0;
    }
    return n;
}

/* Returns one new change that does what n changes of notes do in sequence. A note that
 * one adds and a later one removes is left out. Takes time n log n in the number of
 * their notes. Returns NULL if memory is out or the changes do not follow one
 * another. */
static struct change *change_compose(const struct change_step *steps, size_t n)
{
    size_t most = 0, n_list = 0;
    for (size_t i = 0; i < n; i++)
        most += steps[i].change->n_edits;
    struct change *c = change_create("");
    struct note_edit *list = array_resize(NULL, most + 1, sizeof *list);
    bool ok = c && list;
    for (size_t i = 0; ok && i < n; i++)
        for (size_t k = 0; k < steps[i].change->n_edits; k++) {
            const struct edit *e = &steps[i].change->edits[k];
            const struct note *before = e->has_before ? &e->before : NULL;
            const struct note *after = e->has_after ? &e->after : NULL;
            if (!before && !after)
                continue;
            list[n_list] = (struct note_edit){
                .track = e->track,
                .id = before ? before->id : after->id,
                .order = n_list,
                .before = steps[i].is_forwards ? before : after,
                .after = steps[i].is_forwards ? after : before,
            };
            n_list++;
        }
    if (ok)
        qsort(list, n_list, sizeof *list, by_note);
    for (size_t i = 0, length; ok && i < n_list; i += length) {
        length = story_length(list + i, n_list - i);
        const struct note *before = list[i].before,
                          *after = length ? list[i + length - 1].after : NULL;
        struct edit e = {.kind = EDIT_NOTE,
                         .track = list[i].track,
                         .has_before = before,
                         .has_after = after};
        if (before)
            e.before = *before;
        if (after)
            e.after = *after;
        ok = length && ((!before && !after) || !change_put(c, e));
    }
    free(list);
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}

/* Applies n steps, all of notes only, as one change. */
static enum midi_status go_together(struct history *h, struct score *s,
                                    const struct change_step *steps, size_t n)
{
    struct change *c = change_compose(steps, n);
    enum midi_status st = c ? change_apply(c, s, true) : MIDI_NO_MEMORY;
    change_destroy(c);
    if (st)
        return st;
    h->at = steps[n - 1].to;
    return MIDI_OK;
}

enum midi_status history_go(struct history *h, struct score *s, uint64_t state)
{
    assert(state < h->n_states);
    /* The way leads up to the nearest common state, and then down. */
    size_t from = h->at, to = (size_t)state, top = common_state(h, from, to);
    const size_t n_up = height_above(h, top, from),
                 n_way = n_up + height_above(h, top, to);
    struct change_step *way = calloc(n_way + 1, sizeof *way);
    if (!way)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < n_up; i++, from = h->states[from].parent)
        way[i] =
            (struct change_step){h->states[from].change, false, h->states[from].parent};
    for (size_t i = n_way; i > n_up; i--, to = h->states[to].parent)
        way[i - 1] = (struct change_step){h->states[to].change, true, to};
    enum midi_status st = MIDI_OK;
    for (size_t i = 0, n; !st && i < n_way; i += n) {
        n = 0;
        while (i + n < n_way && !(way[i + n].change->kinds & ~(1u << EDIT_NOTE)))
            n++; /* only changes of notes, as most are */
        if (n > 1 && !go_together(h, s, way + i, n))
            continue;
        n = 1;
        st = change_apply(way[i].change, s, way[i].is_forwards);
        h->at = st ? h->at : way[i].to;
    }
    free(way);
    return st;
}

enum { MOST = 256 };

/* Converts a tick over one change, or backwards over its undo. */
static int64_t follow(const struct change *c, int64_t tick, bool is_end, bool forwards)
{
    const struct edit *e = change_time(c);
    if (!e)
        return tick;
    int64_t at = e->time.at + is_end, by = e->time.by;
    if (forwards != e->has_before)
        return tick < at ? tick : tick < TICK_MAX - by ? tick + by : TICK_MAX;
    return tick >= at + by ? tick - by : tick >= at ? e->time.at : tick;
}

int64_t history_follow(const struct history *h, uint64_t from, uint64_t to,
                       int64_t tick, bool is_end)
{
    const struct change *down[MOST];
    int n = 0;
    while (from != to) {
        if (from > to) {
            tick = follow(h->states[from].change, tick, is_end, false);
            from = h->states[from].parent;
            continue;
        }
        const struct change *c = h->states[to].change;
        if (n < MOST && c->kinds >> EDIT_TIME & 1)
            down[n++] = c;
        to = h->states[to].parent;
    }
    while (n > 0)
        tick = follow(down[--n], tick, is_end, true);
    return tick;
}
