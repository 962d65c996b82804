/* Hands the model's notes to the player and to the take; the player holds the transport
 * if they are late. See answer.h. */
#include "app/editor/perform/answer.h"
#include "app/editor/session/session.h"
#include "midi/base/array.h"
#include "midi/base/clock.h"

#include <math.h>

/* How much longer than the last ones an answer may take, and the player, until its
 * first note is with the synth. */
enum { LEAD_MARGIN_MS = 8, LEAST_LEAD_MS = 20, MOST_LEAD_MS = 200 };

static struct proposal *take(struct session *s)
{
    return &s->takes.list[0];
}

/* Notes that have begun by the time the track sounds again stay silent. */
static void follow_mute(struct session *s)
{
    struct answer *a = s->parts.answer;
    const struct score *score = s->project.score;
    bool is_heard =
        track_is_audible(&score->tracks[answer_track(s)], score_has_solo(score));
    if (is_heard == a->is_heard || (!is_heard && !player_cut_scheduled(s->player)))
        return;
    a->is_heard = is_heard;
    double now = player_tick(s->player);
    for (size_t i = 0; is_heard && i < a->n_scheduled; i++)
        if ((double)a->notes[i].note.start >= now)
            a->n_scheduled = i;
}

static void schedule(struct session *s)
{
    struct answer *a = s->parts.answer;
    follow_mute(s);
    for (; a->n_scheduled < a->n; a->n_scheduled++) {
        const struct ghost *g = &a->notes[a->n_scheduled];
        const struct track *t = &s->project.score->tracks[g->track];
        struct scheduled_note c = {.start = g->note.start,
                                   .end = g->note.start + g->note.length,
                                   .channel = t->channel,
                                   .pitch = g->note.pitch,
                                   .velocity = g->note.velocity};
        if (a->is_heard && !player_schedule_note(s->player, &c))
            return; /* the rest waits until there is room */
        if (a->asked_ms == 0)
            continue;
        /* How long the first note took to the player: the longest time of late, which
         * decays slowly. Once an answer, though after a mute the note may go again. */
        double ms = clock_now_ms() - a->asked_ms + LEAD_MARGIN_MS;
        a->lead_ms = fmax(ms, 0.9 * a->lead_ms + 0.1 * ms);
        a->lead_ms = fmin(fmax(a->lead_ms, LEAST_LEAD_MS), MOST_LEAD_MS);
        a->asked_ms = 0;
    }
}

/* A beat, or a bar, that is begun is written: the first bar by beats, and of its first
 * beat the first note. */
static int64_t hold_at(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    if (a->is_written)
        return 0;
    if (!a->n)
        return a->options.when == ANSWER_ONCE ? 0 : a->begin;
    struct bar first = session_bar_at(s, a->begin), at = session_bar_at(s, a->frontier);
    if (at.index > first.index)
        return at.start;
    int64_t beat = timeline_beat_ticks(session_timeline(s), a->frontier),
            from = first.start;
    int64_t of = a->frontier > a->begin ? a->frontier : a->begin;
    int64_t line = beat > 0 ? from + (of - from) / beat * beat : from;
    if (line <= a->begin)
        line += beat;
    return line < first.start + first.length ? line : first.start + first.length;
}

/* First the progress, then the notes: so none is missing before the frontier. */
void answer_follow(struct session *s)
{
    struct answer *a = s->parts.answer;
    struct generator_progress p;
    struct continued_note notes[64];
    size_t n;
    generator_progress(s->generator, &p);
    while ((n = generator_take(s->generator, notes, 64)) > 0)
        for (size_t i = 0; i < n; i++) {
            int n_tokens = notes[i].n_tokens > 0 ? notes[i].n_tokens : 1;
            struct ghost g = {.track = answer_track(s),
                              .note = notes[i].note,
                              .probability = expf(notes[i].log_prob / (float)n_tokens)};
            g.note.id = s->project.score->next_id++;
            bool has_room = ARRAY_GROW(a->notes, a->n, a->cap);
            if (!has_room || !proposals_add_ghost(&s->takes, 0, &g))
                session_error(s, "out of memory: some of the answer was lost");
            else
                a->notes[a->n++] = g;
        }
    schedule(s);
    if (a->is_written)
        return;
    a->is_written = !p.running;
    a->frontier = p.takes[0].at_tick > a->begin ? p.takes[0].at_tick : a->begin;
    const struct continuation_stats *now = &p.takes[0];
    struct continuation_stats *own = &take(s)->stats;
    own->from_tick = now->from_tick;
    own->to_tick = now->to_tick;
    own->at_tick = now->at_tick;
    own->is_done = a->is_written;
    if (a->is_written) {
        own->n_tokens += now->n_tokens;
        own->log_prob += now->log_prob;
        own->own_log_prob += now->own_log_prob;
    }
    player_hold_at(s->player, hold_at(s));
    if (!p.failed && !p.request_failed)
        return;
    session_error(s, "%s", p.error);
    answer_end(s, a->begin);
    answer_begin_turn(s, a->begin);
}

void answer_end(struct session *s, int64_t tick)
{
    struct answer *a = s->parts.answer;
    struct proposal *t = take(s);
    size_t kept = 0;
    generator_cancel(s->generator);
    player_cut_scheduled(s->player);
    player_hold_at(s->player, 0);
    for (size_t i = 0; i < t->n_ghosts; i++) {
        struct ghost *g = &t->ghosts[i];
        size_t at = 0;
        while (at < a->n && a->notes[at].note.id != g->note.id)
            at++;
        if (at < a->n && g->note.start >= tick)
            continue;
        if (at < a->n && g->note.length > tick - g->note.start)
            g->note.length = tick - g->note.start;
        t->ghosts[kept++] = *g;
    }
    t->n_waiting -= t->n_ghosts - kept; /* accepted ghosts come last, */
    t->n_ghosts = kept;                 /* and are not of the running answer */
    t->stats.is_done = true;
    a->n = a->n_scheduled = 0;
    a->is_written = true;
}

/* Of one pitch on one track the earlier ends where the later begins. */
void answer_add_played(struct session *s, const struct recorded_note *n)
{
    const struct proposal *t = take(s);
    struct ghost g = {.track = n->track, .note = n->note, .probability = -1};
    g.note.id = s->project.score->next_id++;
    for (size_t i = 0; i < t->n_waiting; i++) {
        const struct note *other = &t->ghosts[i].note;
        bool is_in = t->ghosts[i].track == n->track && other->pitch == g.note.pitch &&
                     other->start > g.note.start &&
                     other->start < g.note.start + g.note.length;
        if (is_in)
            g.note.length = other->start - g.note.start;
    }
    if (!proposals_add_ghost(&s->takes, 0, &g))
        session_error(s, "out of memory: some played notes are lost");
}
