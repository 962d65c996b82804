/* The inspector's part of a frame. The report is shaped already; only the surprise of
 * the notes on the screen is looked up here. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"
#include "midi/base/array.h"

enum { MOST_SHOWN = 20000 }; /* notes; more cannot be seen one by one */

/* Adds a note, unless its surprise is unknown, or there are enough. */
static void add_surprise(struct session *s, int track, const struct note *n)
{
    struct inspecting *i = s->parts.inspect;
    const struct note_surprise *all = i->report.surprise.notes;
    const struct note_surprise *found = surprise_find(all, i->report.surprise.n, n->id);
    const struct inspect_note shown = {
        .id = n->id,
        .track = track,
        .note = *n,
        .weight = -1,
        .shade = found ? i->shapes.surprise[found - all] : 0,
        .surprise = found ? found->nats : 0,
    };
    if (found && i->shapes.n_notes < MOST_SHOWN)
        array_add(&i->shapes.notes, &i->shapes.n_notes, &i->shapes.cap_notes, &shown,
                  sizeof shown);
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
    const struct score *score = s->project.score;
    int64_t left = s->port.left_tick;
    int64_t right = left + s->port.ticks_per_column * s->layout.roll.columns;
    bool is_shaped = i->shapes.n_surprise == i->report.surprise.n;
    survey_update(s->survey, score, s->project.version);
    for (int track = 0; is_shaped && track < (int)score->n_tracks; track++) {
        struct survey_walk w = {s->survey, score, track, left, right, 0};
        if (score->tracks[track].hide && track != s->track)
            continue;
        for (const struct note *n; (n = survey_walk(&w));)
            add_surprise(s, track, n);
    }
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
