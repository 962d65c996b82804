/* Drawing the held-out windows once, and running the trainer over them. */
#include "app/lab/training/train_music.h"

#include "midi/tokens/token_time.h"

#include <stdlib.h>

enum { WINDOWS = 64, WINDOWS_OFTEN = 24 };

/* Rows for this many windows, or more to fill the last batch: an unwritten row counts
 * nothing. */
static enum midi_status allocate(struct validation *v, const struct train_music *m,
                                 int n_windows, int length)
{
    int batches = (n_windows + v->batch - 1) / v->batch;
    return train_rows_init(&v->rows, m, batches * v->batch, length);
}

static enum midi_status draw_folder(struct train_rows *rows, const struct corpus *c,
                                    enum corpus_window_kind kind)
{
    enum midi_status st = MIDI_OK;
    for (int i = 0; !st && i < rows->n; i++) {
        struct grid_row row = train_rows_at(rows, i);
        st = corpus_window(c, CORPUS_VALID, kind, i, rows->n, rows->length, row.tokens,
                           row.targets);
        token_times(row.tokens, (size_t)rows->length, row.times);
    }
    return st;
}

static enum midi_status draw_beside(struct train_rows *rows, const struct validation *v,
                                    const struct train_music *m,
                                    enum corpus_window_kind kind)
{
    enum midi_status st = train_rows_init(rows, m, v->rows.n, v->rows.length);
    return st ? st : draw_folder(rows, m->folder, kind);
}

static int64_t count_targets(const struct train_rows *rows, bool notes_only)
{
    int64_t n = 0;
    for (size_t i = 0; i < (size_t)rows->n * (size_t)rows->length; i++) {
        enum token kind = token_kind(rows->targets[i]);
        bool is_note = kind == TOKEN_PITCH || kind == TOKEN_HIT;
        n += rows->targets[i] >= 0 && (is_note || !notes_only);
    }
    return n;
}

static enum midi_status init_folder(struct validation *v, const struct train_music *m,
                                    int length)
{
    if (!m->folder->n_pieces[CORPUS_VALID])
        return MIDI_OK;
    enum midi_status st =
        allocate(v, m, m->rehearse > 0 ? WINDOWS_OFTEN : WINDOWS, length);
    if (!st)
        st = draw_folder(&v->rows, m->folder, CORPUS_PLAIN);
    if (!st)
        corpus_baseline(m->folder, v->rows.tokens, v->rows.targets,
                        (size_t)v->rows.n * (size_t)length, &v->baseline);
    if (!st && m->shares.holes > 0)
        st = draw_beside(&v->holes, v, m, CORPUS_HOLE);
    if (!st && m->shares.chords > 0)
        st = draw_beside(&v->chords, v, m, CORPUS_CHORDS);
    v->n_hole_tokens = count_targets(&v->holes, false);
    v->n_chord_notes = count_targets(&v->chords, true);
    return st;
}

static enum midi_status init_grid(struct validation *v, const struct train_music *m,
                                  int length)
{
    struct grid_window *list;
    struct grid_baseline b;
    int n = grid_corpus_windows(m->grid, &m->lesson, CORPUS_VALID, length, &list);
    enum midi_status st = n < 0 ? MIDI_NO_MEMORY : MIDI_OK;
    if (n > 0)
        st = allocate(v, m, n, length);
    for (int i = 0; !st && i < n; i++) {
        const struct grid_row row = train_rows_at(&v->rows, i);
        st = grid_corpus_window(m->grid, &m->lesson, CORPUS_VALID, &list[i], &row);
    }
    if (n > 0 && !st)
        st = grid_corpus_baseline(m->grid, m->lesson.told, CORPUS_VALID, &b);
    if (n > 0 && !st) /* a cell is a token and, in the words of the benchmark, a note */
        v->baseline = (struct baseline){b.unigram, b.bigram, b.n_cells, b.n_cells};
    free(list);
    return st;
}

enum midi_status validation_init(struct validation *v, const struct train_music *m,
                                 int batch, int length)
{
    *v = (struct validation){.batch = batch};
    return (m->grid ? init_grid : init_folder)(v, m, length);
}

enum midi_status validation_init_rehearsal(struct validation *v,
                                           const struct train_music *m, int batch,
                                           int length)
{
    struct train_music old = *m;
    *v = (struct validation){.batch = batch};
    old.folder = m->rehearsal;
    old.shares.chords = 0; /* they are not reported */
    return m->rehearsal ? init_folder(v, &old, length) : MIDI_OK;
}

void validation_fini(struct validation *v)
{
    train_rows_fini(&v->rows);
    train_rows_fini(&v->holes);
    train_rows_fini(&v->chords);
}

static enum model_status measure(const struct validation *v,
                                 const struct train_rows *rows, struct trainer *t,
                                 double *nats)
{
    *nats = 0.0;
    for (int i = 0; i < rows->n; i += v->batch) {
        const struct train_batch b = train_rows_batch(rows, i);
        double sum;
        int64_t count;
        enum model_status st = trainer_evaluate(t, &b, &sum, &count, NULL);
        if (st)
            return st;
        *nats += sum;
    }
    return MODEL_OK;
}

enum model_status validation_measure(const struct validation *v, struct trainer *t,
                                     struct validation_nats *nats)
{
    enum model_status st = measure(v, &v->rows, t, &nats->plain);
    if (!st)
        st = measure(v, &v->holes, t, &nats->holes);
    return st ? st : measure(v, &v->chords, t, &nats->chords);
}
