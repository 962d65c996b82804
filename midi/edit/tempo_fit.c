/* Plans a tempo fit. A plan is a list of moments, each with its new tick. The new
 * timeline is made from it and tells where everything goes
 * (midi/edit/tempo_fit_move.c). */
#include "midi/edit/tempo_fit.h"

#include "midi/score/notes.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_US = 0xFFFFFF,
    BARS_ON = 8, /* bars between the moments after the last tap */
    MOST_ON = 4096,
    NO_UPBEAT = 32, /* a smaller part of a bar is a late finger, not an upbeat */
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

/* Copies the taps from `from` on, and returns their number. */
static size_t take_taps(struct tempo_fit *p, const struct score *s, int64_t from)
{
    size_t n = 0;
    for (size_t i = taps_first_at(&s->taps, from); i < s->taps.n; i++)
        if (s->taps.list[i].kind == TAP_BAR)
            p->at[1 + n++].seconds =
                timeline_seconds(&s->timeline, (double)s->taps.list[i].tick);
    return n;
}

/* Returns the ticks between `from` and the first tap, at the tempo that follows the
 * tap. */
static double upbeat_ticks(struct tempo_fit *p)
{
    double before = p->at[1].seconds - p->at[0].seconds;
    double second = p->at[2].seconds - p->at[1].seconds;
    double ticks = round(before / second * (double)tap_offset(p, 1));
    if (ticks * NO_UPBEAT >= (double)p->bar_ticks)
        return ticks;
    p->at[1].seconds = p->at[0].seconds;
    return 0;
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

static enum tempo_fit_error make_plan(struct tempo_fit *p, const struct score *s,
                                      const struct tempo_fit_request *w)
{
    int64_t bar = 4 * (int64_t)s->ticks_per_quarter * w->numerator / w->denominator;
    p->from = w->from;
    p->bar_ticks = bar > 1 ? bar : 1;
    p->taps_in_bar = w->are_beats ? (size_t)tempo_fit_beats_in_bar(w) : 1;
    p->at[0].seconds = timeline_seconds(&s->timeline, (double)w->from);
    p->at[0].tick = w->from;
    size_t n = take_taps(p, s, w->from);
    if (n < 2 || (int64_t)p->taps_in_bar > p->bar_ticks)
        return TEMPO_FIT_NEEDS_TAPS;
    double upbeat = upbeat_ticks(p);
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
static enum midi_status make_timeline(struct tempo_fit *p, const struct score *s)
{
    const struct timeline *old = &s->timeline;
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

int64_t tempo_fit_tick(const struct tempo_fit *p, const struct score *s, int64_t tick)
{
    double seconds = timeline_seconds(&s->timeline, (double)tick);
    double to = timeline_tick(&p->timeline, seconds);
    if (tick <= p->from)
        return tick;
    return to < (double)TICK_MAX ? llround(to) : TICK_MAX;
}

static void tell(const struct tempo_fit *p, const struct tempo_fit_request *w,
                 const struct score *s, struct tempo_fit_report *r)
{
    r->n_bars = (p->n_tapped - 2) / p->taps_in_bar;
    r->first_tick = p->first_tick;
    r->slowest = INFINITY;
    for (size_t i = 1; i + 1 < p->n_tapped; i++) {
        r->slowest = fmin(r->slowest, 60e6 / p->at[i].us);
        r->fastest = fmax(r->fastest, 60e6 / p->at[i].us);
    }
    size_t bad = p->bad > 0 ? p->bad - 1 : 0, seen = 0;
    for (size_t i = taps_first_at(&s->taps, w->from); i < s->taps.n; i++)
        if (s->taps.list[i].kind == TAP_BAR && seen++ == bad)
            r->tapped_tick = s->taps.list[i].tick;
}

enum midi_status change_fit_tempo(struct change *c, const struct score *s,
                                  const struct tempo_fit_request *w,
                                  struct tempo_fit_report *report)
{
    struct tempo_fit p = {0};
    *report = (struct tempo_fit_report){0};
    p.at = calloc(s->taps.n + MOST_ON + 2, sizeof *p.at);
    if (!p.at)
        return change_fail(c, MIDI_NO_MEMORY);
    report->error =
        s->division & SMPTE_BIT ? TEMPO_FIT_SMPTE_TIME : make_plan(&p, s, w);
    enum midi_status st = report->error ? MIDI_BAD_EDIT : make_timeline(&p, s);
    if (p.n_tapped)
        tell(&p, w, s, report);
    if (!st)
        st = tempo_fit_move(c, s, &p, w, report);
    timeline_fini(&p.timeline);
    free(p.at);
    return change_fail(c, st);
}
