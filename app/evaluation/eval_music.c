/* See eval_music.h. Pieces are taken at even distances from the sorted list of
 * those that are long enough, so that the choice needs no random numbers. */
#include "app/evaluation/eval_music.h"

#include "app/evaluation/eval_music_excerpt.h"
#include "app/base/draw.h"
#include "app/base/say.h"

#include <stdlib.h>

static bool is_usable(const struct corpus_piece *p)
{
    return p->piece.n_bars >= MUSIC_CONTEXT_BARS + MUSIC_LEAST_BARS &&
           p->piece.notes[0].step < p->bars[MUSIC_CONTEXT_BARS];
}

static int count_usable(const struct corpus *c, enum corpus_split split, int group)
{
    int n = 0;
    for (int i = 0; i < c->n_pieces[split]; i++)
        n += c->pieces[split][i].group == group && is_usable(&c->pieces[split][i]);
    return n;
}

/* Number i of n pieces that spread over the usable ones; NULL: there is none. */
static const struct corpus_piece *
choose(const struct corpus *c, enum corpus_split split, int group, int i, int n)
{
    int64_t before = (int64_t)count_usable(c, split, group) * i / n;
    for (int k = 0; k < c->n_pieces[split]; k++) {
        const struct corpus_piece *p = &c->pieces[split][k];
        if (p->group == group && is_usable(p) && before-- == 0)
            return p;
    }
    return NULL;
}

static int count_wanted(const struct music_request *q, int group)
{
    return at_most(count_usable(q->corpus, q->split, group), q->n_pieces);
}

/* The context, and the bars to compare the written ones with. read: may be NULL. */
static enum midi_status cut(struct music_sample *m, struct piece *context,
                            const struct piece *whole, const struct corpus_piece *read,
                            int32_t bars)
{
    enum midi_status st =
        excerpt_cut(context, whole, 0, MUSIC_CONTEXT_BARS, UINT64_MAX);
    if (!st)
        st = excerpt_cut(&m->bars[MUSIC_HELD_OUT], whole, MUSIC_CONTEXT_BARS, bars,
                         piece_tracks(context));
    if (!st && read)
        st = excerpt_cut(&m->bars[MUSIC_TRAINING], &read->piece, MUSIC_CONTEXT_BARS,
                         bars, UINT64_MAX);
    return st;
}

/* The three excerpts of a sample; on failure it owns those that exist. */
static enum music_outcome make_sample(const struct music_request *q,
                                      struct music_sample *m, int i, int n,
                                      struct music_written *written)
{
    const struct corpus_piece *held = choose(q->corpus, q->split, m->group, i, n);
    const struct corpus_piece *read = choose(q->corpus, CORPUS_TRAIN, m->group, i, n);
    struct piece context = {0};
    struct music_task task = {
        .piece = (int)(held - q->corpus->pieces[q->split]),
        .context = &context,
        .n_bars = at_most(at_most(q->bars + MUSIC_CONTEXT_BARS, CONTINUATION_MAX_BARS),
                          held->piece.n_bars) -
                  MUSIC_CONTEXT_BARS,
        .sampling = q->sampling,
    };
    task.sampling.seed += (uint64_t)i;
    m->is_in_voices = voices_find(&held->piece, m->tracks);

    enum music_outcome outcome = MUSIC_FAILED;
    enum midi_status st = cut(m, &context, &held->piece, read, task.n_bars);
    if (st)
        written->fault = midi_strerror(st);
    else
        outcome = q->writer->write(q->writer->state, &task, written);
    m->bars[MUSIC_GENERATED] = written->bars;
    piece_fini(&context);
    return outcome;
}

static void discard_sample(struct music_sample *m)
{
    for (int k = 0; k < MUSIC_KINDS; k++)
        piece_fini(&m->bars[k]);
}

static int add_sample(struct music *music, const struct music_request *q, int group,
                      int i, int n)
{
    struct music_sample *m = &music->samples[music->n_samples];
    struct music_written written = {0};
    *m = (struct music_sample){.group = group};
    enum music_outcome outcome = make_sample(q, m, i, n, &written);
    if (outcome == MUSIC_WRITTEN) {
        music->n_samples++;
        music->n_tokens += written.n_tokens;
        music->masked += written.masked;
        return 0;
    }
    discard_sample(m);
    music->is_cancelled = outcome == MUSIC_CANCELLED;
    return music->is_cancelled
               ? 0
               : say_error(q->corpus->groups[group].name, written.fault);
}

int music_generate(struct music *m, const struct music_request *q)
{
    int n_all = 0;
    *m = (struct music){0};
    for (int g = 0; g < q->corpus->n_groups; g++)
        n_all += count_wanted(q, g);
    m->samples = calloc((size_t)n_all + 1, sizeof *m->samples);
    if (!m->samples)
        return say_model_error("music", MODEL_NO_MEMORY, NULL);
    int status = 0;
    for (int g = 0; g < q->corpus->n_groups; g++) {
        int n = count_wanted(q, g);
        for (int i = 0; i < n && !status && !m->is_cancelled; i++) {
            say_progress("continuing piece", (int)m->n_samples, n_all);
            status = add_sample(m, q, g, i, n);
        }
    }
    say_progress("continuing piece", n_all, n_all);
    return status;
}

void music_fini(struct music *m)
{
    for (size_t i = 0; i < m->n_samples; i++)
        discard_sample(&m->samples[i]);
    free(m->samples);
    *m = (struct music){0};
}

/* Of excerpts: each kind in turn, number i of sample i / MUSIC_TRAINING. NULL: out of
 * memory. */
static struct copied *create_copied(const struct music *m, size_t n, uint64_t tracks)
{
    struct piece *asked = calloc(n + 1, sizeof *asked);
    struct copied *copied = NULL;
    bool ok = asked;
    for (size_t i = 0; ok && i < n; i++) {
        const struct piece *p =
            &m->samples[i / MUSIC_TRAINING].bars[i % MUSIC_TRAINING];
        ok = !excerpt_cut(&asked[i], p, 0, p->n_bars, tracks);
    }
    if (ok)
        copied = copied_create(asked, n);
    for (size_t i = 0; asked && i < n; i++)
        piece_fini(&asked[i]);
    free(asked);
    return copied;
}

bool music_find_copies(struct music *m, const struct music_request *q)
{
    const struct corpus *c = q->corpus;
    size_t n = m->n_samples * MUSIC_TRAINING;
    struct copied *copied = create_copied(m, n, q->writer->tracks);
    if (!copied)
        return false;
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++)
        copied_read(copied, &c->pieces[CORPUS_TRAIN][i].piece, i);
    bool is_done = copied_finish(copied);
    for (size_t i = 0; is_done && i < n; i++)
        m->samples[i / MUSIC_TRAINING].copied[i % MUSIC_TRAINING] =
            copied_longest(copied, i);
    copied_destroy(copied);
    return is_done;
}
