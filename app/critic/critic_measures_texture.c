/* Features of texture, lines and rhythm: mostly one fact of the passage less the same of
 * what is heard. See critic_measures.h. */
#include "app/critic/critic_measures.h"

#include "app/critic/critic_features.h"

#include <math.h>

#define MORE(name, fact)                                                               \
    double measure_##name(const struct critic_view *v)                                 \
    {                                                                                  \
        return v->now.fact - v->heard.fact;                                            \
    }

MORE(voices, voices)
MORE(voices_spread, voices_spread)
MORE(harsh, harsh)
MORE(clashes, clashes)
MORE(close, close)
MORE(full, full)
MORE(parallels, parallels)
MORE(repeated_notes, lines.repeats)
MORE(steps, lines.steps)
MORE(leaps, lines.leaps)
MORE(wide, lines.wide)
MORE(turns, lines.turns)
MORE(melody_leaps, melody.leaps)
MORE(bass_leaps, bass.leaps)
MORE(bass_steps, bass.steps)
MORE(on_beat, on_beat)
MORE(off_grid, off_grid)
MORE(length, length_mean)
MORE(length_spread, length_spread)
MORE(loudness, loudness)
MORE(loudness_spread, loudness_spread)

/* How far each track is from its own, on the mean. */
double measure_track_voices(const struct critic_view *v)
{
    double sum = 0;
    int n = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        if (v->heard.tracks[t].n && v->now.tracks[t].n) {
            sum += fabs(v->now.tracks[t].voices - v->heard.tracks[t].voices);
            n++;
        }
    return n ? sum / n : 0;
}

static double distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(a[i] - b[i]) / 2;
    return sum;
}

double measure_places(const struct critic_view *v)
{
    return distance(v->now.places, v->heard.places, FACT_PLACES);
}

double measure_lengths(const struct critic_view *v)
{
    return distance(v->now.lengths, v->heard.lengths, FACT_LENGTHS);
}
