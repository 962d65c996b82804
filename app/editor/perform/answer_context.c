/* What the model reads while both play. See answer_context.h. */
#include "app/editor/perform/answer_context.h"
#include "app/editor/perform/answer.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/takes/takes.h"

#include <glib.h>
#include <math.h>

/* Tokens of a note, and of the past that is read: at most, and after bars were forgotten. The window
 * has room for the turn, too. */
enum { TOKENS_A_NOTE = 4, MOST_PAST = 360, LEAST_PAST = 200 };

static size_t notes_since(const struct session *s, int64_t tick)
{
    const struct score *score = s->project.score;
    int64_t to = (int64_t)player_tick(s->player);
    size_t n = 0;
    for (int t = 0; t < (int)score->n_tracks; t++) {
        size_t first = score_first_note_at(score, t, tick);
        size_t end = score_first_note_at(score, t, to);
        n += end > first ? end - first : 0;
    }
    for (size_t i = 0; i < s->takes.list[0].n_waiting; i++)
        n += s->takes.list[0].ghosts[i].note.start >= tick;
    return n;
}

/* Adds a note to the context if it begins before `tick` and ends after context_from;
 * cuts it at `tick`. */
static bool add_to_context(struct score *context, const struct session *s, int track,
                           struct note n, int64_t tick)
{
    bool is_past = n.start + n.length <= s->parts.answer->context_from;
    if (is_past || n.start >= tick || (size_t)track >= context->n_tracks)
        return true;
    n.length = MIN(n.length, tick - n.start);
    return score_add_note(context, track, n) != 0;
}

struct score *answer_context(const struct session *s, int64_t tick)
{
    const struct proposal *t = &s->takes.list[0];
    const struct recording *r = &s->parts.recorder->recording;
    struct score *context = score_clone(s->project.score);
    bool ok = context != NULL;
    for (int i = 0; ok && i < (int)context->n_tracks; i++)
        context->tracks[i].n_notes = score_first_note_at(context, i, tick);
    for (size_t i = 0; ok && i < t->n_waiting; i++)
        ok = add_to_context(context, s, t->ghosts[i].track, t->ghosts[i].note, tick);
    for (size_t i = 0; ok && i < r->n_notes; i++) {
        struct note held = r->notes[i].note;
        held.length = tick - held.start;
        if (r->notes[i].is_held)
            ok = add_to_context(context, s, r->notes[i].track, held, tick);
    }
    if (ok)
        return context;
    score_destroy(context);
    return NULL;
}

int answer_track(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    bool is_named =
        a->options.track >= 0 && (size_t)a->options.track < s->project.score->n_tracks;
    return is_named ? a->options.track : s->parts.recorder->targets[0];
}

struct continuation_options answer_request(const struct session *s, int64_t begin,
                                           int64_t end)
{
    const struct answer *a = s->parts.answer;
    struct continuation_options o = CONTINUATION_DEFAULT;
    int track = answer_track(s);
    steer_apply(&s->steering, &o);
    o.hole = CONTINUATION_HOLE_DEFAULT;
    o.keep = HOLE_PLAN_NONE;
    o.n_takes = 1;
    o.max_polyphony = 0;
    o.style = a->style;
    o.bars = a->bars > 0 ? a->bars : 1;
    o.tracks = track >= 0 && track < 64 ? UINT64_C(1) << track : 0;
    o.begin_tick = begin;
    o.end_tick = end;
    o.hear_tick = a->context_from;
    return o;
}

void answer_read_ahead(struct session *s, double now)
{
    struct answer *a = s->parts.answer;
    const struct proposal *t = &s->takes.list[0];
    const struct recording *r = &s->parts.recorder->recording;
    /* No more notes can begin before this tick. Held notes have no length yet, and a
     * note struck now may be moved to the step before. */
    double known = now;
    for (size_t i = 0; i < r->n_notes; i++)
        if (r->notes[i].is_held)
            known = fmin(known, (double)r->notes[i].note.start);
    int64_t to =
        (int64_t)known - tick_from_step(1, s->project.score->ticks_per_quarter);
    size_t n = t->n_waiting; /* notes before `to`; they are sorted by time */
    while (n > 0 && t->ghosts[n - 1].note.start >= to)
        n--;
    if (to <= 0 || (a->read_to >= 0 && n == a->n_read))
        return;
    struct score *context = answer_context(s, to);
    const struct continuation_options o =
        answer_request(s, to, to + timeline_bar_ticks(session_timeline(s), to));
    if (!context)
        return;
    generator_ask(s->generator, context, &o, true);
    a->read_to = to;
    a->n_read = n;
}

void answer_forget(struct session *s)
{
    struct answer *a = s->parts.answer;
    if (TOKENS_A_NOTE * notes_since(s, a->context_from) <= MOST_PAST)
        return;
    /* Half of the bars that are left go in each step: few steps, however long the piece. */
    const struct timeline *t = session_timeline(s);
    int64_t last = timeline_bar_at(t, (int64_t)player_tick(s->player)).index;
    int64_t first = timeline_bar_at(t, a->context_from).index;
    while (first < last &&
           TOKENS_A_NOTE * notes_since(s, timeline_bar(t, first).start) > LEAST_PAST)
        first += (last - first + 1) / 2;
    a->context_from = timeline_bar(t, first).start;
}
