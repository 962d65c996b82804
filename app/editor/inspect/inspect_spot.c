/* The notes that can be inspected, and their neighbours: the piece's on visible tracks,
 * and the ghosts of the shown take. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"

#include <stdlib.h>

/* Looks at every note that may be meant, and keeps the best so far. */
struct search {
    const struct inspect_spot *from;
    int64_t tick, quarter;
    int pitch, track; /* track -1: any */
    bool forwards;    /* in time, or in pitch */
    double least;
    struct inspect_spot best;
};

static void consider(struct search *f, int track, const struct note *n, bool is_ghost,
                     double cost)
{
    if (f->best.id && cost >= f->least)
        return;
    f->least = cost;
    f->best = (struct inspect_spot){n->id, track, *n, is_ghost};
}

static bool is_seen(const struct session *s, int track)
{
    return track == s->track ||
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
static double distance(const struct search *f, const struct note *n, bool is_own)
{
    int64_t end = n->start + n->length;
    double before = (double)(n->start - f->tick), after = (double)(f->tick - end);
    double time = before > 0 ? before : after >= 0 ? after + 1 : 0;
    return time / (double)f->quarter + abs(n->pitch - f->pitch) / 6.0 +
           (is_own ? 0 : 0.05);
}

/* Notes are sorted by start: a few on each side are enough, as the nearest of a track
 * is hardly ever farther. */
static void search_near(const struct session *s, struct search *f, int track)
{
    enum { AROUND = 64 };
    const struct track *t = &s->project.score->tracks[track];
    size_t at = score_first_note_at(s->project.score, track, f->tick);
    size_t first = at > AROUND ? at - AROUND : 0;
    for (size_t i = first; i < t->n_notes && i < at + AROUND; i++)
        consider(f, track, &t->notes[i], false,
                 distance(f, &t->notes[i], track == s->track));
}

bool inspect_nearest(struct session *s, int64_t tick, int pitch,
                     struct inspect_spot *out)
{
    const struct score *score = s->project.score;
    const struct proposal *t = proposals_shown(&s->takes);
    struct search f = {
        .tick = tick, .pitch = pitch, .quarter = score->ticks_per_quarter};
    for (int track = 0; track < (int)score->n_tracks; track++)
        if (is_seen(s, track))
            search_near(s, &f, track);
    for (size_t i = 0; t && i < t->n_waiting; i++)
        consider(&f, t->ghosts[i].track, &t->ghosts[i].note, true,
                 distance(&f, &t->ghosts[i].note, true));
    *out = f.best;
    return f.best.id != 0;
}

/* -- the next and previous note of the same track -- */

static void consider_step(struct search *f, int track, const struct note *n, bool ghost)
{
    int64_t away = f->forwards ? n->start - f->tick : f->tick - n->start;
    if (away > 0)
        consider(f, track, n, ghost, (double)away + abs(n->pitch - f->pitch) / 1000.0);
}

static void search_step(const struct session *s, struct search *f)
{
    const struct score *score = s->project.score;
    const struct track *t = &score->tracks[f->track];
    size_t at =
        score_first_note_at(score, f->track, f->forwards ? f->tick + 1 : f->tick);
    size_t from = at, to = at;
    if (f->forwards && at < t->n_notes)
        to = score_first_note_at(score, f->track, t->notes[at].start + 1);
    else if (!f->forwards && at > 0)
        from = score_first_note_at(score, f->track, t->notes[at - 1].start);
    for (size_t i = from; i < to; i++)
        consider_step(f, f->track, &t->notes[i], false);
}

bool inspect_step(struct session *s, const struct inspect_spot *from, bool forwards,
                  struct inspect_spot *out)
{
    const struct proposal *t = proposals_shown(&s->takes);
    struct search f = {.tick = from->note.start,
                       .pitch = from->note.pitch,
                       .track = from->track,
                       .forwards = forwards};
    if (from->track >= 0 && from->track < (int)s->project.score->n_tracks)
        search_step(s, &f);
    for (size_t i = 0; t && i < t->n_waiting; i++)
        if (t->ghosts[i].track == from->track)
            consider_step(&f, from->track, &t->ghosts[i].note, true);
    if (f.best.id)
        *out = f.best;
    return f.best.id != 0;
}

/* -- the note above and below -- */

/* Notes that sound where the note begins come before notes that begin nearby. */
static void consider_climb(struct search *f, int track, const struct note *n,
                           bool ghost)
{
    int up = f->forwards ? n->pitch - f->pitch : f->pitch - n->pitch;
    bool is_between = up == 0 && n->id != f->from->id && n->start == f->tick &&
                      (f->forwards ? track < f->from->track : track > f->from->track);
    if (up <= 0 && !is_between)
        return;
    bool sounds = n->start <= f->tick && n->length > f->tick - n->start;
    int64_t away = n->start > f->tick ? n->start - f->tick : f->tick - n->start;
    double beats = sounds ? 0 : (double)away / (double)f->quarter;
    if (beats <= 4)
        consider(f, track, n, ghost, up + 12 * beats + (sounds ? 0 : 24));
}

static void search_climb(const struct session *s, struct search *f, int track)
{
    const struct score *score = s->project.score;
    const struct track *t = &score->tracks[track];
    int64_t from = f->tick - 4 * f->quarter, to = f->tick + 4 * f->quarter;
    for (size_t i = survey_next_note(s->survey, score, track, 0, from);
         i < t->n_notes && t->notes[i].start <= to;
         i = survey_after(s->survey, score, track, i, from))
        consider_climb(f, track, &t->notes[i], false);
}

bool inspect_climb(struct session *s, const struct inspect_spot *from, bool up,
                   struct inspect_spot *out)
{
    const struct score *score = s->project.score;
    const struct proposal *t = proposals_shown(&s->takes);
    struct search f = {.from = from,
                       .tick = from->note.start,
                       .pitch = from->note.pitch,
                       .quarter = score->ticks_per_quarter,
                       .forwards = up};
    survey_update(s->survey, score, s->project.version);
    for (int track = 0; track < (int)score->n_tracks; track++)
        if (is_seen(s, track))
            search_climb(s, &f, track);
    for (size_t i = 0; t && i < t->n_waiting; i++)
        consider_climb(&f, t->ghosts[i].track, &t->ghosts[i].note, true);
    if (f.best.id)
        *out = f.best;
    return f.best.id != 0;
}
