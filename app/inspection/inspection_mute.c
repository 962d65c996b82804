/* Cause, in contrast to attention: how a note's probability changes when something it could
 * attend to is missing. See inspection.h. Another decoder reads the changed music from the
 * first difference on, so that the first decoder keeps its tokens. */
#include "app/inspection/inspection_internal.h"

#include "midi/base/array.h"

#include <stdlib.h>

/* Tokens up to the note's last. */
static int end_of_note(const struct reading *what, int note)
{
    int end = what->n_tokens;
    while (end > 0 && what->tokens[end - 1].note != note)
        end--;
    return end;
}

bool inspection_mutes(const struct inspection *i, const struct inspected_mute *m,
                      int note)
{
    const struct inspect_note *n = &i->now.notes[note];
    switch (m->what) {
    case MUTE_NOTE:
        return note == m->note;
    case MUTE_SPAN:
        return n->note.start >= m->from && n->note.start < m->to;
    case MUTE_TRACK:
        return n->track == m->track;
    default:
        return false;
    }
}

/* The log probability of the note's tokens, in nats. */
static float sum_log_p(const struct model_reader *r, const struct reading *what,
                       int note)
{
    double sum = 0;
    for (int t = 1; t < what->n_tokens; t++)
        if (what->tokens[t].note == note)
            sum -= inspection_nats(r, what, t);
    return (float)sum;
}

/* Reads up to the note; tokens that the first reader has read are copied from it, if they are
 * more and the same heads are muted. */
static enum model_status read_other(struct inspection *i, const struct reading *what,
                                    int note, bool shares, float *out)
{
    const struct model_input in = reading_input(what, end_of_note(what, note));
    const int common = model_reader_n_known(i->main, &in);
    enum model_status st = MODEL_OK;
    if (shares && common > model_reader_n_known(i->other, &in))
        st = model_reader_copy_first(i->other, i->main, common);
    if (!st)
        st = model_reader_read_input(i->other, &in);
    if (!st)
        *out = sum_log_p(i->other, what, note);
    return st;
}

static enum inspection_state mute_notes(struct inspection *i, int note,
                                        const struct inspected_mute *m, float *out)
{
    struct reading less;
    int before = 0; /* of those that go */
    bool *goes = calloc((size_t)i->now.n_notes + 1, sizeof *goes);
    if (!goes)
        return inspection_end(i, MODEL_NO_MEMORY);
    for (int k = 0; k < i->now.n_notes; k++) {
        goes[k] = k != note && inspection_mutes(i, m, k);
        before += k < note && goes[k];
    }
    enum midi_status st = reading_without(&less, &i->now, goes);
    free(goes);
    if (st)
        return inspection_end_midi(i, st);
    enum model_status read = read_other(i, &less, note - before, true, out);
    reading_fini(&less);
    return inspection_end(i, read);
}

/* The other reader goes: the next question makes another. */
static void end_other(struct inspection *i)
{
    model_reader_destroy(i->other);
    i->other = NULL;
}

static enum inspection_state mute_head(struct inspection *i, int note,
                                       struct attention_head h, float *out)
{
    struct attention_head *heads = array_copy(i->muted, i->n_muted, sizeof *heads);
    if (!heads)
        return inspection_end(i, MODEL_NO_MEMORY);
    heads[i->n_muted] = h;
    enum model_status st = model_reader_mute(i->other, heads, i->n_muted + 1);
    if (!st)
        st = read_other(i, &i->now, note, false, out);
    free(heads);
    const enum model_status back = model_reader_mute(i->other, i->muted, i->n_muted);
    if (back)
        end_other(i);
    st = st ? st : back;
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
    enum model_status st = MODEL_OK;
    if (!i->other) {
        st = model_reader_create(&i->other, i->model, i->pool);
        if (!st)
            st = model_reader_keep_all(i->other, false);
        if (!st)
            st = model_reader_mute(i->other, i->muted, i->n_muted);
        if (st) {
            end_other(i);
            return inspection_end(i, st);
        }
        model_reader_set_cancel(i->other, i->cancel);
    }
    enum inspection_state state = m->what == MUTE_HEAD
                                      ? mute_head(i, note, m->head, &after)
                                      : mute_notes(i, note, m, &after);
    if (state == INSPECTION_DONE)
        *out = (struct inspected_effect){sum_log_p(i->main, &i->now, note), after};
    return state;
}
