/* Takes as JSON; see sidecar_takes.h. sidecar_takes_read.c is the way back. */
#include "app/sidecar_takes_fields.h"

#include <stdio.h>
#include <stdlib.h>

void sidecar_takes_fini(struct sidecar_takes *t)
{
    free(t->tracks);
    free(t->replaced);
    free(t->standing);
    free(t->ghosts);
    free(t->playing.events);
    proposals_clear(&t->takes);
    *t = (struct sidecar_takes){0};
}

/* -- writing; false: out of memory -- */

/* Takes the item. */
static bool push(cJSON *array, cJSON *item)
{
    if (item && cJSON_AddItemToArray(array, item))
        return true;
    cJSON_Delete(item);
    return false;
}

static bool push_all(cJSON *row, const int64_t *x, int n)
{
    bool ok = true;
    for (int i = 0; ok && i < n; i++)
        ok = push(row, json_tick(x[i]));
    return ok;
}

/* An array of whole numbers as the next of `rows`. NULL: out of memory. */
static cJSON *push_row(cJSON *rows, const int64_t *x, int n)
{
    cJSON *row = cJSON_CreateArray();
    if (!row || !push_all(row, x, n)) {
        cJSON_Delete(row);
        return NULL;
    }
    return push(rows, row) ? row : NULL;
}

static bool write_tracks(cJSON *rows, const struct sidecar_takes *t)
{
    bool ok = rows != NULL;
    for (size_t i = 0; ok && i < t->n_tracks; i++)
        ok = push_row(rows, (int64_t[]){t->tracks[i].chunk, t->tracks[i].channel}, 2);
    return ok;
}

static bool write_places(cJSON *rows, const struct kept_place *p, size_t n)
{
    bool ok = rows != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        const int64_t x[] = {p[i].track, p[i].start, p[i].length, p[i].pitch,
                             p[i].ghost};
        ok = push_row(rows, x, p[i].ghost ? 5 : 4);
    }
    return ok;
}

static bool write_ghost(cJSON *rows, const struct ghost *g)
{
    char text[24];
    const struct note *n = &g->note;
    cJSON *row = push_row(
        rows, (int64_t[]){g->track, n->start, n->length, n->pitch, n->velocity}, 5);
    snprintf(text, sizeof text, "%.9g", (double)g->probability);
    return row && push(row, cJSON_CreateRaw(text)) &&
           push(row, cJSON_CreateBool(g->is_kept));
}

static bool write_ghosts(cJSON *rows, const struct sidecar_takes *t)
{
    bool ok = rows != NULL;
    for (size_t i = 0; ok && i < t->n_ghosts; i++)
        ok = write_ghost(rows, &t->ghosts[i]);
    return ok;
}

static bool write_settings(cJSON *to, const struct continuation_options *o)
{
    cJSON *settings = cJSON_AddObjectToObject(to, "settings");
    return settings && json_fields_write(settings, &TAKES_SETTINGS, o);
}

static bool write_take(cJSON *list, const struct proposal *p)
{
    cJSON *to = cJSON_CreateObject();
    if (!push(list, to))
        return false;
    cJSON *numbers = NULL;
    bool ok = cJSON_AddStringToObject(to, "letter", (char[]){p->letter, 0}) &&
              cJSON_AddStringToObject(to, "model", p->model_name) &&
              json_fields_write(to, &TAKES_ONE, p) && write_settings(to, &p->options) &&
              takes_choices_write(to, p) &&
              (numbers = cJSON_AddArrayToObject(to, "ghosts"));
    for (size_t i = 0; ok && i < p->n_ghosts; i++)
        ok = push(numbers, json_tick((int64_t)p->ghosts[i].note.id));
    return ok;
}

static bool write_list(cJSON *list, const struct proposals *p)
{
    bool ok = list != NULL;
    for (int i = 0; ok && i < p->n; i++)
        ok = write_take(list, &p->list[i]);
    return ok;
}

bool sidecar_takes_write(cJSON *to, const struct sidecar_takes *t)
{
    const struct proposal *shown = proposals_shown(&t->takes);
    if (!t->takes.n)
        return true;
    return json_fields_write(to, &TAKES_ALL, t) &&
           cJSON_AddStringToObject(to, "shown",
                                   (char[]){(char)(shown ? shown->letter : 0), 0}) &&
           write_settings(to, &t->asked.options) &&
           write_tracks(cJSON_AddArrayToObject(to, "tracks"), t) &&
           write_places(cJSON_AddArrayToObject(to, "replaced"), t->replaced,
                        t->n_replaced) &&
           write_places(cJSON_AddArrayToObject(to, "standing"), t->standing,
                        t->n_standing) &&
           write_ghosts(cJSON_AddArrayToObject(to, "ghosts"), t) &&
           write_list(cJSON_AddArrayToObject(to, "takes"), &t->takes) &&
           takes_playing_write(to, &t->playing);
}
