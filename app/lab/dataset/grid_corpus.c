/* Reads the pieces and their ranges. The file is not trusted: it is refused, with the place
 * of the error, unless it is as grid_corpus.h says. */
#include "app/lab/dataset/grid_corpus.h"
#include "app/base/json_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 24, MAX_PIECES = 1 << 16 };

/* The place of reading, for error messages. */
struct reader {
    struct grid_corpus *c;
    char *fault;
    size_t n_fault;
    enum corpus_split split;
    int piece;
};

static bool fail(const struct reader *r, const char *what)
{
    snprintf(r->fault, r->n_fault, "%s", what);
    return false;
}

/* Pieces and steps count from 1, as people do. */
static bool fail_at(const struct reader *r, int step, const char *what)
{
    const char *split = corpus_split_names[r->split];
    if (step < 0)
        snprintf(r->fault, r->n_fault, "piece %d of %s %s", r->piece + 1, split, what);
    else
        snprintf(r->fault, r->n_fault, "step %d of piece %d of %s %s", step + 1,
                 r->piece + 1, split, what);
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

static bool read_split(struct reader *r, const cJSON *json)
{
    struct grid_corpus *c = r->c;
    const cJSON *pieces = json_get(json, corpus_split_names[r->split]);
    const cJSON *item;
    if (!pieces)
        return true;
    int n = cJSON_IsArray(pieces) ? cJSON_GetArraySize(pieces) : -1;
    if (n < 0 || n > MAX_PIECES)
        return fail(r, "has a split that is not a list of pieces");
    c->pieces[r->split] = calloc((size_t)n + 1, sizeof *c->pieces[r->split]);
    if (!c->pieces[r->split])
        return fail(r, "needs more memory than is available");
    r->piece = 0;
    cJSON_ArrayForEach(item, pieces)
    {
        struct grid *g = &c->pieces[r->split][c->n_pieces[r->split]++];
        if (!read_piece(r, g, item))
            return false;
        c->n_cells[r->split] += (int64_t)g->n_steps * GRID_VOICES;
        r->piece++;
    }
    return true;
}

static void widen_ranges(struct grid_corpus *c, const struct grid *g)
{
    for (int i = 0; i < g->n_steps; i++)
        for (int v = 0; v < GRID_VOICES; v++) {
            int pitch = grid_at(g, i, v)->pitch;
            if (pitch < 0)
                continue;
            c->low[v] = pitch < c->low[v] ? pitch : c->low[v];
            c->high[v] = pitch > c->high[v] ? pitch : c->high[v];
        }
}

static bool count_all(struct grid_corpus *c)
{
    const int n = c->n_pieces[CORPUS_TRAIN];
    double cells = 0.0;
    c->cumulative = calloc((size_t)n, sizeof *c->cumulative);
    if (!c->cumulative)
        return false;
    for (int v = 0; v < GRID_VOICES; v++)
        c->low[v] = 127; /* high is 0 */
    for (int i = 0; i < n; i++) {
        const struct grid *g = &c->pieces[CORPUS_TRAIN][i];
        widen_ranges(c, g);
        cells += (double)g->n_steps * GRID_VOICES;
        c->cumulative[i] = cells / (double)c->n_cells[CORPUS_TRAIN];
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

bool grid_corpus_open(struct grid_corpus **out, const char *path, char *fault,
                      size_t n_fault)
{
    struct grid_corpus *c = calloc(1, sizeof *c);
    struct reader r = {.c = c, .fault = fault, .n_fault = n_fault};
    if (!c)
        return fail(&r, "needs more memory than is available");
    bool ok = read_file(&r, path);
    if (ok && !c->n_pieces[CORPUS_TRAIN])
        ok = fail(&r, "holds no pieces to train on");
    if (ok && !count_all(c))
        ok = fail(&r, "needs more memory than is available");
    if (!ok) {
        grid_corpus_close(c);
        return false;
    }
    const char *slash = strrchr(path, '/');
    snprintf(c->name, sizeof c->name, "%s", slash ? slash + 1 : path);
    char *ending = strrchr(c->name, '.');
    if (ending && ending != c->name)
        *ending = '\0';
    *out = c;
    return true;
}

void grid_corpus_close(struct grid_corpus *c)
{
    if (!c)
        return;
    for (int split = 0; split < CORPUS_SPLITS; split++) {
        for (int i = 0; i < c->n_pieces[split]; i++)
            grid_fini(&c->pieces[split][i]);
        free(c->pieces[split]);
    }
    free(c->cumulative);
    free(c);
}
