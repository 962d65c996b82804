/* The notes that can be inspected, and their neighbours: the piece's on visible tracks,
 * and the ghosts of the shown take. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"

#include <math.h>
#include <stdlib.h>

/* Looks at every note that may be meant, and keeps the one that costs least. */
struct search {
    /* INFINITY: it is not meant. */
    double (*cost)(const struct search *f, const struct inspect_spot *to);
    struct inspect_spot from;
    int64_t quarter;
    bool forwards; /* in time, or in pitch */
    double least;
    struct inspect_spot best;
};

static void consider_note(struct search *f, int track, const struct note *n,
                          bool is_ghost)
{
    const struct inspect_spot to = {n->id, track, *n, is_ghost};
    double cost = f->cost(f, &to);
    if (cost >= f->least)
        return;
    f->least = cost;
    f->best = to;
}

/* The ghosts too; then the best is known. */
static bool finish_search(const struct session *s, struct search *f,
                          struct inspect_spot *out)
{
    const struct proposal *t = proposals_shown(&s->takes);
    for (size_t i = 0; t && i < t->n_waiting; i++)
        consider_note(f, t->ghosts[i].track, &t->ghosts[i].note, true);
    if (f->best.id)
        *out = f->best;
    return f->best.id != 0;
}

static bool is_seen(const struct session *s, int track)
{
    return track == s->view.track ||
           (!s->project.score->tracks[track].hide && session_has_rows_for(s, track));
}

bool inspect_find(const struct session *s, uint64_t id, struct inspect_spot *out)
{
    const struct score *score = s->project.score;
    const struct proposal *t = proposals_shown(&s->takes);
    for (size_t i = 0; id && t && i < t->n_waiting; i++)
        if (t->ghosts[i].note.id == id) {
            *out =
                (struct inspect_spot){id, t->ghosts[i].track, t->ghosts[i].note, true};
            return true;
        }
    for (int track = 0; id && track < (int)score->n_tracks; track++) {
        const struct note *n = score_find_note(score, track, id);
        if (n) {
            *out = (struct inspect_spot){id, track, *n, false};
            return true;
        }
    }
    return false;
}

/* In quarters and octaves; the note under the cursor is the nearest. */
static double nearest_cost(const struct search *f, const struct inspect_spot *to)
{
    const struct note *from = &f->from.note, *n = &to->note;
    int64_t end = n->start + n->length;
    double before = (double)(n->start - from->start),
           after = (double)(from->start - end);
    double time = before > 0 ? before : after >= 0 ? after + 1 : 0;
    return time / (double)f->quarter + abs(n->pitch - from->pitch) / 6.0 +
           (to->is_ghost || to->track == f->from.track ? 0 : 0.05);
}

/* Notes are sorted by start: a few on each side are enough, as the nearest of a track
 * is hardly ever farther. */
bool inspect_nearest(struct session *s, int64_t tick, int pitch,
                     struct inspect_spot *out)
{
    enum { AROUND = 64 };
    const struct score *score = s->project.score;
    struct search f = {.cost = nearest_cost,
                       .from = {.track = s->view.track,
                                .note = {.start = tick, .pitch = (uint8_t)pitch}},
                       .quarter = score->ticks_per_quarter,
                       .least = INFINITY};
    for (int track = 0; track < (int)score->n_tracks; track++) {
        const struct track *t = &score->tracks[track];
        size_t at = score_first_note_at(score, track, tick);
        if (!is_seen(s, track))
            continue;
        for (size_t i = at > AROUND ? at - AROUND : 0;
             i < t->n_notes && i < at + AROUND; i++)
            consider_note(&f, track, &t->notes[i], false);
    }
    return finish_search(s, &f, out);
}

/* The next and previous note of the same track. */
static double step_cost(const struct search *f, const struct inspect_spot *to)
{
    const struct note *from = &f->from.note, *n = &to->note;
    int64_t away = f->forwards ? n->start - from->start : from->start - n->start;
    if (away <= 0 || to->track != f->from.track)
        return INFINITY;
    return (double)away + abs(n->pitch - from->pitch) / 1000.0;
}

bool inspect_step(struct session *s, const struct inspect_spot *from, bool forwards,
                  struct inspect_spot *out)
{
    const struct score *score = s->project.score;
    int track = from->track;
    bool is_there = track >= 0 && track < (int)score->n_tracks;
    const struct track *t = is_there ? &score->tracks[track] : NULL;
    struct search f = {
        .cost = step_cost, .from = *from, .forwards = forwards, .least = INFINITY};
    size_t at = t ? score_first_note_at(score, track, from->note.start + forwards) : 0;
    size_t first = at, end = at;
    if (t && forwards && at < t->n_notes)
        end = score_first_note_at(score, track, t->notes[at].start + 1);
    else if (!forwards && at > 0)
        first = score_first_note_at(score, track, t->notes[at - 1].start);
    for (size_t i = first; i < end; i++)
        consider_note(&f, track, &t->notes[i], false);
    return finish_search(s, &f, out);
}

/* Above and below: notes that sound where the note begins come before notes that begin
 * nearby. */
static double climb_cost(const struct search *f, const struct inspect_spot *to)
{
    const struct note *from = &f->from.note, *n = &to->note;
    int up = f->forwards ? n->pitch - from->pitch : from->pitch - n->pitch;
    bool is_between =
        up == 0 && n->id != from->id && n->start == from->start &&
        (f->forwards ? to->track < f->from.track : to->track > f->from.track);
    if (up <= 0 && !is_between)
        return INFINITY;
    bool sounds = n->start <= from->start && n->length > from->start - n->start;
    double beats =
        sounds ? 0 : (double)llabs(n->start - from->start) / (double)f->quarter;
    return beats <= 4 ? up + 12 * beats + (sounds ? 0 : 24) : INFINITY;
}

bool inspect_climb(struct session *s, const struct inspect_spot *from, bool up,
                   struct inspect_spot *out)
{
    const struct score *score = s->project.score;
    struct search f = {.cost = climb_cost,
                       .from = *from,
                       .quarter = score->ticks_per_quarter,
                       .forwards = up,
                       .least = INFINITY};
    int64_t first = from->note.start - 4 * f.quarter, last = first + 8 * f.quarter;
    for (int track = 0; track < (int)score->n_tracks; track++) {
        struct survey_walk w = session_walk(s, track, first, last + 1);
        for (const struct note *n; is_seen(s, track) && (n = survey_walk(&w));)
            consider_note(&f, track, n, false);
    }
    return finish_search(s, &f, out);
}
