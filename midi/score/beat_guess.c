/* See beat_guess.h. Time is counted in frames of ten milliseconds from `from` on.
 *
 *   C[t] = O[t] + max over d of (C[t - d] - TIGHTNESS (log(d / period))^2)
 *
 * O: how strongly notes begin about frame t, in its standard deviations; d: frames since the
 * beat before; the best sum at the end is followed back. */
#include "midi/score/beat_guess.h"

#include <math.h>
#include <stdlib.h>

enum {
    FRAMES_A_SECOND = 100,
    SPREAD = 3,        /* frames that a note's beginning is spread over, each way */
    LEAST_PERIOD = 25, /* frames: 240 beats a minute, */
    MOST_PERIOD = 150, /* and 40 */
    USUAL_PERIOD = 50,
    LEAST_NOTES = 8,
    BASS = 52, /* below this a note weighs more in a bar */
    NEAR_MS = 50,
};
static const double TIGHTNESS = 30,
                    OCTAVES = 0.9; /* OCTAVES: how freely tempo is chosen */

struct hearing {
    const struct score *score;
    const struct beat_guess *wish;
    double zero;                 /* seconds of frame 0 */
    int n;                       /* frames */
    float *onset, *weight, *sum; /* [n] O; what lies on a bar line; C */
    float *root;                 /* [n] of the weight */
    int32_t *before;             /* [n] the beat before; -1: it is the first */
    int period;
    int32_t *beats; /* [n_beats] frames, ascending */
    int n_beats;
};

static bool is_heard(const struct hearing *h, size_t track, const struct note *n)
{
    return track < 64 && h->wish->tracks >> track & 1 && n->start >= h->wish->from;
}

static double seconds(const struct hearing *h, int64_t tick)
{
    return timeline_seconds(&h->score->timeline, (double)tick) - h->zero;
}

/* Of the last note, and how many there are. */
static double find_end(const struct hearing *h, size_t *n_notes)
{
    int64_t last = h->wish->from;
    *n_notes = 0;
    for (size_t t = 0; t < h->score->n_tracks; t++)
        for (size_t i = 0; i < h->score->tracks[t].n_notes; i++)
            if (is_heard(h, t, &h->score->tracks[t].notes[i])) {
                int64_t start = h->score->tracks[t].notes[i].start;
                last = start > last ? start : last;
                ++*n_notes;
            }
    return seconds(h, last);
}

static void hear(struct hearing *h, const struct note *n)
{
    double at = seconds(h, n->start) * FRAMES_A_SECOND;
    double lasts = seconds(h, n->start + n->length) * FRAMES_A_SECOND - at;
    double loud = n->velocity / 127.0;
    int frame = (int)lround(at);
    for (int k = frame - SPREAD; k <= frame + SPREAD; k++)
        if (k >= 0 && k < h->n) {
            double near = exp(-0.5 * (k - at) * (k - at));
            h->onset[k] += (float)(loud * near);
            h->weight[k] += (float)(near * loud * (n->pitch < BASS ? 3 : 1) *
                                    fmin(lasts / USUAL_PERIOD, 2));
        }
}

/* In standard deviations; a crowd of notes at once counts less than its number. */
static void scale(struct hearing *h)
{
    double squares = 0;
    for (int i = 0; i < h->n; i++) {
        h->onset[i] = sqrtf(h->onset[i]);
        squares += (double)h->onset[i] * h->onset[i];
    }
    float by = squares > 0 ? (float)(1 / sqrt(squares / h->n)) : 1;
    for (int i = 0; i < h->n; i++)
        h->onset[i] *= by;
}

static void hear_all(struct hearing *h)
{
    for (size_t t = 0; t < h->score->n_tracks; t++)
        for (size_t i = 0; i < h->score->tracks[t].n_notes; i++)
            if (is_heard(h, t, &h->score->tracks[t].notes[i]))
                hear(h, &h->score->tracks[t].notes[i]);
    scale(h);
}

/* The distance at which what has weight is most alike, and most usual for a beat. */
static void find_period(struct hearing *h)
{
    double best = -1;
    for (int i = 0; i < h->n; i++)
        h->root[i] = sqrtf(h->weight[i]);
    for (int lag = LEAST_PERIOD; lag <= MOST_PERIOD && lag < h->n; lag++) {
        double sum = 0, octaves = log2((double)lag / USUAL_PERIOD) / OCTAVES;
        for (int i = 0; i + lag < h->n; i++)
            sum += (double)(h->root[i] * h->root[i + lag]);
        sum *= exp(-0.5 * octaves * octaves);
        if (sum > best) {
            best = sum;
            h->period = lag;
        }
    }
}

static void find_before(struct hearing *h, int t, const float *cost)
{
    float best = 0; /* it may be the first */
    h->before[t] = -1;
    for (int d = h->period / 2; d <= 2 * h->period && d <= t; d++) {
        float sum = h->sum[t - d] - cost[d - h->period / 2];
        if (sum > best) {
            best = sum;
            h->before[t] = t - d;
        }
    }
    h->sum[t] = h->onset[t] + best;
}

static void find_sums(struct hearing *h)
{
    float cost[2 * MOST_PERIOD];
    for (int d = h->period / 2; d <= 2 * h->period; d++) {
        double off = log((double)d / h->period);
        cost[d - h->period / 2] = (float)(TIGHTNESS * off * off);
    }
    for (int t = 0; t < h->n; t++)
        find_before(h, t, cost);
}

/* Back from the best of the last stretch. */
static void follow_back(struct hearing *h)
{
    int at = h->n - 1, n = 0;
    for (int t = h->n - 1; t >= 0 && t > h->n - 1 - 2 * h->period; t--)
        at = h->sum[t] > h->sum[at] ? t : at;
    for (int t = at; t >= 0; t = h->before[t])
        n++;
    h->n_beats = n;
    for (int t = at; t >= 0; t = h->before[t])
        h->beats[--n] = t;
}

/* The first beat of a bar, from 0. */
static int find_phase(const struct hearing *h)
{
    int best = 0, n = h->wish->beats_in_bar;
    double most = -1;
    for (int phase = 0; phase < n; phase++) {
        double sum = 0;
        for (int i = phase; i < h->n_beats; i += n)
            sum += h->weight[h->beats[i]];
        if (sum > most) {
            most = sum;
            best = phase;
        }
    }
    return best;
}

/* The note that begins nearest to it, if one is near; else the frame's own tick. */
static int64_t tick_of(const struct hearing *h, int frame)
{
    double at = (double)frame / FRAMES_A_SECOND, nearest = NEAR_MS / 1e3;
    const struct timeline *t = &h->score->timeline;
    int64_t tick = llround(timeline_tick(t, h->zero + at));
    int64_t first = llround(timeline_tick(t, h->zero + at - nearest));
    for (size_t k = 0; k < h->score->n_tracks; k++) {
        const struct track *track = &h->score->tracks[k];
        for (size_t i = score_first_note_at(h->score, (int)k, first);
             i < track->n_notes; i++) {
            double off = fabs(seconds(h, track->notes[i].start) - at);
            if (seconds(h, track->notes[i].start) > at + NEAR_MS / 1e3)
                break;
            if (is_heard(h, k, &track->notes[i]) && off < nearest) {
                nearest = off;
                tick = track->notes[i].start;
            }
        }
    }
    return tick;
}

static enum midi_status put_bars(const struct hearing *h, int64_t **out, size_t *n)
{
    int64_t *ticks = calloc((size_t)h->n_beats + 1, sizeof *ticks);
    *n = 0;
    if (!ticks)
        return MIDI_NO_MEMORY;
    for (int i = find_phase(h); i < h->n_beats; i += h->wish->beats_in_bar) {
        int64_t tick = tick_of(h, h->beats[i]);
        if (!*n || tick > ticks[*n - 1])
            ticks[(*n)++] = tick;
    }
    *out = ticks;
    return MIDI_OK;
}

static bool make_room(struct hearing *h)
{
    size_t n = (size_t)h->n;
    h->onset = calloc(n, sizeof *h->onset);
    h->weight = calloc(n, sizeof *h->weight);
    h->sum = calloc(n, sizeof *h->sum);
    h->root = calloc(n, sizeof *h->root);
    h->before = calloc(n, sizeof *h->before);
    h->beats = calloc(n, sizeof *h->beats);
    return h->onset && h->weight && h->sum && h->root && h->before && h->beats;
}

static void fini(struct hearing *h)
{
    free(h->onset);
    free(h->weight);
    free(h->sum);
    free(h->root);
    free(h->before);
    free(h->beats);
}

static enum midi_status listen(struct hearing *h, int64_t **out, size_t *n)
{
    if (!make_room(h))
        return MIDI_NO_MEMORY;
    hear_all(h);
    find_period(h);
    if (!h->period)
        return MIDI_EMPTY;
    find_sums(h);
    follow_back(h);
    return put_bars(h, out, n);
}

enum midi_status beat_guess_bars(const struct score *s, const struct beat_guess *wish,
                                 int64_t **out, size_t *n)
{
    struct hearing h = {.score = s, .wish = wish};
    size_t n_notes;
    h.zero = timeline_seconds(&s->timeline, (double)wish->from);
    double end = find_end(&h, &n_notes);
    if (n_notes < LEAST_NOTES)
        return MIDI_EMPTY;
    if (!(end < BEAT_GUESS_SECONDS))
        return MIDI_TOO_LONG;
    h.n = (int)(end * FRAMES_A_SECOND) + SPREAD + 1;
    enum midi_status st = listen(&h, out, n);
    fini(&h);
    return st;
}
