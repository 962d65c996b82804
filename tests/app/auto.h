/* Types of app's tests that are freed at the end of their scope, as in tests/auto.h. */
#ifndef TESTS_APP_AUTO_H
#define TESTS_APP_AUTO_H

#include "tests/midi/auto.h"
#include "tests/model/auto.h"

#include <cjson/cJSON.h>

#define auto_json __attribute__((cleanup(free_cJSON))) cJSON

FREES(cJSON, cJSON_Delete)

#endif
