/* Drawing the held-out windows once, and running the trainer over them. */
#include "app/validation.h"

#include "midi/clock.h"

#include <stdlib.h>

enum { WINDOWS = 64 };

/* Rows for so many windows, or more to fill the last batch: nothing is counted in
 * a row until it is written. */
static enum midi_status allocate(struct validation *v, int n_windows)
{
    int batches = (n_windows + v->batch - 1) / v->batch;
    size_t n = (size_t)batches * (size_t)v->batch * (size_t)v->length;
    v->tokens = calloc(n, sizeof *v->tokens);
    v->targets = calloc(n, sizeof *v->targets);
    v->times = calloc(n, sizeof *v->times);
    if (!v->tokens || !v->targets || !v->times)
        return MIDI_NO_MEMORY;
    v->n_windows = batches * v->batch;
    for (size_t i = 0; i < n; i++)
        v->targets[i] = -1;
    return MIDI_OK;
}

static enum midi_status draw_folder(struct validation *v, const struct corpus *c)
{
    size_t n = (size_t)v->length;
    for (int i = 0; i < v->n_windows; i++) {
        size_t at = (size_t)i * n;
        enum midi_status st = corpus_window(c, CORPUS_VALID, i, v->n_windows, v->length,
                                            v->tokens + at, v->targets + at);
        if (st)
            return st;
        clock_times(v->tokens + at, n, v->times + at);
    }
    n *= (size_t)v->n_windows;
    corpus_baseline(c, v->tokens, v->targets, n, &v->baseline);
    return MIDI_OK;
}

static enum midi_status init_folder(struct validation *v, const struct corpus *c)
{
    if (!c->n_pieces[CORPUS_VALID])
        return MIDI_OK;
    enum midi_status st = allocate(v, WINDOWS);
    return st ? st : draw_folder(v, c);
}

/* Every cell is a token and, in the words of the benchmark, a note. */
static enum midi_status count_grid(struct validation *v, const struct grid_corpus *c)
{
    struct grid_baseline b;
    enum midi_status st = grid_corpus_baseline(c, CORPUS_VALID, &b);
    v->baseline = (struct baseline){b.unigram, b.bigram, b.n_cells, b.n_cells};
    return st;
}

static enum midi_status draw_grid(struct validation *v, const struct grid_corpus *c,
                                  const struct grid_window *list, int n)
{
    for (int i = 0; i < n; i++) {
        size_t at = (size_t)i * (size_t)v->length;
        enum midi_status st = grid_corpus_window(c, CORPUS_VALID, &list[i], v->length,
                                                 v->tokens + at, v->targets + at);
        if (st)
            return st;
    }
    for (int i = 0; i < v->n_windows; i++)
        grid_times((size_t)v->length, v->times + (size_t)i * (size_t)v->length);
    return count_grid(v, c);
}

static enum midi_status init_grid(struct validation *v, const struct grid_corpus *c)
{
    struct grid_window *list;
    int n = grid_corpus_windows(c, CORPUS_VALID, v->length, &list);
    enum midi_status st = n < 0 ? MIDI_NO_MEMORY : MIDI_OK;
    if (n > 0)
        st = allocate(v, n);
    if (n > 0 && !st)
        st = draw_grid(v, c, list, n);
    free(list);
    return st;
}

enum midi_status validation_init(struct validation *v, const struct train_music *m,
                                 int batch, int length)
{
    *v = (struct validation){.batch = batch, .length = length};
    return m->grid ? init_grid(v, m->grid) : init_folder(v, m->folder);
}

void validation_fini(struct validation *v)
{
    free(v->tokens);
    free(v->targets);
    free(v->times);
}

enum model_status validation_measure(const struct validation *v, struct trainer *t,
                                     double *nats)
{
    *nats = 0.0;
    for (int i = 0; i < v->n_windows; i += v->batch) {
        size_t at = (size_t)i * (size_t)v->length;
        double sum;
        int64_t count;
        struct train_batch b = {.tokens = v->tokens + at,
                                .targets = v->targets + at,
                                .times = v->times + at};
        enum model_status st = trainer_evaluate(t, &b, &sum, &count, NULL);
        if (st)
            return st;
        *nats += sum;
    }
    return MODEL_OK;
}
