/* The critic says how well a take answers its request. Its merit is a sum of features that a musician
 * would name, with weights by the kind of request. models/choice.py fits the weights to marks of blind
 * readers.
 *
 * A feature is a figure of a take's harmony, bass, rhythm, lines, form or end. It is the same in every
 * key and at every speed. Most features compare the take with the given bars, so that nothing is a
 * fault that the piece does itself.
 *
 * The critic's file is JSON and is not trusted. A critic is plain data, constant once read. Functions
 * are pure and serve any thread. */
#ifndef APP_CRITIC_H
#define APP_CRITIC_H

#include "app/critic/scene.h"

#define FEATURE(name, ...) FEATURE_##name,
enum feature {
#include "app/critic/feature_list.h"
    N_FEATURES
};
#undef FEATURE

/* The value of a feature of something that was not asked, halfway between praise and blame. */
#define NOT_ASKED 0.5

/* A feature's name, and its words. Praise is true from praise_at on in the feature's good direction,
 * blame from blame_at on in the other. */
extern const struct feature_row {
    int word; /* of blame; that of praise is the next */
    const char *name;
    bool is_merit;
    const char *praise;
    double praise_at;
    const char *blame;
    double blame_at;
} FEATURES[N_FEATURES];

/* Returns the feature with this name; -1: there is none. */
int feature_find(const char *name);
/* Measures all features, which are finite. */
void features_measure(const struct scene *c, double out[N_FEATURES]);

/* The kinds of requests, each of which has weights of its own. */
enum critic_kind { CRITIC_CONTINUE, CRITIC_HOLE, CRITIC_CLOSE, N_CRITIC_KINDS };

struct critic_weight {
    /* A feature x gives weight * z, where z = (x - mean) / scale, within +-CRITIC_FAR. */
    float mean, scale;
    float weights[N_CRITIC_KINDS];
};

struct critic {
    struct critic_weight features[N_FEATURES]; /* zeros where the file has none */
};

#define CRITIC_FAR 4.0f

enum { CRITIC_FILE_BYTES = 1 << 16 };

/* Writes what each feature gives, and returns the sum. */
float critic_merit(const struct critic *c, enum critic_kind kind,
                   const double features[N_FEATURES], float gives[N_FEATURES]);
/* Judges a take as an answer to that request in `s`, which has all other notes. Its stats get the verdict;
 * a take that cannot be judged, such as one without notes, gets none. false: out of memory. */
bool critic_judge(const struct critic *c, const struct score *s,
                  const struct continuation_options *o, struct take *take);

/* Stores keep words as numbers, which never change. Words of features that went keep their texts.
 * Numbers without a text are an older critic's. */
enum { CRITIC_MOST_WORDS = 300 };
/* Returns the text of a word, "backbeat lost"; NULL: no word has this number. */
const char *critic_word(int word);
/* Writes the reasons of a verdict, the strongest first: up to CRITIC_WORDS words, then 0. Returns the
 * number of features for which a musician would blame the take. */
int critic_find_words(const double features[N_FEATURES], const float gives[N_FEATURES],
                      int words[CRITIC_WORDS]);
/* Writes the words of a verdict, "silent bars, bass on the root"; returns buf. */
const char *critic_say(const struct critic_verdict *v, char *buf, size_t n_buf);

/* Read a critic from its file's text, and from its file. Return NULL, or a plain phrase that says what
 * is wrong; *c then has no weights. */
const char *critic_parse(struct critic *c, const char *text, size_t n);
const char *critic_read(struct critic *c, const char *path);
/* Reads the critic that comes with the program; false: there is none that can be read. */
bool critic_find(struct critic *c);

#endif
