/* The model's context in playing together, and the request for an answer: answer.h. */
#include "app/editor/takes/played_take.h"
#include "app/editor/perform/answer.h"

#include "app/editor/session/session.h"
#include "midi/base/clock.h"

#include <math.h>

/* How much of the past the model reads is chosen as a turn begins, so that it does not
 * read all of it again within one: some tokens a note, and room for the turn. */
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

/* Bars go by the half of those that are left: few steps, however long the piece. */
void answer_choose_past(struct session *s)
{
    struct answer *a = s->parts.answer;
    const struct timeline *t = session_timeline(s);
    if (TOKENS_A_NOTE * notes_since(s, a->context_from) <= MOST_PAST)
        return;
    int64_t last = timeline_bar_at(t, (int64_t)player_tick(s->player)).index;
    int64_t first = timeline_bar_at(t, a->context_from).index;
    while (first < last &&
           TOKENS_A_NOTE * notes_since(s, timeline_bar(t, first).start) > LEAST_PAST)
        first += (last - first + 1) / 2;
    a->context_from = timeline_bar(t, first).start;
}

/* Adds a note to the context if it begins before `tick` and ends after context_from;
 * cuts it at `tick`. */
static bool add_to_context(struct score *context, const struct session *s, int track,
                           struct note n, int64_t tick)
{
    bool is_past = n.start + n.length <= s->parts.answer->context_from;
    if (is_past || n.start >= tick || (size_t)track >= context->n_tracks)
        return true;
    if (n.length > tick - n.start)
        n.length = tick - n.start;
    return score_add_note(context, track, n) != 0;
}

/* is_all: also held notes. The caller destroys it. NULL: out of memory. */
static struct score *context_before(const struct session *s, int64_t tick, bool is_all)
{
    const struct proposal *t = &s->takes.list[0];
    struct score *context = score_clone(s->project.score);
    bool ok = context != NULL;
    for (int i = 0; ok && i < (int)context->n_tracks; i++)
        context->tracks[i].n_notes = score_first_note_at(context, i, tick);
    for (size_t i = 0; ok && i < t->n_waiting; i++)
        ok = add_to_context(context, s, t->ghosts[i].track, t->ghosts[i].note, tick);
    for (size_t i = 0; ok && is_all && i < played_take_music(s)->n_notes; i++) {
        const struct recorded_note *n = &played_take_music(s)->notes[i];
        struct note held = n->note;
        held.length = tick - held.start;
        if (n->is_held)
            ok = add_to_context(context, s, n->track, held, tick);
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
    return is_named ? a->options.track : a->targets[0];
}

/* Ignores controls and kept notes, which would make a hole of it. */
static struct generation wanted(const struct session *s, int64_t begin, int64_t end)
{
    const struct answer *a = s->parts.answer;
    struct generation g = {.options = CONTINUATION_DEFAULT, .bars = a->bars};
    struct continuation_options *o = &g.options;
    int track = answer_track(s);
    steer_apply(&s->steering, o);
    o->hole = CONTINUATION_HOLE_DEFAULT;
    o->keep = HOLE_PLAN_NONE;
    o->n_takes = 1;
    o->max_polyphony = 0;
    o->style = a->style;
    o->bars = a->bars > 0 ? a->bars : 1;
    o->tracks = track >= 0 && track < 64 ? UINT64_C(1) << track : 0;
    o->begin_tick = begin;
    o->end_tick = end;
    o->hear_tick = a->context_from;
    return g;
}

void answer_read(struct session *s)
{
    struct answer *a = s->parts.answer;
    const struct proposal *t = &s->takes.list[0];
    /* No more notes can begin before this tick. Held notes have no length yet, and a
     * note struck now may be moved to the step before. */
    double known = answer_now_tick(s);
    for (size_t i = 0; i < played_take_music(s)->n_notes; i++)
        if (played_take_music(s)->notes[i].is_held)
            known = fmin(known, (double)played_take_music(s)->notes[i].note.start);
    int64_t to =
        (int64_t)known - tick_from_step(1, s->project.score->ticks_per_quarter);
    size_t n = t->n_waiting; /* those before that; they are by time */
    while (n > 0 && t->ghosts[n - 1].note.start >= to)
        n--;
    if (to <= 0 || (a->read_to >= 0 && n == a->n_read))
        return;
    struct score *context = context_before(s, to, false);
    struct generation g =
        wanted(s, to, to + timeline_bar_ticks(session_timeline(s), to));
    if (!context)
        return;
    generator_read_ahead(s->generator, context, &g);
    a->read_to = to;
    a->n_read = n;
}

bool answer_ask(struct session *s)
{
    struct answer *a = s->parts.answer;
    struct score *context = context_before(s, a->begin, true);
    struct generation g = wanted(s, a->begin, a->end);
    g.options.sampling.seed = s->steering.seed++;
    a->n = a->n_scheduled = 0;
    a->is_written = false;
    a->is_heard = true;
    a->frontier = a->begin;
    a->asked_ms = clock_now_ms();
    if (!context || !generator_start(s->generator, context, &g)) {
        session_error(s, "out of memory: the machine cannot answer");
        return false;
    }
    player_hold_at(s->player, a->options.when == ANSWER_ONCE ? 0 : a->begin);
    s->request.from = a->begin;
    s->request.to = a->end;
    return true;
}
