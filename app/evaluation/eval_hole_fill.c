/* See eval_hole.h. The score counts in steps, so nothing is rounded. */
#include "app/evaluation/eval_hole.h"

#include "app/base/draw.h"
#include "app/document/rewrite.h"
#include "app/evaluation/eval_music_excerpt.h"

#include <stdlib.h>
#include <string.h>

static struct continuation_options options_for(const struct eval_hole *h,
                                               const struct fill_request *constraints,
                                               const struct continuation_options *how)
{
    const struct fill_request *q = &h->parts.request;
    struct continuation_options o = *how;
    o.n_takes = 1;
    o.style = (int)h->music.style;
    o.tracks = q->tracks;
    o.hole = (struct continuation_hole){.from_tick = q->from,
                                        .to_tick = q->to,
                                        .pitch_lo = q->pitch_lo,
                                        .pitch_hi = q->pitch_hi,
                                        .density = constraints->density,
                                        .polyphony = constraints->polyphony,
                                        .length = constraints->length,
                                        .height = constraints->height};
    return o;
}

enum continuation_state eval_hole_fill(struct piece *out, const char **fault,
                                       struct continuation *c,
                                       const struct eval_hole *h,
                                       const struct fill_request *constraints,
                                       const struct continuation_options *how)
{
    const struct continuation_options options = options_for(h, constraints, how);
    struct score *score = excerpt_score(&h->music);
    enum continuation_state state = CONTINUATION_ERROR;
    *out = (struct piece){0};
    memcpy(out->families, h->music.families, sizeof out->families);
    if (score && rewrite_take_out(score, &options, NULL))
        state = excerpt_continue(out, c, score, &options, 0, INT64_MAX);
    score_destroy(score);
    *fault = state == CONTINUATION_ERROR ? excerpt_fault(c) : NULL;
    return state;
}

/* -- without a model: a natural minor scale has the pitch classes of a major one, so there are
 * twenty-four to choose from -- */

enum {
    SIXTEENTH = STEPS_PER_QUARTER / 4,
    TRIES = 8, /* for a note that is not there yet */
    MAJOR = 0xab5,
    HARMONIC_MINOR = 0x9ad,
};

static bool is_in(unsigned scale, int pitch)
{
    return scale >> pitch % 12 & 1;
}

static size_t count_in(unsigned scale, const struct piece *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        count += !piece_is_hit(p, &p->notes[i]) && is_in(scale, p->notes[i].pitch);
    return count;
}

unsigned eval_hole_scale(const struct piece *p)
{
    unsigned best = MAJOR;
    size_t most = 0;
    for (int i = 0; i < 24; i++) {
        const unsigned on_c = i < 12 ? MAJOR : HARMONIC_MINOR;
        const unsigned scale = (on_c << i % 12 | on_c >> (12 - i % 12)) & 0xfff;
        size_t count = count_in(scale, p);
        if (count > most) {
            best = scale;
            most = count;
        }
    }
    return best;
}

static enum midi_status begin(struct piece *out, const struct eval_hole *h, size_t n)
{
    *out = (struct piece){.notes = calloc(n + 1, sizeof *out->notes)};
    memcpy(out->families, h->music.families, sizeof out->families);
    return out->notes ? MIDI_OK : MIDI_NO_MEMORY;
}

enum midi_status eval_hole_copy(struct piece *out, const struct eval_hole *h,
                                bool is_after)
{
    const int32_t span = h->parts.request.to - h->parts.request.from;
    const int32_t later = is_after ? -span : span; /* than where they are */
    const struct piece *p = &h->music;
    const struct fill_request *q = &h->parts.request;
    size_t first = piece_note_at(p, q->from - later);
    size_t end = piece_note_at(p, q->to - later);
    enum midi_status st = begin(out, h, end - first);
    for (size_t i = first; !st && i < end; i++) {
        struct grid_note n = p->notes[i];
        n.step += later;
        n.length = at_most(n.length, q->to - n.step);
        if (q->tracks >> n.track & 1)
            out->notes[out->n_notes++] = n;
    }
    if (!st)
        piece_sort(out); /* cutting may have made two notes equal */
    return st;
}

/* A pitch of the scale in the range of the track's own notes; any where none of these
 * is in the scale. */
static uint8_t draw_pitch(const struct piece *inside, uint8_t track, unsigned scale,
                          struct rng *r)
{
    int low = 127, high = 0, n = 0;
    for (size_t i = 0; i < inside->n_notes; i++)
        if (inside->notes[i].track == track) {
            low = at_most(low, inside->notes[i].pitch);
            high = at_least(high, inside->notes[i].pitch);
        }
    for (int pitch = low; pitch <= high; pitch++)
        n += is_in(scale, pitch);
    int k = draw_below(r, n ? n : high - low + 1), pitch = low;
    while ((n && !is_in(scale, pitch)) || k-- > 0)
        pitch++;
    return (uint8_t)pitch;
}

/* The value of any note on the track, or `otherwise` if it has none. */
static int32_t draw_length(const struct piece *around, uint8_t track, int32_t otherwise,
                           struct rng *r)
{
    int n = 0;
    for (size_t i = 0; i < around->n_notes; i++)
        n += around->notes[i].track == track;
    if (n == 0)
        return otherwise;
    int k = draw_below(r, n);
    for (size_t i = 0;; i++)
        if (around->notes[i].track == track && k-- == 0)
            return around->notes[i].length;
}

static struct grid_note draw_note(const struct eval_hole *h,
                                  const struct grid_note *there, unsigned scale,
                                  struct rng *r)
{
    const struct fill_request *q = &h->parts.request;
    const int sixteenths = at_least((q->to - q->from) / SIXTEENTH, 1);
    struct grid_note n = *there;
    n.step = q->from + SIXTEENTH * draw_below(r, sixteenths);
    if (!piece_is_hit(&h->music, there))
        n.pitch = draw_pitch(&h->parts.inside, n.track, scale, r);
    n.length = draw_length(&h->parts.around, n.track, there->length, r);
    n.length = at_most(n.length, q->to - n.step);
    return n;
}

static bool is_there(const struct piece *p, const struct grid_note *n)
{
    for (size_t i = 0; i < p->n_notes; i++)
        if (p->notes[i].step == n->step && p->notes[i].track == n->track &&
            p->notes[i].pitch == n->pitch)
            return true;
    return false;
}

enum midi_status eval_hole_guess(struct piece *out, const struct eval_hole *h,
                                 struct rng *r)
{
    const struct piece *inside = &h->parts.inside, *around = &h->parts.around;
    unsigned scale = eval_hole_scale(around);
    enum midi_status st = begin(out, h, inside->n_notes);
    if (st)
        return st;
    for (size_t i = 0; i < inside->n_notes; i++) {
        struct grid_note n = draw_note(h, &inside->notes[i], scale, r);
        for (int k = 0; k < TRIES && is_there(out, &n); k++)
            n = draw_note(h, &inside->notes[i], scale, r);
        out->notes[out->n_notes++] = n;
    }
    piece_sort(out);
    return MIDI_OK;
}
