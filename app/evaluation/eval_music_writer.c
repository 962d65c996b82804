/* A continuation, asked for whole bars. */
#include "app/evaluation/eval_music_writer.h"

#include "app/evaluation/eval_music_excerpt.h"

/* Bars to ask for, so that the last is number n_bars after the context even
 * when the context's music stops before its last bar line. */
static int bars_to_ask(const struct piece *context, int32_t n_bars)
{
    int32_t end = 0;
    for (size_t i = 0; i < context->n_notes; i++) {
        int32_t note_end = context->notes[i].step + context->notes[i].length;
        end = note_end > end ? note_end : end;
    }
    int64_t bar = piece_bar_at(context, end);
    bool is_begun = piece_bar_start(context, (int32_t)bar) < end;
    return (int)(context->n_bars + n_bars - bar - is_begun);
}

static enum midi_status collect(struct continuation *c, struct piece *out,
                                const struct piece *context,
                                enum continuation_state *state)
{
    struct continued_note n;
    while ((*state = continuation_next(c, &n)) == CONTINUATION_NOTE) {
        enum midi_status st = excerpt_add(out, context, &n);
        if (st)
            return st;
    }
    piece_sort(out);
    return MIDI_OK;
}

static enum midi_status go_on(struct continuation *c, const struct music_task *task,
                              struct piece *out, enum continuation_state *state)
{
    const struct continuation_options options = {
        .bars = bars_to_ask(task->context, task->n_bars),
        .style = (int)task->context->style,
        .sampling = task->sampling,
    };
    struct score *score = excerpt_score(task->context);
    enum midi_status st =
        score ? excerpt_begin(out, task->context, task->n_bars) : MIDI_NO_MEMORY;
    if (!st) {
        *state = continuation_begin(c, score, &options);
        if (*state == CONTINUATION_BEGUN)
            st = collect(c, out, task->context, state);
    }
    score_destroy(score);
    return st;
}

static void count_tokens(const struct continuation *c, struct music_written *out)
{
    struct continuation_stats stats;
    continuation_stats(c, 0, &stats);
    out->n_tokens = stats.n_tokens;
    out->masked = stats.masked * stats.n_tokens;
}

static enum music_outcome write_bars(void *state, const struct music_task *task,
                                     struct music_written *out)
{
    struct continuation *c = state;
    enum continuation_state ended = CONTINUATION_ERROR;
    *out = (struct music_written){0};
    enum midi_status st = go_on(c, task, &out->bars, &ended);
    if (!st && ended == CONTINUATION_CANCELLED)
        return MUSIC_CANCELLED;
    if (st || ended != CONTINUATION_DONE) {
        out->fault = st ? midi_strerror(st) : continuation_error(c);
        return MUSIC_FAILED;
    }
    count_tokens(c, out);
    return MUSIC_WRITTEN;
}

static void close_continuation(void *state)
{
    continuation_destroy(state);
}

enum model_status music_writer_open(struct music_writer *w, const struct model *model,
                                    struct pool *pool, const atomic_bool *cancel)
{
    struct continuation *c = NULL;
    *w = (struct music_writer){0};
    enum model_status st = continuation_create(&c, model, pool);
    if (st)
        return st;
    continuation_set_cancel(c, cancel);
    *w = (struct music_writer){.state = c,
                               .write = write_bars,
                               .close = close_continuation,
                               .tracks = UINT64_MAX};
    return MODEL_OK;
}

void music_writer_close(struct music_writer *w)
{
    if (w->close)
        w->close(w->state);
    *w = (struct music_writer){0};
}
