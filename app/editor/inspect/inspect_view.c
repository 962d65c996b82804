/* The inspector's part of a frame. The report is shaped already; only the surprise of
 * the notes on the screen is looked up here. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"
#include "midi/base/array.h"

enum { MOST_SHOWN = 20000 }; /* notes; more cannot be seen one by one */

/* Room for one more; NULL: out of memory, or enough. */
static struct inspect_note *next_note(struct inspect_shapes *to)
{
    if (to->n_notes >= MOST_SHOWN)
        return NULL;
    bool has_room = ARRAY_GROW(to->notes, to->n_notes, to->cap_notes);
    return has_room ? &to->notes[to->n_notes] : NULL;
}

static void add_surprise(struct session *s, int track, const struct note *n)
{
    struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    const struct note_surprise *found =
        surprise_find(r->surprise.notes, r->surprise.n, n->id);
    struct inspect_note *to = found ? next_note(&i->shapes) : NULL;
    if (!to)
        return;
    *to = (struct inspect_note){
        .id = n->id,
        .track = track,
        .note = *n,
        .weight = -1,
        .shade = i->shapes.surprise[found - r->surprise.notes],
        .surprise = found->nats,
    };
    i->shapes.n_notes++;
}

static void add_track(struct session *s, int track)
{
    int64_t left = s->port.left_tick;
    int64_t right = left + s->port.ticks_per_column * s->layout.roll.columns;
    struct survey_walk w = {s->survey, s->project.score, track, left, right, 0};
    for (const struct note *n; (n = survey_walk(&w));)
        add_surprise(s, track, n);
}

/* The most surprising of those on the screen. */
static void rank_surprise(struct inspect_shapes *of)
{
    for (int rank = 1; rank <= INSPECT_RANKED; rank++) {
        struct inspect_note *best = NULL;
        for (size_t k = 0; k < of->n_notes; k++)
            if (!of->notes[k].rank && (!best || of->notes[k].surprise > best->surprise))
                best = &of->notes[k];
        if (best)
            best->rank = (uint8_t)rank;
    }
}

/* Takes the place of the notes that were looked at. */
static void show_surprise(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    uint64_t chosen = inspect_chosen(s);
    i->shapes.n_notes = 0;
    i->view.most = i->shapes.most_surprise;
    survey_update(s->survey, s->project.score, s->project.version);
    if (i->shapes.n_surprise == i->report.surprise.n)
        for (int track = 0; track < (int)s->project.score->n_tracks; track++)
            if (!s->project.score->tracks[track].hide || track == s->track)
                add_track(s, track);
    rank_surprise(&i->shapes);
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
