/* What a musician would say about a take: a phrase if a feature is in a range, the most
 * important first. See critic.h. */
#include "app/critic/critic.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* Measured in the passage itself, if the feature only gives the difference from the bars
 * before. */
static double bass_repeats(const struct critic_view *v)
{
    return v->repeats.has[REPEAT_BASS] ? v->repeats.best[REPEAT_BASS] : 0;
}

static double brings_back(const struct critic_view *v)
{
    return v->repeats.best[REPEAT_EXACT];
}

static double takes_up(const struct critic_view *v)
{
    return v->repeats.best[REPEAT_SHAPE] - v->repeats.best[REPEAT_EXACT];
}

static double rhythm(const struct critic_view *v)
{
    return v->repeats.best[REPEAT_RHYTHM];
}

static double groove(const struct critic_view *v)
{
    return v->heard_repeats.has[REPEAT_DRUMS] ? v->repeats.best[REPEAT_DRUMS] : -1;
}

static double drops_out(const struct critic_view *v)
{
    return feature_fading(v) - feature_silent(v);
}

#define ANY    1e9
#define FAULTY 100 /* goes before all else */

static const struct word {
    const char *text, *feature;
    double low, high; /* of this, or of the feature: */
    double (*of)(const struct critic_view *v);
    double weight; /* in addition to the feature's value */
} WORDS[] = {
    {"a track falls silent", "silent tracks", 0.5, ANY, feature_silent, FAULTY},
    {"a track drops out", "silent tracks", 0.5, ANY, drops_out, FAULTY},
    {"out of range", "out of range", 0.02, ANY, feature_out_of_range, FAULTY},
    {"stays on one note", "drones", 0.5, ANY, feature_drones, FAULTY},
    {"loops", "loops", 0.03, ANY, feature_loops, FAULTY},
    {"keeps the key", "key", 0.985, ANY, feature_key, 0.6},
    {"leaves the key", "key", -ANY, 0.93, feature_key, 0.8},
    {"ends on the tonic", "ends on tonic", 0.5, ANY, feature_ends_on_tonic, 0.7},
    {"bass repeats", "bass repeats", 0.6, ANY, bass_repeats, 0.5},
    {"keeps the groove", "groove", 0.85, ANY, groove, 0.8},
    {"another groove", "groove", 0, 0.5, groove, 0.6},
    {"recalls earlier bars", "best bar", 0.5, ANY, brings_back, 0.4},
    {"takes up the motif", "best shape", 0.25, ANY, takes_up, 0.4},
    {"keeps the rhythm", "best rhythm", 0.75, ANY, rhythm, 0.3},
    {"new rhythms", "best rhythm", -ANY, 0.3, rhythm, 0.2},
    {"busier", "density", 0.4, ANY, NULL, 0.2},
    {"sparser", "density", -ANY, -0.4, NULL, 0.2},
    {"higher", "register", 0.3, ANY, NULL, 0.2},
    {"lower", "register", -ANY, -0.3, NULL, 0.2},
    {"harsher", "harsh", 0.2, ANY, NULL, 0.2},
    {"sweeter", "harsh", -ANY, -0.2, NULL, 0.2},
    {"semitones clash", "clashes", 0.06, ANY, NULL, 0.3},
    {"parallel fifths", "parallels", 0.06, ANY, NULL, 0.3},
    {"more leaps", "leaps", 0.12, ANY, NULL, 0.2},
    {"fewer leaps", "leaps", -ANY, -0.12, NULL, 0.2},
    {"fuller chords", "voices", 0.8, ANY, NULL, 0.1},
    {"thinner chords", "voices", -ANY, -0.8, NULL, 0.1},
    {"more rests", "silence", 0.2, ANY, NULL, 0.2},
    {"longer notes", "length", 0.5, ANY, NULL, 0.1},
    {"shorter notes", "length", -ANY, -0.5, NULL, 0.1},
    {"more off the beat", "on beat", -ANY, -0.15, NULL, 0.1},
    {"more on the beat", "on beat", 0.15, ANY, NULL, 0.1},
    {"grows", "growing", 0.6, ANY, NULL, 0.1},
    {"calms down", "growing", -ANY, -0.6, NULL, 0.1},
    {"ends on a long note", "last note", 1.2, ANY, NULL, 0.2},
    {"louder", "loudness", 3, ANY, NULL, 0.1},
    {"softer", "loudness", -ANY, -3, NULL, 0.1},
};
enum { N_WORDS = sizeof WORDS / sizeof WORDS[0] };
static_assert((int)N_WORDS <= (int)CRITIC_MOST_WORDS, "they are kept as numbers");

const char *critic_word(int word)
{
    return word > 0 && word <= N_WORDS ? WORDS[word - 1].text : NULL;
}

/* Its importance; 0: it does not apply. */
static double tells(const struct word *w, const struct critic_view *v,
                    const float features[FEATURES_MOST],
                    const float gives[FEATURES_MOST])
{
    int feature = feature_find(w->feature);
    double x = w->of ? w->of(v) : (double)features[feature];
    return x >= w->low && x <= w->high ? w->weight + fabs((double)gives[feature]) : 0;
}

void critic_find_words(const struct critic_view *v, const float features[FEATURES_MOST],
                       const float gives[FEATURES_MOST], int words[CRITIC_WORDS])
{
    double strengths[CRITIC_WORDS] = {0};
    for (int k = 0; k < CRITIC_WORDS; k++)
        words[k] = 0;
    for (int i = 0; i < N_WORDS; i++) {
        double strength = tells(&WORDS[i], v, features, gives);
        int at = CRITIC_WORDS;
        while (at > 0 && strength > strengths[at - 1])
            at--;
        for (int k = CRITIC_WORDS - 1; k > at; k--) {
            strengths[k] = strengths[k - 1];
            words[k] = words[k - 1];
        }
        if (at < CRITIC_WORDS) {
            strengths[at] = strength;
            words[at] = i + 1;
        }
    }
}

const char *critic_say(const struct critic_verdict *v, char *buf, size_t n_buf)
{
    size_t used = 0;
    if (n_buf)
        *buf = '\0';
    for (int i = 0; i < CRITIC_WORDS && critic_word(v->words[i]); i++) {
        int n = snprintf(buf + used, n_buf - used, "%s%s", used ? ", " : "",
                         critic_word(v->words[i]));
        used += n > 0 ? (size_t)n : 0;
        if (used >= n_buf)
            return buf;
    }
    return buf;
}
