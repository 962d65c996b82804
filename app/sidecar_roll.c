/* See sidecar_roll.h. */
#include "app/sidecar_roll.h"

#include <string.h>

/* What is missing stays as it is. */
static bool read_yes(bool *yes, const cJSON *from, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, name);
    if (item)
        *yes = cJSON_IsTrue(item);
    return !item || cJSON_IsBool(item);
}

static bool read_grid(struct grid_step *grid, const cJSON *from)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, "grid");
    *grid = GRID_STEP_DEFAULT;
    return !item || (cJSON_IsString(item) && grid_step_parse(item->valuestring, grid));
}

const char *sidecar_roll_read(struct sidecar_roll *r, const cJSON *from)
{
    return !read_grid(&r->grid, from)           ? "the grid"
           : !read_yes(&r->snaps, from, "snap") ? "snap"
           : !read_yes(&r->folds, from, "fold") ? "fold"
                                                : NULL;
}

static bool write_grid(cJSON *to, const struct grid_step *grid)
{
    char name[GRID_STEP_TEXT], usual[GRID_STEP_TEXT];
    grid_step_format(&GRID_STEP_DEFAULT, usual);
    if (!grid->division || !strcmp(grid_step_format(grid, name), usual))
        return true;
    return cJSON_AddStringToObject(to, "grid", name);
}

bool sidecar_roll_write(cJSON *to, const struct sidecar_roll *r)
{
    return write_grid(to, &r->grid) &&
           (!r->snaps || cJSON_AddTrueToObject(to, "snap")) &&
           (!r->folds || cJSON_AddTrueToObject(to, "fold"));
}
