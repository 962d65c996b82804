/* The table of features. See critic_features.h. */
#include "app/critic/critic_features.h"

#include "app/critic/critic_measures.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct feature {
    const char *name;
    double (*find)(const struct critic_view *v);
};

static const struct feature FEATURES[] = {
    {"key", feature_key},
    {"local key", measure_local_key},
    {"scale", measure_scale},
    {"pitch variety", measure_entropy},
    {"pitch distance", measure_pitch_distance},
    {"tonic", measure_tonic},
    {"dominant", measure_dominant},

    {"bar before", measure_bar_before},
    {"rhythm before", measure_rhythm_before},
    {"shape before", measure_shape_before},
    {"two back", measure_two_back},
    {"four back", measure_four_back},
    {"eight back", measure_eight_back},
    {"best bar", measure_best_bar},
    {"best rhythm", measure_best_rhythm},
    {"best shape", measure_best_shape},
    {"bass repeats", measure_bass_repeats},
    {"loops", feature_loops},
    {"new bars", measure_new_bars},

    {"density", measure_density},
    {"onsets", measure_onsets},
    {"density by track", measure_track_density},
    {"balance", measure_balance},
    {"silent tracks", feature_silent},
    {"silence", measure_silence},
    {"bars differ", measure_bars_differ},
    {"growing", measure_growing},
    {"last bar", measure_last_bar},

    {"out of range", feature_out_of_range},
    {"register", measure_register},
    {"register by track", measure_track_register},
    {"range", measure_range},
    {"drones", feature_drones},
    {"pitches", measure_pitches},

    {"voices", measure_voices},
    {"voices spread", measure_voices_spread},
    {"voices by track", measure_track_voices},
    {"harsh", measure_harsh},
    {"clashes", measure_clashes},
    {"close", measure_close},
    {"full", measure_full},
    {"parallels", measure_parallels},

    {"repeated notes", measure_repeated_notes},
    {"steps", measure_steps},
    {"leaps", measure_leaps},
    {"wide leaps", measure_wide},
    {"turns", measure_turns},
    {"melody leaps", measure_melody_leaps},
    {"bass leaps", measure_bass_leaps},
    {"bass steps", measure_bass_steps},
    {"seam", measure_seam},

    {"ends on tonic", feature_ends_on_tonic},
    {"ends on triad", measure_ends_on_triad},
    {"last note", measure_last_note},
    {"end", measure_end},

    {"places", measure_places},
    {"on beat", measure_on_beat},
    {"off grid", measure_off_grid},
    {"lengths", measure_lengths},
    {"length", measure_length},
    {"length spread", measure_length_spread},
    {"loudness", measure_loudness},
    {"loudness spread", measure_loudness_spread},
    {"groove", measure_groove},
    {"drum density", measure_drum_density},
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

void features_find(const struct critic_view *v, float out[FEATURES_MOST])
{
    for (int i = 0; i < N_FEATURES; i++) {
        double x = FEATURES[i].find(v);
        out[i] = isfinite(x) ? (float)x : 0;
    }
}

/* The last four bars that are heard. */
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
