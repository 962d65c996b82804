/* See clipboard.h. Points are sorted by control, since change_control replaces a run of one control. */
#include "app/document/clipboard.h"

#include "midi/base/array.h"
#include "midi/edit/controllers.h"

#include <stdlib.h>
#include <string.h>

static bool is_copied(struct control k)
{
    bool is_other =
        k.kind == CONTROL_CHANGE &&
        (k.number == CC_BANK || k.number == CC_BANK_LOW || k.number >= CC_CHANNEL_MODE);
    return k.kind != CONTROL_VELOCITY && control_is_editable(k) && !is_other;
}

static bool is_of_one(const struct clipboard_point *a, const struct clipboard_point *b)
{
    return a->track == b->track && a->kind == b->kind && a->number == b->number;
}

bool clipboard_is_sane(const struct clipboard *p)
{
    if (p->span < 0 || p->span > CLIPBOARD_FURTHEST / 2)
        return false;
    for (size_t i = 0; i < p->n; i++) {
        const struct clipboard_note *n = &p->notes[i];
        if (n->offset < -CLIPBOARD_FURTHEST || n->offset > CLIPBOARD_FURTHEST ||
            n->length < 0 || n->length > CLIPBOARD_FURTHEST || n->track < 0 ||
            n->track >= CLIPBOARD_TRACKS)
            return false;
    }
    for (size_t i = 0; i < p->n_points; i++) {
        const struct clipboard_point *a = &p->points[i];
        if (a->kind < 0 || a->kind >= CONTROL_KINDS || a->number < 0 || a->number > 127)
            return false;
        struct control k = {(enum control_kind)a->kind, (uint8_t)a->number};
        bool is_first = i == 0 || !is_of_one(a - 1, a);
        if (!is_copied(k) || a->track < 0 || a->track >= CLIPBOARD_TRACKS ||
            a->offset < 0 || a->offset >= p->span || a->value < 0 ||
            a->value > control_most(k) || (!is_first && a->offset < a[-1].offset))
            return false;
    }
    return true;
}

void clipboard_fini(struct clipboard *p)
{
    free(p->notes);
    free(p->points);
    *p = (struct clipboard){0};
}

int clipboard_n_tracks(const struct clipboard *p)
{
    return p->n ? p->notes[p->n - 1].track + 1 : 0;
}

int64_t clipboard_ticks(const struct clipboard *p, int64_t ticks, int ticks_per_quarter)
{
    int64_t from = p->ticks_per_quarter, to = ticks_per_quarter;
    ticks = ticks > CLIPBOARD_FURTHEST    ? CLIPBOARD_FURTHEST
            : ticks < -CLIPBOARD_FURTHEST ? -CLIPBOARD_FURTHEST
                                          : ticks;
    int64_t whole = ticks / from, rest = ticks % from;
    int64_t twice = 2 * rest * to + (rest < 0 ? -from : from);
    return whole * to + twice / (2 * from);
}

bool clipboard_copy(struct clipboard *to, const struct clipboard *from)
{
    *to = *from;
    to->notes = array_copy(from->notes, from->n, sizeof *to->notes);
    to->points = array_copy(from->points, from->n_points, sizeof *to->points);
    if (to->notes && to->points)
        return true;
    clipboard_fini(to);
    return false;
}

static int by_track(const void *a, const void *b)
{
    const struct clipboard_note *x = a, *y = b;
    return x->track != y->track ? x->track - y->track
                                : (x->offset > y->offset) - (x->offset < y->offset);
}

/* Compares points by control and offset. Points of one control at one offset are from one clipboard,
 * and in order. */
static int points_by_control(const void *a, const void *b)
{
    const struct clipboard_point *x = a, *y = b;
    if (x->track != y->track)
        return x->track - y->track;
    if (x->kind != y->kind)
        return x->kind - y->kind;
    if (x->number != y->number)
        return x->number - y->number;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Appends a copy of `more`, in the division of p. false: out of memory, or the result is too long. */
static bool append(struct clipboard *p, const struct clipboard *more)
{
    const int tpq = p->ticks_per_quarter;
    size_t cap = p->n, cap_points = p->n_points;
    bool ok = true;
    for (size_t i = 0; ok && i < more->n; i++) {
        struct clipboard_note n = more->notes[i];
        n.offset = p->span + clipboard_ticks(more, n.offset, tpq);
        n.length = clipboard_ticks(more, n.length, tpq);
        ok = array_add(&p->notes, &p->n, &cap, &n, sizeof n);
    }
    for (size_t i = 0; ok && i < more->n_points; i++) {
        struct clipboard_point point = more->points[i];
        point.offset = p->span + clipboard_ticks(more, point.offset, tpq);
        ok = array_add(&p->points, &p->n_points, &cap_points, &point, sizeof point);
    }
    p->span += clipboard_ticks(more, more->span, tpq);
    qsort(p->notes, p->n, sizeof *p->notes, by_track);
    qsort(p->points, p->n_points, sizeof *p->points, points_by_control);
    return ok && clipboard_is_sane(p);
}

/* -- controllers -- */

/* Adds a point. A point of the same control at the same place, which is among the last ones, gets its
 * value instead. */
static bool take_point(struct clipboard *p, const struct clipboard_point *point)
{
    for (size_t i = p->n_points; i-- > 0 && p->points[i].track == point->track &&
                                 p->points[i].offset == point->offset;)
        if (is_of_one(&p->points[i], point)) {
            p->points[i].value = point->value;
            return true;
        }
    return array_push(&p->points, &p->n_points, point, sizeof *point);
}

bool clipboard_take_controls(struct clipboard *p, const struct score *s,
                             int first_track, int n_tracks, int64_t from, int64_t to)
{
    bool ok = true;
    for (int track = 0; ok && track < n_tracks; track++) {
        const struct track *t = &s->tracks[first_track + track];
        const struct chunk *c = &s->chunks[t->chunk];
        for (size_t i = ARRAY_FIRST_AT(c->events, c->n_events, from);
             ok && i < c->n_events && c->events[i].tick < to; i++)
            for (int kind = 0; ok && kind < CONTROL_KINDS; kind++) {
                const struct event *e = &c->events[i];
                struct control k = {.kind = (enum control_kind)kind};
                if (kind == CONTROL_CHANGE && e->n_data > 1)
                    k.number = e->data[1] & 127;
                const int value = is_copied(k) ? control_value(e, t->channel, k) : -1;
                const struct clipboard_point point = {e->tick - from, track, kind,
                                                      k.number, value};
                ok = value < 0 || take_point(p, &point);
            }
    }
    if (p->n_points)
        qsort(p->points, p->n_points, sizeof *p->points, points_by_control);
    return ok;
}

enum midi_status clipboard_put_controls(const struct clipboard *p, struct change *c,
                                        const struct score *s, int first_track,
                                        int64_t origin, int times)
{
    int tpq = s->ticks_per_quarter;
    int64_t span = clipboard_ticks(p, p->span, tpq);
    enum midi_status st = MIDI_OK;
    for (size_t i = 0, run; !st && span > 0 && i < p->n_points; i += run) {
        const struct clipboard_point *first = &p->points[i];
        for (run = 1; i + run < p->n_points && is_of_one(first, &first[run]);)
            run++;
        int track = first_track + first->track;
        if (track >= (int)s->n_tracks)
            continue;
        struct control_point *points = calloc(run * (size_t)times, sizeof *points);
        if (!points)
            return MIDI_NO_MEMORY;
        size_t n = 0; /* of several points on one tick the last stays */
        for (size_t m = 0; m < run * (size_t)times; m++) {
            const struct clipboard_point *from = &first[m % run];
            const int64_t at = clipboard_ticks(p, from->offset, tpq),
                          tick = origin + (int64_t)(m / run) * span +
                                 (at < span ? at : span - 1);
            n -= n && points[n - 1].tick == tick;
            points[n++] = (struct control_point){tick, from->value};
        }
        struct control k = {(enum control_kind)first->kind, (uint8_t)first->number};
        st = change_control(c, s, track, k, origin, origin + times * span, points, n);
        free(points);
    }
    return st;
}

/* -- registers -- */

const char REGISTER_NAMES[N_REGISTERS + 1] = "abcdefghijklmnopqrstuvwxyz0123456789";

enum { COPIED = N_LETTERS, TAKEN_FIRST = N_LETTERS + 1, TAKEN_LAST = N_REGISTERS - 1 };

void registers_fini(struct registers *r)
{
    for (int i = 0; i < N_REGISTERS; i++)
        clipboard_fini(&r->at[i]);
    *r = (struct registers){0};
}

/* Returns the index of a register by its name; -1: there is none. */
static int index_of(const struct registers *r, uint32_t name)
{
    if (name == 0 || name == '"')
        return r->last;
    if (name >= 'A' && name <= 'Z')
        name += 'a' - 'A';
    const char *at = name < 128 ? strchr(REGISTER_NAMES, (int)name) : NULL;
    return at ? (int)(at - REGISTER_NAMES) : -1;
}

const struct clipboard *registers_get(const struct registers *r, uint32_t name)
{
    int i = index_of(r, name);
    return i < 0 ? NULL : &r->at[i];
}

bool registers_put(struct registers *r, uint32_t name, const struct clipboard *p,
                   bool taken_away)
{
    struct clipboard mine;
    bool is_named = name && name != '"';
    int i = is_named ? index_of(r, name) : taken_away ? TAKEN_FIRST : COPIED;
    bool adds = name >= 'A' && name <= 'Z' && r->at[i].n;
    if (i < 0 || !clipboard_copy(&mine, adds ? &r->at[i] : p))
        return false;
    if (adds && !append(&mine, p)) {
        clipboard_fini(&mine);
        return false;
    }
    if (!is_named && taken_away) {
        /* Older removed music moves on, and the oldest is dropped. */
        clipboard_fini(&r->at[TAKEN_LAST]);
        memmove(&r->at[TAKEN_FIRST + 1], &r->at[TAKEN_FIRST],
                (TAKEN_LAST - TAKEN_FIRST) * sizeof r->at[0]);
    } else {
        clipboard_fini(&r->at[i]);
    }
    r->at[i] = mine;
    r->last = i;
    r->changed = true;
    return true;
}
