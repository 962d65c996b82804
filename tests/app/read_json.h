/* JSON in a folder of the tests' own. */
#ifndef TESTS_APP_READ_JSON_H
#define TESTS_APP_READ_JSON_H

#include "tests/app/json_at.h"
#include "tests/app/own_folder.h"

static inline cJSON *read_json(const char *name)
{
    size_t n;
    auto_free char *text = get_bytes(name, &n);
    cJSON *j = cJSON_Parse(text);
    assert_non_null(j);
    return j;
}

#endif
