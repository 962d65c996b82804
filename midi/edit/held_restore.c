/* Restoring usual values (held.h), after the last bars and in front of the first. */
#include "midi/edit/held_parts.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/chunk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
static enum midi_status restore_control(struct change *c,
                                        const struct channel_events *e,
                                        struct control k, int64_t from,
                                        struct held_kinds *out)
{
    struct usual u = {0};
    const struct edit_time near = held_window(e->score, from, true, false);
    if (!held_find_usual(&u, e, k, near, THE_LAST))
        return MIDI_NO_MEMORY;
    const struct held_event *by;
    int value = held_value_at(e, k, from, false, &by);
    enum midi_status st = MIDI_OK;
    const int usual = (int)u.value;
    if (!held_is_usual(&u, value)) {
        st = held_put(c, e, held_chunk_for(e, k, by), k, from, usual, LAST);
        note_kind(out, k);
    }
    for (size_t i = 0; !st && i < e->n; i++) {
        const struct held_event *h = &e->list[i];
        if (h->tick <= from)
            continue;
        const int now = control_after(h->event, e->channel & 15, k, usual);
        const bool is_last = i + 1 == e->n || e->list[i + 1].tick > h->tick ||
                             e->list[i + 1].chunk != h->chunk;
        if (now != usual && !held_is_usual(&u, now) && is_last) {
            st = held_put(c, e, h->chunk, k, h->tick, usual, LAST);
            note_kind(out, k);
        }
    }
    return st;
}

/* -- tempo and meter -- */

/* A file rounds tempos, so nearly equal ones count as equal. */
static bool is_usual_tempo(const struct usual *u, double us)
{
    return held_is_usual(u, us) || fabs(us - u->value) < 0.01 * u->value;
}

static bool weigh_tempo(struct weights *out, const struct score *s, int64_t from,
                        int64_t to)
{
    const struct timeline *t = &s->timeline;
    bool ok = true;
    for (size_t i = 0; ok && i < t->n_tempos; i++) {
        const int64_t end = i + 1 < t->n_tempos ? t->tempos[i + 1].tick : INT64_MAX;
        const int64_t a = larger(t->tempos[i].tick, from), b = smaller(end, to);
        const struct weighted w = {t->tempos[i].us_per_quarter, b - a, a, b};
        if (w.ticks > 0)
            ok = array_add(&out->list, &out->n, &out->cap, &w, sizeof w);
    }
    return ok;
}

static enum midi_status put_tempo(struct change *c, const struct score *s, int chunk,
                                  int64_t tick, double us, enum order_at_tick order)
{
    uint8_t data[6];
    const size_t n = event_tempo_write(data, (uint32_t)lround(us));
    return held_put_event(c, s, chunk, tick, order, data, n);
}

static enum midi_status restore_tempo(struct change *c, const struct score *s,
                                      int64_t from, struct held_kinds *out)
{
    struct weights w = {0};
    struct timeline_events g = {0};
    const struct edit_time near = held_window(s, from, true, false);
    enum midi_status st =
        weigh_tempo(&w, s, near.from, near.to) ? MIDI_OK : MIDI_NO_MEMORY;
    if (!st)
        st = timeline_events_collect(&g, s, TIMELINE_BIT(TIMELINE_TEMPO));
    const struct usual u = held_usual_of(&w, 0.25, NAN, THE_LAST);
    for (size_t i = 0; !st && i < g.n; i++) {
        const bool is_next_later = i + 1 == g.n || g.list[i + 1].tick > g.list[i].tick;
        const int64_t next = i + 1 < g.n ? g.list[i + 1].tick : INT64_MAX;
        if (next <= from || !is_next_later || is_usual_tempo(&u, 60e6 / g.list[i].bpm))
            continue;
        st = put_tempo(c, s, g.list[i].chunk, larger(g.list[i].tick, from), u.value,
                       LAST);
        out->tempo = true;
    }
    timeline_events_fini(&g);
    free(w.list);
    return st;
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

enum midi_status change_restore(struct change *c, const struct score *s, int64_t from,
                                uint64_t tracks, struct held_kinds *out)
{
    enum midi_status st = restore_tempo(c, s, from, out);
    for (int t = 0; !st && t < (int)s->n_tracks; t++) {
        struct channel_events e;
        if (!held_is_first_of_channel(s, tracks, t))
            continue;
        if (!held_gather(&e, s, score_channel(s, t)))
            return change_fail(c, MIDI_NO_MEMORY);
        EACH_CONTROL(k, &e, is_restored)
        if (!st)
            st = restore_control(c, &e, k, from, out);
        free(e.list);
    }
    return change_fail(c, st);
}

/* -- before the music -- */

static enum midi_status restore_tempo_before(struct change *c, const struct score *s,
                                             int64_t to, struct held_kinds *out)
{
    struct weights w = {0};
    struct timeline_events g = {0};
    const struct edit_time near = held_window(s, to, false, true);
    enum midi_status st =
        weigh_tempo(&w, s, near.from, near.to) ? MIDI_OK : MIDI_NO_MEMORY;
    if (!st)
        st = timeline_events_collect(&g, s, TIMELINE_BIT(TIMELINE_TEMPO));
    const struct usual u = held_usual_of(&w, 0.25, NAN, THE_FIRST);
    size_t n = 0; /* number of tempos before the music */
    while (n < g.n && g.list[n].tick < to)
        n++;
    if (!st && n && g.list[n - 1].tick == 0 &&
        !is_usual_tempo(&u, 60e6 / g.list[n - 1].bpm)) {
        const int chunk = g.list[n - 1].chunk;
        st = put_tempo(c, s, chunk, 0, u.value, LAST);
        if (!st && (n == g.n || g.list[n].tick > to))
            st = put_tempo(c, s, chunk, to, 60e6 / g.list[n - 1].bpm, FIRST);
        out->tempo = true;
    }
    timeline_events_fini(&g);
    free(w.list);
    return st;
}

static enum midi_status restore_control_before(struct change *c,
                                               const struct channel_events *e,
                                               struct control k, int64_t to,
                                               struct held_kinds *out)
{
    struct usual u = {0};
    const struct edit_time near = held_window(e->score, to, false, true);
    if (!held_find_usual(&u, e, k, near, THE_FIRST))
        return MIDI_NO_MEMORY;
    const struct held_event *by;
    const int value = held_value_at(e, k, to, true, &by);
    if (held_is_usual(&u, value))
        return MIDI_OK;
    note_kind(out, k);
    const int chunk = held_chunk_for(e, k, by);
    enum midi_status st = held_put(c, e, chunk, k, 0, (int)u.value, LAST);
    if (!st && !held_is_set_at(e, k, to))
        st = held_put(c, e, chunk, k, to, value, FIRST);
    return st;
}

static enum midi_status restore_before(struct change *c, const struct score *s,
                                       int64_t to, struct held_kinds *out)
{
    enum midi_status st = restore_tempo_before(c, s, to, out);
    for (int t = 0; !st && t < (int)s->n_tracks; t++) {
        struct channel_events e;
        if (!held_is_first_of_channel(s, UINT64_MAX, t))
            continue;
        if (!held_gather(&e, s, score_channel(s, t)))
            return MIDI_NO_MEMORY;
        EACH_CONTROL(k, &e, is_restored)
        if (!st)
            st = restore_control_before(c, &e, k, to, out);
        free(e.list);
    }
    return st;
}

/* Puts the meter of the new bars at tick 0, and that of the pickup at `to`, where the
 * pickup begins now. The event at tick 0 stays, and the new meter follows it. */
static enum midi_status restore_pickup(struct change *c, const struct score *s,
                                       int64_t to, struct meter pickup,
                                       struct meter bars)
{
    struct timeline_events g;
    uint8_t data[7];
    enum midi_status st = timeline_events_collect(&g, s, TIMELINE_BIT(TIMELINE_METER));
    int chunk = score_first_chunk(s);
    for (size_t i = 0; !st && i < g.n && !g.list[i].tick; i++)
        chunk = g.list[i].chunk;
    timeline_events_fini(&g);
    size_t n = event_meter_write(data, bars.numerator, bars.denominator);
    if (!st)
        st = held_put_event(c, s, chunk, 0, LAST, data, n);
    n = event_meter_write(data, pickup.numerator, pickup.denominator);
    return st ? st : held_put_event(c, s, chunk, to, FIRST, data, n);
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
    st = with ? change_apply(c, with, true) : MIDI_NO_MEMORY;
    if (!st && missing)
        st = restore_pickup(rest, with, *by, s->timeline.meters[0], m);
    if (!st)
        st = restore_before(rest, with, *by, out);
    change_fail(c, st);
    if (rest)
        change_add_all(c, rest);
    change_destroy(rest);
    score_destroy(with);
    return change_status(c);
}
