#include "app/decoding/learnt_styles.h"

#include "app/decoding/continuation.h"
#include "app/decoding/metadata.h"
#include "app/base/paths.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define ALL ((UINT64_C(1) << STYLE_COUNT) - 1)

static uint64_t bit(int style)
{
    return UINT64_C(1) << style;
}

/* 0: it is no style of ours. */
static uint64_t find(const cJSON *name)
{
    for (int s = 0; cJSON_IsString(name) && s < STYLE_COUNT; s++)
        if (!strcmp(name->valuestring, style_name((enum style)s)))
            return bit(s);
    return 0;
}

uint64_t learnt_styles(const struct model *m)
{
    const char *text = model_metadata(m, "provenance");
    cJSON *j = text ? cJSON_Parse(text) : NULL;
    const cJSON *corpus = NULL;
    uint64_t styles = 0;
    cJSON_ArrayForEach(corpus, cJSON_GetObjectItemCaseSensitive(j, "corpora")) styles |=
        find(cJSON_GetObjectItemCaseSensitive(corpus, "style"));
    cJSON_Delete(j);
    return styles & ~bit(STYLE_ANY) ? styles | bit(STYLE_ANY) : ALL;
}

uint64_t learnt_styles_of_file(const char *wanted_model)
{
    char path[4096], detail[96];
    struct model *m = NULL;
    if (!paths_model(path, sizeof path, wanted_model) ||
        model_open(&m, path, detail, sizeof detail))
        return ALL;
    uint64_t styles = learnt_styles(m);
    model_close(m);
    return styles;
}

bool learnt_has(uint64_t styles, int style)
{
    if (style == CONTINUATION_STYLE_GUESS || !styles)
        return true;
    return style >= 0 && style < STYLE_COUNT && (styles & bit(style));
}

const char *learnt_list(uint64_t styles, char buf[LEARNT_LIST_BYTES])
{
    int used = snprintf(buf, LEARNT_LIST_BYTES, "one of: guess");
    for (int s = 0; s < STYLE_COUNT && used < LEARNT_LIST_BYTES; s++)
        if (learnt_has(styles, s))
            used += snprintf(buf + used, (size_t)(LEARNT_LIST_BYTES - used), " %s",
                             style_name((enum style)s));
    return buf;
}
