/* The verbs of the command line, each in a file cmd_NAME.c of its own. To add one: write
 * the file, name it here, and put it into the list of verbs.c, from which main,
 * `continuo --help`, the manual page and the shells' completions are made. Main thread. */
#ifndef APP_VERBS_H
#define APP_VERBS_H

#include "app/generation/options.h"
#include "midi/smf/smf.h"
#include "model/weights/model.h"

#include <stdio.h>
#include <cjson/cJSON.h>

extern const struct verb VERB_CONTINUE, VERB_INPAINT, VERB_ACCOMPANY, VERB_RENDER,
    VERB_ATTENTION, VERB_SCORE, VERB_TRAIN, VERB_COMPARE, VERB_CRITIC, VERB_EVAL,
    VERB_LOGITS, VERB_TOKENS, VERB_QUANTISE, VERB_MODELS, VERB_DEVICES, VERB_INFO,
    VERB_COPY, VERB_BENCH, VERB_DEMO, VERB_CONFIG, VERB_COMPLETIONS;

extern const struct verb *const VERBS[];
extern const int n_verbs;

const struct verb *verb_find(const char *name); /* NULL: there is none */
/* The i-th option of a verb or of the workstation; false: there are no more. */
bool verb_option(const struct verb *v, int i, struct option_about *out);

/* argv begins with the verb's name. The exit status: 0 done, 1 failed, 2 wrong usage. */
int verb_run(const struct verb *v, int argc, char **argv);

void usage_write(FILE *to); /* what `continuo --help` prints */
void man_write(FILE *to);   /* the manual page: troff -man, as groff_man(7) has it */

/* What a model or a score holds, as JSON; the verbs print that as it is, or in
 * lines made from it. Text from files is made safe. NULL: out of memory. */

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
