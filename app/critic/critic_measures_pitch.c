/* Features of pitch: key, range, endings. See critic_features.h. */
#include "app/critic/critic_features.h"

#include <math.h>
#include <stdlib.h>

enum { BEYOND = 5 /* semitones past a track's range are still its own */ };

static bool is_pitched(const struct critic_view *v, const struct grid_note *n)
{
    return !v->scene->tracks[n->track].is_drums;
}

/* A pitch class belongs to the key if it has 1.5 % of the notes before. */
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

/* Octaves between each track's last note before and its first new one. */
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

/* The highest of a track's last notes; NULL: unknown. */
static const struct grid_note *last_of(const struct scene *c, int track)
{
    const struct grid_note *last = NULL;
    for (size_t i = c->first_new; i < c->n_notes; i++)
        if (c->notes[i].track == track)
            last = &c->notes[i];
    return last;
}

double feature_leaps_out(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    const double fifth = 7;
    double sum = 0;
    for (int t = 0; t < SCENE_TRACKS; t++) {
        const struct grid_note *last = c->tracks[t].after < 0 ? NULL : last_of(c, t);
        if (last && is_pitched(v, last))
            sum += fmax(0, abs(last->pitch - c->tracks[t].after) - fifth) / 12;
    }
    return sum;
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
