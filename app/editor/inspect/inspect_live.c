/* The inspector while a take is being written. The model thread hands over each new
 * token's attention row (app/decoding/live_row.h), which is shown instead of a report.
 * The newest row shades the notes; all kept rows make the matrix. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"

#include <stdlib.h>

enum { MOST_NOTES = 4096 };

static bool is_same(struct live_choice a, struct live_choice b)
{
    return a.layer == b.layer && a.head == b.head && a.take == b.take;
}

bool inspect_watch_live(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct proposal *t = proposals_shown(&s->takes);
    struct live_rows *rows = generator_live(s->generator);
    struct live_choice now = {-1, -1, -1};
    if (i->is_open && i->is_live && !i->shows_surprise && s->request.is_running && t &&
        t->slot >= 0) /* only for one head: several have no common row */
        now = (struct live_choice){i->look.layer >= 0 ? i->look.layer : i->one_layer,
                                   i->look.head >= 0 ? i->look.head : i->one_head,
                                   t->slot};
    bool is_over = i->live_choice.layer >= 0 && now.layer < 0;
    if (!is_same(now, i->live_choice)) {
        live_rows_look(rows, now);
        i->live_choice = now;
        i->is_new = true;
    }
    if (now.layer >= 0 && live_rows_take(rows, &i->live))
        i->is_new = true;
    return is_over;
}

bool inspect_is_live(const struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    return i->live_choice.layer >= 0 && i->live.end > i->live.first &&
           is_same(i->live.choice, i->live_choice);
}

/* The note of the take or of the piece that was read there; else as long as a beat. */
static struct note locate(const struct session *s, const struct live_note *n)
{
    const struct score *score = s->project.score;
    const struct proposal *t = proposals_shown(&s->takes);
    int64_t near = score->ticks_per_quarter / STEPS_PER_QUARTER + 1;
    for (size_t k = t ? t->n_waiting : 0; n->is_drawn && k > 0; k--) {
        const struct note *g = &t->ghosts[k - 1].note;
        if (t->ghosts[k - 1].track == n->track && g->pitch == n->pitch &&
            llabs(g->start - n->tick) <= near)
            return *g;
    }
    bool has_track = n->track >= 0 && n->track < (int)score->n_tracks;
    const struct track *track = has_track ? &score->tracks[n->track] : NULL;
    for (size_t k = track ? score_first_note_at(score, n->track, n->tick - near) : 0;
         track && k < track->n_notes && track->notes[k].start <= n->tick + near; k++)
        if (track->notes[k].pitch == n->pitch)
            return track->notes[k];
    return (struct note){.start = n->tick,
                         .length = score->ticks_per_quarter,
                         .pitch = (uint8_t)(n->pitch & 127),
                         .velocity = 64};
}

static void put_notes(struct session *s, const struct live_note *from, int n)
{
    struct inspect_shapes *to = &s->parts.inspect->shapes;
    if (!inspect_make_room(to, (size_t)n))
        return;
    int chosen = n - 1;
    for (int k = 0; k < n; k++) {
        to->shades[k] = k == chosen ? -1 : from[k].weight;
        to->notes[k] = (struct inspect_note){.track = from[k].track,
                                             .note = locate(s, &from[k]),
                                             .weight = to->shades[k],
                                             .surprise = -1};
    }
    to->n_notes = (size_t)n;
    inspect_shade_notes(s, chosen);
    s->parts.inspect->view.chosen = chosen;
    s->parts.inspect->view.chosen_from = n ? from[chosen].first_token : 0;
}

static void shape_notes(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct live_note *notes = calloc(MOST_NOTES, sizeof *notes);
    float other = 0;
    if (!notes)
        return;
    int n = live_map_notes(&i->live, i->live.end - 1, notes, MOST_NOTES, &other);
    put_notes(s, notes, n);
    free(notes);
    i->view.others[0] = (struct inspect_share){"bars and the rest", other};
    i->view.n_others = 1;
}

/* Adds the row of a place to the row of cells it falls in. */
static void pool_row(const struct live_map *m, int place, float *cells, int columns)
{
    const float *row = live_map_row(m, place);
    for (int j = 0; j < columns; j++) {
        int from = (int)((int64_t)j * m->end / columns);
        int to = (int)(((int64_t)j + 1) * m->end / columns);
        to = to > from ? to : from + 1;
        if (from > place)
            break;
        for (int k = from; k < to && k <= place; k++)
            cells[j] = row[k] > cells[j] ? row[k] : cells[j];
    }
}

static void shape_matrix(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct live_map *m = &i->live;
    struct inspect_places at = inspect_places_for(&s->layout, &i->view);
    int rows = 2 * at.matrix.rows, columns = at.matrix.columns;
    if (rows <= 0 || columns <= 0)
        return;
    size_t n = (size_t)rows * (size_t)columns;
    if (!inspect_room(&i->shapes.matrix, n))
        return;
    float *cells = i->shapes.matrix;
    for (size_t k = 0; k < n; k++)
        cells[k] = -1;
    for (int place = m->first; place < m->end; place++) {
        int row = (int)((int64_t)place * rows / m->end);
        pool_row(m, place, cells + (size_t)row * (size_t)columns, columns);
    }
    shade_weights(i->scale, cells, n, cells);
    i->view.matrix = (struct inspect_map){cells, rows, columns};
    i->view.matrix_layer = i->live_choice.layer;
    i->view.matrix_head = i->live_choice.head;
}

static void shape_bars(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct live_map *m = &i->live;
    i->shapes.n_bars = 0;
    for (int k = 0; k < m->end; k++)
        if (m->tokens[k] == TOKEN_BAR)
            inspect_add_bar(s, k,
                            (m->origin + m->times[k]) * m->ticks_per_quarter /
                                STEPS_PER_QUARTER);
    i->view.bars = i->shapes.bars;
    i->view.n_bars = i->shapes.n_bars;
}

void inspect_shape_live(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    i->view.layer = i->live_choice.layer;
    i->view.head = i->live_choice.head;
    i->view.is_live = true;
    i->view.is_looked_at = false;
    i->view.part = NULL;
    i->view.busy = NULL;
    i->view.surprise = -1;
    i->view.n_tokens = i->live.end;
    shape_notes(s);
    i->view.notes = i->shapes.notes;
    i->view.n_notes = i->shapes.n_notes;
    shape_bars(s);
    shape_matrix(s);
}
