/* Features of pitch: key, range, endings. See critic_measures.h. */
#include "app/critic/critic_measures.h"

#include "app/critic/critic_features.h"

#include <math.h>
#include <stdlib.h>

enum { BEYOND = 5 /* semitones past a track's range are still its own */ };

static bool is_pitched(const struct critic_view *v, const struct grid_note *n)
{
    return !v->scene->tracks[n->track].is_drums;
}

/* A pitch class is of the key when it makes up 1.5 % of the notes heard. */
double feature_key(const struct critic_view *v)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += v->heard.pitch_count[i] > 0.015 ? v->now.pitch_count[i] : 0;
    return v->now.n_pitched && v->heard.n_pitched ? sum : 1;
}

double measure_local_key(const struct critic_view *v)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += v->local_time[i] > 0.01 ? v->now.pitch_time[i] : 0;
    return v->now.n_pitched ? sum : 1;
}

double measure_scale(const struct critic_view *v)
{
    return v->now.n_pitched ? v->now.scale - v->heard.scale : 0;
}

double measure_entropy(const struct critic_view *v)
{
    return v->now.entropy - v->heard.entropy;
}

double measure_pitch_distance(const struct critic_view *v)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += fabs(v->now.pitch_time[i] - v->heard.pitch_time[i]) / 2;
    return sum;
}

double measure_tonic(const struct critic_view *v)
{
    return v->now.pitch_time[v->tonic] - v->heard.pitch_time[v->tonic];
}

double measure_dominant(const struct critic_view *v)
{
    int i = (v->tonic + 7) % 12;
    return v->now.pitch_time[i] - v->heard.pitch_time[i];
}

double feature_out_of_range(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int n = 0;
    for (size_t i = c->first_new; i < c->n_notes; i++) {
        const struct scene_track *t = &c->tracks[c->notes[i].track];
        int pitch = c->notes[i].pitch;
        bool knows = !t->is_drums && t->low <= t->high;
        n += knows && (pitch < t->low - BEYOND || pitch > t->high + BEYOND);
    }
    return v->now.n_pitched ? (double)n / v->now.n_pitched : 0;
}

static bool is_both(const struct critic_view *v, int t)
{
    return !v->scene->tracks[t].is_drums && v->heard.tracks[t].n && v->now.tracks[t].n;
}

/* Mean over the tracks that play in both. */
static double mean_of_tracks(const struct critic_view *v,
                             double (*of)(const struct track_facts *heard,
                                          const struct track_facts *now))
{
    double sum = 0;
    int n = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        if (is_both(v, t)) {
            sum += of(&v->heard.tracks[t], &v->now.tracks[t]);
            n++;
        }
    return n ? sum / n : 0;
}

static double rise(const struct track_facts *heard, const struct track_facts *now)
{
    return (now->mean - heard->mean) / 12;
}

static double shift(const struct track_facts *heard, const struct track_facts *now)
{
    return fabs(rise(heard, now));
}

static double widening(const struct track_facts *heard, const struct track_facts *now)
{
    return (now->high - now->low - heard->high + heard->low) / 12.0;
}

/* Different pitches grow with the notes there are: beside the square root of those. */
static double variety(const struct track_facts *heard, const struct track_facts *now)
{
    double a = log(heard->n_pitches / sqrt(heard->n));
    return log(now->n_pitches / sqrt(now->n)) - a;
}

double measure_register(const struct critic_view *v)
{
    return mean_of_tracks(v, rise);
}

double measure_track_register(const struct critic_view *v)
{
    return mean_of_tracks(v, shift);
}

double measure_range(const struct critic_view *v)
{
    return mean_of_tracks(v, widening);
}

double measure_pitches(const struct critic_view *v)
{
    return mean_of_tracks(v, variety);
}

/* Tracks of one or two pitches that had five or more. */
double feature_drones(const struct critic_view *v)
{
    int n = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        n += is_both(v, t) && v->now.tracks[t].n_pitches < 3 &&
             v->heard.tracks[t].n_pitches > 4;
    return n;
}

/* Of each track its last note heard and its first new one: octaves apart. */
double measure_seam(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int last[SCENE_TRACKS], n = 0;
    double sum = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        last[t] = -1;
    for (size_t i = 0; i < c->first_new; i++)
        last[c->notes[i].track] = c->notes[i].pitch;
    for (size_t i = c->first_new; i < c->n_notes; i++) {
        int t = c->notes[i].track;
        if (last[t] >= 0 && is_pitched(v, &c->notes[i])) {
            sum += abs(c->notes[i].pitch - last[t]) / 12.0;
            n++;
        }
        last[t] = -1;
    }
    return n ? sum / n : 0;
}

/* The lowest note that begins last on the bass track; NULL: there is none. */
static const struct grid_note *last_bass(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    const struct grid_note *found = NULL;
    for (size_t i = c->first_new; i < c->n_notes; i++) {
        const struct grid_note *n = &c->notes[i];
        if (n->track == v->now.bass_track && (!found || n->step > found->step))
            found = n;
    }
    return found;
}

double feature_ends_on_tonic(const struct critic_view *v)
{
    const struct grid_note *n = last_bass(v);
    return n && n->pitch % 12 == v->tonic;
}

/* Share of what sounds at the last onset. */
double measure_ends_on_triad(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int n = 0, n_in = 0;
    if (c->n_notes == c->first_new)
        return 0;
    int32_t last = c->notes[c->n_notes - 1].step;
    for (size_t i = c->first_new; i < c->n_notes; i++) {
        const struct grid_note *note = &c->notes[i];
        int degree = (note->pitch - v->tonic + 120) % 12;
        if (note->step + note->length <= last || !is_pitched(v, note))
            continue;
        n++;
        n_in += degree == 0 || degree == 7 || degree == (v->is_minor ? 3 : 4);
    }
    return n ? (double)n_in / n : 0;
}
