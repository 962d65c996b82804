/* What a take began with, and was written without, as it is kept: "given" are tokens
 * (midi/tokens.h), "muted" pairs of layer and head, from 0. See sidecar_takes.h. */
#include "app/sidecar_takes_fields.h"

#include <stdlib.h>

enum { MOST_LAYERS = 1024, MOST_HEADS = 1024 };

/* Takes the item. false: out of memory. */
static bool add(cJSON *to, const char *name, cJSON *item)
{
    if (item && cJSON_AddItemToObject(to, name, item))
        return true;
    cJSON_Delete(item);
    return false;
}

static cJSON *muted_json(const struct proposal *p)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; list && i < p->n_muted; i++) {
        const int pair[] = {p->muted[i].layer, p->muted[i].head};
        cJSON *row = cJSON_CreateIntArray(pair, 2);
        if (row && cJSON_AddItemToArray(list, row))
            continue;
        cJSON_Delete(row);
        cJSON_Delete(list);
        list = NULL;
    }
    return list;
}

/* Where there are none, nothing is said. */
bool takes_choices_write(cJSON *to, const struct proposal *p)
{
    return (!p->n_given ||
            add(to, "given", cJSON_CreateIntArray(p->given, (int)p->n_given))) &&
           (!p->n_muted || add(to, "muted", muted_json(p)));
}

static bool read_given(struct proposal *p, const cJSON *array)
{
    const cJSON *item;
    if (!array)
        return true;
    if (!cJSON_IsArray(array))
        return false;
    p->given = calloc((size_t)cJSON_GetArraySize(array) + 1, sizeof *p->given);
    cJSON_ArrayForEach(item, array)
    {
        int token;
        if (!p->given || !json_is_whole(item, 0, TOKEN_COUNT - 1, &token))
            return false;
        p->given[p->n_given++] = token;
    }
    return p->given != NULL;
}

static bool read_head(struct attention_head *h, const cJSON *pair)
{
    const cJSON *layer = cJSON_IsArray(pair) ? pair->child : NULL,
                *head = layer ? layer->next : NULL;
    *h = (struct attention_head){.of = ATTENTION_PAST};
    return json_is_whole(layer, 0, MOST_LAYERS - 1, &h->layer) &&
           json_is_whole(head, 0, MOST_HEADS - 1, &h->head) && !head->next;
}

static bool read_muted(struct proposal *p, const cJSON *array)
{
    const cJSON *item;
    if (array && !cJSON_IsArray(array))
        return false;
    cJSON_ArrayForEach(item, array)
    {
        if (p->n_muted == PROPOSAL_MUTED || !read_head(&p->muted[p->n_muted], item))
            return false;
        p->n_muted++;
    }
    return true;
}

const char *takes_choices_read(struct proposal *p, const cJSON *from)
{
    if (!read_given(p, cJSON_GetObjectItemCaseSensitive(from, "given")))
        return "given";
    if (!read_muted(p, cJSON_GetObjectItemCaseSensitive(from, "muted")))
        return "muted";
    return NULL;
}
