/* How well held-out music is predicted, by corpus and style, beside the baselines: as a
 * table, and as JSON. */
#ifndef APP_EVAL_LOSS_REPORT_H
#define APP_EVAL_LOSS_REPORT_H

#include "app/evaluation/eval_loss.h"

#include <cjson/cJSON.h>

void eval_loss_print(const struct eval_loss *l, const struct corpus *c);
/* Adds "corpora", "styles" and "all" to j. */
void eval_loss_add_json(const struct eval_loss *l, const struct corpus *c, cJSON *j);

#endif
