/* See critic_facts.h: tracks, and pitch classes. */
#include "app/critic/critic_facts.h"

#include <math.h>
#include <string.h>

static void find_tracks(struct facts *f, const struct scene *c, const struct span *s)
{
    bool seen[SCENE_TRACKS][128] = {{0}};
    for (size_t i = s->first; i < s->end; i++) {
        const struct grid_note *n = &c->notes[i];
        struct track_facts *t = &f->tracks[n->track];
        t->low = !t->n || n->pitch < t->low ? n->pitch : t->low;
        t->high = !t->n || n->pitch > t->high ? n->pitch : t->high;
        t->n_pitches += !seen[n->track][n->pitch];
        seen[n->track][n->pitch] = true;
        t->mean += n->pitch;
        t->n++;
    }
    f->melody_track = f->bass_track = -1;
    for (int t = 0; t < SCENE_TRACKS; t++) {
        struct track_facts *at = f->tracks;
        at[t].mean /= at[t].n ? at[t].n : 1;
        if (!at[t].n || c->tracks[t].is_drums)
            continue;
        if (f->melody_track < 0 || at[t].mean > at[f->melody_track].mean)
            f->melody_track = t;
        if (f->bass_track < 0 || at[t].mean <= at[f->bass_track].mean)
            f->bass_track = t;
    }
}

/* Of major, harmonic and natural minor, on any tonic. */
static double best_scale(const double p[12])
{
    static const uint16_t SCALES[] = {0xab5, 0x9ad, 0x5ad};
    double best = 0;
    for (int k = 0; k < 36; k++) {
        double sum = 0;
        for (int i = 0; i < 12; i++)
            sum += SCALES[k / 12] >> ((i + k) % 12) & 1 ? p[i] : 0;
        best = fmax(best, sum);
    }
    return best;
}

void facts_pitches(struct facts *f, const struct scene *c, const struct span *s)
{
    double time = 0;
    for (size_t i = s->first; i < s->end; i++) {
        const struct grid_note *n = &c->notes[i];
        if (c->tracks[n->track].is_drums)
            continue;
        f->pitch_time[n->pitch % 12] += n->length;
        f->pitch_count[n->pitch % 12]++;
        f->n_pitched++;
        time += n->length;
    }
    for (int i = 0; i < 12; i++) {
        f->pitch_time[i] /= time > 0 ? time : 1;
        f->pitch_count[i] /= f->n_pitched ? f->n_pitched : 1;
        const double p = f->pitch_count[i];
        f->entropy -= p > 0 ? p * log(p) : 0;
    }
    f->scale = best_scale(f->pitch_count);
}

void facts_find(struct facts *f, const struct scene *c, const struct span *s)
{
    memset(f, 0, sizeof *f);
    find_tracks(f, c, s);
    facts_pitches(f, c, s);
    facts_lines(f, c, s);
    facts_chords(f, c, s);
    facts_rhythm(f, c, s);
}

static double covariance(const double shares[12], const double profile[12], int tonic)
{
    double mean = 0, sum = 0, squares = 0;
    for (int i = 0; i < 12; i++)
        mean += profile[i] / 12;
    for (int i = 0; i < 12; i++) {
        double x = profile[(i + 12 - tonic) % 12] - mean;
        sum += shares[i] * x;
        squares += x * x;
    }
    return sum / sqrt(squares);
}

int key_tonic(const double shares[12], bool *is_minor)
{
    static const double PROFILES[2][12] = {
        {6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88},
        {6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17}};
    double best = -1e9;
    int tonic = 0;
    for (int k = 0; k < 24; k++) {
        double x = covariance(shares, PROFILES[k / 12], k % 12);
        if (x <= best)
            continue;
        best = x;
        tonic = k % 12;
        *is_minor = k >= 12;
    }
    return tonic;
}
