/* Where a strand's newest token looked, for who watches: see live_row.h. */
#include "app/strand.h"

#include <string.h>

static struct live_map describe(const struct strand *t, const struct model_reading *r,
                                struct live_choice choice)
{
    struct live_map m = {.reading = r->number,
                         .choice = choice,
                         .origin = t->origin,
                         .ticks_per_quarter = t->music.ticks_per_quarter,
                         .cap = model_reader_context(t->reader),
                         .n = r->n,
                         .n_given = r->n_given,
                         /* borrowed, and only read */
                         .tokens = (int32_t *)(uintptr_t)r->tokens,
                         .times = (int32_t *)(uintptr_t)r->times};
    memcpy(m.track_map, t->music.track_map, sizeof m.track_map);
    return m;
}

/* The first logits after a context come of no new token, and have no row where nobody
 * watched its reading. */
void strand_show(struct strand *t, struct live_rows *live, struct live_choice choice,
                 int take)
{
    const bool is_looked_at = choice.layer >= 0 && choice.take == take;
    const struct attention_head head = {ATTENTION_PAST, choice.layer, choice.head};
    const struct model_reading r = model_reader_reading(t->reader);
    if (model_reader_watch(t->reader, is_looked_at) || !is_looked_at)
        return;
    if (model_reader_row(t->reader, head, t->row))
        return;
    struct live_map m = describe(t, &r, choice);
    live_rows_give(live, &m, t->row);
}
