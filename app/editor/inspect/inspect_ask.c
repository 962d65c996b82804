/* Requests to the inspector's thread, and its reports. When the view or the
 * music changes, a request follows, at most one a tick: of the piece, or of the
 * music as a take's model read it. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/takes/machine.h"
#include "midi/base/array.h"
#include "tui/base/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool init(struct session *s, const struct session_options *o)
{
    struct inspecting *i = s->parts.inspect;
    (void)o;
    i->look = (struct inspected_look){.layer = -1, .head = -1};
    i->part = -1;
    i->scale = SHADE_LOG;
    i->is_live = true;
    return true;
}

/* Called before the generator goes, which has the model. */
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

/* Returns the music as the model read it for this take: without the notes that the take replaces
 * and those accepted from it since, with the kept notes of other takes. Sets *came to the notes that
 * the model wrote, [*n] in the order in which they came: ids ascend in that order, and notes kept
 * from another take have lower ids. The caller frees both. NULL: out of memory. */
static struct score *music_before(const struct session *s, const struct proposal *t,
                                  struct continued_note **came, size_t *n)
{
    struct score *music = score_clone(s->project.score);
    struct continued_note *notes = *came = calloc(t->n_ghosts + 1, sizeof *notes);
    const size_t first = t->n_ghosts > t->n_came ? t->n_ghosts - t->n_came : 0;
    bool ok = music && notes &&
              rewrite_take_out(music, &s->request.asked.options, &s->request.rewritten);
    if (!ok) {
        score_destroy(music);
        return NULL;
    }
    for (size_t i = 0; i < t->n_ghosts; i++)
        notes[i] = (struct continued_note){.track = t->ghosts[i].track,
                                           .note = t->ghosts[i].note};
    qsort(notes, t->n_ghosts, sizeof *notes, compare_ids);
    *n = t->n_ghosts - first;
    memmove(notes, notes + first, *n * sizeof *notes);
    for (size_t i = 0; i < *n; i++)
        if (notes[i].track < (int)music->n_tracks)
            score_remove_note(music, notes[i].track, notes[i].note.id);
    for (size_t i = 0; i < t->n_waiting; i++)
        if (*n && t->ghosts[i].note.id < notes[0].note.id)
            score_add_note(music, t->ghosts[i].track, t->ghosts[i].note);
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
    /* What `x` leaves out: the note, its bar or its track. */
    struct inspect_spot of;
    if (i->without != WITHOUT_NOTHING && inspect_find(s, i->without_of, &of)) {
        const struct score *score = s->project.score;
        const struct bar bar = session_bar_at(s, of.note.start);
        const long long number = (long long)bar.index + 1;
        const char *name =
            of.track < (int)score->n_tracks ? score->tracks[of.track].name : "";
        struct inspector_mute *m = &r->mutes[r->n_mutes++];
        m->what = (struct inspected_mute){.note = of.id,
                                          .from = bar.start,
                                          .to = bar.start + bar.length,
                                          .track = of.track};
        if (i->without == WITHOUT_NOTE) {
            char pitch[PITCH_NAME_BYTES];
            m->what.what = MUTE_NOTE;
            pitch_name_octave(of.note.pitch, SPELL_SHARPS, pitch);
            snprintf(m->name, sizeof m->name, "%s of bar %lld", pitch, number);
        } else if (i->without == WITHOUT_BAR) {
            m->what.what = MUTE_SPAN;
            snprintf(m->name, sizeof m->name, "bar %lld", number);
        } else {
            m->what.what = MUTE_TRACK;
            snprintf(m->name, sizeof m->name, "track %d", of.track + 1);
            if (*name)
                snprintf(m->name, sizeof m->name, "%.30s", name);
        }
    }
    /* The head that is viewed is left out, too, if it is muted. */
    const struct attention_head head = {.layer = i->look.layer, .head = i->look.head};
    const int bit = head.layer * i->n_heads + head.head;
    if (head.layer >= 0 && head.head >= 0 && bit < 64 && s->muted.heads >> bit & 1) {
        struct inspector_mute *m = &r->mutes[r->n_mutes++];
        m->what = (struct inspected_mute){.what = MUTE_HEAD, .head = head};
        snprintf(m->name, sizeof m->name, "layer %d head %d", head.layer + 1,
                 head.head + 1);
    }
}

/* Requests a report. Call when there is an inspector, and a note. */
static void ask(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspector_request r;
    struct inspect_spot at;
    bool is_ghost = inspect_find(s, inspect_chosen(s), &at) && at.is_ghost;
    const struct proposal *t = is_ghost ? proposals_shown(&s->takes) : NULL;
    i->is_stale = false;
    /* The style is the one that the model guessed when it read ahead, if the music has not
     * changed for a while: guessing takes as long as reading. Else the inspector guesses, once
     * for each piece. */
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
    struct continuation_options take;
    struct continued_note *came = NULL;
    if (t) {
        r.read.version =
            r.read.version * 0x9E3779B97F4A7C15u ^ i->ghosts; /* other music */
        take = t->options;
        take.style = (int)t->style;
        take.muted = t->muted;
        take.n_muted = t->n_muted;
        take.given = t->tokens;
        take.n_given = t->n_tokens;
        r.read.take = &take;
        music = music_before(s, t, &came, &r.read.n_notes);
        r.read.notes = came;
    }
    const uint64_t request = music ? inspector_ask(i->inspector, music, &r) : 0;
    free(came); /* it was copied, as all of the take */
    if (request)
        i->request = request;
    else
        session_error(s, "out of memory: the inspector stops");
}

/* -- following the piece, the music and the takes -- */

/* Forgets the report: it is of another piece, or of another model. */
static void forget_report(struct inspecting *i)
{
    inspector_report_fini(&i->report);
    i->view = (struct inspect_view){0};
    i->request = 0;
    i->is_new = true;
}

/* Finds the inspected note again after edits and undo: it may have moved or be gone. */
static void follow_music(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct proposal *t = proposals_shown(&s->takes);
    const uint64_t version = s->project.version;
    /* This number changes with the shown take and its notes. */
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

/* Returns whether parts of the answer to the last request are still to come. */
static bool is_waiting(const struct inspecting *i)
{
    return i->request && !(i->report.request == i->request && i->report.is_done);
}

/* Inspects the newest note of the shown take while it is being written, and the next one once
 * the report of the last is complete. When the take ends, inspects its last note. */
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

/* Ends the inspector's thread. Once the next model is loaded, the report is requested again. */
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

/* -- showing: what was found is shaded and put in its place once for each
 * report and each change of scale or music, not for each frame. Notes are
 * painted where they are in the score, which may be off the model's grid -- */

/* Returns the note as it is now: a ghost, or the note of the score near where the model read
 * it; else as the model read it. */
static struct note locate_note(const struct session *s, const struct inspect_note *n)
{
    const struct score *score = s->project.score;
    const struct proposal *t = proposals_shown(&s->takes);
    const int64_t near = score->ticks_per_quarter;
    for (size_t i = t && n->is_take ? t->n_waiting : 0; i-- > 0;)
        if (n->id && t->ghosts[i].note.id == n->id)
            return t->ghosts[i].note;
    const bool has_track = n->track >= 0 && n->track < (int)score->n_tracks;
    const struct track *track = has_track && n->id ? &score->tracks[n->track] : NULL;
    for (size_t i = track ? score_first_note_at(score, n->track, n->note.start - near)
                          : 0;
         track && i < track->n_notes && track->notes[i].start <= n->note.start + near;
         i++)
        if (track->notes[i].id == n->id)
            return track->notes[i];
    return n->note;
}

enum { MOST_SHOWN = 20000 }; /* more notes cannot be seen one by one */

/* Shows the surprise of the notes on the screen, in the place of the notes that
 * were attended to. */
static void show_surprise(struct session *s, struct inspect_view *v)
{
    struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    const uint64_t chosen = inspect_chosen(s);
    const struct score *score = s->project.score;
    int64_t left = s->view.port.left_tick;
    int64_t right = left + s->view.port.ticks_per_column * s->layout.roll.columns;
    const struct inspect_note *was = v->chosen >= 0 ? &v->notes[v->chosen] : NULL;
    v->most = i->most_surprise;
    v->pair = v->chosen = -1;
    v->n_matters = 0;
    i->n_on_screen = 0;
    for (int track = 0; track < (int)score->n_tracks; track++) {
        struct survey_walk w = session_walk(s, track, left, right);
        if (score->tracks[track].hide && track != s->view.track)
            continue;
        for (const struct note *n; (n = survey_walk(&w));) {
            const struct note_surprise *found =
                surprise_find(r->surprise, r->n_surprise, n->id);
            if (!found || i->n_on_screen == MOST_SHOWN)
                continue;
            const struct inspect_note shown = {
                .id = n->id,
                .track = track,
                .note = *n,
                .first_token = was && n->id == chosen ? was->first_token : 0,
                .weight = -1,
                .shade = found->shade,
                .surprise = found->nats,
                .is_chosen = n->id == chosen,
            };
            if (array_add(&i->on_screen, &i->n_on_screen, &i->cap_on_screen, &shown,
                          sizeof shown) &&
                shown.is_chosen)
                v->chosen = (int)i->n_on_screen - 1;
        }
    }
    inspect_rank(i->on_screen, i->n_on_screen, true);
    v->notes = i->on_screen;
    v->n_notes = i->n_on_screen;
}

/* What stands in the way of showing anything; NULL: nothing does. */
static const char *find_obstacle(struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    if (!i->inspector) {
        struct generator_progress p;
        generator_progress(s->generator, &p);
        return p.failed ? "there is no model: see continuo models"
                        : "loading the model";
    }
    if (!i->at.id)
        return "there is no note here";
    if (r->error[0] && r->request == i->request)
        return r->error;
    if (!r->notes_for)
        return "the model is reading the music";
    return r->found.chosen < 0 ? "the model did not read this note" : NULL;
}

/* Makes the view of the report as it is now, and as it is viewed. */
static void refresh(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspect_view *v = &i->view, *found = &i->report.found;
    if (i->is_new) {
        struct note_surprise *list = i->report.surprise;
        const struct inspect_map *m = &found->matrix, *small = &found->thumbnails;
        const int side = small->n_rows;
        const size_t n = small->shades ? (size_t)side * (size_t)small->n_columns : 0;
        /* On a log scale all thumbnails and surprises would look the same. */
        const enum shade_scale even =
            i->scale == SHADE_RANK ? SHADE_RANK : SHADE_LINEAR;
        for (size_t k = 0; k < found->n_notes; k++)
            found->notes[k].note = locate_note(s, &found->notes[k]);
        if (found->n_notes)
            found->most =
                shade_weights(i->scale, &found->notes->weight, &found->notes->shade,
                              found->n_notes, sizeof *found->notes);
        inspect_rank(found->notes, found->n_notes, false);
        if (m->shades)
            shade_weights(i->scale, m->weights, m->shades,
                          (size_t)m->n_rows * (size_t)m->n_columns, sizeof *m->shades);
        /* Each thumbnail is scaled by its largest value. Nearly all heads attend to the
         * beginning when they find nothing: this counts no more than the largest other
         * weight, which would else be invisible. */
        for (int k = 0; n && k < found->n_layers * found->n_heads; k++) {
            float *shades = small->shades + (size_t)k * n, most = 0;
            memcpy(shades, small->weights + (size_t)k * n, n * sizeof *shades);
            for (int at = 0; at < side * side; at++)
                if (at % side > 0 && at % side <= at / side)
                    most = shades[at] > most ? shades[at] : most;
            for (int row = 0; row < side; row++)
                shades[row * side] = fminf(shades[row * side], most);
            shade_weights(even, shades, shades, n, sizeof *shades);
        }
        i->most_surprise = list ? shade_weights(even, &list->nats, &list->shade,
                                                i->report.n_surprise, sizeof *list)
                                : 0;
        i->is_new = false;
    }
    *v = *found;
    v->busy = find_obstacle(s);
    v->page = i->page;
    v->scale = i->scale;
    v->is_looked_at = i->look.way == IS_LOOKED_AT_BY;
    v->shows_surprise = i->shows_surprise;
    v->is_live = i->is_live && s->request.is_running;
    v->part = i->part >= 0 ? inspected_part_name((enum inspected_part)i->part) : NULL;
    v->layer = i->look.layer;
    v->head = i->look.head;
    v->n_layers = i->n_layers;
    v->n_heads = i->n_heads;
    v->is_strongest = i->look.many == LOOK_STRONGEST;
    v->muted_heads = s->muted.heads;
    v->is_pinned = i->pinned != 0;
    v->asks_who_matters = i->asks_who_matters;
    /* The name is known some time after the first answer. */
    v->head_name = inspector_head_name(i->inspector, v->layer, v->head);
    if (v->chosen < 0) {
        v->n_notes = 0;
        v->matrix = v->thumbnails = (struct inspect_map){0};
    }
    if (i->shows_surprise)
        show_surprise(s, v);
}

static void tick(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    inspect_fit(s);
    if (!s->view.inspect)
        return;
    if (i->history != s->project.history) { /* another piece */
        i->history = s->project.history;
        i->piece++;
        forget_report(i);
        i->pinned = 0;
        i->style_is_settled = false;
    }
    follow_writing(s);
    follow_music(s);
    const struct model *model =
        i->inspector ? NULL : generator_model(s->generator); /* once it is loaded */
    if (model) {
        i->inspector = inspector_create(model, 0, s->wake_fd);
        i->n_layers = model->config.n_layers;
        i->n_heads = model->config.n_heads;
        i->is_stale = true;
    }
    if (i->inspector) {
        i->is_new |= inspector_collect(i->inspector, &i->report);
        if (i->is_stale && i->at.id && !(i->follows && is_waiting(i)))
            ask(s);
    }
    /* The take opens its mode; a line that is typed over the inspector stays. The bar is not
     * one from the music before an edit. */
    if (i->inspector && i->wants_rewrite && s->view.mode == MODE_INSPECT) {
        if (r->surprise_is_whole && r->surprise_for == i->request) {
            inspect_rewrite_worst(s);
        } else if (r->is_done && r->error[0] && r->request == i->request) {
            i->wants_rewrite = false;
            session_error(s, "%s", r->error);
        }
    }
    if (i->is_new)
        refresh(s);
}

static void show(struct session *s, struct view *v)
{
    if (!v->inspect)
        return;
    refresh(s);
    inspect_explain(s, v);
}

const struct editor_part INSPECT_PART = {
    PART_STATE(inspect),       .init = init, .fini = fini, .acted = inspect_fit,
    .resized = inspect_change, .tick = tick, .view = show, .model_goes = model_goes,
    .escape = inspect_escape};
