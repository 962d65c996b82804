/* Features of form: repetition, density, endings, groove. See critic_features.h. */
#include "app/critic/critic_features.h"

#include <math.h>

double measure_eight_back(const struct critic_view *v)
{
    return v->repeats.eight;
}

/* Rhythm that was there before, and pitches that were not. */
double measure_new_bars(const struct critic_view *v)
{
    const double *best = v->repeats.best;
    return best[REPEAT_RHYTHM] - best[REPEAT_EXACT];
}

double feature_loops(const struct critic_view *v)
{
    return fmax(0, v->repeats.loops - v->heard_repeats.loops);
}

/* Octaves; a missing value counts as very small. */
static double ratio(double now, double heard)
{
    const double least = 0.05;
    return log2((now + least) / (heard + least));
}

double measure_density(const struct critic_view *v)
{
    return ratio(v->now.notes_a_beat, v->heard.notes_a_beat);
}

double measure_onsets(const struct critic_view *v)
{
    return ratio(v->now.onsets_a_beat, v->heard.onsets_a_beat);
}

static double beats(int32_t from, int32_t to)
{
    return to > from ? (double)(to - from) / STEPS_PER_QUARTER : 1;
}

static double track_ratio(const struct critic_view *v, int t)
{
    const struct scene *c = v->scene;
    return ratio(v->now.tracks[t].n / beats(c->from, c->to),
                 v->heard.tracks[t].n / beats(c->bars[0], c->from));
}

/* How far each track is from its own, on the mean. */
double measure_track_density(const struct critic_view *v)
{
    double sum = 0;
    int n = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        if (v->heard.tracks[t].n) {
            sum += fabs(track_ratio(v, t));
            n++;
        }
    return n ? sum / n : 0;
}

/* The track that fell back most. */
double measure_balance(const struct critic_view *v)
{
    double least = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        if (v->heard.tracks[t].n)
            least = fmin(least, track_ratio(v, t));
    return least;
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

static int notes_in(const struct scene *c, int32_t from, int32_t to)
{
    int n = 0;
    for (size_t i = 0; i < c->n_notes; i++)
        n += c->notes[i].step >= from && c->notes[i].step < to;
    return n;
}

static double bar_density(const struct scene *c, int bar)
{
    int32_t from = c->bars[bar], to = c->bars[bar + 1];
    return ratio(notes_in(c, from, to) / beats(from, to), 0);
}

static double spread_of_bars(const struct scene *c, int first, int end)
{
    double sum = 0, squares = 0;
    int n = end - first;
    for (int bar = first; bar < end; bar++) {
        double x = bar_density(c, bar);
        sum += x;
        squares += x * x;
    }
    return n > 0 ? sqrt(fmax(0, squares / n - sum / n * (sum / n))) : 0;
}

double measure_bars_differ(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    return spread_of_bars(c, c->first_new_bar, c->n_bars) -
           spread_of_bars(c, 0, c->first_new_bar);
}

/* The second half compared with the first. */
double measure_growing(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int32_t middle = c->from + (c->to - c->from) / 2;
    return ratio(notes_in(c, middle, c->to) / beats(middle, c->to),
                 notes_in(c, c->from, middle) / beats(c->from, middle));
}

double measure_last_bar(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    return bar_density(c, c->n_bars - 1) - ratio(v->now.notes_a_beat, 0);
}

/* The longest of the last notes, relative to the mean length; octaves. */
double measure_last_note(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    if (c->n_notes == c->first_new)
        return 0;
    const struct grid_note *last = &c->notes[c->n_notes - 1];
    return log2(last->length) - v->now.length_mean;
}

/* Silence at the end, in bars. */
double measure_end(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int32_t end = c->from;
    for (size_t i = c->first_new; i < c->n_notes; i++) {
        int32_t stop = c->notes[i].step + c->notes[i].length;
        end = stop > end ? stop : end;
    }
    int32_t bar = c->bars[c->n_bars] - c->bars[c->n_bars - 1];
    return (double)(c->to - end) / (bar > 0 ? bar : 1);
}

double measure_groove(const struct critic_view *v)
{
    if (!v->heard_repeats.has[REPEAT_DRUMS])
        return 0;
    return v->repeats.best[REPEAT_DRUMS] - v->heard_repeats.best[REPEAT_DRUMS];
}

double feature_lost_groove(const struct critic_view *v)
{
    if (!v->heard_repeats.has[REPEAT_DRUMS] || !v->repeats.has[REPEAT_DRUMS])
        return 0;
    return fmax(0, v->heard_repeats.best[REPEAT_DRUMS] - v->repeats.groove);
}

static int n_drums(const struct scene *c, const struct facts *f)
{
    int n = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        n += c->tracks[t].is_drums ? f->tracks[t].n : 0;
    return n;
}

double measure_drum_density(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int heard = n_drums(c, &v->heard), now = n_drums(c, &v->now);
    if (!heard)
        return 0;
    return ratio(now / beats(c->from, c->to), heard / beats(c->bars[0], c->from));
}

/* How far each track is from its own number of voices, on the mean. */
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
