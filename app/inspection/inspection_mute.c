/* Cause, in contrast to attention: how a note's probability changes when something it could
 * attend to is missing. See inspection.h. Another decoder reads the changed music from the
 * first difference on, so that the first decoder keeps its tokens. */
#include "app/inspection/inspection_internal.h"

#include <stdlib.h>

/* The log probability of a note's tokens, in nats. */
static float judge(const struct inspection *i, const struct read_so_far *read,
                   const struct reading *what, int note)
{
    double sum = 0;
    for (int t = 1; t < what->n_tokens && t < read->n; t++)
        if (what->tokens[t].note == note)
            sum -= read_so_far_nats(read, i->c.vocab, t);
    return (float)sum;
}

/* Tokens up to the note's last. */
static int end_of(const struct reading *what, int note)
{
    int end = what->n_tokens;
    while (end > 0 && what->tokens[end - 1].note != note)
        end--;
    return end;
}

static bool goes(const struct inspected_note *n, int index,
                 const struct inspected_mute *m)
{
    switch (m->what) {
    case MUTE_NOTE:
        return index == m->note;
    case MUTE_SPAN:
        return n->tick >= m->from && n->tick < m->to;
    default:
        return n->track == m->track;
    }
}

static enum model_status read_other(struct inspection *i, const struct reading *what,
                                    int note, float *out)
{
    int n = end_of(what, note);
    enum model_status st = read_so_far_share(&i->other, &i->main, what, n, i->c.vocab);
    if (!st)
        st = read_so_far_read(&i->other, i, what, n);
    if (!st)
        *out = judge(i, &i->other, what, note);
    return st;
}

static enum inspection_state mute_notes(struct inspection *i, int note,
                                        const struct inspected_mute *m, float *out)
{
    struct reading less;
    int before = 0; /* of those that go */
    bool *goes_of = calloc((size_t)i->now.n_notes + 1, sizeof *goes_of);
    if (!goes_of)
        return inspection_end(i, MODEL_NO_MEMORY);
    for (int k = 0; k < i->now.n_notes; k++) {
        goes_of[k] = k != note && goes(&i->now.notes[k], k, m);
        before += k < note && goes_of[k];
    }
    enum midi_status st = reading_without(&less, &i->now, goes_of);
    free(goes_of);
    if (st)
        return inspection_end_midi(i, st);
    enum model_status read = read_other(i, &less, note - before, out);
    reading_fini(&less);
    return inspection_end(i, read);
}

/* Tokens read with the head cannot be used without it, and the other way round. */
static enum inspection_state mute_head(struct inspection *i, int note,
                                       struct attention_head h, float *out)
{
    const bool is_muted = decoder_head_is_muted(i->other.decoder, h);
    i->other.n = 0;
    enum model_status st = decoder_mute_head(i->other.decoder, h, true);
    if (st)
        return inspection_end(i, st);
    st = read_so_far_read(&i->other, i, &i->now, end_of(&i->now, note));
    if (!st)
        *out = judge(i, &i->other, &i->now, note);
    decoder_mute_head(i->other.decoder, h, is_muted);
    i->other.n = 0;
    return inspection_end(i, st);
}

enum inspection_state inspection_mute(struct inspection *i, int note,
                                      const struct inspected_mute *m,
                                      struct inspected_effect *out)
{
    float after = 0;
    *out = (struct inspected_effect){0};
    if (note < 0 || note >= i->now.n_notes || i->now.notes[note].is_source)
        return inspection_fail(i, "the model did not write that note");
    if (!i->other.decoder) {
        read_so_far_fini(&i->other);
        enum model_status st = read_so_far_init(&i->other, i->model, i->pool, false);
        if (st)
            return inspection_end(i, st);
        read_so_far_mute(&i->other, i, true);
    }
    enum inspection_state state = m->what == MUTE_HEAD
                                      ? mute_head(i, note, m->head, &after)
                                      : mute_notes(i, note, m, &after);
    if (state == INSPECTION_DONE)
        *out = (struct inspected_effect){judge(i, &i->main, &i->now, note), after};
    return state;
}
