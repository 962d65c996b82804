/* See clipboard.h. A clipboard's points are sorted by control, so that change_control can
 * replace a run of them. */
#include "app/document/clipboard.h"
#include "midi/base/array.h"

#include "midi/edit/controllers.h"

#include <stdlib.h>

static bool is_copied(struct control k)
{
    bool is_other =
        k.kind == CONTROL_CHANGE &&
        (k.number == CC_BANK || k.number == CC_BANK_LOW || k.number >= CC_CHANNEL_MODE);
    return k.kind != CONTROL_VELOCITY && control_is_editable(k) && !is_other;
}

static bool take_control(struct clipboard *p, const struct score *s, int first_track,
                         int track, struct control k, int64_t from, int64_t to)
{
    const struct track *t = &s->tracks[first_track + track];
    const struct chunk *c = &s->chunks[t->chunk];
    int64_t said_at = -1; /* of several at once the last counts */
    bool ok = true;
    for (size_t i = ARRAY_FIRST_AT(c->events, c->n_events, from);
         ok && i < c->n_events && c->events[i].tick < to; i++) {
        int value = control_value(&c->events[i], t->channel, k);
        if (value < 0)
            continue;
        p->n_points -= c->events[i].tick == said_at;
        said_at = c->events[i].tick;
        const struct clipboard_point point = {.offset = said_at - from,
                                              .track = track,
                                              .kind = (int)k.kind,
                                              .number = k.number,
                                              .value = value};
        ok = array_push(&p->points, &p->n_points, &point, sizeof point);
    }
    return ok;
}

bool clipboard_take_controls(struct clipboard *p, const struct score *s,
                             int first_track, int n_tracks, int64_t from, int64_t to)
{
    bool ok = true;
    for (int track = 0; ok && track < n_tracks; track++) {
        struct control_set said;
        controls_of_track(s, first_track + track, &said);
        for (int kind = 0; ok && kind < CONTROL_KINDS; kind++)
            for (int number = 0; ok && number < (kind == CONTROL_CHANGE ? 128 : 1);
                 number++) {
                struct control k = {(enum control_kind)kind, (uint8_t)number};
                bool is_said =
                    kind == CONTROL_CHANGE ? said.has_change[number] : said.has[kind];
                if (is_said && is_copied(k))
                    ok = take_control(p, s, first_track, track, k, from, to);
            }
    }
    return ok;
}

static bool is_of_one(const struct clipboard_point *a, const struct clipboard_point *b)
{
    return a->track == b->track && a->kind == b->kind && a->number == b->number;
}

/* One run, all times over. Of what falls together on one tick the last is left. */
static size_t place(const struct clipboard *p, size_t first, size_t n_run,
                    int64_t origin, int times, int ticks_per_quarter,
                    struct control_point *out)
{
    int64_t span = clipboard_ticks(p, p->span, ticks_per_quarter);
    size_t n = 0;
    for (int k = 0; k < times; k++)
        for (size_t i = first; i < first + n_run; i++) {
            int64_t at = clipboard_ticks(p, p->points[i].offset, ticks_per_quarter);
            int64_t tick = origin + k * span + (at < span ? at : span - 1);
            n -= n && out[n - 1].tick == tick;
            out[n++] = (struct control_point){tick, p->points[i].value};
        }
    return n;
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
        size_t n = place(p, i, run, origin, times, tpq, points);
        struct control k = {(enum control_kind)first->kind, (uint8_t)first->number};
        st = change_control(c, s, track, k, origin, origin + times * span, points, n);
        free(points);
    }
    return st;
}

bool clipboard_points_are_sane(const struct clipboard *p)
{
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
