/* Values that a channel holds: what is in force, and what is usual.
 *
 * The messages of a channel are gathered from all chunks once for each change, and then
 * each control is read along them. */
#include "midi/edit/held.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/score/chunk.h"
#include "midi/edit/timeline_events.h"
#include "midi/edit/usual.h"
#include "midi/edit/apply.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct spans { /* ascending, with gaps between them */
    struct edit_time {
        int64_t from, to;
    } * list;
    size_t n, cap;
};

struct channel_event {
    int64_t tick;
    int chunk;
    const struct event *event;
};

struct channel_events {
    const struct score *score;
    int channel;
    struct channel_event *list; /* in the order of sounding: by tick, chunk, order */
    size_t n, cap;
    struct control_set has; /* the controls that they set */
};

/* -- spans in which notes sound -- */

static int by_from(const void *a, const void *b)
{
    const struct edit_time *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

static void join_spans(struct spans *s)
{
    size_t n = 0;
    if (s->n)
        qsort(s->list, s->n, sizeof *s->list, by_from);
    for (size_t i = 0; i < s->n; i++)
        if (n && s->list[i].from <= s->list[n - 1].to)
            s->list[n - 1].to = larger(s->list[n - 1].to, s->list[i].to);
        else
            s->list[n++] = s->list[i];
    s->n = n;
}

/* Finds the spans of [from, to) in which notes of the channel sound. A note that began
 * before `from` counts only if it sounds there for more than `tail` ticks. The caller
 * frees the list. false: out of memory. */
static bool find_sounding(struct spans *out, const struct score *s, int channel,
                          int64_t from, int64_t to, int64_t tail)
{
    *out = (struct spans){0};
    for (int t = 0; t < (int)s->n_tracks; t++) {
        const struct track *track = &s->tracks[t];
        for (size_t i = 0; score_channel(s, t) == channel && i < track->n_notes; i++) {
            const struct note *n = &track->notes[i];
            const struct edit_time at = {larger(n->start, from),
                                         smaller(n->start + n->length, to)};
            const bool rings_over = n->start < from && at.to - from <= tail;
            if (at.to > at.from && !rings_over &&
                !array_add(&out->list, &out->n, &out->cap, &at, sizeof at)) {
                free(out->list);
                return false;
            }
        }
    }
    join_spans(out);
    return true;
}

/* -- the messages of a channel -- */

static int compare_events(const void *a, const void *b)
{
    const struct channel_event *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    if (x->chunk != y->chunk)
        return x->chunk - y->chunk;
    return (x->event > y->event) - (x->event < y->event);
}

/* The caller frees the list. false: out of memory. */
static bool gather_events(struct channel_events *out, const struct score *s,
                          int channel)
{
    *out = (struct channel_events){.score = s, .channel = channel};
    for (int c = 0; c < (int)s->n_chunks; c++)
        for (size_t i = 0; i < s->chunks[c].n_events; i++) {
            const struct event *e = &s->chunks[c].events[i];
            const int kind = e->n_data >= 2 ? e->data[0] & 0xF0 : 0;
            const struct channel_event h = {e->tick, c, e};
            if ((kind != 0xB0 && kind != 0xC0 && kind != 0xD0 && kind != 0xE0) ||
                chunk_channel(&s->chunks[c], e->data[0]) != channel)
                continue;
            if (!array_add(&out->list, &out->n, &out->cap, &h, sizeof h)) {
                free(out->list);
                return false;
            }
            out->has.has[CONTROL_BEND] |= kind == 0xE0;
            out->has.has[CONTROL_PRESSURE] |= kind == 0xD0;
            if (kind == 0xB0)
                out->has.has_change[e->data[1] & 127] = true;
        }
    if (out->n)
        qsort(out->list, out->n, sizeof *out->list, compare_events);
    return true;
}

static bool sets_control(const struct channel_event *h, struct control k)
{
    return control_value(h->event, h->event->data[0] & 15, k) >= 0;
}

/* Returns the value up to the tick, or with is_before up to just before it. *by, if not
 * NULL, becomes the last event that set the value, or NULL. */
static int value_at(const struct channel_events *e, struct control k, int64_t tick,
                    bool is_before, const struct channel_event **by)
{
    int value = control_rest(k);
    const struct channel_event *last = NULL;
    for (size_t i = 0; i < e->n && e->list[i].tick + is_before <= tick; i++) {
        const int now = control_after(e->list[i].event, e->channel & 15, k, value);
        last = sets_control(&e->list[i], k) || now != value ? &e->list[i] : last;
        value = now;
    }
    if (by)
        *by = last;
    return value;
}

int held_value(const struct score *s, int channel, struct control k, int64_t tick)
{
    struct channel_events e;
    int value = control_rest(k);
    if (gather_events(&e, s, channel)) {
        value = value_at(&e, k, tick, false, NULL);
        free(e.list);
    }
    return value;
}

int held_programs(const struct score *s, int track, struct control_point *out, int most)
{
    const struct control program = {CONTROL_PROGRAM, 0};
    const struct track *t = &s->tracks[track];
    struct channel_events e;
    const size_t n_notes = t->n_notes;
    const int64_t first = n_notes ? t->notes[0].start : 0,
                  last = n_notes ? t->notes[n_notes - 1].start : 0;
    int n = 1;
    out[0] = (struct control_point){first, t->program};
    if (!gather_events(&e, s, score_channel(s, track)))
        return n;
    for (size_t i = 0; i < e.n && e.list[i].tick <= last; i++) {
        const int value = control_value(e.list[i].event, e.channel & 15, program);
        if (value >= 0 && e.list[i].tick <= first)
            out[0].value = value;
        else if (value >= 0 && n <= most && value != out[n - 1].value && n < most)
            out[n++] = (struct control_point){e.list[i].tick, value};
    }
    free(e.list);
    return n;
}

bool control_is_gesture(struct control k)
{
    const int n = k.number;
    return k.kind == CONTROL_BEND || k.kind == CONTROL_PRESSURE ||
           (k.kind == CONTROL_CHANGE &&
            (n == CC_MODULATION || n == CC_BREATH || n == CC_FOOT ||
             n == CC_EXPRESSION || control_is_switch(k)));
}

/* Moves *k to the next control, from *k on, that an event of the channel sets and that
 * `is_wanted`. Returns false if there is none. */
static bool next_control(const struct channel_events *e, struct control *k,
                         bool (*is_wanted)(struct control))
{
    for (; k->kind < CONTROL_KINDS; k->number = 0, k->kind++)
        for (; k->number < (k->kind == CONTROL_CHANGE ? 128 : 1); k->number++) {
            const bool is_there = k->kind == CONTROL_CHANGE
                                      ? e->has.has_change[k->number]
                                      : e->has.has[k->kind];
            if (is_there && is_wanted(*k))
                return true;
        }
    return false;
}

#define EACH_CONTROL(k, e, is_wanted)                                                  \
    for (struct control k = {CONTROL_CHANGE, 0}; next_control(e, &(k), is_wanted);     \
         (k).number++)

/* -- usual values -- */

/* Adds how long each value is in force under the notes in [from, to). */
static bool weigh_control(struct weights *out, const struct channel_events *e,
                          struct control k, int64_t from, int64_t to)
{
    struct spans sounding;
    if (!find_sounding(&sounding, e->score, e->channel, from, to, 0))
        return false;
    size_t i = 0;
    int value = control_rest(k);
    bool ok = true;
    for (size_t span = 0; ok && span < sounding.n; span++) {
        int64_t at = sounding.list[span].from;
        while (ok && at < sounding.list[span].to) {
            for (; i < e->n && e->list[i].tick <= at; i++)
                value = control_after(e->list[i].event, e->channel & 15, k, value);
            const int64_t next = i < e->n ? e->list[i].tick : INT64_MAX;
            const int64_t until = smaller(sounding.list[span].to, next);
            ok = weights_add(out, value, at, until);
            at = until;
        }
    }
    free(sounding.list);
    return ok;
}

static bool is_ever_lifted(const struct channel_events *e, struct control k)
{
    bool is_down = false;
    for (size_t i = 0; i < e->n; i++) {
        const int value = control_value(e->list[i].event, e->channel & 15, k);
        if (value >= 0 && value < 64 && is_down)
            return true;
        is_down = value >= 0 ? value >= 64 : is_down;
    }
    return false;
}

/* Returns the start of the channel's first note. */
static int64_t first_start(const struct channel_events *e)
{
    int64_t first = INT64_MAX;
    for (int t = 0; t < (int)e->score->n_tracks; t++)
        if (score_channel(e->score, t) == e->channel && e->score->tracks[t].n_notes)
            first = smaller(first, e->score->tracks[t].notes[0].start);
    return first < INT64_MAX ? first : 0;
}

/* Finds what is usual in the span `near`, or in all of the music if nothing sounds
 * there. false: out of memory. */
static bool find_usual(struct usual *out, const struct channel_events *e,
                       struct control k, struct edit_time near,
                       enum usual_choice choice)
{
    struct weights w = {0};
    bool ok = weigh_control(&w, e, k, near.from, near.to);
    if (ok && !w.n)
        ok = weigh_control(&w, e, k, 0, INT64_MAX);
    if (ok && k.kind == CONTROL_BEND) {
        *out = usual_of(&w, 0.5, BEND_CENTRE, choice);
        if (out->value != value_at(e, k, first_start(e), false, NULL))
            out->value = BEND_CENTRE;
        out->low = out->high = out->value;
    } else if (ok && control_is_switch(k)) {
        *out = usual_of(&w, 1, 0, choice);
        out->value = out->low >= 64 && !is_ever_lifted(e, k) ? out->value : 0;
        out->low = out->value >= 64 ? 64 : 0;
        out->high = out->value >= 64 ? 127 : 63;
    } else if (ok) {
        *out = usual_of(&w, 0.25, NAN, choice);
    }
    free(w.list);
    return ok;
}

/* Returns HELD_BARS bars before a tick, after it, or both. */
static struct edit_time music_near(const struct score *s, int64_t tick, bool before,
                                   bool after)
{
    const int64_t span = HELD_BARS * timeline_bar_ticks(&s->timeline, tick);
    return (struct edit_time){before ? larger(tick - span, 0) : tick,
                              after ? tick + span : tick};
}

/* -- values put into a change -- */

enum order_at_tick { FIRST, LAST };

static enum midi_status put_event(struct change *c, const struct score *s, int chunk,
                                  int64_t tick, enum order_at_tick order, uint8_t *data,
                                  size_t n)
{
    const struct event e = {tick,
                            order == FIRST ? change_free_order(c, s, chunk, tick)
                                           : change_next_order(c, s, chunk, tick),
                            (uint32_t)n, data};
    return change_event(c, chunk, NULL, &e);
}

/* Sets a control, in the chunk of the event `by` that is in force there, or if that is
 * NULL, in the chunk of the first event that sets the control. */
static enum midi_status put_value(struct change *c, const struct channel_events *e,
                                  const struct channel_event *by, struct control k,
                                  int64_t tick, int value, enum order_at_tick order)
{
    uint8_t data[3];
    const size_t n = control_write(data, e->channel, k, value);
    for (size_t i = 0; !by && i < e->n; i++)
        by = sets_control(&e->list[i], k) ? &e->list[i] : NULL;
    return put_event(c, e->score, by ? by->chunk : e->list[0].chunk, tick, order, data,
                     n);
}

/* Goes to the next channel of these tracks, from that of *track on, which is -1 at first,
 * and gathers its events. The caller frees e->list. false: there is none, or memory is out,
 * and the change has failed. */
static bool next_channel(struct change *c, const struct score *s, uint64_t tracks,
                         int *track, struct channel_events *e)
{
    for (int t = ++*track; t < (int)s->n_tracks && t < 64; t = ++*track) {
        bool is_first = tracks >> t & 1;
        for (int k = 0; k < t; k++)
            is_first &=
                !(tracks >> k & 1) || score_channel(s, k) != score_channel(s, t);
        if (!is_first)
            continue;
        if (gather_events(e, s, score_channel(s, t)))
            return true;
        change_fail(c, MIDI_NO_MEMORY);
        return false;
    }
    return false;
}

static bool is_set_at(const struct channel_events *e, struct control k, int64_t tick)
{
    bool is_set = false;
    for (size_t i = 0; i < e->n; i++)
        is_set |= e->list[i].tick == tick && sets_control(&e->list[i], k);
    return is_set;
}

/* -- gestures go with their notes: each span in which no note stays is cleared or moved
 * on its own -- */

/* One control in one span in which no note stays. */
struct free_span {
    struct change *change;
    const struct channel_events *events;
    struct control control;
    int64_t from, to;
    bool is_last; /* no note of the channel begins at `to` or later */
};

/* Removes the events of the control in the span. If they are not to move (`by` is 0),
 * two kinds stay: those at tick 0, which set up the piece, and one at `from` that sets
 * `value`. Returns whether there was such a one. */
static bool take_out(const struct free_span *f, int value, int64_t by)
{
    const struct channel_events *e = f->events;
    bool is_kept = false;
    for (size_t i = e->n; i-- > 0;) {
        const struct channel_event *h = &e->list[i];
        if (h->tick < f->from || h->tick >= f->to || !sets_control(h, f->control) ||
            (!by && !h->tick))
            continue;
        if (!by && !is_kept && h->tick == f->from &&
            control_value(h->event, e->channel & 15, f->control) == value)
            is_kept = true;
        else
            change_event(f->change, h->chunk, h->event, NULL);
    }
    return is_kept;
}

/* Restores the value that was in force at `to`, if the span now ends with another
 * one. */
static void put_back(const struct free_span *f, int now)
{
    const struct channel_events *e = f->events;
    const struct channel_event *by;
    const int old = value_at(e, f->control, f->to, true, &by);
    if (old != now && !f->is_last && !is_set_at(e, f->control, f->to))
        put_value(f->change, e, by, f->control, f->to, old, FIRST);
}

static void clear_span(const struct free_span *f)
{
    const struct channel_events *e = f->events;
    struct usual u = {0};
    const struct edit_time near = music_near(e->score, f->from, true, true);
    if (!find_usual(&u, e, f->control, near, THE_LONGEST))
        change_fail(f->change, MIDI_NO_MEMORY);
    const struct channel_event *by;
    const int before = value_at(e, f->control, f->from, f->from > 0, &by);
    const int now = is_usual(&u, before) ? before : (int)u.value;
    if (!take_out(f, now, 0) && now != before)
        put_value(f->change, e, by, f->control, f->from, now, LAST);
    put_back(f, now);
}

/* Adds the events again, `by` ticks later. An event that lands after the span is
 * followed at once by the value that was in force there. */
static void move_span(const struct free_span *f, int64_t by)
{
    const struct channel_events *e = f->events;
    int now = value_at(e, f->control, f->from, true, NULL);
    take_out(f, 0, by);
    for (size_t i = 0; i < e->n; i++) {
        const struct channel_event *h = &e->list[i];
        const int value = control_value(h->event, e->channel & 15, f->control);
        const int64_t tick = larger(h->tick + by, 0);
        if (h->tick < f->from || h->tick >= f->to || value < 0)
            continue;
        const bool comes_before =
            tick == f->to &&
            change_free_order(f->change, e->score, h->chunk, tick) == ORDER_FIRST;
        put_value(f->change, e, h, f->control, tick, value,
                  comes_before ? FIRST : LAST);
        now = tick < f->to || comes_before ? value : now;
        const int old = value_at(e, f->control, tick, false, NULL);
        if (tick >= f->to && !comes_before && old != value)
            put_value(f->change, e, h, f->control, tick, old, LAST);
    }
    put_back(f, now);
}

static bool has_note_from(const struct score *s, int channel, int64_t from)
{
    for (int t = 0; t < (int)s->n_tracks; t++)
        if (score_channel(s, t) == channel &&
            score_first_note_at(s, t, from) < s->tracks[t].n_notes)
            return true;
    return false;
}

static void change_free_spans(struct change *c, const struct channel_events *e,
                              const struct spans *stay, bool is_last,
                              struct edit_time in, int64_t by)
{
    EACH_CONTROL(k, e, control_is_gesture)
    {
        struct free_span f = {c, e, k, in.from, in.from, is_last};
        for (size_t i = 0; i <= stay->n; i++) {
            f.to = i < stay->n ? stay->list[i].from : in.to;
            if (f.to > f.from && by)
                move_span(&f, by);
            else if (f.to > f.from)
                clear_span(&f);
            f.from = i < stay->n ? stay->list[i].to : in.to;
        }
    }
}

enum midi_status change_move_gestures(struct change *c, const struct score *s,
                                      const struct score *stays, uint64_t tracks,
                                      int64_t from, int64_t to, int64_t by)
{
    const int64_t beat = timeline_beat_ticks(&s->timeline, from);
    struct channel_events e;
    for (int t = -1; next_channel(c, s, tracks, &t, &e); free(e.list)) {
        struct spans stay;
        if (!find_sounding(&stay, stays, e.channel, from, to, beat)) {
            change_fail(c, MIDI_NO_MEMORY);
            continue;
        }
        change_free_spans(c, &e, &stay, !has_note_from(stays, e.channel, to),
                          (struct edit_time){from, to}, by);
        free(stay.list);
    }
    return change_status(c);
}

/* -- restoring usual values, after the last bars and in front of the first -- */

/* Whether a listener hears the control as the level, place or colour of a channel. */
static bool is_restored(struct control k)
{
    const int n = k.number;
    return control_is_gesture(k) ||
           (k.kind == CONTROL_CHANGE &&
            (n == CC_VOLUME || n == CC_BALANCE || n == CC_PAN ||
             (n >= CC_SOUND_FIRST && n <= CC_SOUND_LAST) ||
             (n >= CC_REVERB && n <= CC_EFFECT_LAST)));
}

static void note_kind(struct held_kinds *out, struct control k)
{
    const bool is_level = k.kind == CONTROL_CHANGE &&
                          (k.number == CC_VOLUME || k.number == CC_EXPRESSION);
    out->level |= is_level;
    out->bend |= k.kind == CONTROL_BEND;
    out->pedal |= control_is_switch(k);
    out->other |= !is_level && k.kind != CONTROL_BEND && !control_is_switch(k);
}

const char *held_say(const struct held_kinds *k, char *buf, size_t n)
{
    const char *const NAMES[] = {"volume",      "bend",  "pedal",
                                 "controllers", "tempo", "meter"};
    const bool is_there[] = {k->level, k->bend, k->pedal, k->other, k->tempo, k->meter};
    int left = 0;
    size_t used = 0;
    *buf = '\0';
    for (int i = 0; i < 6; i++)
        left += is_there[i];
    for (int i = 0; i < 6; i++)
        if (is_there[i] && used < n)
            used += (size_t)snprintf(buf + used, n - used, "%s%s", NAMES[i],
                                     --left > 1  ? ", "
                                     : left == 1 ? " and "
                                                 : "");
    return buf;
}

/* Restores the usual value at `from`, and after each later event that leaves
 * another. */
static void restore_control(struct change *c, const struct channel_events *e,
                            struct control k, int64_t from, struct held_kinds *out)
{
    struct usual u = {0};
    const struct edit_time near = music_near(e->score, from, true, false);
    if (!find_usual(&u, e, k, near, THE_LAST))
        change_fail(c, MIDI_NO_MEMORY);
    const struct channel_event *by;
    const int usual = (int)u.value;
    if (!is_usual(&u, value_at(e, k, from, false, &by))) {
        put_value(c, e, by, k, from, usual, LAST);
        note_kind(out, k);
    }
    for (size_t i = 0; i < e->n; i++) {
        const struct channel_event *h = &e->list[i];
        if (h->tick <= from)
            continue;
        const int now = control_after(h->event, e->channel & 15, k, usual);
        const bool is_last = i + 1 == e->n || e->list[i + 1].tick > h->tick ||
                             e->list[i + 1].chunk != h->chunk;
        if (now != usual && !is_usual(&u, now) && is_last) {
            put_value(c, e, h, k, h->tick, usual, LAST);
            note_kind(out, k);
        }
    }
}

/* -- tempo and meter -- */

/* A file rounds tempos, so nearly equal ones count as equal. */
static bool is_usual_tempo(const struct usual *u, double us)
{
    return is_usual(u, us) || fabs(us - u->value) < 0.01 * u->value;
}

static bool weigh_tempo(struct weights *out, const struct score *s, int64_t from,
                        int64_t to)
{
    const struct timeline *t = &s->timeline;
    bool ok = true;
    for (size_t i = 0; ok && i < t->n_tempos; i++) {
        const int64_t end = i + 1 < t->n_tempos ? t->tempos[i + 1].tick : INT64_MAX;
        const int64_t a = larger(t->tempos[i].tick, from), b = smaller(end, to);
        ok = a >= b || weights_add(out, t->tempos[i].us_per_quarter, a, b);
    }
    return ok;
}

static enum midi_status put_tempo(struct change *c, const struct score *s, int chunk,
                                  int64_t tick, double us, enum order_at_tick order)
{
    uint8_t data[6];
    const size_t n = event_tempo_write(data, (uint32_t)lround(us));
    return put_event(c, s, chunk, tick, order, data, n);
}

/* Collects all tempos, and finds what is usual near a tick. The caller frees g->list. */
static void read_tempos(struct change *c, struct timeline_events *g, struct usual *u,
                        const struct score *s, struct edit_time near,
                        enum usual_choice choice)
{
    struct weights w = {0};
    if (!weigh_tempo(&w, s, near.from, near.to))
        change_fail(c, MIDI_NO_MEMORY);
    *u = usual_of(&w, 0.25, NAN, choice);
    free(w.list);
    change_fail(c, timeline_events_collect(g, s, TIMELINE_BIT(TIMELINE_TEMPO)));
}

static void restore_tempo(struct change *c, const struct score *s, int64_t from,
                          struct held_kinds *out)
{
    struct timeline_events g;
    struct usual u;
    read_tempos(c, &g, &u, s, music_near(s, from, true, false), THE_LAST);
    for (size_t i = 0; i < g.n; i++) {
        const bool is_next_later = i + 1 == g.n || g.list[i + 1].tick > g.list[i].tick;
        const int64_t next = i + 1 < g.n ? g.list[i + 1].tick : INT64_MAX;
        if (next <= from || !is_next_later || is_usual_tempo(&u, 60e6 / g.list[i].bpm))
            continue;
        put_tempo(c, s, g.list[i].chunk, larger(g.list[i].tick, from), u.value, LAST);
        out->tempo = true;
    }
    timeline_events_fini(&g);
}

/* Returns the bar line where new music begins: after the last bar in which a note
 * begins, or, if a note rings on for more than a beat, after the bar in which it
 * ends. */
static int64_t next_bar_line(const struct score *s)
{
    int64_t last = -1;
    for (size_t t = 0; t < s->n_tracks; t++)
        if (s->tracks[t].n_notes)
            last = larger(last, s->tracks[t].notes[s->tracks[t].n_notes - 1].start);
    if (last < 0)
        return 0;
    const struct bar bar = timeline_bar_at(&s->timeline, last);
    const int64_t line = bar.start + bar.length, end = score_end_tick(s);
    if (end - line <= timeline_beat_ticks(&s->timeline, last))
        return line;
    const struct bar rung = timeline_bar_at(&s->timeline, end - 1);
    return rung.start + rung.length;
}

static bool is_meter(const struct bar *bar, const struct meter *m)
{
    return bar->numerator == m->numerator && bar->denominator == m->denominator;
}

/* Returns the meter of most bars in [first, end). *n_most becomes how many have it,
 * *n_last how many have the meter of the last bar. */
static struct meter most_common_meter(const struct timeline *t, int64_t first,
                                      int64_t end, int *n_most, int *n_last)
{
    const struct bar last = timeline_bar(t, end - 1);
    struct meter most = {.numerator = last.numerator, .denominator = last.denominator};
    *n_most = *n_last = 0;
    for (int64_t i = first; i < end; i++) {
        const struct bar bar = timeline_bar(t, i);
        const struct meter m = {.numerator = bar.numerator,
                                .denominator = bar.denominator};
        int n = 0;
        for (int64_t k = first; k < end; k++) {
            const struct bar other = timeline_bar(t, k);
            n += is_meter(&other, &m);
        }
        if (is_meter(&last, &m))
            *n_last = n;
        if (n > *n_most) {
            *n_most = n;
            most = m;
        }
    }
    return most;
}

enum midi_status change_restore_meter(struct change *c, const struct score *s,
                                      struct held_kinds *out)
{
    const struct timeline *t = &s->timeline;
    const int64_t line = next_bar_line(s);
    const int64_t end = timeline_bar_at(t, line).index;
    const struct meter *last = &t->meters[t->n_meters - 1];
    int n_most, n_last;
    if (end < 2 || last->tick >= line)
        return MIDI_OK;
    int64_t missing; /* the meter of a pickup is not that of its bars */
    timeline_meter(t, 0, &missing);
    const int64_t first = larger(end - HELD_BARS, missing > 0);
    const struct meter most = most_common_meter(t, first, end, &n_most, &n_last);
    const bool is_odd = n_last == 1 || 5 * n_last < end - first;
    if (!is_odd || n_most <= n_last)
        return MIDI_OK;
    out->meter = true;
    return change_set_meter(c, s, line, most.numerator, most.denominator);
}

/* Restores one control of a channel at a tick. */
typedef void restorer(struct change *c, const struct channel_events *e,
                      struct control k, int64_t at, struct held_kinds *out);

/* Restores all controls of these tracks' channels. */
static void restore_controls(struct change *c, const struct score *s, restorer *restore,
                             int64_t at, uint64_t tracks, struct held_kinds *out)
{
    struct channel_events e;
    for (int t = -1; next_channel(c, s, tracks, &t, &e); free(e.list))
        EACH_CONTROL(k, &e, is_restored)
    restore(c, &e, k, at, out);
}

enum midi_status change_restore(struct change *c, const struct score *s, int64_t from,
                                uint64_t tracks, struct held_kinds *out)
{
    restore_tempo(c, s, from, out);
    restore_controls(c, s, restore_control, from, tracks, out);
    return change_status(c);
}

/* -- before the music -- */

static void restore_tempo_before(struct change *c, const struct score *s, int64_t to,
                                 struct held_kinds *out)
{
    struct timeline_events g;
    struct usual u;
    size_t n = 0; /* number of tempos before the music */
    read_tempos(c, &g, &u, s, music_near(s, to, false, true), THE_FIRST);
    while (n < g.n && g.list[n].tick < to)
        n++;
    if (n && g.list[n - 1].tick == 0 && !is_usual_tempo(&u, 60e6 / g.list[n - 1].bpm)) {
        const int chunk = g.list[n - 1].chunk;
        put_tempo(c, s, chunk, 0, u.value, LAST);
        if (n == g.n || g.list[n].tick > to)
            put_tempo(c, s, chunk, to, 60e6 / g.list[n - 1].bpm, FIRST);
        out->tempo = true;
    }
    timeline_events_fini(&g);
}

static void restore_control_before(struct change *c, const struct channel_events *e,
                                   struct control k, int64_t to, struct held_kinds *out)
{
    struct usual u = {0};
    const struct edit_time near = music_near(e->score, to, false, true);
    if (!find_usual(&u, e, k, near, THE_FIRST))
        change_fail(c, MIDI_NO_MEMORY);
    const struct channel_event *by;
    const int value = value_at(e, k, to, true, &by);
    if (is_usual(&u, value))
        return;
    note_kind(out, k);
    put_value(c, e, by, k, 0, (int)u.value, LAST);
    if (!is_set_at(e, k, to))
        put_value(c, e, by, k, to, value, FIRST);
}

/* Puts the meter of the new bars at tick 0, and that of the pickup at `to`, where the
 * pickup begins now. The event at tick 0 stays, and the new meter follows it. */
static void restore_pickup(struct change *c, const struct score *s, int64_t to,
                           struct meter pickup, struct meter bars)
{
    struct timeline_events g;
    uint8_t data[7];
    int chunk = score_first_chunk(s);
    change_fail(c, timeline_events_collect(&g, s, TIMELINE_BIT(TIMELINE_METER)));
    for (size_t i = 0; i < g.n && !g.list[i].tick; i++)
        chunk = g.list[i].chunk;
    timeline_events_fini(&g);
    size_t n = event_meter_write(data, bars.numerator, bars.denominator);
    put_event(c, s, chunk, 0, LAST, data, n);
    n = event_meter_write(data, pickup.numerator, pickup.denominator);
    put_event(c, s, chunk, to, FIRST, data, n);
}

enum midi_status change_insert_bars(struct change *c, const struct score *s, int64_t at,
                                    int n, int64_t *by, struct held_kinds *out)
{
    int64_t missing;
    const struct meter m = timeline_meter(&s->timeline, at, &missing);
    *by = n * m.bar_ticks;
    enum midi_status st = change_insert_time(c, s, at, *by);
    if (st || at > 0)
        return st;
    struct score *with = score_clone(s); /* the rest refers to the music after that */
    struct change *rest = change_create("");
    change_fail(c, with && rest ? change_apply(c, with, true) : MIDI_NO_MEMORY);
    if (with && rest && !change_status(c)) {
        if (missing)
            restore_pickup(rest, with, *by, s->timeline.meters[0], m);
        restore_tempo_before(rest, with, *by, out);
        restore_controls(rest, with, restore_control_before, *by, UINT64_MAX, out);
        change_add_all(c, rest);
    }
    change_destroy(rest);
    score_destroy(with);
    return change_status(c);
}
