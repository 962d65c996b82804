/* What the model hears of the two who play, and what it gives back. See answer.h. */
#include "app/answer.h"

#include "app/session.h"
#include "midi/live.h"
#include "midi/piece.h"

#include <math.h>
#include <stdlib.h>

/* What the model hears of the past is chosen as a turn begins, so that it has not to read
 * all of it again in the middle of one: some tokens a note, and room for the turn. */
enum { TOKENS_A_NOTE = 4, MOST_PAST = 360, LEAST_PAST = 200 };

/* How much longer than the last ones an answer may take, and the player, until its first
 * note is with the synth. */
enum { LEAD_MARGIN_MS = 8, LEAST_LEAD_MS = 20, MOST_LEAD_MS = 200 };

static struct proposal *take(struct session *s)
{
    return &s->takes.list[0];
}

/* -- the past -- */

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
    struct answer *a = &s->answer;
    const struct timeline *t = &s->project.score->timeline;
    if (TOKENS_A_NOTE * notes_since(s, a->hear_from) <= MOST_PAST)
        return;
    int64_t last = timeline_bar_at(t, (int64_t)player_tick(s->player)).index;
    int64_t first = timeline_bar_at(t, a->hear_from).index;
    while (first < last &&
           TOKENS_A_NOTE * notes_since(s, timeline_bar(t, first).start) > LEAST_PAST)
        first += (last - first + 1) / 2;
    a->hear_from = timeline_bar(t, first).start;
}

/* What begins before the tick, in so far as it is heard, and ends by then. */
static bool add_heard(struct score *heard, const struct session *s, int track,
                      struct note n, int64_t tick)
{
    bool is_past = n.start + n.length <= s->answer.hear_from;
    if (is_past || n.start >= tick || (size_t)track >= heard->n_tracks)
        return true;
    if (n.length > tick - n.start)
        n.length = tick - n.start;
    return score_add_note(heard, track, n) != 0;
}

/* is_all: with what is still held. The caller's; NULL: out of memory. */
static struct score *heard_before(const struct session *s, int64_t tick, bool is_all)
{
    const struct answer *a = &s->answer;
    const struct proposal *t = &s->takes.list[0];
    struct score *heard = score_clone(s->project.score);
    bool ok = heard != NULL;
    for (int i = 0; ok && i < (int)heard->n_tracks; i++)
        heard->tracks[i].n_notes = score_first_note_at(heard, i, tick);
    for (size_t i = 0; ok && i < t->n_waiting; i++)
        ok = add_heard(heard, s, t->ghosts[i].track, t->ghosts[i].note, tick);
    for (size_t i = 0; ok && is_all && i < a->played.n_notes; i++) {
        const struct recorded_note *n = &a->played.notes[i];
        struct note held = n->note;
        held.length = tick - held.start;
        if (n->is_held)
            ok = add_heard(heard, s, n->track, held, tick);
    }
    if (ok)
        return heard;
    score_destroy(heard);
    return NULL;
}

/* -- asking -- */

static int track_that_answers(const struct session *s)
{
    const struct answer *a = &s->answer;
    bool is_named =
        a->wish.track >= 0 && (size_t)a->wish.track < s->project.score->n_tracks;
    return is_named ? a->wish.track : a->targets[0];
}

/* Wishes, which would make a hole of it, are not heeded, nor is what is kept of notes. */
static struct generation wanted(const struct session *s, int64_t begin, int64_t end)
{
    const struct answer *a = &s->answer;
    struct generation g = {.options = CONTINUATION_DEFAULT, .bars = a->bars};
    struct continuation_options *o = &g.options;
    int track = track_that_answers(s);
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
    o->hear_tick = a->hear_from;
    return g;
}

/* Nothing that begins before this tick can come any more: what is held has no length yet,
 * and what is struck now may be put on the step before. */
static int64_t known_to(const struct session *s)
{
    const struct answer *a = &s->answer;
    double known = answer_now_tick(s);
    for (size_t i = 0; i < a->played.n_notes; i++)
        if (a->played.notes[i].is_held)
            known = fmin(known, (double)a->played.notes[i].note.start);
    return (int64_t)known - tick_from_step(1, s->project.score->ticks_per_quarter);
}

static size_t n_before(const struct session *s, int64_t tick)
{
    const struct proposal *t = &s->takes.list[0];
    size_t n = t->n_waiting; /* they are by time */
    while (n > 0 && t->ghosts[n - 1].note.start >= tick)
        n--;
    return n;
}

void answer_read(struct session *s)
{
    struct answer *a = &s->answer;
    int64_t to = known_to(s);
    size_t n = n_before(s, to);
    if (to <= 0 || (a->read_to >= 0 && n == a->n_read))
        return;
    struct score *heard = heard_before(s, to, false);
    struct generation g =
        wanted(s, to, to + timeline_bar_ticks(&s->project.score->timeline, to));
    if (!heard)
        return;
    generator_read_ahead(s->generator, heard, &g);
    a->read_to = to;
    a->n_read = n;
}

static bool grown(struct answer *a)
{
    size_t cap = a->cap ? 2 * a->cap : 64;
    struct ghost *notes =
        a->n == a->cap ? reallocarray(a->notes, cap, sizeof *notes) : a->notes;
    if (!notes)
        return false;
    a->cap = a->n == a->cap ? cap : a->cap;
    a->notes = notes;
    return true;
}

bool answer_ask(struct session *s)
{
    struct answer *a = &s->answer;
    struct score *heard = heard_before(s, a->begin, true);
    struct generation g = wanted(s, a->begin, a->end);
    g.options.sampling.seed = s->steering.seed++;
    a->n = a->n_cued = 0;
    a->is_written = false;
    a->frontier = a->begin;
    a->asked_ms = live_now();
    a->request = heard ? generator_start(s->generator, heard, &g) : 0;
    if (!a->request) {
        session_error(s, "out of memory: the machine does not answer");
        return false;
    }
    player_hold_at(s->player, a->wish.when == ANSWER_ONCE ? 0 : a->begin);
    s->hole_from = a->begin;
    s->hole_to = a->end;
    return true;
}

/* -- what comes -- */

static void add_written(struct session *s, const struct continued_note *n)
{
    struct answer *a = &s->answer;
    int n_tokens = n->n_tokens > 0 ? n->n_tokens : 1;
    struct ghost g = {.track = track_that_answers(s),
                      .note = n->note,
                      .probability = expf(n->log_prob / (float)n_tokens)};
    g.note.id = s->project.score->next_id++;
    if (!grown(a) || !proposals_add_ghost(&s->takes, 0, &g))
        session_error(s, "out of memory: some of the answer was lost");
    else
        a->notes[a->n++] = g;
}

/* How long it took until the first note went to the player, for the next time: the longest
 * of late, which is forgotten slowly. */
static void learn_lead(struct answer *a)
{
    double ms = live_now() - a->asked_ms + LEAD_MARGIN_MS;
    a->lead_ms = fmax(ms, 0.9 * a->lead_ms + 0.1 * ms);
    a->lead_ms = fmin(fmax(a->lead_ms, LEAST_LEAD_MS), MOST_LEAD_MS);
    a->n_answers++;
}

static void cue(struct session *s)
{
    struct answer *a = &s->answer;
    for (; a->n_cued < a->n; a->n_cued++) {
        const struct ghost *g = &a->notes[a->n_cued];
        const struct track *t = &s->project.score->tracks[g->track];
        struct cue c = {.start = g->note.start,
                        .end = g->note.start + g->note.length,
                        .channel = t->channel,
                        .pitch = g->note.pitch,
                        .velocity = g->note.velocity};
        if (!player_cue(s->player, &c))
            return; /* the rest waits until there is room */
        if (a->n_cued == 0)
            learn_lead(a);
    }
}

/* A beat, or a bar, that is begun is written: the first bar by beats, and of its first
 * beat the first note. */
static int64_t hold_at(const struct session *s)
{
    const struct answer *a = &s->answer;
    const struct timeline *t = &s->project.score->timeline;
    if (a->is_written)
        return 0;
    if (!a->n)
        return a->wish.when == ANSWER_ONCE ? 0 : a->begin;
    struct bar first = timeline_bar_at(t, a->begin),
               at = timeline_bar_at(t, a->frontier);
    if (at.index > first.index)
        return at.start;
    int64_t beat = timeline_beat_ticks(t, a->frontier), from = first.start;
    int64_t of = a->frontier > a->begin ? a->frontier : a->begin;
    int64_t line = beat > 0 ? from + (of - from) / beat * beat : from;
    if (line <= a->begin)
        line += beat;
    return line < first.start + first.length ? line : first.start + first.length;
}

static void tell_stats(struct session *s, const struct continuation_stats *now)
{
    struct continuation_stats *own = &take(s)->stats;
    own->from_tick = now->from_tick;
    own->to_tick = now->to_tick;
    own->at_tick = now->at_tick;
    own->is_done = s->answer.is_written;
    if (!s->answer.is_written)
        return;
    own->n_tokens += now->n_tokens;
    own->log_prob += now->log_prob;
    own->own_log_prob += now->own_log_prob;
}

static void take_what_came(struct session *s)
{
    struct continued_note notes[64];
    size_t n;
    while ((n = generator_take(s->generator, notes, 64)) > 0)
        for (size_t i = 0; i < n; i++)
            add_written(s, &notes[i]);
}

/* What the generator says first, and then the notes: none is missing before the frontier. */
void answer_follow(struct session *s)
{
    struct answer *a = &s->answer;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    take_what_came(s);
    cue(s);
    if (a->is_written)
        return;
    a->is_written = !p.running;
    a->frontier = p.takes[0].at_tick > a->begin ? p.takes[0].at_tick : a->begin;
    tell_stats(s, &p.takes[0]);
    player_hold_at(s->player, hold_at(s));
    if (!p.failed && !p.request_failed)
        return;
    session_error(s, "%s", p.error);
    answer_end(s, a->begin);
    answer_begin_turn(s, a->begin);
}

/* -- endings -- */

static bool is_of_answer(const struct answer *a, uint64_t id)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->notes[i].note.id == id)
            return true;
    return false;
}

void answer_end(struct session *s, int64_t tick)
{
    struct answer *a = &s->answer;
    struct proposal *t = take(s);
    size_t kept = 0;
    generator_cancel(s->generator);
    player_cut_cues(s->player);
    player_hold_at(s->player, 0);
    for (size_t i = 0; i < t->n_ghosts; i++) {
        struct ghost *g = &t->ghosts[i];
        bool is_it = is_of_answer(a, g->note.id);
        if (is_it && g->note.start >= tick)
            continue;
        if (is_it && g->note.length > tick - g->note.start)
            g->note.length = tick - g->note.start;
        t->ghosts[kept++] = *g;
    }
    t->n_waiting -= t->n_ghosts - kept; /* what stands in the score comes last, */
    t->n_ghosts = kept;                 /* and is not of an answer at work */
    t->stats.is_done = true;
    a->n = a->n_cued = 0;
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
        session_error(s, "out of memory: some of what was played is lost");
}
