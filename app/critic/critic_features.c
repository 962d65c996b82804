/* The table of features, and those that are found in the same way. See critic_features.h. */
#include "app/critic/critic_features.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

/* Different pitches grow with the number of notes: divided by its square root. */
static double variety(const struct track_facts *heard, const struct track_facts *now)
{
    double a = log(heard->n_pitches / sqrt(heard->n));
    return log(now->n_pitches / sqrt(now->n)) - a;
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

/* -- features of pitch, each the difference of the passage from the bars before it, unless
 * its name says otherwise -- */

static bool is_pitched(const struct critic_view *v, const struct grid_note *n)
{
    return !v->scene->tracks[n->track].is_drums;
}

static double measure_local_key(const struct critic_view *v)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += v->local_time[i] > 0.01 ? v->now.pitch_time[i] : 0;
    return v->now.n_pitched ? sum : 1;
}

static double measure_scale(const struct critic_view *v)
{
    return v->now.n_pitched ? v->now.scale - v->heard.scale : 0;
}

static double measure_tonic(const struct critic_view *v)
{
    return v->now.pitch_time[v->tonic] - v->heard.pitch_time[v->tonic];
}

static double measure_dominant(const struct critic_view *v)
{
    int i = (v->tonic + 7) % 12;
    return v->now.pitch_time[i] - v->heard.pitch_time[i];
}

/* Octaves between each track's last note before and its first new one. */
static double measure_seam(const struct critic_view *v)
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

/* Share of what sounds at the last onset. */
static double measure_ends_on_triad(const struct critic_view *v)
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

/* -- features of form: repetition, density, endings, groove -- */

static double measure_eight_back(const struct critic_view *v)
{
    return v->repeats.eight;
}

/* Rhythm that was there before, and pitches that were not. */
static double measure_new_bars(const struct critic_view *v)
{
    const double *best = v->repeats.best;
    return best[REPEAT_RHYTHM] - best[REPEAT_EXACT];
}

/* Octaves; a missing value counts as very small. */
static double ratio(double now, double heard)
{
    const double least = 0.05;
    return log2((now + least) / (heard + least));
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
static double measure_track_density(const struct critic_view *v)
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
static double measure_balance(const struct critic_view *v)
{
    double least = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        if (v->heard.tracks[t].n)
            least = fmin(least, track_ratio(v, t));
    return least;
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

static double measure_bars_differ(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    return spread_of_bars(c, c->first_new_bar, c->n_bars) -
           spread_of_bars(c, 0, c->first_new_bar);
}

/* The second half compared with the first. */
static double measure_growing(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int32_t middle = c->from + (c->to - c->from) / 2;
    return ratio(notes_in(c, middle, c->to) / beats(middle, c->to),
                 notes_in(c, c->from, middle) / beats(c->from, middle));
}

static double measure_last_bar(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    return bar_density(c, c->n_bars - 1) - ratio(v->now.notes_a_beat, 0);
}

/* The longest of the last notes, relative to the mean length; octaves. */
static double measure_last_note(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    if (c->n_notes == c->first_new)
        return 0;
    const struct grid_note *last = &c->notes[c->n_notes - 1];
    return log2(last->length) - v->now.length_mean;
}

/* Silence at the end, in bars. */
static double measure_end(const struct critic_view *v)
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

static double measure_groove(const struct critic_view *v)
{
    if (!v->heard_repeats.has[REPEAT_DRUMS])
        return 0;
    return v->repeats.best[REPEAT_DRUMS] - v->heard_repeats.best[REPEAT_DRUMS];
}

static int n_drums(const struct scene *c, const struct facts *f)
{
    int n = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        n += c->tracks[t].is_drums ? f->tracks[t].n : 0;
    return n;
}

static double measure_drum_density(const struct critic_view *v)
{
    const struct scene *c = v->scene;
    int heard = n_drums(c, &v->heard), now = n_drums(c, &v->now);
    if (!heard)
        return 0;
    return ratio(now / beats(c->from, c->to), heard / beats(c->bars[0], c->from));
}

/* How far each track is from its own number of voices, on the mean. */
static double measure_track_voices(const struct critic_view *v)
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

/* One of find, of_tracks and the offsets is set. */
struct feature {
    const char *name;
    double (*find)(const struct critic_view *v);
    double (*of_tracks)(const struct track_facts *heard, const struct track_facts *now);
    size_t now, heard; /* offsets of doubles in a view: the first less the second; */
    int n;             /* of [n], half the sum of their distances; */
    bool is_ratio;     /* or their ratio in octaves */
};

/* Members are named, not values. NOLINTBEGIN(bugprone-macro-parentheses) */
#define LESS(of_now, of_heard, fact)                                                   \
    .now = offsetof(struct critic_view, of_now.fact),                                  \
    .heard = offsetof(struct critic_view, of_heard.fact)
#define MORE(fact)    LESS(now, heard, fact)
#define RATIO(fact)   MORE(fact), .is_ratio = true
#define REPEATS(fact) LESS(repeats, heard_repeats, fact)
#define DISTANCE(fact)                                                                 \
    MORE(fact[0]), .n = sizeof(((struct facts *)0)->fact) / sizeof(double)
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct feature FEATURES[] = {
    {"key", .find = feature_key},
    {"local key", .find = measure_local_key},
    {"scale", .find = measure_scale},
    {"pitch variety", MORE(entropy)},
    {"pitch distance", DISTANCE(pitch_time)},
    {"tonic", .find = measure_tonic},
    {"dominant", .find = measure_dominant},

    {"bar before", REPEATS(before[REPEAT_EXACT])},
    {"rhythm before", REPEATS(before[REPEAT_RHYTHM])},
    {"shape before", REPEATS(before[REPEAT_SHAPE])},
    {"two back", REPEATS(two)},
    {"four back", REPEATS(four)},
    {"eight back", .find = measure_eight_back},
    {"best bar", REPEATS(best[REPEAT_EXACT])},
    {"best rhythm", REPEATS(best[REPEAT_RHYTHM])},
    {"best shape", REPEATS(best[REPEAT_SHAPE])},
    {"bass repeats", REPEATS(best[REPEAT_BASS])},
    {"loops", .find = feature_loops},
    {"new bars", .find = measure_new_bars},

    {"density", RATIO(notes_a_beat)},
    {"onsets", RATIO(onsets_a_beat)},
    {"density by track", .find = measure_track_density},
    {"balance", .find = measure_balance},
    {"silent tracks", .find = feature_silent},
    {"silence", MORE(silence)},
    {"bars differ", .find = measure_bars_differ},
    {"growing", .find = measure_growing},
    {"last bar", .find = measure_last_bar},

    {"out of range", .find = feature_out_of_range},
    {"register", .of_tracks = rise},
    {"register by track", .of_tracks = shift},
    {"range", .of_tracks = widening},
    {"drones", .find = feature_drones},
    {"pitches", .of_tracks = variety},

    {"voices", MORE(voices)},
    {"voices spread", MORE(voices_spread)},
    {"voices by track", .find = measure_track_voices},
    {"harsh", MORE(harsh)},
    {"clashes", MORE(clashes)},
    {"close", MORE(close)},
    {"full", MORE(full)},
    {"parallels", MORE(parallels)},

    {"repeated notes", MORE(lines.repeats)},
    {"steps", MORE(lines.steps)},
    {"leaps", MORE(lines.leaps)},
    {"wide leaps", MORE(lines.wide)},
    {"turns", MORE(lines.turns)},
    {"melody leaps", MORE(melody.leaps)},
    {"bass leaps", MORE(bass.leaps)},
    {"bass steps", MORE(bass.steps)},
    {"seam", .find = measure_seam},

    {"ends on tonic", .find = feature_ends_on_tonic},
    {"ends on triad", .find = measure_ends_on_triad},
    {"last note", .find = measure_last_note},
    {"end", .find = measure_end},

    {"places", DISTANCE(positions)},
    {"on beat", MORE(on_beat)},
    {"off grid", MORE(off_grid)},
    {"lengths", DISTANCE(lengths)},
    {"length", MORE(length_mean)},
    {"length spread", MORE(length_spread)},
    {"loudness", MORE(loudness)},
    {"loudness spread", MORE(loudness_spread)},
    {"groove", .find = measure_groove},
    {"drum density", .find = measure_drum_density},
};
enum { N_FEATURES = sizeof FEATURES / sizeof FEATURES[0] };
static_assert((int)N_FEATURES <= (int)FEATURES_MOST, "a vector has so many");

int features_count(void)
{
    return N_FEATURES;
}

const char *feature_name(int feature)
{
    return FEATURES[feature].name;
}

int feature_find(const char *name)
{
    for (int i = 0; i < N_FEATURES; i++)
        if (!strcmp(FEATURES[i].name, name))
            return i;
    return -1;
}

static double find(const struct feature *f, const struct critic_view *v)
{
    const double *now = (const void *)((const char *)v + f->now),
                 *heard = (const void *)((const char *)v + f->heard);
    double distance = 0;
    for (int i = 0; i < f->n; i++)
        distance += fabs(now[i] - heard[i]) / 2;
    return f->find        ? f->find(v)
           : f->of_tracks ? mean_of_tracks(v, f->of_tracks)
           : f->is_ratio  ? ratio(*now, *heard)
           : f->n         ? distance
                          : *now - *heard;
}

void features_find(const struct critic_view *v, float out[FEATURES_MOST])
{
    for (int i = 0; i < N_FEATURES; i++) {
        double x = find(&FEATURES[i], v);
        out[i] = isfinite(x) ? (float)x : 0;
    }
}

bool critic_view_find(struct critic_view *v, const struct scene *c)
{
    const int last_four = c->first_new_bar > 4 ? c->first_new_bar - 4 : 0;
    struct span heard = {0, c->first_new, c->bars[0], c->from};
    struct span local = {0, c->first_new, c->bars[last_four], c->from};
    struct span now = {c->first_new, c->n_notes, c->from, c->to};
    struct facts f = {0};
    v->scene = c;
    facts_find(&v->heard, c, &heard);
    facts_find(&v->now, c, &now);
    while (local.first < local.end && c->notes[local.first].step < local.from)
        local.first++;
    facts_pitches(&f, c, &local);
    memcpy(v->local_time, f.pitch_time, sizeof v->local_time);
    v->tonic = key_tonic(v->heard.pitch_time, &v->is_minor);
    struct bar_keys *keys = bar_keys_create(c, v->heard.bass_track);
    if (!keys)
        return false;
    repeats_find(&v->heard_repeats, keys, 0, c->first_new_bar);
    repeats_find(&v->repeats, keys, c->first_new_bar, c->n_bars);
    bar_keys_destroy(keys);
    return true;
}
