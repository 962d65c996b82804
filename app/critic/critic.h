/* The critic: how well a take answers its request, as blind readers marked such answers: a sum of
 * features that a musician would name, weighed by what is asked. The weights are fitted to readers'
 * marks by models/choice.py.
 *
 * A feature is a figure of a take's harmony, bass, rhythm, lines, form or end, the same for every key
 * and speed. Most compare the take with the bars that were given, so that nothing is a fault that the
 * piece does itself.
 *
 * Its file is JSON, and not trusted. A critic is plain data, constant once read; pure
 * functions, any thread. */
#ifndef APP_CRITIC_H
#define APP_CRITIC_H

#include "app/critic/scene.h"

#define FEATURE(name, ...) FEATURE_##name,
enum feature {
#include "app/critic/feature_list.h"
    N_FEATURES
};
#undef FEATURE

/* The value of a feature of what was not asked, halfway between praise and blame. */
#define NOT_ASKED 0.5

/* Praise is true from praise_at on, blame from blame_at on, in the feature's good and bad
 * direction. */
extern const struct feature_row {
    const char *name;
    bool is_merit;
    const char *praise;
    double praise_at;
    const char *blame;
    double blame_at;
} FEATURES[N_FEATURES];

int feature_find(const char *name); /* -1: there is none */
/* All of them, finite. false: out of memory. */
bool features_measure(const struct scene *c, double out[N_FEATURES]);

/* Kinds of requests, each with weights of its own. */
enum critic_kind { CRITIC_CONTINUE, CRITIC_HOLE, CRITIC_CLOSE, N_CRITIC_KINDS };

struct critic_weight {
    float mean, scale; /* a feature x is z = (x - mean) / scale, within +-CRITIC_FAR, */
    float weights[N_CRITIC_KINDS]; /* and gives weight z */
};

struct critic {
    struct critic_weight features[N_FEATURES]; /* zeros where the file has none */
};

#define CRITIC_FAR 4.0f

enum { CRITIC_FILE_BYTES = 1 << 16 };

/* What each feature gives; their sum. */
float critic_merit(const struct critic *c, enum critic_kind kind,
                   const double features[N_FEATURES], float gives[N_FEATURES]);
/* Judges n notes as an answer to that request in `s`, which has all other notes. A take that
 * cannot be judged, such as one without notes, gets no verdict. */
void critic_judge(const struct critic *c, const struct score *s,
                  const struct critic_request *r, const struct continued_note *notes,
                  size_t n, struct critic_verdict *out);

/* Words are kept as numbers in stores. Numbers below the first are an older critic's and have no
 * word. */
enum {
    CRITIC_FIRST_WORD = 240,
    CRITIC_MOST_WORDS = CRITIC_FIRST_WORD + 2 * N_FEATURES
};
const char *critic_word(int word); /* "backbeat lost"; NULL: no such number */
/* The reasons: up to CRITIC_WORDS, 0 past them. Returns the number of features for which a
 * musician would blame the take. */
int critic_find_words(const double features[N_FEATURES], const float gives[N_FEATURES],
                      int words[CRITIC_WORDS]);
/* "silent bars, bass on the root"; buf is returned. */
const char *critic_say(const struct critic_verdict *v, char *buf, size_t n_buf);

/* Of its file's text. NULL: success; else a plain phrase, and *c has no weights. */
const char *critic_parse(struct critic *c, const char *text, size_t n);
const char *critic_read(struct critic *c, const char *path);
/* The critic that comes with the program; false: there is none that can be read. */
bool critic_find(struct critic *c);

#endif
