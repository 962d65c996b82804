/* What was found, shaded and placed: once for each report and each change of scale or
 * music, not for each frame. Notes are drawn where they are in the score, which may be
 * off the model's grid. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"
#include "midi/base/array.h"

#include <math.h>
#include <string.h>

/* Where it is now: near where the model read it, or a ghost; else there. */
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

/* Each is scaled by its largest value. Nearly all heads attend to the beginning when they find
 * nothing. This counts no more than the largest other weight, which would else be invisible. */
static void shade_thumbnails(struct inspect_view *v, enum shade_scale scale)
{
    const struct inspect_map *m = &v->thumbnails;
    const int side = m->n_rows;
    const size_t n = m->shades ? (size_t)side * (size_t)m->n_columns : 0;
    for (int k = 0; n && k < v->n_layers * v->n_heads; k++) {
        float *shades = m->shades + (size_t)k * n, most = 0;
        memcpy(shades, m->weights + (size_t)k * n, n * sizeof *shades);
        for (int i = 0; i < side * side; i++)
            if (i % side > 0 && i % side <= i / side)
                most = shades[i] > most ? shades[i] : most;
        for (int row = 0; row < side; row++)
            shades[row * side] = fminf(shades[row * side], most);
        shade_weights(scale, shades, shades, n, sizeof *shades);
    }
}

static void shape_report(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspect_view *v = &i->report.found;
    struct note_surprise *list = i->report.surprise;
    const struct inspect_map *m = &v->matrix;
    /* On a log scale all thumbnails and surprises would look the same. */
    const enum shade_scale even = i->scale == SHADE_RANK ? SHADE_RANK : SHADE_LINEAR;
    i->is_new = false;
    for (size_t k = 0; k < v->n_notes; k++)
        v->notes[k].note = locate_note(s, &v->notes[k]);
    if (v->n_notes)
        v->most = shade_weights(i->scale, &v->notes->weight, &v->notes->shade,
                                v->n_notes, sizeof *v->notes);
    inspect_rank(v->notes, v->n_notes, false);
    if (m->shades)
        shade_weights(i->scale, m->weights, m->shades,
                      (size_t)m->n_rows * (size_t)m->n_columns, sizeof *m->shades);
    shade_thumbnails(v, even);
    i->most_surprise = list ? shade_weights(even, &list->nats, &list->shade,
                                            i->report.n_surprise, sizeof *list)
                            : 0;
}

/* -- a frame: only the surprise of the notes on the screen is looked up here -- */

static const char *busy_text(struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    if (!i->inspector && p.failed)
        return "there is no model: see continuo models";
    if (!i->inspector)
        return "loading the model";
    if (!i->at.id)
        return "there is no note here";
    if (r->error[0] && r->request == i->request)
        return r->error;
    if (!r->notes_for)
        return "the model is reading the music";
    return r->found.chosen < 0 ? "the model did not read this note" : NULL;
}

static void show_state(struct session *s, struct inspect_view *v)
{
    const struct inspecting *i = s->parts.inspect;
    v->busy = busy_text(s);
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
    /* Known some time after the first answer. */
    v->head_name = inspector_head_name(i->inspector, v->layer, v->head);
}

enum { MOST_SHOWN = 20000 }; /* notes; more cannot be seen one by one */

/* Takes the place of the notes that were looked at. */
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

void inspect_refresh(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    if (i->is_new)
        shape_report(s);
    i->view = i->report.found;
    show_state(s, &i->view);
    if (i->view.chosen < 0) {
        i->view.n_notes = 0;
        i->view.matrix = i->view.thumbnails = (struct inspect_map){0};
    }
    if (i->shows_surprise)
        show_surprise(s, &i->view);
}
