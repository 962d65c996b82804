/* Features that words and faults need, too. See critic_features.h. */
#include "app/critic/critic_features.h"

#include <math.h>
#include <stdlib.h>

enum { BEYOND = 5 /* semitones past a track's range are still its own */ };

/* A pitch class belongs to the key if it has 1.5 % of the notes before. */
double feature_key(const struct critic_view *v)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += v->heard.pitch_count[i] > 0.015 ? v->now.pitch_count[i] : 0;
    return v->now.n_pitched && v->heard.n_pitched ? sum : 1;
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

double feature_loops(const struct critic_view *v)
{
    return fmax(0, v->repeats.loops - v->heard_repeats.loops);
}

/* Tracks that played in two bars of three and say nothing. */
double feature_silent(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int n = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        n += 3 * c->tracks[t].n_bars >= 2 * c->first_new_bar && c->tracks[t].n_bars &&
             !v->now.tracks[t].n;
    return n;
}

/* Bars of the passage that it begins a note in. */
static int n_bars_of(const struct scene *c, int track)
{
    int n = 0, bar = c->first_new_bar, last = -1;
    for (size_t i = c->first_new; i < c->n_notes; i++) {
        while (bar + 1 < c->n_bars && c->bars[bar + 1] <= c->notes[i].step)
            bar++;
        if (c->notes[i].track == track && bar != last) {
            n++;
            last = bar;
        }
    }
    return n;
}

/* Tracks that played steadily, and play in less than two thirds as many bars of the passage. */
double feature_fading(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    const int heard = c->first_new_bar, now = c->n_bars - c->first_new_bar;
    int n = 0;
    for (int t = 0; t < SCENE_TRACKS; t++) {
        int played = c->tracks[t].n_bars;
        if (played && 3 * played >= 2 * heard)
            n += 3 * n_bars_of(c, t) * heard < 2 * played * now;
    }
    return n;
}

double feature_lost_groove(const struct critic_view *v)
{
    if (!v->heard_repeats.has[REPEAT_DRUMS] || !v->repeats.has[REPEAT_DRUMS])
        return 0;
    return fmax(0, v->heard_repeats.best[REPEAT_DRUMS] - v->repeats.groove);
}

double feature_leaps_out(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    const double fifth = 7;
    double sum = 0;
    for (int t = 0; t < SCENE_TRACKS; t++) {
        int last = -1; /* pitch, the highest of the track's last notes */
        for (size_t i = c->first_new; i < c->n_notes; i++)
            last = c->notes[i].track == t ? c->notes[i].pitch : last;
        if (last >= 0 && c->tracks[t].after >= 0 && !c->tracks[t].is_drums)
            sum += fmax(0, abs(last - c->tracks[t].after) - fifth) / 12;
    }
    return sum;
}

/* Of the lowest note that begins last on the bass track. */
double feature_ends_on_tonic(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    const struct grid_note *found = NULL;
    for (size_t i = c->first_new; i < c->n_notes; i++) {
        const struct grid_note *n = &c->notes[i];
        if (n->track == v->now.bass_track && (!found || n->step > found->step))
            found = n;
    }
    return found && found->pitch % 12 == v->tonic;
}
