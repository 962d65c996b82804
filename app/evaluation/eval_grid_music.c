/* A copy of the piece, filled from the end of the context on. The bars are then cut
 * out of it as they are out of the piece itself: notes that sound into them are left
 * out of both, and what a model with hold strikes again is joined, as the corpus is. */
#include "app/evaluation/eval_grid_music.h"

#include "app/evaluation/eval_music.h"
#include "app/evaluation/eval_music_excerpt.h"
#include "app/dataset/grid_fill.h"
#include "app/evaluation/grid_music.h"

#include <stdlib.h>
#include <string.h>

/* The first n steps of g. */
static enum midi_status copy_steps(struct grid *out, const struct grid *g, int n)
{
    enum midi_status st = grid_init(out, n);
    if (!st)
        memcpy(out->cells, g->cells, (size_t)n * GRID_VOICES * sizeof *g->cells);
    return st;
}

/* The context and n_bars, as far as the piece reaches. */
static int count_steps(const struct grid *g, int32_t n_bars)
{
    int64_t n = (MUSIC_CONTEXT_BARS + (int64_t)n_bars) * GRID_BAR;
    return n < g->n_steps ? (int)n : g->n_steps;
}

static enum model_status fill(const struct grid_score_request *q, struct grid *g,
                              const struct music_task *task, struct music_written *out)
{
    const struct grid_fill_request request = {
        .model = q->model,
        .pool = q->pool,
        .lesson = q->lesson,
        .from_step = MUSIC_CONTEXT_BARS * GRID_BAR,
        .sampling = task->sampling,
        .cancel = q->cancel,
    };
    struct grid_fill_result result;
    enum model_status st = grid_fill(g, &request, &result);
    out->n_tokens = result.n_tokens;
    out->masked = result.masked * result.n_tokens;
    return st;
}

/* What is written may end sooner than n_bars, in rests; the bars are there. */
static enum midi_status cut_bars(struct piece *out, const struct grid *g,
                                 int32_t n_bars)
{
    struct piece whole;
    enum midi_status st = grid_music_piece(&whole, g);
    if (st)
        return st;
    if (whole.n_bars < MUSIC_CONTEXT_BARS + n_bars)
        whole.n_bars = MUSIC_CONTEXT_BARS + n_bars;
    st = excerpt_cut(out, &whole, MUSIC_CONTEXT_BARS, n_bars, UINT64_MAX);
    piece_fini(&whole);
    return st;
}

static enum music_outcome failed(struct music_written *out, const char *fault)
{
    out->fault = fault;
    return MUSIC_FAILED;
}

static enum music_outcome write_bars(void *state, const struct music_task *task,
                                     struct music_written *out)
{
    const struct grid_score_request *q = state;
    const struct grid *piece = &q->corpus->pieces[q->split][task->piece];
    struct grid g;
    *out = (struct music_written){0};
    enum midi_status st = copy_steps(&g, piece, count_steps(piece, task->n_bars));
    if (st)
        return failed(out, midi_strerror(st));
    enum model_status filled = fill(q, &g, task, out);
    if (!filled) {
        grid_join_repeats(&g);
        st = cut_bars(&out->bars, &g, task->n_bars);
    }
    grid_fini(&g);
    if (filled == MODEL_CANCELLED)
        return MUSIC_CANCELLED;
    if (filled)
        return failed(out, model_strerror(filled));
    return st ? failed(out, midi_strerror(st)) : MUSIC_WRITTEN;
}

/* The voices told, which are the tracks. */
static uint64_t tracks_told(struct grid_form told)
{
    return ((UINT64_C(1) << told.n) - 1) << told.first;
}

enum model_status grid_writer_open(struct music_writer *w,
                                   const struct grid_score_request *q)
{
    const struct grid_form told = q->lesson.told;
    struct grid_score_request *copy = malloc(sizeof *copy);
    *w = (struct music_writer){0};
    if (!copy)
        return MODEL_NO_MEMORY;
    *copy = *q;
    *w = (struct music_writer){
        .state = copy,
        .write = write_bars,
        .close = free,
        .tracks = tracks_told(told),
        .remark = told.n == GRID_VOICES
                      ? "four quarters a bar, repeats joined"
                      : "four quarters a bar, repeats joined; voices given count in "
                        "the chords only",
    };
    return MODEL_OK;
}
