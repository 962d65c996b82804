/* See critic.h. */
#include "app/critic/critic.h"

#include <math.h>
#include <stdio.h>

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

/* -- the reasons of a verdict: the features that gave or took most, each by its word -- */

const char *critic_word(int word)
{
    const int at = word - CRITIC_FIRST_WORD;
    return at >= 0 && at < 2 * N_FEATURES ? feature_word(at / 2, at % 2) : NULL;
}

/* The strongest come first. */
static void add_word(int words[CRITIC_WORDS], float strengths[CRITIC_WORDS], int word,
                     float strength)
{
    for (int i = 0; i < CRITIC_WORDS; i++) {
        if (strength <= strengths[i])
            continue;
        const float weaker = strengths[i];
        const int other = words[i];
        strengths[i] = strength;
        words[i] = word;
        strength = weaker;
        word = other;
    }
}

int critic_find_words(const double features[N_FEATURES], const float gives[N_FEATURES],
                      int words[CRITIC_WORDS])
{
    float strengths[CRITIC_WORDS] = {0};
    int n_blamed = 0;
    for (int k = 0; k < CRITIC_WORDS; k++)
        words[k] = 0;
    for (int i = 0; i < N_FEATURES; i++) {
        const bool praises = gives[i] > 0;
        if (gives[i] == 0 || !feature_word(i, praises) ||
            !feature_tells(i, features[i], praises))
            continue;
        add_word(words, strengths, CRITIC_FIRST_WORD + 2 * i + praises,
                 fabsf(gives[i]));
        n_blamed += !praises;
    }
    return n_blamed;
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

/* -- a take -- */

void critic_judge(const struct critic *c, const struct score *s,
                  const struct critic_request *r, const struct continued_note *notes,
                  size_t n, struct critic_verdict *out)
{
    double features[N_FEATURES];
    float gives[N_FEATURES];
    struct scene scene;
    *out = (struct critic_verdict){0};
    if (!n || scene_init(&scene, s, r, notes, n))
        return;
    if (features_measure(&scene, features)) {
        const enum critic_kind kind = r->close     ? CRITIC_CLOSE
                                      : r->is_hole ? CRITIC_HOLE
                                                   : CRITIC_CONTINUE;
        out->merit = critic_merit(c, kind, features, gives);
        out->is_judged = true;
        out->n_faults = critic_find_words(features, gives, out->words);
    }
    scene_fini(&scene);
}
