/* The verbs of the command line, each in its own file cmd_NAME.c. To add one, write the
 * file and name it in this list, or in that of app/lab/verbs/lab_verbs.h. main, `continuo --help`,
 * the manual page and the shells' completions use both. Main thread. */
#ifndef APP_VERBS_H
#define APP_VERBS_H

#include "app/generation/options.h"
#include "app/lab/verbs/lab_verbs.h"
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
    X(MODELS)                                                                          \
    X(DEVICES)                                                                         \
    X(INFO)                                                                            \
    X(COPY)                                                                            \
    X(CONFIG)                                                                          \
    X(COMPLETIONS)

#define DECLARE_VERB(name) extern const struct verb VERB_##name;
EACH_VERB(DECLARE_VERB)

/* Those of the instrument, then those of the laboratory, which begin at n_own_verbs. */
extern const struct verb *const VERBS[];
extern const int n_verbs, n_own_verbs;

const struct verb *verb_find(const char *name); /* NULL: there is none */
/* The verb that begins most like the word, by two letters at least; NULL: none does. */
const struct verb *verb_like(const char *word);
/* The i-th option of a verb or of the workstation; NULL: the end. */
const struct field *verb_option(const struct verb *v, int i);

/* argv begins with the verb's name. The exit status: 0 done, 1 failed, 2 wrong usage. */
int verb_run(const struct verb *v, int argc, char **argv);

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
/* Of the provenance, by style: "chorale: jsb-chorales; folk: ceol-rince, oldtime-tunes; 1.85
 * nats a token (unigram 4.1, bigram 2.9); CC-BY". Empty when the model does not say. */
const char *describe_provenance(const struct model *m, char *buf, size_t n_buf);

#endif
