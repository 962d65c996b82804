/* Shapes a report for the screen: once for each report and each change of scale or
 * music, not for each frame. Notes are drawn where they are in the score, which may be
 * off the model's grid. */
#include "app/editor/session/session.h"

#include "app/editor/inspect/inspect.h"
#include "midi/base/array.h"

#include <math.h>
#include <stdlib.h>

/* Makes room for n floats. false: out of memory. */
static bool make_room(float **at, size_t n)
{
    float *room = array_resize(*at, n + 1, sizeof **at);
    if (room)
        *at = room;
    return room;
}

/* Where it is now: near where the model read it, or a ghost; else there. */
static struct note locate(const struct session *s, const struct inspected_note *n)
{
    const struct score *score = s->project.score;
    const struct proposal *t = proposals_shown(&s->takes);
    const int64_t near = score->ticks_per_quarter;
    for (size_t i = t && n->is_take ? t->n_waiting : 0; i-- > 0;)
        if (n->id && t->ghosts[i].note.id == n->id)
            return t->ghosts[i].note;
    const bool has_track = n->track >= 0 && n->track < (int)score->n_tracks;
    const struct track *track = has_track && n->id ? &score->tracks[n->track] : NULL;
    for (size_t i = track ? score_first_note_at(score, n->track, n->tick - near) : 0;
         track && i < track->n_notes && track->notes[i].start <= n->tick + near; i++)
        if (track->notes[i].id == n->id)
            return track->notes[i];
    return (struct note){.id = n->id,
                         .start = n->tick,
                         .length = n->length,
                         .pitch = (uint8_t)(n->pitch & 127),
                         .velocity = (uint8_t)(n->velocity & 127)};
}

static bool is_left_out(const struct inspected_note *n, const struct inspected_mute *m,
                        uint64_t id)
{
    return m->what == MUTE_NOTE   ? n->id == id
           : m->what == MUTE_SPAN ? n->tick >= m->from && n->tick < m->to
                                  : n->track == m->track;
}

/* A note cannot attend to later notes, and no earlier note attends to it. */
static bool may_look(const struct session *s, int k)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    const struct inspected_note *n = &r->wash.notes[k],
                                *chosen = &r->wash.notes[r->wash.note];
    if (n->is_source || k == r->wash.note)
        return true;
    return s->parts.inspect->look.way == IS_LOOKED_AT_BY
               ? n->first_token > chosen->first_token
               : n->first_token < chosen->first_token;
}

static void shape_notes(struct session *s)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    struct inspect_shapes *to = &s->parts.inspect->shapes;
    size_t n = (size_t)r->wash.n_notes;
    struct inspect_note *room = array_resize(to->notes, n + 1, sizeof *room);
    if (room)
        to->notes = room;
    if (!room || !make_room(&to->shades, n))
        return;
    to->cap_notes = n + 1;
    const float *compared = s->parts.inspect->pinned ? r->wash.compared : NULL;
    struct inspected_mute without;
    uint64_t without_of;
    const bool leaves_out = inspect_left_out(s, &without, &without_of);
    for (int k = 0; k < r->wash.n_notes; k++) {
        const struct inspected_note *from = &r->wash.notes[k];
        to->shades[k] = may_look(s, k) && k != r->wash.note ? r->wash.weights[k] : -1;
        to->notes[k] = (struct inspect_note){
            .id = from->id,
            .track = from->track,
            .note = locate(s, from),
            .weight = to->shades[k],
            .compared = compared ? compared[k] : 0,
            .surprise = from->surprise,
            .is_chosen = k == r->wash.note,
            .is_muted = leaves_out && is_left_out(from, &without, without_of)};
    }
    to->n_notes = n;
    /* Sets the notes' shades, from shapes.shades, and their ranks. */
    s->parts.inspect->view.most = 0;
    for (size_t k = 0; k < to->n_notes; k++)
        s->parts.inspect->view.most = fmaxf(s->parts.inspect->view.most, to->shades[k]);
    shade_weights(s->parts.inspect->scale, to->shades, to->n_notes, to->shades);
    for (size_t k = 0; k < to->n_notes; k++)
        to->notes[k].shade = to->shades[k];
    inspect_rank(to->notes, to->n_notes, false);
}

static enum shade_scale linear_or_rank(const struct session *s)
{
    return s->parts.inspect->scale == SHADE_RANK ? SHADE_RANK : SHADE_LINEAR;
}

bool inspect_cell_is_seen(const struct inspect_grid *g, int row, int column)
{
    const int64_t n = g->to - g->from;
    int64_t query = g->from + row * n / g->rows,
            end_key = g->from + ((column + 1) * n + g->columns - 1) / g->columns;
    bool is_later = (int64_t)column * g->rows >= (int64_t)(row + 1) * g->columns;
    int64_t first = g->block ? (query / g->block - 1) * g->block : 0;
    return !is_later && end_key > first;
}

/* What is not seen is left as the ground is: so local blocks have an outline. */
static void shape_matrix(struct session *s)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    struct inspect_shapes *to = &s->parts.inspect->shapes;
    struct inspect_view *v = &s->parts.inspect->view;
    int rows = r->matrix.n_rows, columns = r->matrix.n_columns;
    v->matrix = (struct inspect_map){0};
    size_t n = (size_t)rows * (size_t)columns;
    if (!r->matrix.cells || !n || !make_room(&to->matrix, n))
        return;
    const struct inspect_grid g = {0, r->matrix.n_tokens, rows, columns, v->block};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            size_t at = (size_t)i * (size_t)columns + (size_t)j;
            bool is_seen = s->parts.inspect->look.of != ATTENTION_SELF ||
                           inspect_cell_is_seen(&g, i, j);
            to->matrix[at] = is_seen ? r->matrix.cells[at] : -1;
        }
    shade_weights(s->parts.inspect->scale, to->matrix, n, to->matrix);
    v->matrix = (struct inspect_map){to->matrix, rows, columns};
    v->matrix_layer = r->matrix.head.layer;
    v->matrix_head = r->matrix.head.head;
}

/* Nearly all heads attend to the beginning when they find nothing. In a thumbnail this
 * counts no more than the largest other weight, which would else be invisible. */
static void tone_down_first(float *cells, int side)
{
    float most = 0;
    for (int k = 0; k < side * side; k++)
        if (k % side > 0 && k % side <= k / side)
            most = cells[k] > most ? cells[k] : most;
    for (int row = 0; row < side; row++)
        cells[row * side] = fminf(cells[row * side], most);
}

/* Each scaled by its largest value; linear or by rank: on a log scale all would look the
 * same. */
static void shape_thumbnails(struct session *s)
{
    enum { SIDE = INSPECT_THUMBNAIL, CELLS = SIDE * SIDE };
    const struct inspector_report *r = &s->parts.inspect->report;
    struct inspect_shapes *to = &s->parts.inspect->shapes;
    struct inspect_view *v = &s->parts.inspect->view;
    size_t n = (size_t)r->thumbnails.n_layers * (size_t)r->thumbnails.n_heads * CELLS;
    v->thumbnails = (struct inspect_map){0};
    bool fits = r->thumbnails.n_rows == SIDE && r->thumbnails.n_columns == SIDE &&
                r->thumbnails.n_layers == v->n_layers &&
                r->thumbnails.n_heads == v->n_heads;
    if (!r->thumbnails.cells || !fits || !make_room(&to->thumbnails, n))
        return;
    for (size_t k = 0; k < n; k++)
        to->thumbnails[k] = k % SIDE > k / SIDE % SIDE ? -1 : r->thumbnails.cells[k];
    for (size_t k = 0; k < n; k += CELLS) {
        tone_down_first(to->thumbnails + k, SIDE);
        shade_weights(linear_or_rank(s), to->thumbnails + k, CELLS, to->thumbnails + k);
    }
    v->thumbnails = (struct inspect_map){to->thumbnails, SIDE, SIDE};
}

static void shape_surprise(struct session *s)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    struct inspect_shapes *to = &s->parts.inspect->shapes;
    size_t n = r->surprise.n;
    to->n_surprise = 0;
    if (!n || !make_room(&to->surprise, n))
        return;
    to->most_surprise = 0;
    for (size_t k = 0; k < n; k++) {
        to->surprise[k] = r->surprise.notes[k].nats > 0 ? r->surprise.notes[k].nats : 0;
        to->most_surprise = fmaxf(to->most_surprise, to->surprise[k]);
    }
    shade_weights(linear_or_rank(s), to->surprise, n, to->surprise);
    to->n_surprise = n;
}

int inspect_index_of(const struct inspect_shapes *of, uint64_t id)
{
    for (size_t k = 0; id && k < of->n_notes; k++)
        if (of->notes[k].id == id)
            return (int)k;
    return -1;
}

void inspect_shape(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &s->parts.inspect->report;
    i->is_new = false;
    i->view = (struct inspect_view){.n_layers = i->view.n_layers,
                                    .n_heads = i->view.n_heads,
                                    .chosen = -1,
                                    .pair = -1};
    i->shapes.n_notes = 0;
    inspect_shape_state(s);
    if (r->wash.of && r->wash.note >= 0 && r->wash.note < r->wash.n_notes) {
        shape_notes(s);
        /* Bars by the tokens that begin them; in a hole's sequence they come out of
         * order. */
        const struct inspector_wash *w = &s->parts.inspect->report.wash;
        struct inspect_shapes *to = &s->parts.inspect->shapes;
        to->n_bars = 0;
        for (int k = 0; k < w->n_tokens && to->n_bars < INSPECT_MOST_BARS; k++) {
            const int64_t tick =
                w->from_tick + (int64_t)w->tokens[k].time *
                                   s->project.score->ticks_per_quarter /
                                   STEPS_PER_QUARTER;
            const int64_t index = session_bar_at(s, tick > 0 ? tick : 0).index;
            if (w->tokens[k].part == INSPECTED_BAR)
                to->bars[to->n_bars++] =
                    (struct inspect_mark){k, (int)(index < INT32_MAX ? index : 0), ""};
        }
        struct inspect_view *v = &i->view;
        v->notes = i->shapes.notes;
        v->n_notes = i->shapes.n_notes;
        v->chosen = r->wash.note;
        v->pair = inspect_index_of(&i->shapes, i->other);
        v->queries = v->keys =
            (struct inspect_axis){r->wash.n_tokens, to->bars, to->n_bars};
        v->chosen_from = r->wash.notes[r->wash.note].first_token;
        if (v->pair >= 0 && v->pair < r->wash.n_notes)
            v->pair_from = r->wash.notes[v->pair].first_token;
        shape_matrix(s);
        shape_thumbnails(s);
        inspect_shape_figures(s);
    }
    shape_surprise(s);
}

/* -- a frame: the report is shaped already; only the surprise of the notes on the screen is
 * looked up here -- */

enum { MOST_SHOWN = 20000 }; /* notes; more cannot be seen one by one */

/* Takes the place of the notes that were looked at. */
static void show_surprise(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    uint64_t chosen = inspect_chosen(s);
    i->shapes.n_notes = 0;
    i->view.most = i->shapes.most_surprise;
    const struct score *score = s->project.score;
    int64_t left = s->view.port.left_tick;
    int64_t right = left + s->view.port.ticks_per_column * s->layout.roll.columns;
    bool is_shaped = i->shapes.n_surprise == i->report.surprise.n;
    for (int track = 0; is_shaped && track < (int)score->n_tracks; track++) {
        struct survey_walk w = session_walk(s, track, left, right);
        if (score->tracks[track].hide && track != s->view.track)
            continue;
        for (const struct note *n; (n = survey_walk(&w));) {
            /* Adds a note, unless its surprise is unknown, or there are enough. */
            const struct note_surprise *all = i->report.surprise.notes;
            const struct note_surprise *found =
                surprise_find(all, i->report.surprise.n, n->id);
            const struct inspect_note shown = {
                .id = n->id,
                .track = track,
                .note = *n,
                .weight = -1,
                .shade = found ? i->shapes.surprise[found - all] : 0,
                .surprise = found ? found->nats : 0,
                .is_chosen = n->id == chosen,
            };
            if (found && i->shapes.n_notes < MOST_SHOWN)
                array_add(&i->shapes.notes, &i->shapes.n_notes, &i->shapes.cap_notes,
                          &shown, sizeof shown);
        }
    }
    /* The most surprising of those on the screen. */
    inspect_rank(i->shapes.notes, i->shapes.n_notes, true);
    i->view.notes = i->shapes.notes;
    i->view.n_notes = i->shapes.n_notes;
    i->view.pair = -1;
    i->view.n_matters = 0;
    i->view.chosen = inspect_index_of(&i->shapes, chosen);
}

void inspect_show(struct session *s, struct view *v)
{
    struct inspecting *i = s->parts.inspect;
    if (!i->is_open)
        return;
    if (i->is_new)
        inspect_shape(s);
    if (i->shows_surprise)
        show_surprise(s);
    /* Known some time after the first answer. */
    i->view.head_name = inspector_head_name(i->inspector, i->view.layer, i->view.head);
    v->inspect = &i->view;
}
