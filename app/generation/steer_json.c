/* See steer_json.h. */
#include "app/generation/steer_json.h"

bool steer_json_add(cJSON *to, const struct steering *s, bool all)
{
    bool ok = true;
    for (int i = 0; ok && i < steer_n_rows(); i++) {
        const struct steer_row *r = steer_row(i);
        char text[STEER_TEXT_BYTES];
        if (!all && steer_is_default(r, s))
            continue;
        steer_get(r, s, text);
        ok = steer_is_number(r, s)
                 ? cJSON_AddRawToObject(to, steer_name(r), text) != NULL
                 : cJSON_AddStringToObject(to, steer_name(r), text) != NULL;
    }
    return ok;
}
