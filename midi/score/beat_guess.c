/* Finds beats by dynamic programming. Time is counted in frames of ten milliseconds,
 * beginning at the tick `from`.
 *
 *   C[t] = O[t] + max over d of (C[t - d] - TIGHTNESS (log(d / period))^2)
 *
 * O[t] is the onset strength at frame t, in standard deviations. d is the number of
 * frames since the previous beat. The beats are traced back from the best sum C near
 * the end. */
#include "midi/score/beat_guess.h"

#include "midi/base/larger.h"

#include <math.h>
#include <stdlib.h>

enum {
    FRAMES_A_SECOND = 100,
    SPREAD = 3,        /* frames on each side that an onset reaches */
    LEAST_PERIOD = 25, /* frames: 240 beats a minute */
    MOST_PERIOD = 150, /* frames: 40 beats a minute */
    USUAL_PERIOD = 50,
    LEAST_NOTES = 8,
    BASS = 52, /* lower notes mark a bar line more strongly */
    NEAR_MS = 50,
};
/* OCTAVES is the deviation, in octaves, of the preference for usual tempos. */
static const double TIGHTNESS = 30, OCTAVES = 0.9;

struct beat_tracker {
    const struct score *score;
    const struct beat_guess *request;
    double zero; /* seconds of frame 0 */
    int n;       /* frames */
    struct frame {
        float onset, weight, sum; /* O, strength as a bar line, C */
        float root;               /* square root of the weight */
        int before;               /* the previous beat; -1: none */
    } * at;                       /* [n] */
    int period;
    int32_t *beats; /* [n_beats] frames, ascending */
    int n_beats;
};

static bool is_asked_for(const struct beat_tracker *h, size_t track,
                         const struct note *n)
{
    return track < 64 && h->request->tracks >> track & 1 &&
           n->start >= h->request->from;
}

static double seconds(const struct beat_tracker *h, int64_t tick)
{
    return timeline_seconds(&h->score->timeline, (double)tick) - h->zero;
}

/* Returns the second at which the last note begins, and counts the notes. */
static double find_end(const struct beat_tracker *h, size_t *n_notes)
{
    int64_t last = h->request->from;
    *n_notes = 0;
    for (size_t t = 0; t < h->score->n_tracks; t++)
        for (size_t i = 0; i < h->score->tracks[t].n_notes; i++)
            if (is_asked_for(h, t, &h->score->tracks[t].notes[i])) {
                last = larger(last, h->score->tracks[t].notes[i].start);
                ++*n_notes;
            }
    return seconds(h, last);
}

static void add_note(struct beat_tracker *h, const struct note *n)
{
    double at = seconds(h, n->start) * FRAMES_A_SECOND;
    double lasts = seconds(h, n->start + n->length) * FRAMES_A_SECOND - at;
    double loud = n->velocity / 127.0;
    int frame = (int)lround(at);
    for (int k = frame - SPREAD; k <= frame + SPREAD; k++)
        if (k >= 0 && k < h->n) {
            double near = exp(-0.5 * (k - at) * (k - at));
            h->at[k].onset += (float)(loud * near);
            h->at[k].weight += (float)(near * loud * (n->pitch < BASS ? 3 : 1) *
                                       fmin(lasts / USUAL_PERIOD, 2));
        }
}

/* Divides onset strengths by their standard deviation. The square root weakens crowds
 * of simultaneous notes. */
static void measure_onsets(struct beat_tracker *h)
{
    double squares = 0;
    for (size_t t = 0; t < h->score->n_tracks; t++)
        for (size_t i = 0; i < h->score->tracks[t].n_notes; i++)
            if (is_asked_for(h, t, &h->score->tracks[t].notes[i]))
                add_note(h, &h->score->tracks[t].notes[i]);
    for (int i = 0; i < h->n; i++) {
        h->at[i].onset = sqrtf(h->at[i].onset);
        squares += (double)h->at[i].onset * h->at[i].onset;
    }
    float by = squares > 0 ? (float)(1 / sqrt(squares / h->n)) : 1;
    for (int i = 0; i < h->n; i++)
        h->at[i].onset *= by;
}

/* Finds the lag at which the bar-line weights correlate best; usual tempos are
 * preferred. */
static void find_period(struct beat_tracker *h)
{
    double best = -1;
    for (int i = 0; i < h->n; i++)
        h->at[i].root = sqrtf(h->at[i].weight);
    for (int lag = LEAST_PERIOD; lag <= MOST_PERIOD && lag < h->n; lag++) {
        double sum = 0, octaves = log2((double)lag / USUAL_PERIOD) / OCTAVES;
        for (int i = 0; i + lag < h->n; i++)
            sum += (double)(h->at[i].root * h->at[i + lag].root);
        sum *= exp(-0.5 * octaves * octaves);
        if (sum > best) {
            best = sum;
            h->period = lag;
        }
    }
}

static void find_sums(struct beat_tracker *h)
{
    float cost[2 * MOST_PERIOD] = {0};
    for (int d = h->period / 2; d <= 2 * h->period; d++) {
        double off = log((double)d / h->period);
        cost[d - h->period / 2] = (float)(TIGHTNESS * off * off);
    }
    for (int t = 0; t < h->n; t++) {
        float best = 0; /* this may be the first beat */
        h->at[t].before = -1;
        for (int d = h->period / 2; d <= 2 * h->period && d <= t; d++) {
            float sum = h->at[t - d].sum - cost[d - h->period / 2];
            if (sum > best) {
                best = sum;
                h->at[t].before = t - d;
            }
        }
        h->at[t].sum = h->at[t].onset + best;
    }
}

/* Traces beats back from the best sum within the last two periods. */
static void follow_back(struct beat_tracker *h)
{
    int at = h->n - 1, n = 0;
    for (int t = h->n - 1; t >= 0 && t > h->n - 1 - 2 * h->period; t--)
        at = h->at[t].sum > h->at[at].sum ? t : at;
    for (int t = at; t >= 0; t = h->at[t].before)
        n++;
    h->n_beats = n;
    for (int t = at; t >= 0; t = h->at[t].before)
        h->beats[--n] = t;
}

/* Returns the index of the first beat that begins a bar: the phase with the most
 * weight. */
static int find_phase(const struct beat_tracker *h)
{
    int best = 0, n = h->request->beats_in_bar;
    double most = -1;
    for (int phase = 0; phase < n; phase++) {
        double sum = 0;
        for (int i = phase; i < h->n_beats; i += n)
            sum += h->at[h->beats[i]].weight;
        if (sum > most) {
            most = sum;
            best = phase;
        }
    }
    return best;
}

/* Returns the tick of the nearest onset within NEAR_MS of a frame, or else the frame's
 * own tick. */
static int64_t tick_of(const struct beat_tracker *h, int frame)
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
            if (is_asked_for(h, k, &track->notes[i]) && off < nearest) {
                nearest = off;
                tick = track->notes[i].start;
            }
        }
    }
    return tick;
}

static enum midi_status listen(struct beat_tracker *h, int64_t **out, size_t *n)
{
    h->at = calloc((size_t)h->n, sizeof *h->at);
    h->beats = calloc((size_t)h->n, sizeof *h->beats);
    if (!h->at || !h->beats)
        return MIDI_NO_MEMORY;
    measure_onsets(h);
    find_period(h);
    if (!h->period)
        return MIDI_EMPTY;
    find_sums(h);
    follow_back(h);
    int64_t *ticks = calloc((size_t)h->n_beats + 1, sizeof *ticks);
    *n = 0;
    if (!ticks)
        return MIDI_NO_MEMORY;
    for (int i = find_phase(h); i < h->n_beats; i += h->request->beats_in_bar) {
        int64_t tick = tick_of(h, h->beats[i]);
        if (!*n || tick > ticks[*n - 1])
            ticks[(*n)++] = tick;
    }
    *out = ticks;
    return MIDI_OK;
}

enum midi_status beat_guess_bars(const struct score *s,
                                 const struct beat_guess *request, int64_t **out,
                                 size_t *n)
{
    struct beat_tracker h = {.score = s, .request = request};
    size_t n_notes;
    h.zero = timeline_seconds(&s->timeline, (double)request->from);
    double end = find_end(&h, &n_notes);
    if (n_notes < LEAST_NOTES)
        return MIDI_EMPTY;
    if (!(end < BEAT_GUESS_SECONDS))
        return MIDI_TOO_LONG;
    h.n = (int)(end * FRAMES_A_SECOND) + SPREAD + 1;
    enum midi_status st = listen(&h, out, n);
    free(h.at);
    free(h.beats);
    return st;
}
