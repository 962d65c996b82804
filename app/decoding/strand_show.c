/* Where a strand's newest token looked, for who watches: see live_row.h. */
#include "app/decoding/strand.h"

#include <string.h>

static struct live_map describe(const struct strand *t, const struct model_reading *r)
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

static void choose(struct strand *t, struct live_choice c)
{
    const struct attention_head h = {ATTENTION_PAST, c.layer, c.head};
    if (c.layer == t->shown.layer && c.head == t->shown.head)
        return;
    t->shown = c;
    if (model_reader_show_row(t->reader, h, c.layer < 0 ? NULL : t->row))
        t->shown.layer = -1;
}

void strand_show(struct strand *t, struct live_rows *live, struct live_choice choice,
                 int take)
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
