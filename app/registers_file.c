/* See registers_file.h. {"continuo": 1, "last": "a", "registers": {"a": {"division":
 * 480, "span": 1920, "at": 0, "notes": [[offset, length, track, pitch, velocity, off], ...],
 * "points": [[offset, track, kind, number, value], ...]}}}, the last where there are any.
 */
#include "app/registers_file.h"

#include "app/json_fields.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_VALUES = 6, POINT_VALUES = 5, MOST_DIVISION = 1 << 15 };

/* -- reading -- */

/* All of one array. */
static bool read_note(struct passage_note *n, const cJSON *item)
{
    int values[NOTE_VALUES - 2];
    static const int LOW[] = {0, 0, 1, 0}, HIGH[] = {PASSAGE_TRACKS - 1, 127, 127, 127};
    const cJSON *at = cJSON_IsArray(item) ? item->child : NULL;
    if (!at || cJSON_GetArraySize(item) != NOTE_VALUES ||
        !json_is_tick(at, -PASSAGE_FURTHEST, PASSAGE_FURTHEST, &n->offset) ||
        !json_is_tick(at->next, 0, PASSAGE_FURTHEST, &n->length))
        return false;
    at = at->next->next;
    for (int i = 0; i < NOTE_VALUES - 2; i++, at = at->next)
        if (!json_is_whole(at, LOW[i], HIGH[i], &values[i]))
            return false;
    n->track = values[0];
    n->pitch = values[1];
    n->velocity = values[2];
    n->off_velocity = values[3];
    return true;
}

static bool is_in_order(const struct passage_note *a, const struct passage_note *b)
{
    return a->track < b->track || (a->track == b->track && a->offset <= b->offset);
}

static bool read_notes(struct passage *p, const cJSON *list)
{
    const cJSON *item;
    size_t n = cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;
    if (!n || n > REGISTERS_KEPT_NOTES || !(p->notes = calloc(n, sizeof *p->notes)))
        return false;
    cJSON_ArrayForEach(item, list)
    {
        struct passage_note *at = &p->notes[p->n];
        if (!read_note(at, item) || (p->n && !is_in_order(at - 1, at)))
            return false;
        p->n++;
    }
    return p->notes[0].track == 0;
}

static bool read_point(struct passage_point *p, const cJSON *item)
{
    int values[POINT_VALUES - 1];
    const cJSON *at = cJSON_IsArray(item) ? item->child : NULL;
    if (!at || cJSON_GetArraySize(item) != POINT_VALUES ||
        !json_is_tick(at, 0, PASSAGE_FURTHEST, &p->offset))
        return false;
    for (int i = 0; i < POINT_VALUES - 1; i++)
        if (!json_is_whole(at = at->next, 0, 16383, &values[i]))
            return false;
    p->track = values[0];
    p->kind = values[1];
    p->number = values[2];
    p->value = values[3];
    return true;
}

static bool read_points(struct passage *p, const cJSON *list)
{
    const cJSON *item;
    size_t n = cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;
    if (!list)
        return true;
    if (!n || n > REGISTERS_KEPT_NOTES || !(p->points = calloc(n, sizeof *p->points)))
        return false;
    cJSON_ArrayForEach(item, list)
    {
        if (!read_point(&p->points[p->n_points++], item))
            return false;
    }
    return passage_is_sane(p);
}

/* Which of its tracks was the active one; not told by older files. */
static bool read_at(struct passage *p, const cJSON *at)
{
    return !at || json_is_whole(at, 0, PASSAGE_TRACKS - 1, &p->at_track);
}

static bool read_passage(struct passage *p, const cJSON *from)
{
    return read_at(p, cJSON_GetObjectItemCaseSensitive(from, "at")) &&
           json_is_whole(cJSON_GetObjectItemCaseSensitive(from, "division"), 1,
                         MOST_DIVISION, &p->ticks_per_quarter) &&
           json_is_tick(cJSON_GetObjectItemCaseSensitive(from, "span"), 0,
                        PASSAGE_FURTHEST / 2, &p->span) &&
           read_notes(p, cJSON_GetObjectItemCaseSensitive(from, "notes")) &&
           read_points(p, cJSON_GetObjectItemCaseSensitive(from, "points"));
}

static int index_of_name(const char *name)
{
    const char *at =
        name && name[0] && !name[1] ? strchr(REGISTER_NAMES, name[0]) : NULL;
    return at ? (int)(at - REGISTER_NAMES) : -1;
}

/* Those that have names of registers. Each only once. */
static bool read_all(struct registers *r, const cJSON *root)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "registers"), *item;
    int version;
    if (!json_is_whole(cJSON_GetObjectItemCaseSensitive(root, "continuo"), 1, 1,
                       &version) ||
        !cJSON_IsObject(list))
        return false;
    cJSON_ArrayForEach(item, list)
    {
        int i = index_of_name(item->string);
        if (i >= 0 && (r->at[i].n || !read_passage(&r->at[i], item)))
            return false;
    }
    int last = index_of_name(
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "last")));
    r->last = last < 0 ? 0 : last;
    return true;
}

enum sidecar_status registers_read(struct registers *r, const char *path,
                                   char why[SIDECAR_WHY_BYTES])
{
    struct sidecar_bytes b;
    struct registers read = {0};
    enum sidecar_status st = sidecar_file_read(&b, path, why);
    cJSON *root = st ? NULL : cJSON_ParseWithLengthOpts(b.text, b.n + 1, NULL, true);
    *r = (struct registers){0};
    if (!st && root && read_all(&read, root)) {
        *r = read; /* and what it owns */
    } else if (!st) {
        registers_fini(&read);
        snprintf(why, SIDECAR_WHY_BYTES, "%s",
                 root ? "it is not one of continuo's" : "it is no whole JSON");
        st = SIDECAR_FAILED;
    }
    cJSON_Delete(root);
    sidecar_bytes_free(&b);
    return st;
}

/* -- writing -- */

/* Adds an array of n values to an array. */
static bool add_values(cJSON *to, const int64_t *values, int n)
{
    cJSON *list = cJSON_CreateArray();
    bool ok = list && cJSON_AddItemToArray(to, list);
    if (!ok)
        cJSON_Delete(list);
    for (int i = 0; ok && i < n; i++) {
        cJSON *item = json_tick(values[i]);
        ok = item && cJSON_AddItemToArray(list, item);
        if (!ok)
            cJSON_Delete(item);
    }
    return ok;
}

static bool write_notes(cJSON *to, const struct passage *p)
{
    cJSON *list = cJSON_AddArrayToObject(to, "notes");
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < p->n; i++) {
        const struct passage_note *n = &p->notes[i];
        const int64_t values[NOTE_VALUES] = {n->offset, n->length,   n->track,
                                             n->pitch,  n->velocity, n->off_velocity};
        ok = add_values(list, values, NOTE_VALUES);
    }
    return ok;
}

static bool write_points(cJSON *to, const struct passage *p)
{
    cJSON *list = p->n_points ? cJSON_AddArrayToObject(to, "points") : NULL;
    bool ok = list || !p->n_points;
    for (size_t i = 0; ok && i < p->n_points; i++) {
        const struct passage_point *a = &p->points[i];
        const int64_t values[POINT_VALUES] = {a->offset, a->track, a->kind, a->number,
                                              a->value};
        ok = add_values(list, values, POINT_VALUES);
    }
    return ok;
}

static bool write_passage(cJSON *to, const char *name, const struct passage *p)
{
    cJSON *item = cJSON_AddObjectToObject(to, name);
    return item && cJSON_AddNumberToObject(item, "division", p->ticks_per_quarter) &&
           cJSON_AddNumberToObject(item, "span", (double)p->span) &&
           cJSON_AddNumberToObject(item, "at", p->at_track) && write_notes(item, p) &&
           write_points(item, p);
}

static bool write_all(cJSON *root, const struct registers *r)
{
    char name[2] = {REGISTER_NAMES[r->last], '\0'};
    bool ok = cJSON_AddNumberToObject(root, "continuo", 1) &&
              cJSON_AddStringToObject(root, "last", name);
    cJSON *list = ok ? cJSON_AddObjectToObject(root, "registers") : NULL;
    size_t room = REGISTERS_KEPT_NOTES;
    for (int i = 0; list && i < N_REGISTERS; i++) {
        const struct passage *p = &r->at[i];
        if (!p->n || p->n + p->n_points > room)
            continue;
        room -= p->n + p->n_points;
        name[0] = REGISTER_NAMES[i];
        if (!write_passage(list, name, p))
            return false;
    }
    return list != NULL;
}

/* malloc'd; NULL: out of memory. */
static char *text_of(const struct registers *r)
{
    cJSON *root = cJSON_CreateObject();
    char *text = root && write_all(root, r) ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    return text;
}

/* What is there and cannot be read is somebody else's, or damaged: it is kept. */
static enum sidecar_status make_way(const char *path, char why[SIDECAR_WHY_BYTES])
{
    struct registers there;
    enum sidecar_status st = registers_read(&there, path, why);
    registers_fini(&there);
    return st == SIDECAR_FAILED ? sidecar_file_put_aside(path, why) : SIDECAR_OK;
}

enum sidecar_status registers_write(struct registers *r, const char *path,
                                    char why[SIDECAR_WHY_BYTES])
{
    if (!r->changed)
        return SIDECAR_NONE;
    char *text = text_of(r);
    enum sidecar_status st = SIDECAR_FAILED;
    if (!text)
        snprintf(why, SIDECAR_WHY_BYTES, "out of memory");
    else
        st = make_way(path, why);
    if (!st)
        st = sidecar_file_write(path, text, why);
    free(text);
    r->changed = st != SIDECAR_OK;
    return st;
}
