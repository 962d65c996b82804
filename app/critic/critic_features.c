/* The table of features, and those that are found in the same way. See critic_features.h. */
#include "app/critic/critic_features.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
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

/* One of find, of_tracks and the offsets is set. */
struct feature {
    const char *name;
    double (*find)(const struct critic_view *v);
    double (*of_tracks)(const struct track_facts *heard, const struct track_facts *now);
    size_t now, heard; /* offsets of doubles in a view: the first less the second; */
    int n;             /* of [n], half the sum of their distances */
};

/* Members are named, not values. NOLINTBEGIN(bugprone-macro-parentheses) */
#define LESS(of_now, of_heard, fact)                                                   \
    .now = offsetof(struct critic_view, of_now.fact),                                  \
    .heard = offsetof(struct critic_view, of_heard.fact)
#define MORE(fact)    LESS(now, heard, fact)
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

    {"density", .find = measure_density},
    {"onsets", .find = measure_onsets},
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

static double distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(a[i] - b[i]) / 2;
    return sum;
}

static double find(const struct feature *f, const struct critic_view *v)
{
    const double *now = (const void *)((const char *)v + f->now),
                 *heard = (const void *)((const char *)v + f->heard);
    return f->find        ? f->find(v)
           : f->of_tracks ? mean_of_tracks(v, f->of_tracks)
           : f->n         ? distance(now, heard, f->n)
                          : *now - *heard;
}

void features_find(const struct critic_view *v, float out[FEATURES_MOST])
{
    for (int i = 0; i < N_FEATURES; i++) {
        double x = find(&FEATURES[i], v);
        out[i] = isfinite(x) ? (float)x : 0;
    }
}

/* The last four bars before. */
static void find_local(struct critic_view *v, const struct scene *c)
{
    int first = c->first_new_bar > 4 ? c->first_new_bar - 4 : 0;
    struct facts f = {0};
    struct span last = {0, c->first_new, c->bars[first], c->from};
    while (last.first < last.end && c->notes[last.first].step < last.from)
        last.first++;
    facts_pitches(&f, c, &last);
    memcpy(v->local_time, f.pitch_time, sizeof v->local_time);
}

bool critic_view_find(struct critic_view *v, const struct scene *c)
{
    struct span heard = {0, c->first_new, c->bars[0], c->from};
    struct span now = {c->first_new, c->n_notes, c->from, c->to};
    v->scene = c;
    facts_find(&v->heard, c, &heard);
    facts_find(&v->now, c, &now);
    find_local(v, c);
    v->tonic = key_tonic(v->heard.pitch_time, &v->is_minor);
    struct bar_keys *keys = bar_keys_create(c, v->heard.bass_track);
    if (!keys)
        return false;
    repeats_find(&v->heard_repeats, keys, 0, c->first_new_bar);
    repeats_find(&v->repeats, keys, c->first_new_bar, c->n_bars);
    bar_keys_destroy(keys);
    return true;
}
