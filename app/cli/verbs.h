/* The verbs of the command line, each in its own file cmd_NAME.c. To add one, write the
 * file and name it in this list. main, `continuo --help`, the manual page and the shells'
 * completions use the list. Main thread. */
#ifndef APP_VERBS_H
#define APP_VERBS_H

#include "app/generation/options.h"
#include "midi/smf/smf.h"
#include "model/weights/model.h"

#include <stdio.h>
#include <cjson/cJSON.h>

#define EACH_VERB(X)                                                                   \
    X(CONTINUE)                                                                        \
    X(INPAINT)                                                                         \
    X(ACCOMPANY)                                                                       \
    X(RENDER)                                                                          \
    X(ATTENTION)                                                                       \
    X(SCORE)                                                                           \
    X(TRAIN)                                                                           \
    X(CRITIC)                                                                          \
    X(EVAL)                                                                            \
    X(LOGITS)                                                                          \
    X(TOKENS)                                                                          \
    X(QUANTISE)                                                                        \
    X(MODELS)                                                                          \
    X(DEVICES)                                                                         \
    X(INFO)                                                                            \
    X(COPY)                                                                            \
    X(BENCH)                                                                           \
    X(DEMO)                                                                            \
    X(CONFIG)                                                                          \
    X(COMPLETIONS)

#define DECLARE_VERB(name) extern const struct verb VERB_##name;
EACH_VERB(DECLARE_VERB)

extern const struct verb *const VERBS[];
extern const int n_verbs;

const struct verb *verb_find(const char *name); /* NULL: there is none */
/* The verb that begins most like the word, by two letters at least; NULL: none does. */
const struct verb *verb_like(const char *word);
/* The i-th option of a verb or of the workstation; false: the end. */
bool verb_option(const struct verb *v, int i, struct option_about *out);

/* argv begins with the verb's name. The exit status: 0 done, 1 failed, 2 wrong usage. */
int verb_run(const struct verb *v, int argc, char **argv);

/* Checks, before a verb that does its own options writes: the output must be none of the n
 * inputs (NULL: none) and, unless it is forced, nothing that the editor would ask about. 0,
 * or 1 after saying why not. */
int verb_may_write(const char *output, bool is_forced, const char *const *inputs,
                   int n);

void usage_write(FILE *to); /* what `continuo --help` prints */
void man_write(FILE *to);   /* the manual page: troff -man, as groff_man(7) has it */

/* The content of a model or a score, as JSON; the verbs print it, or lines made from it.
 * Text from files is made safe. NULL: out of memory. */

/* provenance is the parsed metadata, when the model has it. */
cJSON *describe_model(const struct model *m, const char *path);
cJSON *describe_score(const struct score *s, const char *path,
                      const struct smf_report *report);

/* "6 layers of 256, 5.2 million parameters, context 1024". buf is returned. */
const char *describe_model_size(const struct model *m, char *buf, size_t n_buf);
/* Of the provenance: "chorales, piano; 1.85 nats a token (unigram 4.1, bigram
 * 2.9); CC-BY". Empty when the model does not say. */
const char *describe_provenance(const struct model *m, char *buf, size_t n_buf);

#endif
