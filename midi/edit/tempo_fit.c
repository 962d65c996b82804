/* Plans a tempo fit, then moves everything. A plan is a list of moments, each with its
 * new tick. The new timeline is made from it and tells where everything goes. */
#include "midi/edit/tempo_fit.h"

#include "midi/score/notes.h"
#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/edit/apply.h"
#include "midi/score/chunk.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_US = 0xFFFFFF,
    BARS_ON = 8, /* bars between the moments after the last tap */
    MOST_ON = 4096,
    NO_UPBEAT = 32, /* a smaller part of a bar is a late finger, not an upbeat */
};

struct fit_moment {
    double seconds;
    int64_t tick; /* new tick */
    /* Whole microseconds a quarter up to the next moment; 0 if both have one tick. */
    double us;
};

struct tempo_fit {
    struct change *change;
    const struct score *score;
    const struct tempo_fit_request *request;
    struct tempo_fit_report *report;
    int64_t from, bar_ticks, first_tick;
    size_t taps_in_bar;
    struct fit_moment *at;    /* [n]: `from`, the taps, and moments after them */
    size_t n, n_tapped;       /* n_tapped: `from` and the taps */
    size_t bad;               /* index of a moment for which no tempo is possible */
    struct timeline timeline; /* with the new tempos */
};

/* In a compound meter a beat is three units of the denominator. */
int tempo_fit_beats_in_bar(const struct tempo_fit_request *w)
{
    bool is_compound = w->numerator > 3 && w->numerator % 3 == 0 && w->denominator >= 8;
    return is_compound ? w->numerator / 3 : w->numerator;
}

/* Returns the ticks from the first tap's bar line to the i-th tap. */
static int64_t tap_offset(const struct tempo_fit *p, size_t i)
{
    size_t bar = i / p->taps_in_bar, in_bar = i % p->taps_in_bar;
    return (int64_t)bar * p->bar_ticks +
           (int64_t)(in_bar * (uint64_t)p->bar_ticks / p->taps_in_bar);
}

/* Adds moments up to the end of the music, at the last tempo. */
static void go_on(struct tempo_fit *p, double end_seconds)
{
    const struct fit_moment *last = &p->at[p->n - 1], *before = last - 1;
    double a_tick =
        (last->seconds - before->seconds) / (double)(last->tick - before->tick);
    int64_t by = BARS_ON * p->bar_ticks;
    for (int i = 0; i < MOST_ON && p->at[p->n - 1].seconds < end_seconds; i++) {
        const struct fit_moment *at = &p->at[p->n - 1];
        p->at[p->n] = (struct fit_moment){.seconds = at->seconds + a_tick * (double)by,
                                          .tick = at->tick + by};
        p->n++;
    }
}

/* Each tempo leads as near as possible to the next moment, from where the rounded
 * tempos before it arrive. So rounding errors do not add up. */
static bool find_tempos(struct tempo_fit *p, int ticks_per_quarter)
{
    double now = p->at[0].seconds;
    for (size_t i = 0; i + 1 < p->n; i++) {
        double quarters =
            (double)(p->at[i + 1].tick - p->at[i].tick) / ticks_per_quarter;
        double us = quarters > 0 ? (p->at[i + 1].seconds - now) * 1e6 / quarters : 0;
        p->at[i].us = us;
        if (quarters <= 0)
            continue;
        if (!(us >= 0.5 && us < MOST_US + 0.5)) {
            p->bad = i;
            return false;
        }
        p->at[i].us = round(us);
        now += quarters * p->at[i].us * 1e-6;
    }
    return true;
}

static enum tempo_fit_error make_plan(struct tempo_fit *p)
{
    const struct score *s = p->score;
    const struct tempo_fit_request *w = p->request;
    int64_t bar = 4 * (int64_t)s->ticks_per_quarter * w->numerator / w->denominator;
    p->from = w->from;
    p->bar_ticks = bar > 1 ? bar : 1;
    p->taps_in_bar = w->are_beats ? (size_t)tempo_fit_beats_in_bar(w) : 1;
    p->at[0].seconds = timeline_seconds(&s->timeline, (double)w->from);
    p->at[0].tick = w->from;
    size_t n = 0; /* taps from `from` on */
    for (size_t i = taps_first_at(&s->taps, p->from); i < s->taps.n; i++)
        if (s->taps.list[i].kind == TAP_BAR)
            p->at[1 + n++].seconds =
                timeline_seconds(&s->timeline, (double)s->taps.list[i].tick);
    if (n < 2 || (int64_t)p->taps_in_bar > p->bar_ticks)
        return TEMPO_FIT_NEEDS_TAPS;
    /* The upbeat has the tempo that follows the first tap. */
    double before = p->at[1].seconds - p->at[0].seconds;
    double second = p->at[2].seconds - p->at[1].seconds;
    double upbeat = round(before / second * (double)tap_offset(p, 1));
    if (!(upbeat * NO_UPBEAT >= (double)p->bar_ticks)) {
        upbeat = 0;
        p->at[1].seconds = p->at[0].seconds;
    }
    double end = timeline_seconds(&s->timeline, (double)score_last_tick(s));
    if (!(upbeat < 0.25 * (double)TICK_MAX) || p->at[0].tick > TICK_MAX / 4 ||
        p->bar_ticks > TICK_MAX / 8 / (TAPS_MOST + BARS_ON * MOST_ON))
        return TEMPO_FIT_TOO_LATE;
    p->first_tick = w->from + (int64_t)upbeat;
    for (size_t i = 0; i < n; i++)
        p->at[1 + i].tick = p->first_tick + tap_offset(p, i);
    p->n = p->n_tapped = 1 + n;
    go_on(p, end);
    return find_tempos(p, s->ticks_per_quarter) ? TEMPO_FIT_OK : TEMPO_FIT_NO_TEMPO;
}

/* Joins the tempos before `from` and those of the plan. */
static enum midi_status make_timeline(struct tempo_fit *p)
{
    const struct timeline *old = &p->score->timeline;
    struct tempo *tempos = calloc(old->n_tempos + p->n, sizeof *tempos);
    size_t n = 0;
    if (!tempos)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < old->n_tempos && old->tempos[i].tick < p->from; i++)
        tempos[n++] = old->tempos[i];
    for (size_t i = 0; i + 1 < p->n; i++)
        if (p->at[i].us > 0)
            tempos[n++] = (struct tempo){p->at[i].tick, p->at[i].us, 0};
    enum midi_status st =
        timeline_init(&p->timeline, old->ticks_per_quarter, tempos, n, NULL, 0);
    free(tempos);
    return st;
}

/* Returns the new tick of a tick. Keeps the order of ticks. */
static int64_t new_tick(const struct tempo_fit *p, int64_t tick)
{
    double seconds = timeline_seconds(&p->score->timeline, (double)tick);
    double to = timeline_tick(&p->timeline, seconds);
    if (tick <= p->from)
        return tick;
    return to < (double)TICK_MAX ? llround(to) : TICK_MAX;
}

/* -- moving notes -- */

static int32_t cut(int64_t ticks)
{
    return (int32_t)larger(-INT32_MAX, smaller(ticks, INT32_MAX));
}

/* Returns the note at its new time; its played time moves along. */
static struct note moved_note(const struct tempo_fit *p, const struct note *n)
{
    struct note to = *n;
    int64_t end = n->start + n->length;
    int64_t played = n->start + n->raw_start;
    int64_t played_end = played + n->length + n->raw_length;
    to.start = new_tick(p, n->start);
    to.length = new_tick(p, end) - to.start;
    if (to.length < 1 && n->length > 0)
        to.length = 1;
    if (n->raw_start || n->raw_length) {
        int64_t start = new_tick(p, played);
        to.raw_start = cut(start - to.start);
        to.raw_length = cut(new_tick(p, played_end) - start - to.length);
    }
    return to;
}

/* A note lasts at least one tick. So in bars of very few ticks it can reach into the
 * next note of its pitch, with which it did not overlap before. Then the fit is
 * refused. */
static void move_notes(const struct tempo_fit *p, int track)
{
    const struct track *t = &p->score->tracks[track];
    int64_t ended[128] = {0}, ends[128] = {0}; /* last ends by pitch, old and new */
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct note *n = &t->notes[i];
        if (n->start + n->length <= p->from)
            continue;
        struct note to = moved_note(p, n);
        int64_t *was = &ended[n->pitch], *is = &ends[n->pitch];
        if (n->start >= *was && to.start < *is) {
            p->report->error = TEMPO_FIT_TOO_CLOSE;
            p->report->close_tick = n->start;
            change_fail(p->change, MIDI_BAD_EDIT);
            return;
        }
        *was = larger(*was, n->start + n->length);
        *is = larger(*is, to.start + to.length);
        if (!note_equal(&to, n))
            change_replace_note(p->change, track, n, to);
    }
}

/* -- moving events: those that meet at one tick stay in order; the new tempos and
 * meters come before them -- */

/* Removes the tempos and meters of all chunks from `from` on, the last first, so that
 * undo restores each after those of equal tick and order. */
static void remove_timeline(const struct tempo_fit *p)
{
    for (size_t k = 0; k < p->score->n_chunks; k++) {
        const struct chunk *c = &p->score->chunks[k];
        size_t first = ARRAY_FIRST_AT(c->events, c->n_events, p->from);
        for (size_t i = c->n_events; i > first; i--)
            if (event_is_timeline(&c->events[i - 1]))
                change_event(p->change, (int)k, &c->events[i - 1], NULL);
    }
}

/* The last order that is used at a tick. */
struct taken {
    int64_t tick;
    uint32_t order;
    bool is_any;
};

/* Returns an order for an event at `tick`: `order`, or the next one after those used
 * there. */
static uint32_t take_place(struct taken *t, int64_t tick, uint32_t order)
{
    if (t->is_any && t->tick == tick && order <= t->order)
        order = t->order < ORDER_LAST ? t->order + 1 : ORDER_LAST;
    *t = (struct taken){tick, order, true};
    return order;
}

/* Returns the tick of a second meter, which ends the upbeat, a short bar; it is `from`
 * if there is no upbeat. */
static int64_t second_meter(const struct tempo_fit *p)
{
    return p->from + (p->first_tick - p->from) % p->bar_ticks;
}

/* Whether the tempo changes at the i-th moment. */
static bool has_tempo(const struct tempo_fit *p, size_t i)
{
    size_t before = i;
    while (before > 0 && !(p->at[before - 1].us > 0))
        before--;
    return i + 1 < p->n && p->at[i].us > 0 &&
           (before == 0 || p->at[before - 1].us != p->at[i].us);
}

struct timeline_put {
    size_t next;  /* index of the next moment */
    int n_meters; /* number of meters put so far */
};

/* Returns the tick of the next tempo or meter, or INT64_MAX. */
static int64_t next_timeline_tick(const struct tempo_fit *p, struct timeline_put *put,
                                  bool *is_meter)
{
    int64_t meter = put->n_meters == 0 ? p->from : second_meter(p);
    bool has_meter = put->n_meters < 1 + (second_meter(p) > p->from);
    while (put->next + 1 < p->n && !has_tempo(p, put->next))
        put->next++;
    int64_t tempo = put->next + 1 < p->n ? p->at[put->next].tick : INT64_MAX;
    *is_meter = has_meter && meter <= tempo;
    return *is_meter ? meter : tempo;
}

/* Puts all tempos and meters up to `tick`. */
static void put_timeline(const struct tempo_fit *p, int chunk, struct taken *taken,
                         struct timeline_put *put, int64_t tick)
{
    uint8_t data[7];
    bool is_meter;
    for (int64_t at;
         (at = next_timeline_tick(p, put, &is_meter)) <= tick && at < INT64_MAX;) {
        size_t n = is_meter ? event_meter_write(data, p->request->numerator,
                                                p->request->denominator)
                            : event_tempo_write(data, (uint32_t)p->at[put->next].us);
        struct event e = {at, take_place(taken, at, ORDER_FIRST), (uint32_t)n, data};
        change_event(p->change, chunk, NULL, &e);
        if (is_meter)
            put->n_meters++;
        else
            put->next++;
    }
}

/* Moves the chunk's events to their new ticks, where they are in order. If this chunk
 * is to hold the new tempos and meters, puts them between the events. */
static void move_events(const struct tempo_fit *p, int chunk, bool with_timeline)
{
    const struct chunk *c = &p->score->chunks[chunk];
    struct taken *places = calloc(c->n_events + 1, sizeof *places), taken = {0};
    struct timeline_put put = {0};
    const size_t first = ARRAY_FIRST_AT(c->events, c->n_events, p->from);
    if (!places) {
        change_fail(p->change, MIDI_NO_MEMORY);
        return;
    }
    for (size_t i = first; i < c->n_events; i++) {
        const struct event *e = &c->events[i];
        const int64_t tick = new_tick(p, e->tick);
        if (event_is_timeline(e))
            continue;
        if (with_timeline)
            put_timeline(p, chunk, &taken, &put, tick);
        take_place(&taken, tick, e->order);
        places[i] = taken;
    }
    if (with_timeline)
        put_timeline(p, chunk, &taken, &put, INT64_MAX);
    for (size_t i = c->n_events; i > first; i--) {
        const struct event *e = &c->events[i - 1];
        const struct taken *to = &places[i - 1];
        const struct event moved = {to->tick, to->order, e->n_data, e->data};
        if (to->is_any && event_compare(e, &moved) != 0)
            change_event(p->change, chunk, e, &moved);
    }
    free(places);
}

static void move_all(const struct tempo_fit *p)
{
    const struct score *s = p->score;
    int first = score_first_chunk(s);
    if (first < 0) {
        change_fail(p->change, MIDI_BAD_EDIT);
        return;
    }
    remove_timeline(p);
    for (int k = 0; k < (int)s->n_chunks; k++)
        if (!s->chunks[k].is_unknown)
            move_events(p, k, k == first);
    for (int t = 0; !change_status(p->change) && t < (int)s->n_tracks; t++)
        move_notes(p, t);
    change_remove_taps(p->change, s, p->from, INT64_MAX);
}

static void write_report(const struct tempo_fit *p)
{
    const struct taps *taps = &p->score->taps;
    struct tempo_fit_report *r = p->report;
    r->n_bars = (p->n_tapped - 2) / p->taps_in_bar;
    r->first_tick = p->first_tick;
    r->slowest = INFINITY;
    for (size_t i = 1; i + 1 < p->n_tapped; i++) {
        r->slowest = fmin(r->slowest, 60e6 / p->at[i].us);
        r->fastest = fmax(r->fastest, 60e6 / p->at[i].us);
    }
    size_t bad = p->bad > 0 ? p->bad - 1 : 0, seen = 0;
    for (size_t i = taps_first_at(taps, p->from); i < taps->n; i++)
        if (taps->list[i].kind == TAP_BAR && seen++ == bad)
            r->tapped_tick = taps->list[i].tick;
}

enum midi_status change_fit_tempo(struct change *c, const struct score *s,
                                  const struct tempo_fit_request *w,
                                  struct tempo_fit_report *report)
{
    struct tempo_fit p = {.change = c, .score = s, .request = w, .report = report};
    *report = (struct tempo_fit_report){0};
    p.at = calloc(s->taps.n + MOST_ON + 2, sizeof *p.at);
    if (!p.at)
        return change_fail(c, MIDI_NO_MEMORY);
    report->error = s->division & SMPTE_BIT ? TEMPO_FIT_SMPTE_TIME : make_plan(&p);
    enum midi_status st = report->error ? MIDI_BAD_EDIT : make_timeline(&p);
    if (p.n_tapped)
        write_report(&p);
    if (!change_fail(c, st))
        move_all(&p);
    timeline_fini(&p.timeline);
    free(p.at);
    return change_status(c);
}
