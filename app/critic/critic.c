/* See critic.h; models/FORMAT.md describes its file. */
#include "app/critic/critic.h"

#include "app/base/json_fields.h"
#include "app/base/paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FEATURE(name, ...) {__VA_ARGS__},
const struct feature_row FEATURES[N_FEATURES] = {
#include "app/critic/feature_list.h"
};

int feature_find(const char *name)
{
    for (int i = 0; i < N_FEATURES; i++)
        if (!strcmp(FEATURES[i].name, name))
            return i;
    return -1;
}

float critic_merit(const struct critic *c, enum critic_kind kind,
                   const double features[N_FEATURES], float gives[N_FEATURES])
{
    float sum = 0;
    for (int i = 0; i < N_FEATURES; i++) {
        const struct critic_weight *w = &c->features[i];
        const float z = w->scale > 0 ? ((float)features[i] - w->mean) / w->scale : 0;
        gives[i] = w->weights[kind] * fminf(fmaxf(z, -CRITIC_FAR), CRITIC_FAR);
        sum += gives[i];
    }
    return sum;
}

/* -- words: the features that gave or took most say the reasons of a verdict -- */

/* Words of features that went. Stores have takes with them. */
static const struct {
    int word;
    const char *text;
} GONE[] = {{144, "out of range"},
            {150, "wide leaps"},
            {186, "ends in the air"},
            {187, "ends on tonic or dominant"},
            {202, "the tune has another rhythm"},
            {203, "the tune's rhythm as given"},
            {204, "other note lengths"},
            {205, "note lengths as given"},
            {220, "no phrase ends"},
            {221, "phrases end"},
            {222, "parallel fifths or octaves"}};

const char *critic_word(int word)
{
    /* The critic before had other numbers for its first features. Its numbers from 152 on had two
     * meanings and say nothing. */
    word += word >= 100 && word < 144 ? 70 : word >= 146 && word < 150 ? 68 : 0;
    for (int i = 0; i < N_FEATURES; i++)
        if (word == FEATURES[i].word || word == FEATURES[i].word + 1)
            return word == FEATURES[i].word ? FEATURES[i].blame : FEATURES[i].praise;
    for (size_t i = 0; i < sizeof GONE / sizeof *GONE; i++)
        if (word == GONE[i].word)
            return GONE[i].text;
    return NULL;
}

int critic_find_words(const double features[N_FEATURES], const float gives[N_FEATURES],
                      int words[CRITIC_WORDS])
{
    float strengths[CRITIC_WORDS] = {0};
    int n_blamed = 0;
    memset(words, 0, CRITIC_WORDS * sizeof *words);
    for (int i = 0; i < N_FEATURES; i++) {
        const struct feature_row *f = &FEATURES[i];
        const bool praises = gives[i] > 0;
        const double at = praises ? f->praise_at : f->blame_at;
        const bool is_true =
            (praises ? f->praise : f->blame) &&
            (f->is_merit == praises ? features[i] >= at : features[i] <= at);
        const int word = FEATURES[i].word + praises;
        const float strength = fabsf(gives[i]);
        int k = CRITIC_WORDS; /* the strongest come first */
        if (strength == 0 || !is_true)
            continue;
        n_blamed += !praises;
        for (; k > 0 && strength > strengths[k - 1]; k--)
            if (k < CRITIC_WORDS) {
                strengths[k] = strengths[k - 1];
                words[k] = words[k - 1];
            }
        if (k < CRITIC_WORDS) {
            strengths[k] = strength;
            words[k] = word;
        }
    }
    return n_blamed;
}

const char *critic_say(const struct critic_verdict *v, char *buf, size_t n_buf)
{
    size_t used = 0;
    if (n_buf)
        *buf = '\0';
    for (int i = 0; used < n_buf && i < CRITIC_WORDS; i++) {
        const char *text = critic_word(v->words[i]);
        if (!text)
            continue;
        const int n =
            snprintf(buf + used, n_buf - used, "%s%s", used ? ", " : "", text);
        used += n > 0 ? (size_t)n : 0;
    }
    return buf;
}

/* -- a take -- */

bool critic_judge(const struct critic *c, const struct score *s,
                  const struct continuation_options *o, struct take *take)
{
    struct critic_verdict *out = &take->stats.verdict;
    double features[N_FEATURES];
    float gives[N_FEATURES];
    struct scene scene;
    *out = (struct critic_verdict){0};
    if (!take->n_notes)
        return true;
    const enum midi_status st = scene_init(&scene, s, o, take);
    if (st)
        return st != MIDI_NO_MEMORY;
    features_measure(&scene, features);
    const enum critic_kind kind = scene.close     ? CRITIC_CLOSE
                                  : scene.is_hole ? CRITIC_HOLE
                                                  : CRITIC_CONTINUE;
    out->merit = critic_merit(c, kind, features, gives);
    out->is_judged = true;
    out->n_faults = critic_find_words(features, gives, out->words);
    scene_fini(&scene);
    return true;
}

/* -- the file -- */

static const char *read_weight(struct critic *c, const cJSON *from)
{
    static const struct {
        const char *name;
        double low, high;
    } FIELDS[] = {{"mean", -1e6, 1e6},
                  {"scale", 1e-6, 1e6},
                  {"continue", -1e3, 1e3},
                  {"hole", -1e3, 1e3},
                  {"close", -1e3, 1e3}};
    enum { N_FIELDS = sizeof FIELDS / sizeof *FIELDS };
    const char *name = json_text(from, "name");
    const int i = name ? feature_find(name) : -1;
    double x[N_FIELDS];
    if (i < 0)
        return "has a feature that this program does not know";
    if (c->features[i].scale > 0)
        return "has a feature twice";
    for (int k = 0; k < N_FIELDS; k++)
        if (!json_real(from, FIELDS[k].name, FIELDS[k].low, FIELDS[k].high, &x[k]))
            return "has a number that is missing or out of range";
    c->features[i] = (struct critic_weight){
        (float)x[0], (float)x[1], {(float)x[2], (float)x[3], (float)x[4]}};
    return NULL;
}

/* Deletes the JSON. */
static const char *take_weights(struct critic *c, cJSON *json)
{
    const cJSON *features = json_get(json, "features"), *one;
    const char *why =
        !json_is_text(json, "format", "continuo-critic-2") || !cJSON_IsArray(features)
            ? "is not a critic of this program"
        : !features->child ? "has no features"
                           : NULL;
    *c = (struct critic){0};
    cJSON_ArrayForEach(one, features)
    {
        why = why ? why : read_weight(c, one);
    }
    if (why)
        *c = (struct critic){0};
    cJSON_Delete(json);
    return why;
}

const char *critic_parse(struct critic *c, const char *text, size_t n)
{
    return take_weights(c, cJSON_ParseWithLength(text, n));
}

const char *critic_read(struct critic *c, const char *path)
{
    const char *why = NULL;
    cJSON *json = json_read_file(path, CRITIC_FILE_BYTES, &why);
    const char *fault = take_weights(c, json);
    return why ? why : fault;
}

bool critic_find(struct critic *c)
{
    char path[4096];
    *c = (struct critic){0};
    return paths_find(path, sizeof path, PATHS_CRITIC) && !critic_read(c, path);
}
