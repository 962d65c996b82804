/* Drawing the held-out windows once, and running the trainer over them. */
#include "app/lab/training/train_music.h"

enum { WINDOWS = 64, WINDOWS_OFTEN = 24 };

/* All rows of a folder are windows; of four voices as many as there are. */
static enum midi_status draw(struct train_rows *rows, const struct train_music *m,
                             enum corpus_window_kind kind, int n)
{
    enum midi_status st = MIDI_OK;
    for (int i = 0; !st && i < n; i++) {
        const struct grid_row row = train_rows_at(rows, i);
        st = train_music_window(m, CORPUS_VALID, kind, i, n, &row);
    }
    return st;
}

static enum midi_status draw_beside(struct train_rows *rows, const struct validation *v,
                                    const struct train_music *m,
                                    enum corpus_window_kind kind)
{
    enum midi_status st = train_rows_init(rows, m, v->rows.n, v->rows.length);
    return st ? st : draw(rows, m, kind, rows->n);
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

/* A cell of four voices is a token and, in the words of the benchmark, a note. */
static enum midi_status count_baseline(struct validation *v,
                                       const struct train_music *m)
{
    struct grid_baseline b;
    if (!m->grid) {
        corpus_baseline(m->folder, v->rows.tokens, v->rows.targets,
                        (size_t)v->rows.n * (size_t)v->rows.length, &v->baseline);
        return MIDI_OK;
    }
    enum midi_status st =
        grid_corpus_baseline(m->grid, m->lesson.told, CORPUS_VALID, &b);
    v->baseline = (struct baseline){b.unigram, b.bigram, b.n_cells, b.n_cells};
    return st;
}

/* Rows that are not written, to fill the last batch, count nothing. */
enum midi_status validation_init(struct validation *v, const struct train_music *m,
                                 int batch, int length)
{
    *v = (struct validation){.batch = batch};
    const int n = train_music_n_windows(
        m, CORPUS_VALID, m->rehearse > 0 ? WINDOWS_OFTEN : WINDOWS, length);
    const int n_rows = (n + batch - 1) / batch * batch;
    if (n == 0)
        return MIDI_OK;
    enum midi_status st = train_rows_init(&v->rows, m, n_rows, length);
    if (!st)
        st = draw(&v->rows, m, CORPUS_PLAIN, m->grid ? n : n_rows);
    if (!st)
        st = count_baseline(v, m);
    if (!st && !m->grid && m->shares.holes > 0)
        st = draw_beside(&v->holes, v, m, CORPUS_HOLE);
    if (!st && !m->grid && m->shares.chords > 0)
        st = draw_beside(&v->chords, v, m, CORPUS_CHORDS);
    v->n_hole_tokens = count_targets(&v->holes, false);
    v->n_chord_notes = count_targets(&v->chords, true);
    return st;
}

enum midi_status validation_init_rehearsal(struct validation *v,
                                           const struct train_music *m, int batch,
                                           int length)
{
    struct train_music old = *m;
    *v = (struct validation){.batch = batch};
    old.folder = m->rehearsal;
    old.shares.chords = 0; /* they are not reported */
    return m->rehearsal ? validation_init(v, &old, batch, length) : MIDI_OK;
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
