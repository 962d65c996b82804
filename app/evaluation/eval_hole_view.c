/* See eval_hole_view.h. */
#include "app/evaluation/eval_hole_view.h"

#include "app/decoding/context.h"
#include "app/base/draw.h"

#include <stdlib.h>

/* [first, end) of the bars there are. Before a hole there is one at least: tokens have
 * no bars but after some bar. */
static void choose_bars(const struct eval_hole *h, enum eval_hole_view view,
                        int32_t beside, int32_t *first, int32_t *end)
{
    int32_t hole_end = h->first_bar + h->kind.n_bars;
    *first = h->first_bar;
    *end = hole_end;
    if (view == HOLE_ALONE)
        return;
    *first = at_least(h->first_bar - beside, 0);
    int32_t after = context_bars_after(beside, h->first_bar - *first);
    *end =
        view == HOLE_BEFORE ? h->first_bar : at_most(hole_end + after, h->music.n_bars);
}

/* The hole's notes, moved to where the bars begin. */
static enum midi_status move_inside(struct piece *to, const struct piece *inside,
                                    int32_t origin)
{
    to->notes = calloc(inside->n_notes + 1, sizeof *to->notes);
    if (!to->notes)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < inside->n_notes; i++) {
        to->notes[i] = inside->notes[i];
        to->notes[i].step -= origin;
    }
    to->n_notes = inside->n_notes;
    return MIDI_OK;
}

static enum midi_status cut(struct fill *f, const struct eval_hole *h,
                            enum eval_hole_view view, int32_t beside)
{
    int32_t first, end;
    choose_bars(h, view, beside, &first, &end);
    int32_t origin = (int32_t)piece_bar_start(&h->music, first);
    *f = (struct fill){.request = h->parts.request};
    f->request.from -= origin;
    f->request.to -= origin;
    enum midi_status st =
        piece_window(&f->around, &h->parts.around, first, end - first);
    if (!st && view == HOLE_ALONE)
        f->around.n_notes = 0;
    for (int t = 0; !st && t < TOKEN_MAX_TRACKS; t++)
        if (f->request.tracks >> t & 1) /* also where it has no notes around */
            f->around.families[t] = h->music.families[t];
    return st ? st : move_inside(&f->inside, &h->parts.inside, origin);
}

/* Those of the notes around are not spoken of. */
static size_t find_inside(struct tokens *t, size_t n_around)
{
    size_t first = 0;
    while (t->id[first] != TOKEN_FILL)
        first++;
    while (t->note[first] < 0 && t->id[first] != TOKEN_BAR)
        first++;
    for (size_t i = first; i < t->n; i++)
        t->note[i] -= t->note[i] < 0 ? 0 : (int32_t)n_around;
    return first;
}

static enum midi_status encode(struct tokens *t, size_t *first,
                               const struct eval_hole *h, enum eval_hole_view view,
                               int32_t beside)
{
    struct fill f;
    enum midi_status st = cut(&f, h, view, beside);
    if (!st)
        st = fill_encode(t, &f, true);
    if (!st)
        *first = find_inside(t, f.around.n_notes);
    fill_fini(&f);
    return st;
}

enum midi_status eval_hole_encode(struct tokens *t, size_t *first,
                                  const struct eval_hole *h, enum eval_hole_view view,
                                  size_t max_tokens)
{
    const int32_t least = view == HOLE_BEFORE;
    for (int32_t beside = EVAL_HOLE_BESIDE; beside >= least; beside--) {
        enum midi_status st = encode(t, first, h, view, beside);
        if (st || t->n <= max_tokens)
            return st;
        tokens_fini(t);
    }
    return MIDI_TOO_LONG;
}
