/* The critic: how similar a take is to what composers write after such bars. A logistic
 * regression on the features of app/critic/critic_features.h and their squares, trained on
 * pairs of real and generated bars (app/cli/cmd_critic.c); and faults, which cost more than
 * any merit.
 *
 * Its file is JSON, and not trusted. A critic is plain data, constant once read; pure
 * functions, any thread. */
#ifndef APP_CRITIC_H
#define APP_CRITIC_H

#include "app/critic/critic_features.h"

#include <cjson/cJSON.h>

struct critic_weight {
    float mean, scale; /* a feature x is z = (x - mean) / scale, within +-CRITIC_FAR, */
    float linear, square; /* and gives linear z + square z z */
};

struct critic {
    struct critic_weight weights[FEATURES_MOST]; /* zeros where the file has none */
};

#define CRITIC_FAR   4.0f
#define CRITIC_FAULT 100.0f /* the cost of each: more than all merits */

enum { CRITIC_FILE_BYTES = 1 << 16 };

/* What each feature gives; their sum. */
float critic_merit(const struct critic *c, const float features[FEATURES_MOST],
                   float gives[FEATURES_MOST]);
/* Judges n notes as that passage of `s`. Without music before, it judges the passage alone:
 * its repeats, its key, its tracks. A passage that cannot be judged, such as one without
 * notes, gets no verdict. */
void critic_judge(const struct critic *c, const struct score *s, int64_t from_tick,
                  int64_t to_tick, const struct continued_note *notes, size_t n,
                  struct critic_verdict *out);

/* Part i of a passage, ticks, as critics judge and learn it: as few as possible of 8 bars at
 * most, about equal. false: it has no such part. */
struct critic_part {
    int64_t from, to;
};
bool critic_part(struct critic_part *out, const struct timeline *t, int64_t from_tick,
                 int64_t to_tick, int i);

/* critic_words.c */
enum { CRITIC_MOST_WORDS = 64 };
const char *critic_word(int word); /* "keeps the key"; NULL: no such number */
/* Up to CRITIC_WORDS, 0 past them. */
void critic_find_words(const struct critic_view *v, const float features[FEATURES_MOST],
                       const float gives[FEATURES_MOST], int words[CRITIC_WORDS]);
/* "keeps the key, bass repeats"; buf is returned. */
const char *critic_say(const struct critic_verdict *v, char *buf, size_t n_buf);

/* critic_file.c. NULL: success; else a plain phrase, and *c has no weights. */
const char *critic_read(struct critic *c, const char *path);
const char *critic_parse(struct critic *c, const char *text, size_t n);
/* The critic that comes with the program; false: there is none that can be read. */
bool critic_find(struct critic *c);
/* Writes it with a card, which is borrowed. false: out of memory or a failed write: errno
 * says. */
bool critic_write(const struct critic *c, const cJSON *card, const char *path);

#endif
