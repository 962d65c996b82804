/* Restores usual values: after the last bars, where new music begins, and in front of the first, where
 * bars are inserted. */
#include "midi/edit/held_internal.h"

#include "midi/base/larger.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/chunk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- the controls of a channel, after the last bars -- */

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

/* Restores the usual value at `from`, and after each later event that sets an unusual
 * one. */
static void restore_control(struct change *c, const struct channel_events *e,
                            struct control k, int64_t from, struct held_kinds *out)
{
    const struct edit_time near = held_near(e->score, from, true, false);
    const struct usual u = held_usual(c, e, k, near, THE_LAST);
    const struct channel_event *by;
    const int usual = (int)u.value;
    if (!is_usual(&u, held_value_at(e, k, from, false, &by))) {
        held_put_value(c, e, by, k, from, usual, LAST);
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
            held_put_value(c, e, h, k, h->tick, usual, LAST);
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

static enum midi_status put_tempo(struct change *c, const struct score *s, int chunk,
                                  int64_t tick, double us, enum order_at_tick order)
{
    uint8_t data[6];
    const size_t n = event_tempo_write(data, (uint32_t)lround(us));
    return held_put_event(c, s, chunk, tick, order, data, n);
}

/* Collects all tempos, and finds what is usual near a tick. The caller frees g->list. */
static void read_tempos(struct change *c, struct timeline_events *g, struct usual *u,
                        const struct score *s, struct edit_time near,
                        enum usual_choice choice)
{
    const struct timeline *t = &s->timeline;
    struct weights w = {0};
    for (size_t i = 0; i < t->n_tempos; i++) {
        const int64_t end = i + 1 < t->n_tempos ? t->tempos[i + 1].tick : INT64_MAX;
        const int64_t a = larger(t->tempos[i].tick, near.from),
                      b = smaller(end, near.to);
        if (a < b && !weights_add(&w, t->tempos[i].us_per_quarter, a, b))
            change_fail(c, MIDI_NO_MEMORY);
    }
    *u = usual_of(&w, 0.25, NAN, choice);
    free(w.list);
    change_fail(c, timeline_events_collect(g, s, TIMELINE_BIT(TIMELINE_TEMPO)));
}

static void restore_tempo(struct change *c, const struct score *s, int64_t from,
                          struct held_kinds *out)
{
    struct timeline_events g;
    struct usual u;
    read_tempos(c, &g, &u, s, held_near(s, from, true, false), THE_LAST);
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
    for (int t = -1; held_next_channel(c, s, tracks, &t, &e); free(e.list))
        EACH_CONTROL(k, &e, is_restored)
        {
            restore(c, &e, k, at, out);
        }
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
    read_tempos(c, &g, &u, s, held_near(s, to, false, true), THE_FIRST);
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
    const struct edit_time near = held_near(e->score, to, false, true);
    const struct usual u = held_usual(c, e, k, near, THE_FIRST);
    const struct channel_event *by;
    const int value = held_value_at(e, k, to, true, &by);
    if (is_usual(&u, value))
        return;
    note_kind(out, k);
    held_put_value(c, e, by, k, 0, (int)u.value, LAST);
    if (!held_is_set(e, k, to))
        held_put_value(c, e, by, k, to, value, FIRST);
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
    held_put_event(c, s, chunk, 0, LAST, data, n);
    n = event_meter_write(data, pickup.numerator, pickup.denominator);
    held_put_event(c, s, chunk, to, FIRST, data, n);
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
