/* See sidecar_tracks.h. */
#include "app/sidecar_tracks.h"

#include "app/json_fields.h"
#include "tui/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TRACKS = 1 << 16, NAME_BYTES = sizeof((struct track *)0)->name };

static const struct json_field FIELDS[] = {
    {"index", JSON_INT, offsetof(struct kept_marks, index), 0, MOST_TRACKS - 1},
    {"mute", JSON_YES, offsetof(struct kept_marks, mute), 0, 1},
    {"solo", JSON_YES, offsetof(struct kept_marks, solo), 0, 1},
    {"arm", JSON_YES, offsetof(struct kept_marks, arm), 0, 1},
    {"hide", JSON_YES, offsetof(struct kept_marks, hide), 0, 1},
    {"colour", JSON_INT, offsetof(struct kept_marks, colour), 0, TRACK_COLOURS},
};
static const struct json_table TABLE = {FIELDS, sizeof FIELDS / sizeof FIELDS[0]};

void sidecar_tracks_fini(struct sidecar_tracks *t)
{
    free(t->list);
    *t = (struct sidecar_tracks){0};
}

/* -- between the score and what is kept -- */

static bool is_marked(const struct track *t)
{
    return t->mute || t->solo || t->arm || t->hide || t->colour;
}

bool sidecar_tracks_gather(struct sidecar_tracks *t, const struct score *s)
{
    *t = (struct sidecar_tracks){.list = calloc(s->n_tracks + 1, sizeof *t->list)};
    for (int i = 0; t->list && i < (int)s->n_tracks && i < MOST_TRACKS; i++) {
        const struct track *from = &s->tracks[i];
        if (!is_marked(from))
            continue;
        struct kept_marks *k = &t->list[t->n++];
        *k = (struct kept_marks){i,         "",         from->mute,  from->solo,
                                 from->arm, from->hide, from->colour};
        memcpy(k->name, from->name, sizeof k->name);
    }
    return t->list != NULL;
}

static bool is_called(const struct track *t, const char *name)
{
    return !strncmp(t->name, name, sizeof t->name);
}

static struct track *find_track(const struct kept_marks *k, struct score *s)
{
    struct track *found = NULL;
    if ((size_t)k->index < s->n_tracks && is_called(&s->tracks[k->index], k->name))
        return &s->tracks[k->index];
    for (size_t i = 0; i < s->n_tracks; i++) {
        if (!is_called(&s->tracks[i], k->name))
            continue;
        if (found)
            return NULL; /* there are several */
        found = &s->tracks[i];
    }
    return found;
}

void sidecar_tracks_give(const struct sidecar_tracks *t, struct score *s)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct kept_marks *k = &t->list[i];
        struct track *to = find_track(k, s);
        if (!to)
            continue;
        to->mute = k->mute;
        to->solo = k->solo;
        to->arm = k->arm;
        to->hide = k->hide;
        to->colour = (uint8_t)k->colour;
    }
}

/* -- names: any bytes there, text here -- */

static bool write_name(cJSON *to, const char *name)
{
    char text[2 * NAME_BYTES + 4];
    size_t n = 0;
    for (; *name; name++)
        n += text_encode((unsigned char)*name, text + n);
    text[n] = '\0';
    return cJSON_AddStringToObject(to, "name", text) != NULL;
}

static bool read_name(char name[NAME_BYTES], const cJSON *from)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, "name");
    if (!cJSON_IsString(item))
        return false;
    const char *text = item->valuestring;
    size_t left = strlen(text), n = 0;
    while (left > 0) {
        uint32_t code;
        size_t used = text_decode(text, left, &code);
        if (!used || code > 0xFF || n == NAME_BYTES - 1)
            return false;
        name[n++] = (char)code;
        text += used;
        left -= used;
    }
    name[n] = '\0';
    return true;
}

/* -- the section -- */

static bool write_one(cJSON *list, const struct kept_marks *k)
{
    cJSON *item = cJSON_CreateObject();
    if (item && write_name(item, k->name) && json_fields_write(item, &TABLE, k) &&
        cJSON_AddItemToArray(list, item))
        return true;
    cJSON_Delete(item);
    return false;
}

bool sidecar_tracks_write(cJSON *to, const struct sidecar_tracks *t)
{
    if (!t->n)
        return true;
    cJSON *list = cJSON_AddArrayToObject(to, "list");
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < t->n; i++)
        ok = write_one(list, &t->list[i]);
    return ok;
}

static const char *read_one(struct sidecar_tracks *t, const cJSON *item)
{
    struct kept_marks *k = &t->list[t->n];
    if (!cJSON_IsObject(item) || !cJSON_GetObjectItemCaseSensitive(item, "index"))
        return "list";
    if (!read_name(k->name, item))
        return "name";
    const char *wrong = json_fields_read(k, &TABLE, item);
    if (wrong)
        return wrong;
    if (t->n && k->index <= t->list[t->n - 1].index)
        return "index";
    t->n++;
    return NULL;
}

const char *sidecar_tracks_read(struct sidecar_tracks *t, const cJSON *from)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(from, "list"), *item;
    if (!list)
        return NULL;
    int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : -1;
    if (n < 0 || n > MOST_TRACKS)
        return "list";
    t->list = calloc((size_t)n + 1, sizeof *t->list);
    if (!t->list)
        return "list";
    const char *wrong = NULL;
    cJSON_ArrayForEach(item, list) if (!wrong) wrong = read_one(t, item);
    return wrong;
}
