/* The inspector while a take is being written: the newest attention row of the model thread is
 * shown in place of a report. */
#include "app/decoding/live_row.h"
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"

bool inspect_watch_live(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct proposal *t = proposals_shown(&s->takes);
    struct live_rows *rows = generator_live(s->generator);
    const struct live_choice before = i->live_choice;
    struct live_choice now = {-1, -1, -1};
    int n_rows, n_columns;
    if (i->is_open && i->is_live && !i->shows_surprise && s->request.is_running && t &&
        t->slot >= 0) /* only for one head: several have no common row */
        now = (struct live_choice){i->look.layer >= 0 ? i->look.layer : i->one_layer,
                                   i->look.head >= 0 ? i->look.head : i->one_head,
                                   t->slot};
    if (now.layer != before.layer || now.head != before.head ||
        now.take != before.take) {
        live_rows_look(rows, now);
        i->live_choice = now;
        i->is_new = true;
        inspector_report_fini(&i->live);
    }
    inspect_matrix_size(s, &n_rows, &n_columns);
    if (now.layer >= 0 && inspector_live(rows, now, n_rows, n_columns, &i->live))
        i->is_new = true;
    return before.layer >= 0 && now.layer < 0;
}

bool inspect_is_live(const struct session *s)
{
    return s->parts.inspect->live.wash.of != 0;
}

const struct inspector_report *inspect_shown(const struct session *s)
{
    return inspect_is_live(s) ? &s->parts.inspect->live : &s->parts.inspect->report;
}
