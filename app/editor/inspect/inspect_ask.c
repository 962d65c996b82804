/* Requests to the inspector's thread, and its reports. When the view or the music changes, a
 * request follows, at most one a tick: of the piece, or of the music as a take's model read it. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/takes/machine.h"
#include "tui/base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* -- asking -- */

static int compare_ids(const void *a, const void *b)
{
    const struct continued_note *x = a, *y = b;
    return (x->note.id > y->note.id) - (x->note.id < y->note.id);
}

/* Those that the machine wrote, in the order they came in: ids are given in that order,
 * and to those kept from another take before. NULL: out of memory. */
static struct continued_note *notes_that_came(const struct proposal *t, size_t *n)
{
    struct continued_note *notes = calloc(t->n_ghosts + 1, sizeof *notes);
    for (size_t i = 0; notes && i < t->n_ghosts; i++)
        notes[i] = (struct continued_note){.track = t->ghosts[i].track,
                                           .note = t->ghosts[i].note};
    if (!notes)
        return NULL;
    qsort(notes, t->n_ghosts, sizeof *notes, compare_ids);
    size_t first = t->n_ghosts > t->n_came ? t->n_ghosts - t->n_came : 0;
    *n = t->n_ghosts - first;
    memmove(notes, notes + first, *n * sizeof *notes);
    return notes;
}

/* The music as the model read it for this take: without the notes that the take replaces
 * and those accepted from it since, with the kept notes of other takes. NULL: out of
 * memory. */
static struct score *music_before(const struct session *s, const struct proposal *t)
{
    size_t n_came;
    struct score *music = score_clone(s->project.score);
    struct continued_note *came = notes_that_came(t, &n_came);
    bool ok = music && came &&
              rewrite_take_out(music, &s->request.asked.options, &s->request.rewritten);
    for (size_t i = 0; ok && i < n_came; i++)
        if (came[i].track < (int)music->n_tracks)
            score_remove_note(music, came[i].track, came[i].note.id);
    for (size_t i = 0; ok && i < t->n_waiting; i++)
        if (n_came && t->ghosts[i].note.id < came[0].note.id)
            score_add_note(music, t->ghosts[i].track, t->ghosts[i].note);
    free(came);
    if (!ok) {
        score_destroy(music);
        return NULL;
    }
    return music;
}

uint64_t inspect_other(const struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    const struct inspect_view *v = &i->report.found;
    if (i->pinned)
        return i->at.id != i->pinned ? i->at.id : 0;
    return v->pair >= 0 && v->pair < (int)v->n_notes ? v->notes[v->pair].id : 0;
}

/* What x leaves out: the note, its bar or its track. */
static void leave_out(const struct session *s, struct inspector_request *r)
{
    const struct inspecting *i = s->parts.inspect;
    struct inspector_mute *m = &r->mutes[r->n_mutes];
    struct inspect_spot of;
    char pitch[PITCH_NAME_BYTES];
    if (i->without == WITHOUT_NOTHING || !inspect_find(s, i->without_of, &of))
        return;
    const struct bar bar = session_bar_at(s, of.note.start);
    const long long number = (long long)bar.index + 1;
    const struct score *score = s->project.score;
    const char *name =
        of.track < (int)score->n_tracks ? score->tracks[of.track].name : "";
    r->n_mutes++;
    m->id = of.id;
    m->what = (struct inspected_mute){.what = i->without == WITHOUT_NOTE  ? MUTE_NOTE
                                              : i->without == WITHOUT_BAR ? MUTE_SPAN
                                                                          : MUTE_TRACK,
                                      .from = bar.start,
                                      .to = bar.start + bar.length,
                                      .track = of.track};
    pitch_name_octave(of.note.pitch, SPELL_SHARPS, pitch);
    if (i->without == WITHOUT_NOTE)
        snprintf(m->name, sizeof m->name, "%s of bar %lld", pitch, number);
    else if (i->without == WITHOUT_BAR)
        snprintf(m->name, sizeof m->name, "bar %lld", number);
    else if (*name)
        snprintf(m->name, sizeof m->name, "%.30s", name);
    else
        snprintf(m->name, sizeof m->name, "track %d", of.track + 1);
}

/* The head that is looked at, where it is muted. */
static void leave_out_head(const struct session *s, struct inspector_request *r)
{
    const struct inspecting *i = s->parts.inspect;
    const struct attention_head head = {.layer = i->look.layer, .head = i->look.head};
    const int bit = head.layer * i->n_heads + head.head;
    struct inspector_mute *m = &r->mutes[r->n_mutes];
    if (head.layer < 0 || head.head < 0 || bit >= 64 || !(s->muted.heads >> bit & 1))
        return;
    r->n_mutes++;
    m->what = (struct inspected_mute){.what = MUTE_HEAD, .head = head};
    snprintf(m->name, sizeof m->name, "layer %d head %d", head.layer + 1,
             head.head + 1);
}

static void fill_request(const struct session *s, struct inspector_request *r)
{
    const struct inspecting *i = s->parts.inspect;
    *r = (struct inspector_request){
        .read = {.note = inspect_chosen(s),
                 .piece = i->piece,
                 .version = i->version + 1, /* 0: not known */
                 .tick = s->view.cursor.tick,
                 .style = s->steering.style != CONTINUATION_STYLE_GUESS
                              ? s->steering.style
                              : i->style},
        .other = i->pinned ? i->at.id : 0,
        .look = i->look,
        .part = i->part < 0 ? INSPECTED_PITCH : (enum inspected_part)i->part,
        .wants_who_matters = i->asks_who_matters,
        .wants_surprise = i->shows_surprise || i->wants_rewrite,
    };
    const struct inspect_view page = {
        .page = i->page, .n_layers = i->n_layers, .n_heads = i->n_heads};
    const struct inspect_places at = inspect_places_for(&s->layout, &page);
    if (at.matrix.rows > 0) { /* the cells that it has room for */
        r->matrix_rows = 2 * at.matrix.rows;
        r->matrix_columns = at.matrix.columns;
    }
    r->thumbnail_side = at.grid.rows > 0 ? INSPECT_THUMBNAIL : 0;
    leave_out(s, r);
    leave_out_head(s, r);
}

static uint64_t ask_take(struct session *s, struct inspector_request *r,
                         const struct proposal *t)
{
    r->read.version = r->read.version * 0x9E3779B97F4A7C15u ^
                      s->parts.inspect->ghosts; /* other music */
    struct continuation_options options = t->options;
    options.muted = t->muted;
    options.n_muted = t->n_muted;
    struct inspected_take take = {.options = &options,
                                  .style = t->style,
                                  .tokens = t->tokens,
                                  .n_tokens = t->n_tokens};
    struct continued_note *notes = notes_that_came(t, &take.n_notes);
    struct score *music = notes ? music_before(s, t) : NULL;
    uint64_t request = 0;
    take.notes = notes;
    r->read.take = &take;
    if (music)
        request = inspector_ask(s->parts.inspect->inspector, music, r);
    r->read.take = NULL; /* it was copied */
    free(notes);
    return request;
}

/* There is an inspector, and a note. */
static void ask(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspector_request r;
    struct inspect_spot at;
    bool is_ghost = inspect_find(s, inspect_chosen(s), &at) && at.is_ghost;
    const struct proposal *t = is_ghost ? proposals_shown(&s->takes) : NULL;
    i->is_stale = false;
    /* The style is what the machine took the piece for when it read ahead, which it has done
     * by now where nothing was changed for a while: guessing takes as long as reading. Else
     * the inspector guesses, once for each piece. */
    if (!i->style_is_settled) {
        enum { BY_NOW_MS = 2000 };
        struct generator_progress p;
        generator_progress(s->generator, &p);
        bool is_read = !s->has_take && !p.running && machine_has_read(s, BY_NOW_MS);
        i->style = is_read && p.style ? (int)p.style : CONTINUATION_STYLE_GUESS;
        i->style_is_settled = true;
    }
    fill_request(s, &r);
    struct score *music = t ? NULL : score_clone(s->project.score);
    uint64_t request = t       ? ask_take(s, &r, t)
                       : music ? inspector_ask(i->inspector, music, &r)
                               : 0;
    if (request)
        i->request = request;
    else
        session_error(s, "out of memory: the inspector stops");
}

/* -- following the piece, the music and the takes -- */

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
    const struct proposal *t = proposals_shown(&s->takes);
    const uint64_t version = s->project.version;
    /* A number that changes with the shown take and its notes. */
    uint64_t ghosts = t ? (uint64_t)t->letter * 0x9E3779B97F4A7C15u + t->n_ghosts : 0;
    for (size_t k = 0; t && k < t->n_ghosts; k++)
        ghosts = ghosts * 31 + t->ghosts[k].note.id * 2 + t->ghosts[k].stands;
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
    /* Heads are of that model; the next one may have fewer. */
    s->muted.heads = 0;
    i->look.layer = i->look.head = -1;
    i->one_layer = i->one_head = 0;
    inspect_change(s);
}

static void tick(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    inspect_fit(s);
    if (!s->view.inspect)
        return;
    follow_piece(s);
    follow_writing(s);
    follow_music(s);
    if (has_inspector(s)) {
        i->is_new |= inspector_collect(i->inspector, &i->report);
        if (i->is_stale && i->at.id && !(i->follows && is_waiting(i)))
            ask(s);
        /* The take opens its mode; a line that is typed over the inspector stays. */
        if (i->wants_rewrite && s->view.mode == MODE_INSPECT)
            rewrite_if_known(s);
    }
    if (i->is_new)
        inspect_refresh(s);
}

static void show(struct session *s, struct view *v)
{
    if (!v->inspect)
        return;
    inspect_refresh(s);
    inspect_explain(s, v);
}

const struct editor_part INSPECT_PART = {
    PART_STATE(inspect),       .init = init, .fini = fini, .acted = inspect_fit,
    .resized = inspect_change, .tick = tick, .view = show, .model_goes = model_goes,
    .escape = inspect_escape};
