/* See sidecar_taps.h. */
#include "app/sidecar_taps.h"

#include "app/json_fields.h"
#include "midi/note.h"

static const char *const NAMES[TAP_KINDS] = {
    [TAP_BAR] = "bars", [TAP_BEGIN] = "begins"};

static bool read_list(struct taps *t, const cJSON *list, enum tap_kind kind)
{
    const cJSON *item;
    int64_t last = -1;
    bool ok = cJSON_IsArray(list);
    cJSON_ArrayForEach(item, list)
    {
        struct tap tap = {.kind = kind};
        ok =
            ok && json_is_tick(item, last + 1, TICK_MAX, &tap.tick) && taps_put(t, tap);
        last = tap.tick;
    }
    return ok;
}

const char *sidecar_taps_read(struct taps *t, const cJSON *from)
{
    for (int kind = 0; kind < TAP_KINDS; kind++) {
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(from, NAMES[kind]);
        if (list && !read_list(t, list, (enum tap_kind)kind))
            return NAMES[kind];
    }
    return NULL;
}

static bool write_list(cJSON *list, const struct taps *t, enum tap_kind kind)
{
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < t->n; i++) {
        if (t->list[i].kind != kind)
            continue;
        cJSON *item = json_tick(t->list[i].tick);
        ok = item && cJSON_AddItemToArray(list, item);
        if (!ok)
            cJSON_Delete(item);
    }
    return ok;
}

static bool has_kind(const struct taps *t, enum tap_kind kind)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->list[i].kind == kind)
            return true;
    return false;
}

bool sidecar_taps_write(cJSON *to, const struct taps *t)
{
    bool ok = true;
    for (int kind = 0; ok && kind < TAP_KINDS; kind++)
        if (has_kind(t, (enum tap_kind)kind))
            ok = write_list(cJSON_AddArrayToObject(to, NAMES[kind]), t,
                            (enum tap_kind)kind);
    return ok;
}
