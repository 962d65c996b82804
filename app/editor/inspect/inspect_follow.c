/* When requests go to the inspector's thread, and taking its reports. When the view or
 * the music changes, a request follows, at most one a tick. The note pair needs the
 * strongest note, so it takes a second request; the first report is shown meanwhile. */
#include "app/decoding/live_row.h"
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"

#include <stdlib.h>

static bool init(struct session *s, const struct session_options *o)
{
    struct inspecting *i = s->parts.inspect;
    i->wake_fd = o->wake_fd;
    i->look = (struct inspected_look){.layer = -1, .head = -1};
    i->part = -1;
    i->scale = SHADE_LOG;
    i->is_live = true;
    i->live_choice = (struct live_choice){-1, -1, -1};
    return true;
}

/* Before the generator goes, which has the model. */
static void fini(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    inspector_destroy(i->inspector);
    inspector_report_fini(&i->report);
    inspector_report_fini(&i->live);
    free(i->shapes.notes);
    free(i->shapes.shades);
    free(i->shapes.matrix);
    free(i->shapes.thumbnails);
    free(i->shapes.surprise);
    *i = (struct inspecting){0};
}

void inspect_change(struct session *s)
{
    s->parts.inspect->is_stale = s->parts.inspect->is_new = true;
}

uint64_t inspect_chosen(const struct session *s)
{
    return s->parts.inspect->pinned ? s->parts.inspect->pinned
                                    : s->parts.inspect->at.id;
}

/* What was found of another piece is nobody's. */
static void follow_piece(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    if (i->history == s->project.history)
        return;
    i->history = s->project.history;
    i->piece++;
    inspector_report_fini(&i->report);
    i->pinned = i->other = 0;
    i->style_is_settled = false;
}

/* After edits and undo: the note has moved or was removed. */
static void follow_music(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    uint64_t ghosts = inspect_ghosts(s), version = s->project.version;
    bool has_changed =
        i->version != version || (i->ghosts != ghosts && (i->at.is_ghost || !i->at.id));
    i->version = version;
    i->ghosts = ghosts;
    if (!has_changed)
        return;
    struct inspect_spot before = i->at, pinned;
    if (!inspect_find(s, before.id, &i->at) &&
        !inspect_nearest(s, before.id ? before.note.start : s->cursor.tick,
                         before.id ? before.note.pitch : s->cursor.pitch, &i->at))
        i->at.id = 0;
    if (i->pinned && !inspect_find(s, i->pinned, &pinned))
        i->pinned = 0;
    inspect_change(s);
}

/* Looks at the take that is being written, if the inspector follows it. true: it ended just
 * now. */
static bool watch_live(struct session *s)
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

/* While a take is being written its newest rows are shown; after that its newest note is
 * inspected. */
static void follow_writing(struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    if (!watch_live(s) || s->request.is_running || !t || !t->n_waiting)
        return;
    const struct ghost *g = &t->ghosts[t->n_waiting - 1];
    struct inspect_spot newest = {g->note.id, g->track, g->note, true};
    inspect_go(s, &newest);
}

static void collect(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    if (!inspector_collect(i->inspector, &i->report))
        return;
    i->is_new = true;
    const struct inspector_report *r = &i->report;
    int best = -1; /* the strongest of those that were found, for the pair */
    for (int k = 0; k < r->wash.n_notes; k++)
        if (k != r->wash.note && r->wash.notes[k].id && r->wash.weights[k] > 0 &&
            (best < 0 || r->wash.weights[k] > r->wash.weights[best]))
            best = k;
    uint64_t other = best >= 0 ? r->wash.notes[best].id : 0;
    if (!i->pinned && r->wash.of == i->request && other != i->other) {
        i->other = other;
        i->is_stale = true;
    }
}

/* The requested bar; not one from the music before an edit. */
static void rewrite_if_known(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    if (r->surprise.is_whole && r->surprise.of == i->request)
        inspect_rewrite_worst(s);
    else if (r->is_done && r->error[0] && r->request == i->request) {
        i->wants_rewrite = false;
        session_error(s, "%s", r->error);
    }
}

static bool has_inspector(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct model *model =
        i->inspector ? NULL : generator_model(s->generator); /* once it is loaded */
    if (model) {
        const struct model_config *c = &model->config;
        i->inspector = inspector_create(model, 0, i->wake_fd);
        i->view.n_layers = c->n_layers;
        i->view.n_heads = c->n_heads;
        i->is_stale = true;
    }
    return i->inspector != NULL;
}

/* Ends its thread; requests again once the next model is loaded. */
static void model_goes(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    inspector_destroy(i->inspector);
    inspector_report_fini(&i->report);
    inspector_report_fini(&i->live);
    i->inspector = NULL;
    i->muted_heads = 0;
    i->live_choice = (struct live_choice){-1, -1, -1};
    inspect_change(s);
}

static void tick(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    inspect_fit(s);
    if (!i->is_open) {
        watch_live(s); /* nobody looks */
        return;
    }
    follow_piece(s);
    follow_writing(s);
    follow_music(s);
    if (has_inspector(s)) {
        collect(s);
        if (i->is_stale && i->at.id && i->live_choice.layer < 0)
            inspect_ask(s);
        /* The take opens its mode; a line that is typed over the inspector stays. */
        if (i->wants_rewrite && s->mode == MODE_INSPECT)
            rewrite_if_known(s);
    }
    if (i->is_new)
        inspect_shape(s);
}

static void lay_out(const struct session *s, struct layout *l)
{
    if (s->parts.inspect->is_open)
        layout_inspect(l);
}

const struct editor_part INSPECT_FOLLOW_PART = {
    PART_STATE(inspect), .init = init, .fini = fini,         .resized = inspect_change,
    .lay_out = lay_out,  .tick = tick, .view = inspect_show, .model_goes = model_goes};
