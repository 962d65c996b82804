/* Pedals, bends and pressure of what two have played, as they are kept with the take: the
 * bytes of each message, but without what silences. See sidecar_takes.h. */
#include "app/sidecar_takes_fields.h"

#include "midi/controllers.h"
#include "midi/note.h"

#include <limits.h>
#include <stdlib.h>

static bool push_number(cJSON *row, cJSON *number)
{
    if (number && cJSON_AddItemToArray(row, number))
        return true;
    cJSON_Delete(number);
    return false;
}

static bool write_event(cJSON *rows, const struct recorded_event *e)
{
    cJSON *row = cJSON_CreateArray();
    if (!row || !cJSON_AddItemToArray(rows, row)) {
        cJSON_Delete(row);
        return false;
    }
    bool ok = push_number(row, cJSON_CreateNumber(e->track)) &&
              push_number(row, json_tick(e->tick));
    for (int i = 0; ok && i < e->n_data; i++)
        ok = push_number(row, cJSON_CreateNumber(e->data[i]));
    return ok;
}

bool takes_playing_write(cJSON *to, const struct kept_playing *p)
{
    if (!p->is_there)
        return true;
    cJSON *played = cJSON_AddObjectToObject(to, "played"), *end = json_tick(p->to);
    bool ok = end && cJSON_AddItemToObject(played, "to", end);
    if (!ok)
        cJSON_Delete(end);
    cJSON *rows = ok ? cJSON_AddArrayToObject(played, "events") : NULL;
    for (size_t i = 0; rows && i < p->n_events; i++)
        if (!write_event(rows, &p->events[i]))
            return false;
    return rows != NULL;
}

/* -- reading -- */

static bool is_gesture(const uint8_t *data)
{
    int kind = data[0] & 0xf0;
    return kind >= 0xa0 && kind < 0xf0 && (kind != 0xb0 || data[1] < CC_CHANNEL_MODE);
}

/* Its bytes, from `at` on to the last of the row. */
static bool read_bytes(struct recorded_event *e, const cJSON *at)
{
    int byte, n_bytes = 0;
    for (; at && n_bytes < 3; at = at->next, n_bytes++) {
        if (!json_is_whole(at, n_bytes ? 0 : 0x80, n_bytes ? 127 : 255, &byte))
            return false;
        e->data[n_bytes] = (uint8_t)byte;
    }
    e->n_data = (uint8_t)n_bytes;
    int kind = e->data[0] & 0xf0;
    return !at && is_gesture(e->data) &&
           n_bytes == (kind == 0xc0 || kind == 0xd0 ? 2 : 3);
}

static bool read_event(struct recorded_event *e, const cJSON *row, size_t n_tracks)
{
    const cJSON *track = cJSON_IsArray(row) ? row->child : NULL;
    const cJSON *tick = track ? track->next : NULL, *bytes = tick ? tick->next : NULL;
    return json_is_whole(track, 0, (int)n_tracks - 1, &e->track) &&
           json_is_tick(tick, 0, TICK_MAX, &e->tick) && read_bytes(e, bytes);
}

bool takes_playing_read(struct kept_playing *p, const cJSON *from, size_t n_tracks)
{
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(from, "events"), *row;
    if (!from)
        return true;
    if (!json_is_tick(cJSON_GetObjectItemCaseSensitive(from, "to"), 0, TICK_MAX,
                      &p->to) ||
        !cJSON_IsArray(rows))
        return false;
    p->is_there = true;
    p->events = calloc((size_t)cJSON_GetArraySize(rows) + 1, sizeof *p->events);
    cJSON_ArrayForEach(row, rows)
    {
        if (!p->events || !read_event(&p->events[p->n_events], row, n_tracks))
            return false;
        p->n_events++;
    }
    return p->events != NULL;
}
