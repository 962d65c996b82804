/* Drawing the held-out windows once, and running the trainer over them. */
#include "app/lab/training/train_music.h"

enum { WINDOWS = 64, WINDOWS_OFTEN = 24 };

/* Batches of the held-out windows; those that are left to fill the last batch of four voices count
 * nothing, those of scores are more windows. */
static enum midi_status gather_windows(struct corpus_batch *rows,
                                       const struct corpus *c,
                                       enum corpus_window_kind kind, int n, int n_rows,
                                       int length)
{
    const int n_windows = c->is_grid ? n : n_rows;
    enum midi_status st = corpus_batch_init(rows, c, n_rows, length);
    for (int i = 0; !st && i < n_windows; i++) {
        const struct corpus_sequence row = corpus_batch_at(rows, i);
        st = corpus_window(c, CORPUS_VALID, kind, i, n_windows, &row);
    }
    return st;
}

static int64_t count_targets(const struct corpus_batch *rows, bool notes_only)
{
    int64_t n = 0;
    for (size_t i = 0; i < (size_t)rows->n * (size_t)rows->length; i++) {
        enum token kind = token_kind(rows->targets[i]);
        bool is_note = kind == TOKEN_PITCH || kind == TOKEN_HIT;
        n += rows->targets[i] >= 0 && (is_note || !notes_only);
    }
    return n;
}

enum midi_status validation_init(struct validation *v, const struct train_music *m,
                                 const struct corpus *c, int batch, int length)
{
    *v = (struct validation){.batch = batch};
    const int wanted = m->rehearse > 0 ? WINDOWS_OFTEN : WINDOWS;
    const int n = c ? corpus_n_windows(c, CORPUS_VALID, wanted, length) : 0;
    const int n_rows = (n + batch - 1) / batch * batch;
    if (n == 0)
        return MIDI_OK;
    enum midi_status st = gather_windows(v->rows, c, CORPUS_PLAIN, n, n_rows, length);
    if (!st && c->is_grid)
        return corpus_grid_baseline(c, c->lesson.told, 1, CORPUS_VALID, &v->baseline);
    if (!st)
        corpus_baseline(c, v->rows->tokens, v->rows->targets,
                        (size_t)n_rows * (size_t)length, &v->baseline);
    if (!st && c->shares.holes > 0)
        st = gather_windows(&v->rows[CORPUS_HOLE], c, CORPUS_HOLE, n, n_rows, length);
    if (!st && c->shares.chords > 0 && c == m->corpus) /* others are not reported */
        st = gather_windows(&v->rows[CORPUS_CHORDS], c, CORPUS_CHORDS, n, n_rows,
                            length);
    v->n_counted[CORPUS_HOLE] = count_targets(&v->rows[CORPUS_HOLE], false);
    v->n_counted[CORPUS_CHORDS] = count_targets(&v->rows[CORPUS_CHORDS], true);
    return st;
}

void validation_fini(struct validation *v)
{
    for (int kind = 0; kind < CORPUS_KINDS; kind++)
        corpus_batch_fini(&v->rows[kind]);
}

enum model_status validation_measure(const struct validation *v, struct trainer *t,
                                     double nats[CORPUS_KINDS])
{
    enum model_status st = MODEL_OK;
    for (int kind = 0; kind < CORPUS_KINDS; kind++) {
        nats[kind] = 0.0;
        for (int i = 0; !st && i < v->rows[kind].n; i += v->batch) {
            const struct train_batch b = train_batch_from(&v->rows[kind], i);
            double sum = 0.0;
            int64_t count;
            st = trainer_evaluate(t, &b, &sum, &count, NULL);
            nats[kind] += sum;
        }
    }
    return st;
}
