/* Steering values as members of a JSON object, each by the name of its row. */
#ifndef APP_STEER_JSON_H
#define APP_STEER_JSON_H

#include "app/generation/steer.h"

#include <cjson/cJSON.h>

/* All of them, or those that are not as learnt. false: out of memory. */
bool steer_json_add(cJSON *to, const struct steering *s, bool all);

#endif
