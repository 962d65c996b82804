/* Counts a piece. Its notes are in order of time, so one pass with a little state, over bars or
 * over onsets, counts everything. */
#include "app/evaluation/statistics.h"

#include "app/base/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void count_notes(struct statistics *s, const struct piece *p)
{
    s->n_notes += (int64_t)p->n_notes;
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        bool is_long = n->length >= STATISTICS_DURATIONS;
        if (piece_is_hit(p, n))
            continue;
        s->pitch_classes[n->pitch % STATISTICS_PITCH_CLASSES]++;
        s->durations[is_long ? STATISTICS_DURATIONS - 1 : n->length]++;
    }
}

static void count_intervals(struct statistics *s, const struct piece *p)
{
    int before[TOKEN_MAX_TRACKS];
    memset(before, -1, sizeof before);
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        /* Within a track's onset pitches rise, so its highest note comes last. */
        if ((i + 1 < p->n_notes && n[1].step == n->step && n[1].track == n->track) ||
            piece_is_hit(p, n))
            continue;
        const int interval = at_most(n->pitch - before[n->track], STATISTICS_WIDEST);
        if (before[n->track] >= 0)
            s->intervals[STATISTICS_WIDEST + at_least(interval, -STATISTICS_WIDEST)]++;
        before[n->track] = n->pitch;
    }
}

static int compare_steps(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A note sounds at a step if it has begun and not ended. ends: room for all notes. */
static void count_sounding(struct statistics *s, const struct piece *p, int32_t *ends)
{
    size_t n_ended = 0, n = 0, n_begun = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        if (!piece_is_hit(p, &p->notes[i]))
            ends[n++] = p->notes[i].step + p->notes[i].length;
    qsort(ends, n, sizeof *ends, compare_steps);
    bool has_note = false; /* the onset has a note that is not a hit */
    for (size_t i = 0; i < p->n_notes; i++) {
        int32_t step = p->notes[i].step;
        bool is_note = !piece_is_hit(p, &p->notes[i]);
        has_note = is_note || (has_note && i > 0 && p->notes[i - 1].step == step);
        n_begun += is_note;
        bool is_last = i + 1 == p->n_notes || p->notes[i + 1].step != step;
        if (!is_last || !has_note)
            continue; /* the onset's last note speaks for all of it */
        while (ends[n_ended] <= step)
            n_ended++;
        s->n_onsets++;
        s->n_sounding += (int64_t)(n_begun - n_ended);
    }
}

static int64_t sum_of(const int64_t *counts, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

/* Of one bar, whose notes are [from, to). */
static void count_pitch_classes(struct statistics *s, const struct piece *p,
                                size_t from, size_t to)
{
    int64_t counts[STATISTICS_PITCH_CLASSES] = {0};
    double bits = 0;
    for (size_t i = from; i < to; i++)
        counts[p->notes[i].pitch % STATISTICS_PITCH_CLASSES] +=
            !piece_is_hit(p, &p->notes[i]);
    const double sum = (double)sum_of(counts, STATISTICS_PITCH_CLASSES);
    for (int i = 0; i < STATISTICS_PITCH_CLASSES; i++)
        if (counts[i])
            bits -= (double)counts[i] / sum * log2((double)counts[i] / sum);
    s->entropy += bits;
    s->n_bars += sum > 0;
}

uint64_t statistics_onsets(const struct grid_note *notes, size_t first, size_t end,
                           int32_t from, int32_t length)
{
    uint64_t pattern = 0;
    for (size_t i = first; i < end; i++) {
        int64_t at = notes[i].step - from;
        if (at >= 0 && at < length)
            pattern |= UINT64_C(1) << (at * STATISTICS_POSITIONS / length);
    }
    return pattern;
}

/* bars: as piece_bar_starts gives them. */
static void count_bars(struct statistics *s, const struct piece *p, const int32_t *bars)
{
    int64_t n_with[STATISTICS_POSITIONS] = {0};
    size_t from = 0, to = 0;
    for (int32_t bar = 0; bar < p->n_bars; bar++, from = to) {
        while (to < p->n_notes && p->notes[to].step < bars[bar + 1])
            to++;
        count_pitch_classes(s, p, from, to);
        uint64_t onsets =
            statistics_onsets(p->notes, from, to, bars[bar], bars[bar + 1] - bars[bar]);
        for (int i = 0; i < STATISTICS_POSITIONS; i++)
            n_with[i] += onsets >> i & 1; /* bars with an onset at each position */
    }
    s->n_steps += bars[p->n_bars];
    if (p->n_bars < 2)
        return;
    /* The mean over all pairs of bars of the share of positions where both have an onset or
     * neither has: at a position n_with x n_without pairs differ. */
    const double n_bars = (double)p->n_bars;
    double differ = 0;
    for (int i = 0; i < STATISTICS_POSITIONS; i++)
        differ += (double)n_with[i] * (n_bars - (double)n_with[i]);
    s->groove += 1 - differ / (STATISTICS_POSITIONS * n_bars * (n_bars - 1) / 2);
    s->n_grooves++;
}

bool statistics_add(struct statistics *sum, const struct piece *p)
{
    int32_t *ends = calloc(p->n_notes + 1, sizeof *ends);
    int32_t *bars = calloc((size_t)p->n_bars + 1, sizeof *bars);
    bool has_room = ends && bars;
    if (has_room) {
        piece_bar_starts(p, bars);
        sum->n_pieces++;
        count_notes(sum, p);
        count_intervals(sum, p);
        count_sounding(sum, p, ends);
        count_bars(sum, p, bars);
    }
    free(ends);
    free(bars);
    return has_room;
}

/* -- figures from sums -- */

static double ratio(double sum, int64_t n)
{
    return n ? sum / (double)n : NAN;
}

struct statistics_means statistics_means(const struct statistics *s)
{
    return (struct statistics_means){
        .density = ratio((double)s->n_notes * STEPS_PER_QUARTER, s->n_steps),
        .polyphony = ratio((double)s->n_sounding, s->n_onsets),
        .entropy = ratio(s->entropy, s->n_bars),
        .groove = ratio(s->groove, s->n_grooves),
    };
}

double statistics_total_variation(const int64_t *a, const int64_t *b, int n)
{
    double apart = 0;
    int64_t n_a = sum_of(a, n), n_b = sum_of(b, n);
    for (int i = 0; i < n; i++)
        apart += fabs(ratio((double)a[i], n_a) - ratio((double)b[i], n_b));
    return apart / 2;
}

/* A bin's part of the divergence of p from the mean of p and q. */
static double part(double p, double q)
{
    return p > 0 ? p * log(2 * p / (p + q)) : p; /* NaN stays NaN */
}

double statistics_divergence(const int64_t *a, const int64_t *b, int n)
{
    double nats = 0;
    int64_t n_a = sum_of(a, n), n_b = sum_of(b, n);
    for (int i = 0; i < n; i++) {
        double p = ratio((double)a[i], n_a), q = ratio((double)b[i], n_b);
        nats += part(p, q) + part(q, p);
    }
    return nats / 2;
}
