/* Four voices: reads the pieces and their ranges. The file is not trusted: it is refused, with
 * the place of the error, unless it is as corpus.h says. */
#include "app/lab/dataset/corpus_build.h"

#include "app/base/draw.h"
#include "app/base/json_fields.h"
#include "app/base/paths.h"

#include <string.h>

enum { MAX_BYTES = 1 << 24, MAX_PIECES = 1 << 16 };

/* The place of reading, for error messages. */
struct reader {
    struct corpus *c;
    char *fault;
    size_t n_fault;
    enum corpus_split split;
};

static bool fail(const struct reader *r, const char *what)
{
    snprintf(r->fault, r->n_fault, "%s", what);
    return false;
}

/* Pieces and steps count from 1, as people do. */
static bool fail_at(const struct reader *r, int step, const char *what)
{
    char place[32] = "";
    if (step >= 0)
        snprintf(place, sizeof place, "step %d of ", step + 1);
    snprintf(r->fault, r->n_fault, "%spiece %d of %s %s", place,
             r->c->n_pieces[r->split] + 1, corpus_split_names[r->split], what);
    return false;
}

static bool read_step(const struct reader *r, struct grid *g, int step,
                      const cJSON *row)
{
    const cJSON *item;
    int voice = 0;
    if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != GRID_VOICES)
        return fail_at(r, step, "must be four pitches");
    cJSON_ArrayForEach(item, row)
    {
        const double pitch = item->valuedouble;
        if (!cJSON_IsNumber(item) || !(pitch >= -1 && pitch < 128) ||
            pitch != (double)item->valueint)
            return fail_at(r, step, "has a pitch that is not a number from -1 to 127");
        grid_at(g, step, voice++)->pitch = (int16_t)item->valueint;
    }
    return true;
}

static bool read_piece(const struct reader *r, struct grid *g, const cJSON *steps)
{
    const cJSON *row;
    int n = cJSON_IsArray(steps) ? cJSON_GetArraySize(steps) : 0, step = 0;
    if (n < 1)
        return fail_at(r, -1, "is not a list of steps");
    enum midi_status st = grid_init(g, n);
    if (st)
        return fail_at(r, -1,
                       st == MIDI_TOO_LONG ? "is too long" : "needs too much memory");
    cJSON_ArrayForEach(row, steps)
    {
        if (!read_step(r, g, step++, row))
            return false;
    }
    grid_join_repeats(g);
    return true;
}

static void widen_ranges(struct corpus *c, const struct grid *g)
{
    for (int i = 0; i < g->n_steps; i++)
        for (int v = 0; v < GRID_VOICES; v++) {
            const int pitch = grid_at(g, i, v)->pitch;
            if (pitch < 0)
                continue;
            c->low[v] = at_most(c->low[v], pitch);
            c->high[v] = at_least(c->high[v], pitch);
        }
}

static bool read_split(const struct reader *r, const cJSON *json)
{
    const cJSON *pieces = json_get(json, corpus_split_names[r->split]);
    const cJSON *item;
    if (!pieces)
        return true;
    if (!cJSON_IsArray(pieces) || cJSON_GetArraySize(pieces) > MAX_PIECES)
        return fail(r, "has a split that is not a list of pieces");
    cJSON_ArrayForEach(item, pieces)
    {
        struct corpus_piece p = {0};
        if (!read_piece(r, &p.grid, item)) {
            corpus_piece_fini(&p);
            return false;
        }
        p.n_tokens = (int64_t)p.grid.n_steps * GRID_VOICES;
        if (r->split == CORPUS_TRAIN)
            widen_ranges(r->c, &p.grid);
        if (corpus_add(r->c, &p, r->split))
            return fail(r, "needs more memory than is available");
    }
    return true;
}

static bool read_file(struct reader *r, const char *path)
{
    const char *why;
    cJSON *json = json_read_file(path, MAX_BYTES, &why);
    bool ok = json ? cJSON_IsObject(json) : fail(r, why);
    if (json && !ok)
        fail(r, "is not a JSON object of pieces");
    for (int split = 0; ok && split < CORPUS_SPLITS; split++) {
        r->split = (enum corpus_split)split;
        ok = read_split(r, json);
    }
    cJSON_Delete(json);
    return ok;
}

/* Its one group is named after the file, without the ending. */
static bool add_group(struct corpus *c, const char *path)
{
    char name[sizeof c->groups->name];
    snprintf(name, sizeof name, "%s", file_base_name(path));
    char *ending = strrchr(name, '.');
    if (ending && ending != name)
        *ending = '\0';
    if (corpus_find_group(c, name) < 0)
        return false;
    c->groups->style = STYLE_CHORALE;
    return true;
}

bool corpus_open_grid(struct corpus **out, const char *path, char *fault,
                      size_t n_fault)
{
    struct corpus *c = corpus_create();
    struct reader r = {.c = c, .fault = fault, .n_fault = n_fault};
    if (!c || !add_group(c, path)) {
        corpus_close(c);
        return fail(&r, "needs more memory than is available");
    }
    c->is_grid = true;
    c->lesson = grid_lesson_for(false, false);
    for (int v = 0; v < GRID_VOICES; v++)
        c->low[v] = 127; /* high is 0 */
    if (!read_file(&r, path)) {
        corpus_close(c);
        return false;
    }
    const enum midi_status st = corpus_finish(c, MIDI_OK, out);
    return !st || fail(&r, st == MIDI_EMPTY ? "holds no pieces to train on"
                                            : "needs more memory than is available");
}
