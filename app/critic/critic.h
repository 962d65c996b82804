/* The critic: how well a take answers its request, as blind readers marked such answers. A sum
 * of features that a musician would name (app/critic/features.h), weighed by what is asked. The
 * weights are fitted to readers' marks by models/critic.py.
 *
 * Its file is JSON, and not trusted. A critic is plain data, constant once read; pure
 * functions, any thread. */
#ifndef APP_CRITIC_H
#define APP_CRITIC_H

#include "app/critic/features.h"

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
    CRITIC_FIRST_WORD = 100,
    CRITIC_MOST_WORDS = CRITIC_FIRST_WORD + 2 * N_FEATURES
};
const char *critic_word(int word); /* "backbeat lost"; NULL: no such number */
/* The reasons: up to CRITIC_WORDS, 0 past them. Returns the number of features for which a
 * musician would blame the take. */
int critic_find_words(const double features[N_FEATURES], const float gives[N_FEATURES],
                      int words[CRITIC_WORDS]);
/* "silent bars, bass on the root"; buf is returned. */
const char *critic_say(const struct critic_verdict *v, char *buf, size_t n_buf);

/* critic_file.c. NULL: success; else a plain phrase, and *c has no weights. */
const char *critic_read(struct critic *c, const char *path);
const char *critic_parse(struct critic *c, const char *text, size_t n);
/* The critic that comes with the program; false: there is none that can be read. */
bool critic_find(struct critic *c);

#endif
