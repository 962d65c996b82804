#include "app/evaluation/eval_music_excerpt.h"

#include "app/generation/draws.h"
#include "app/generation/take.h"
#include "midi/base/array.h"
#include "midi/score/general_midi.h"

#include <stdlib.h>
#include <string.h>

enum midi_status excerpt_cut(struct piece *out, const struct piece *p,
                             int32_t first_bar, int32_t n_bars, uint64_t tracks)
{
    enum midi_status st = piece_window(out, p, first_bar, n_bars);
    if (st)
        return st;
    int32_t end = (int32_t)piece_bar_start(out, out->n_bars);
    size_t kept = 0;
    for (size_t i = 0; i < out->n_notes; i++) {
        struct grid_note n = out->notes[i];
        if (!(tracks >> n.track & 1))
            continue;
        n.length = n.length < end - n.step ? n.length : end - n.step;
        out->notes[kept++] = n;
    }
    out->n_notes = kept;
    piece_sort(out); /* cutting may have made two notes equal */
    return MIDI_OK;
}

static bool set_meters(struct score *s, const struct piece *p)
{
    struct meter *meters = calloc(p->n_meters + 1, sizeof *meters);
    if (!meters)
        return false;
    for (size_t i = 0; i < p->n_meters; i++)
        meters[i] = (struct meter){.tick = p->meters[i].step,
                                   .numerator = p->meters[i].numerator,
                                   .denominator = p->meters[i].denominator};
    timeline_fini(&s->timeline);
    enum midi_status st =
        timeline_init(&s->timeline, s->ticks_per_quarter, NULL, 0, meters, p->n_meters);
    free(meters);
    return st == MIDI_OK;
}

static bool add_notes(struct score *s, const struct piece *p)
{
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        struct note note = {.start = n->step,
                            .length = n->length,
                            .pitch = n->pitch,
                            .velocity = (uint8_t)velocity_from_level(n->velocity),
                            .on_order = ORDER_LAST,
                            .off_order = ORDER_FIRST};
        if (!score_add_note(s, n->track, note))
            return false;
    }
    return true;
}

struct score *excerpt_score(const struct piece *p)
{
    const uint64_t tracks = piece_tracks(p);
    struct score *s = score_create(STEPS_PER_QUARTER);
    bool ok = s;
    for (int t = 0; ok && t < TOKEN_MAX_TRACKS && tracks >> t; t++) {
        const int family = p->families[t]; /* its first program stands for it */
        ok = score_add_track(s, "", family == FAMILY_DRUMS ? GM_DRUM_CHANNEL : 0,
                             family < FAMILY_DRUMS ? (uint8_t)(8 * family) : 0) >= 0;
    }
    if (ok && add_notes(s, p) && set_meters(s, p))
        return s;
    score_destroy(s);
    return NULL;
}

/* n_bars without notes after `context`, in its last meter. false: out of memory. */
static bool begin_bars(struct piece *out, const struct piece *context, int32_t n_bars)
{
    *out = (struct piece){.style = context->style, .n_bars = n_bars};
    memcpy(out->families, context->families, sizeof out->families);
    out->meters = calloc(1, sizeof *out->meters);
    if (!out->meters)
        return false;
    out->meters[0] = context->meters[context->n_meters - 1];
    out->meters[0].step = 0;
    out->n_meters = 1;
    return true;
}

enum continuation_state excerpt_continue(struct piece *out, struct continuation *c,
                                         const struct score *s,
                                         const struct continuation_options *options,
                                         int64_t origin, int64_t length)
{
    struct take takes[DRAWS_MOST];
    const int n = draws_wanted(options, NULL);
    enum continuation_state state = take_draw(takes, n, c, s, options);
    if (state != CONTINUATION_DONE)
        return state;
    take_choose(takes, n, 1, options, NULL, s);
    for (size_t i = 0; i < takes->n_notes && state == CONTINUATION_DONE; i++) {
        const struct continued_note *from = &takes->notes[i];
        const int64_t step = from->note.start - origin;
        const struct grid_note note = {
            .step = (int32_t)step,
            .length = (int32_t)from->note.length,
            .track = (uint8_t)from->track,
            .pitch = from->note.pitch,
            .velocity = (uint8_t)velocity_level(from->note.velocity)};
        if (step >= 0 && step < length &&
            !array_push(&out->notes, &out->n_notes, &note, sizeof note))
            state = CONTINUATION_ERROR;
    }
    take_fini(takes);
    piece_sort(out);
    return state;
}

const char *excerpt_fault(const struct continuation *c)
{
    const char *why = continuation_error(c);
    return *why ? why : midi_strerror(MIDI_NO_MEMORY);
}

/* -- a writer with a model of score tokens -- */

/* The number of bars to request, so that the last is number n_bars after the context even
 * if the context's music ends before its last bar line. */
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

static enum music_outcome write_bars(void *state, const struct music_task *task,
                                     struct music_written *out)
{
    const struct piece *context = task->context;
    const struct continuation_options options = {
        .bars = bars_to_ask(context, task->n_bars),
        .n_takes = 1,
        .style = (int)context->style,
        .sampling = task->sampling,
    };
    struct continuation *c = state;
    struct continuation_stats stats;
    struct score *score = excerpt_score(context);
    enum continuation_state ended = CONTINUATION_ERROR;
    *out = (struct music_written){0};
    if (score && begin_bars(&out->bars, context, task->n_bars))
        ended = excerpt_continue(&out->bars, c, score, &options,
                                 piece_bar_start(context, context->n_bars),
                                 piece_bar_start(&out->bars, task->n_bars));
    score_destroy(score);
    if (ended == CONTINUATION_CANCELLED)
        return MUSIC_CANCELLED;
    if (ended != CONTINUATION_DONE) {
        out->fault = excerpt_fault(c);
        return MUSIC_FAILED;
    }
    continuation_stats(c, 0, &stats);
    out->n_tokens = stats.n_tokens;
    out->masked = stats.masked * stats.n_tokens;
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
