/* See voices.h. Notes come in order of time: each onset updates the voices that begin there,
 * and the resulting chord is compared with the one before. */
#include "app/dataset/voices.h"

#include "midi/score/parallel.h"

#include <limits.h>
#include <math.h>

static const struct {
    uint8_t low, high;
} RANGES[VOICES] = {{60, 79}, {55, 74}, {48, 67}, {40, 62}};

struct chord {
    int pitch[VOICES];
    int32_t end[VOICES];
    bool sounds[VOICES];
};

/* Adds up the pitches of each track; false: two notes of one sound at once, or drums. */
static bool sum_tracks(const struct piece *p, int64_t *sums, int64_t *counts)
{
    int32_t silent_from[TOKEN_MAX_TRACKS] = {0};
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        if (n->step < silent_from[n->track] || piece_is_hit(p, n))
            return false;
        silent_from[n->track] = n->step + n->length;
        sums[n->track] += n->pitch;
        counts[n->track]++;
    }
    return true;
}

bool voices_find(const struct piece *p, uint8_t tracks[VOICES])
{
    int64_t sums[TOKEN_MAX_TRACKS] = {0}, counts[TOKEN_MAX_TRACKS] = {0};
    double means[VOICES];
    int n = 0;
    if (!sum_tracks(p, sums, counts))
        return false;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (!counts[t])
            continue;
        if (n == VOICES)
            return false;
        double mean = (double)sums[t] / (double)counts[t];
        int at = n++;
        for (; at > 0 && means[at - 1] < mean; at--) {
            means[at] = means[at - 1];
            tracks[at] = tracks[at - 1];
        }
        means[at] = mean;
        tracks[at] = (uint8_t)t;
    }
    return n == VOICES;
}

static int voice_of(const uint8_t tracks[VOICES], uint8_t track)
{
    for (int v = 0; v < VOICES; v++)
        if (tracks[v] == track)
            return v;
    return -1;
}

static int set_sounding(struct chord *c, int32_t step)
{
    int n = 0;
    for (int v = 0; v < VOICES; v++)
        n += c->sounds[v] = c->end[v] > step;
    return n;
}

static bool is_crossed(const struct chord *c)
{
    int lowest = INT_MAX; /* so far, of the voices above */
    for (int v = 0; v < VOICES; v++) {
        if (!c->sounds[v])
            continue;
        if (c->pitch[v] > lowest)
            return true;
        lowest = c->pitch[v];
    }
    return false;
}

static void count_pair(struct voices *sum, const struct chord *before,
                       const struct chord *now, int v, int w)
{
    const enum parallel p =
        parallel_of(before->pitch[v], now->pitch[v], before->pitch[w], now->pitch[w]);
    sum->fifths += p == PARALLEL_FIFTHS;
    sum->octaves += p == PARALLEL_OCTAVES;
}

static void count_chord(struct voices *sum, const struct chord *before,
                        const struct chord *now)
{
    sum->n_chords++;
    sum->crossed += is_crossed(now);
    for (int v = 0; v < VOICES; v++)
        for (int w = v + 1; w < VOICES; w++)
            if (before->sounds[v] && before->sounds[w] && now->sounds[v] &&
                now->sounds[w])
                count_pair(sum, before, now, v, w);
}

void voices_add(struct voices *sum, const struct piece *p, const uint8_t tracks[VOICES])
{
    struct chord before = {0}, now = {0};
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        const int v = voice_of(tracks, n->track);
        if (v >= 0) {
            now.pitch[v] = n->pitch;
            now.end[v] = n->step + n->length;
            sum->out_of_range += n->pitch < RANGES[v].low || n->pitch > RANGES[v].high;
        }
        if (i + 1 < p->n_notes && n[1].step == n->step)
            continue;
        if (set_sounding(&now, n->step) >= 2)
            count_chord(sum, &before, &now);
        before = now;
    }
}

double voices_rate(const struct voices *v, int64_t n)
{
    return v->n_chords ? 100.0 * (double)n / (double)v->n_chords : NAN;
}
