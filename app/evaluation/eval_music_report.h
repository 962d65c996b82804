/* What the samples of generated, held-out and training music say, side by side:
 * as a table for each corpus, and as JSON. */
#ifndef APP_EVAL_MUSIC_REPORT_H
#define APP_EVAL_MUSIC_REPORT_H

#include "app/evaluation/eval_music.h"

#include <cjson/cJSON.h>

/* false: out of memory. */
bool music_print(const struct music *m, const struct music_request *q);
cJSON *music_json(const struct music *m, const struct music_request *q); /* or NULL */

#endif
