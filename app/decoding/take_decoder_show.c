/* Hands out the attention row of a take decoder's newest token: see live_row.h. */
#include "app/decoding/take_decoder.h"

#include <string.h>

static struct live_map describe(const struct take_decoder *t,
                                const struct model_reading *r)
{
    struct live_map m = {.reading = r->number,
                         .choice = t->shown,
                         .origin = t->origin,
                         .ticks_per_quarter = t->music.ticks_per_quarter,
                         .cap = model_reader_context(t->reader),
                         .n = r->n,
                         .n_given = r->n_given};
    memcpy(m.track_map, t->music.track_map, sizeof m.track_map);
    return m;
}

static void choose(struct take_decoder *t, struct live_choice c)
{
    const struct attention_head h = {ATTENTION_SELF, c.layer, c.head};
    if (c.layer == t->shown.layer && c.head == t->shown.head)
        return;
    t->shown = c;
    if (model_reader_show_row(t->reader, h, c.layer < 0 ? NULL : t->row))
        t->shown.layer = -1;
}

void take_decoder_show(struct take_decoder *t, struct live_rows *live,
                       struct live_choice choice, int take)
{
    if (model_reader_row_is_shown(t->reader)) {
        const struct model_reading r = model_reader_reading(t->reader);
        const struct live_map m = describe(t, &r);
        live_rows_give(live, &m, r.tokens, r.times, t->row);
    }
    if (choice.take != take)
        choice.layer = -1;
    choose(t, choice);
}
