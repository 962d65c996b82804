/* What was measured in holes: as tables by corpus, style and kind of hole, and as JSON. */
#ifndef APP_EVAL_HOLES_REPORT_H
#define APP_EVAL_HOLES_REPORT_H

#include "app/evaluation/eval_holes.h"

#include <cjson/cJSON.h>

void eval_holes_print(const struct eval_holes *e, const struct eval_holes_request *q);
cJSON *eval_holes_json(const struct eval_holes *e, const struct eval_holes_request *q);

#endif
