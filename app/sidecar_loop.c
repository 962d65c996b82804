/* See sidecar_loop.h. */
#include "app/sidecar_loop.h"

#include "app/json_fields.h"
#include "midi/note.h"

static bool read_tick(const cJSON *from, const char *name, int64_t *tick)
{
    return json_is_tick(cJSON_GetObjectItemCaseSensitive(from, name), 0, TICK_MAX,
                        tick);
}

bool sidecar_loop_read(struct sidecar_loop *l, const cJSON *from)
{
    int64_t begin, end, on;
    if (!read_tick(from, "from", &begin) || !read_tick(from, "to", &end) ||
        !read_tick(from, "on", &on) || begin >= end)
        return false;
    *l = (struct sidecar_loop){begin, end, on != 0};
    return true;
}

static bool write_tick(cJSON *to, const char *name, int64_t tick)
{
    cJSON *item = json_tick(tick);
    if (item && cJSON_AddItemToObject(to, name, item))
        return true;
    cJSON_Delete(item);
    return false;
}

bool sidecar_loop_write(cJSON *to, const struct sidecar_loop *l)
{
    return l->from == l->to ||
           (write_tick(to, "from", l->from) && write_tick(to, "to", l->to) &&
            cJSON_AddNumberToObject(to, "on", l->on));
}
