/* See eval_hole_fill.h. The score counts in steps, so nothing is rounded. */
#include "app/evaluation/eval_hole_fill.h"

#include "app/evaluation/eval_music_excerpt.h"
#include "app/document/rewrite.h"

#include <stdlib.h>
#include <string.h>

static struct continuation_options options_for(const struct eval_hole *h,
                                               const struct fill_request *wishes,
                                               const struct continuation_options *how)
{
    const struct fill_request *q = &h->parts.request;
    struct continuation_options o = *how;
    o.style = (int)h->music.style;
    o.tracks = q->tracks;
    o.hole = (struct continuation_hole){.from_tick = q->from,
                                        .to_tick = q->to,
                                        .pitch_lo = q->pitch_lo,
                                        .pitch_hi = q->pitch_hi,
                                        .density = wishes->density,
                                        .polyphony = wishes->polyphony,
                                        .length = wishes->length,
                                        .height = wishes->height};
    return o;
}

/* The array doubles when it holds a power of two. */
static bool add_note(struct piece *p, const struct continued_note *n)
{
    size_t k = p->n_notes;
    if ((k & (k - 1)) == 0) {
        struct grid_note *grown = realloc(p->notes, (k ? 2 * k : 1) * sizeof *grown);
        if (!grown)
            return false;
        p->notes = grown;
    }
    p->notes[p->n_notes++] =
        (struct grid_note){.step = (int32_t)n->note.start,
                           .length = (int32_t)n->note.length,
                           .track = (uint8_t)n->track,
                           .pitch = n->note.pitch,
                           .velocity = (uint8_t)velocity_level(n->note.velocity)};
    return true;
}

/* Never NOTE: ERROR instead, when there is no memory for one. */
static enum continuation_state collect(struct piece *out, struct continuation *c,
                                       const struct score *s,
                                       const struct continuation_options *options)
{
    struct continued_note n;
    enum continuation_state state = continuation_begin(c, s, options);
    if (state != CONTINUATION_BEGUN)
        return state;
    while ((state = continuation_next(c, &n)) == CONTINUATION_NOTE)
        if (!add_note(out, &n))
            return CONTINUATION_NOTE;
    piece_sort(out);
    return state;
}

enum continuation_state eval_hole_fill(struct piece *out, const char **fault,
                                       struct continuation *c,
                                       const struct eval_hole *h,
                                       const struct fill_request *wishes,
                                       const struct continuation_options *how)
{
    const struct continuation_options options = options_for(h, wishes, how);
    struct score *score = excerpt_score(&h->music);
    enum continuation_state state = CONTINUATION_NOTE;
    *out = (struct piece){0};
    memcpy(out->families, h->music.families, sizeof out->families);
    if (score && rewrite_take_out(score, &options, NULL))
        state = collect(out, c, score, &options);
    score_destroy(score);
    *fault = state == CONTINUATION_ERROR ? continuation_error(c) : NULL;
    if (state == CONTINUATION_NOTE) {
        *fault = midi_strerror(MIDI_NO_MEMORY);
        state = CONTINUATION_ERROR;
    }
    return state;
}
