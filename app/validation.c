/* Drawing the held-out windows once, and running the trainer over them. */
#include "app/validation.h"

#include "midi/clock.h"

#include <stdlib.h>

enum { WINDOWS = 64 };

static enum midi_status draw(struct validation *v, const struct corpus *c)
{
    for (int i = 0; i < v->n_windows; i++) {
        size_t at = (size_t)i * (size_t)v->length;
        enum midi_status st = corpus_window(c, CORPUS_VALID, i, v->n_windows, v->length,
                                            v->tokens + at, v->targets + at);
        if (st)
            return st;
    }
    return MIDI_OK;
}

enum midi_status validation_init(struct validation *v, const struct corpus *c,
                                 int batch, int length)
{
    int batches = (WINDOWS + batch - 1) / batch;
    size_t n = (size_t)batches * (size_t)batch * (size_t)length;
    *v = (struct validation){.batch = batch, .length = length};
    if (!c->n_pieces[CORPUS_VALID])
        return MIDI_OK;

    v->tokens = calloc(n, sizeof *v->tokens);
    v->targets = calloc(n, sizeof *v->targets);
    v->times = calloc(n, sizeof *v->times);
    if (!v->tokens || !v->targets || !v->times)
        return MIDI_NO_MEMORY;
    v->n_windows = batches * batch;
    enum midi_status st = draw(v, c);
    clock_times(v->tokens, n, v->times);
    if (!st)
        corpus_baseline(c, v->tokens, v->targets, n, &v->baseline);
    return st;
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
        struct train_batch b = {v->tokens + at, v->targets + at, v->times + at};
        enum model_status st = trainer_evaluate(t, &b, &sum, &count, NULL);
        if (st)
            return st;
        *nats += sum;
    }
    return MODEL_OK;
}
