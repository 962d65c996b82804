/* When requests go to the inspector's thread, and taking its reports. When the view or
 * the music changes, a request follows, at most one a tick. */
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
    return true;
}

/* Before the generator goes, which has the model. */
static void fini(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    inspector_destroy(i->inspector);
    inspector_report_fini(&i->report);
    free(i->on_screen);
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

/* What was found of another piece, or by another model, is nobody's. */
static void forget_report(struct inspecting *i)
{
    inspector_report_fini(&i->report);
    i->view = (struct inspect_view){0};
    i->request = 0;
    i->is_new = true;
}

static void follow_piece(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    if (i->history == s->project.history)
        return;
    i->history = s->project.history;
    i->piece++;
    forget_report(i);
    i->pinned = 0;
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
        !inspect_nearest(s, before.id ? before.note.start : s->view.cursor.tick,
                         before.id ? before.note.pitch : s->view.cursor.pitch, &i->at))
        i->at.id = 0;
    if (i->pinned && !inspect_find(s, i->pinned, &pinned))
        i->pinned = 0;
    inspect_change(s);
}

/* Parts of the answer to the last request are still to come. */
static bool is_waiting(const struct inspecting *i)
{
    return i->request && !(i->report.request == i->request && i->report.is_done);
}

/* While the shown take is being written its newest note is inspected; the next one once all is
 * known of the last. When it ends, the last note. */
static void follow_writing(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct proposal *t = proposals_shown(&s->takes);
    const bool followed = i->follows;
    i->follows =
        i->is_live && !i->shows_surprise && s->request.is_running && t && t->slot >= 0;
    const bool has_ended = followed && !s->request.is_running;
    if (!t || !t->n_waiting || !(i->follows || has_ended))
        return;
    const struct ghost *g = &t->ghosts[t->n_waiting - 1];
    const struct inspect_spot newest = {g->note.id, g->track, g->note, true};
    const bool goes_on = i->at.id != newest.id && !(i->at.is_ghost && is_waiting(i));
    if (has_ended || goes_on)
        inspect_go(s, &newest);
}

/* The requested bar; not one from the music before an edit. */
static void rewrite_if_known(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    if (r->surprise_is_whole && r->surprise_for == i->request)
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
        i->n_layers = c->n_layers;
        i->n_heads = c->n_heads;
        i->is_stale = true;
    }
    return i->inspector != NULL;
}

/* Ends its thread; requests again once the next model is loaded. */
static void model_goes(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    inspector_destroy(i->inspector);
    i->inspector = NULL;
    forget_report(i);
    i->muted_heads = 0;
    inspect_change(s);
}

static void tick(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    inspect_fit(s);
    if (!i->is_open)
        return;
    follow_piece(s);
    follow_writing(s);
    follow_music(s);
    if (has_inspector(s)) {
        i->is_new |= inspector_collect(i->inspector, &i->report);
        if (i->is_stale && i->at.id && !(i->follows && is_waiting(i)))
            inspect_ask(s);
        /* The take opens its mode; a line that is typed over the inspector stays. */
        if (i->wants_rewrite && s->view.mode == MODE_INSPECT)
            rewrite_if_known(s);
    }
    if (i->is_new)
        inspect_refresh(s);
}

static void show(struct session *s, struct view *v)
{
    struct inspecting *i = s->parts.inspect;
    if (!i->is_open)
        return;
    inspect_refresh(s);
    v->inspect = &i->view;
}

static void lay_out(const struct session *s, struct layout *l)
{
    if (s->parts.inspect->is_open)
        layout_inspect(l);
}

const struct editor_part INSPECT_FOLLOW_PART = {
    PART_STATE(inspect), .init = init, .fini = fini, .resized = inspect_change,
    .lay_out = lay_out,  .tick = tick, .view = show, .model_goes = model_goes};
