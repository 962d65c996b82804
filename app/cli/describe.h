/* What a model or a score holds, as JSON; the verbs print that as it is, or in
 * lines made from it. Text from files is made safe. NULL: out of memory. */
#ifndef APP_DESCRIBE_H
#define APP_DESCRIBE_H

#include "midi/smf/smf.h"
#include "model/weights/model.h"

#include <cjson/cJSON.h>

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
