/* The turns of playing together, what the model reads and what it answers. See answer.h. */
#include "app/editor/perform/answer.h"
#include "app/editor/session/session.h"
#include "app/editor/takes/takes.h"
#include "midi/base/clock.h"
#include "midi/base/array.h"

#include <math.h>
#include <stdio.h>

enum {
    ASK_MS = 160,   /* time before the beat at which an answer is requested; */
    LEAST_MS = 100, /* and one that is due sooner than this is due a beat later */
    FRESH_MS = 1000,
};

/* The player reports its tick every few milliseconds; a key has its own tick. */
static double answer_now_tick(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    double tick = player_tick(s->player), since = clock_now_ms() - a->key_ms;
    if (!a->key_ms || since > FRESH_MS || player_is_held(s->player))
        return tick;
    double seconds = timeline_seconds(session_timeline(s), fmax(a->key_tick, 0));
    return fmax(tick, timeline_tick(session_timeline(s), seconds + since / 1e3));
}

/* The first step, beat or bar where an answer may begin that is not before the tick. */
static int64_t line_from(const struct session *s, int64_t tick)
{
    const enum answer_when when = s->parts.answer->options.when;
    const int tpq = s->project.score->ticks_per_quarter;
    const struct bar bar = session_bar_at(s, tick);
    const int64_t beat = timeline_beat_ticks(session_timeline(s), tick);
    int64_t at = bar.start < tick ? bar.start + bar.length : tick;
    if (when == ANSWER_ONCE) {
        const int64_t step = step_from_tick(tick, tpq);
        at = tick_from_step(step, tpq);
        return at < tick ? tick_from_step(step + 1, tpq) : at;
    }
    if (when == ANSWER_BEAT && beat > 0) {
        const int64_t line = bar.start + (tick - bar.start + beat - 1) / beat * beat;
        at = line < bar.start + bar.length ? line : at;
    }
    return at;
}

/* So many bars after the bar line that is nearest. */
static int64_t bars_after(const struct session *s, int64_t tick, int n)
{
    struct bar bar = session_bar_at(s, tick);
    bool is_late = 2 * (tick - bar.start) >= bar.length;
    return timeline_bar(session_timeline(s), bar.index + is_late + n).start;
}

int answer_n_held(const struct session *s)
{
    int n = 0;
    for (int channel = 0; channel < 16; channel++)
        for (int key = 0; key < 128; key++)
            n += answer_music(s)->held[channel][key] != 0;
    return n;
}

const struct recording *answer_music(const struct session *s)
{
    return &s->parts.answer->music;
}

/* -- the model's context, and the request for an answer -- */

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
    for (size_t i = 0; ok && is_all && i < answer_music(s)->n_notes; i++) {
        const struct recorded_note *n = &answer_music(s)->notes[i];
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

/* The track that answers. */
static int answer_track(const struct session *s)
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

/* Lets the model read the music so far. */
static void answer_read(struct session *s)
{
    struct answer *a = s->parts.answer;
    const struct proposal *t = &s->takes.list[0];
    /* No more notes can begin before this tick. Held notes have no length yet, and a
     * note struck now may be moved to the step before. */
    double known = answer_now_tick(s);
    for (size_t i = 0; i < a->music.n_notes; i++)
        if (a->music.notes[i].is_held)
            known = fmin(known, (double)a->music.notes[i].note.start);
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

/* Requests begin..end. false: out of memory, and the user was told. */
static bool answer_ask(struct session *s)
{
    struct answer *a = s->parts.answer;
    struct score *context = context_before(s, a->begin, true);
    struct generation g = wanted(s, a->begin, a->end);
    g.options.sampling.seed = s->steering.seed++;
    a->first_id = s->project.score->next_id;
    a->n_scheduled = 0;
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

void answer_begin_turn(struct session *s, int64_t at)
{
    struct answer *a = s->parts.answer;
    a->turn = ANSWER_LISTENS;
    a->turn_from = at;
    a->turn_to = a->options.bars ? bars_after(s, at, a->options.bars) : at;
    a->is_struck = false;
    a->read_to = -1;
    if (TOKENS_A_NOTE * notes_since(s, a->context_from) <= MOST_PAST)
        return;
    /* Bars go by the half of those that are left: few steps, however long the piece. */
    const struct timeline *t = session_timeline(s);
    int64_t last = timeline_bar_at(t, (int64_t)player_tick(s->player)).index;
    int64_t first = timeline_bar_at(t, a->context_from).index;
    while (first < last &&
           TOKENS_A_NOTE * notes_since(s, timeline_bar(t, first).start) > LEAST_PAST)
        first += (last - first + 1) / 2;
    a->context_from = timeline_bar(t, first).start;
}

/* -- the model's notes go to the player and to the take; the player holds the transport if they
 * are late -- */

/* How much longer than the last ones an answer may take, and the player, until its
 * first note is with the synth. */
enum { LEAD_MARGIN_MS = 8, LEAST_LEAD_MS = 20, MOST_LEAD_MS = 200 };

/* The take that both play into. */
static struct proposal *take(struct session *s)
{
    return &s->takes.list[0];
}

/* The index of the answer's first ghost. Nothing is played after it: a key that is struck from
 * the answer's beginning on ends it. */
static size_t first_of_answer(const struct session *s)
{
    const struct proposal *t = &s->takes.list[0];
    size_t i = t->n_waiting;
    while (i > 0 && t->ghosts[i - 1].probability >= 0 &&
           t->ghosts[i - 1].note.id >= s->parts.answer->first_id)
        i--;
    return i;
}

/* What is down at the end goes up after all that was played. */
static void reach(struct session *s, int64_t tick)
{
    if (take(s)->played_to < tick)
        take(s)->played_to = tick;
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
    const struct ghost *notes = take(s)->ghosts + first_of_answer(s);
    for (size_t i = 0; is_heard && i < a->n_scheduled; i++)
        if ((double)notes[i].note.start >= now)
            a->n_scheduled = i;
}

static void schedule(struct session *s)
{
    struct answer *a = s->parts.answer;
    follow_mute(s);
    const size_t first = first_of_answer(s), n = take(s)->n_waiting - first;
    for (; a->n_scheduled < n; a->n_scheduled++) {
        const struct ghost *g = &take(s)->ghosts[first + a->n_scheduled];
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
    if (first_of_answer(s) == s->takes.list[0].n_waiting)
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
static void answer_follow(struct session *s)
{
    struct answer *a = s->parts.answer;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    takes_collect(s);
    for (size_t i = first_of_answer(s); i < take(s)->n_waiting; i++) {
        struct ghost *g = &take(s)->ghosts[i];
        g->track = answer_track(s); /* which the model may be unable to name */
        reach(s, g->note.start + g->note.length);
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
    size_t i = first_of_answer(s);
    generator_cancel(s->generator);
    player_cut_scheduled(s->player);
    player_hold_at(s->player, 0);
    for (; i < t->n_waiting && t->ghosts[i].note.start < tick; i++) {
        struct note *n = &t->ghosts[i].note;
        if (n->length > tick - n->start)
            n->length = tick - n->start;
    }
    t->n_waiting = t->n_ghosts = i; /* none is accepted while both play */
    t->stats.is_done = true;
    a->first_id = UINT64_MAX;
    a->n_scheduled = 0;
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
    reach(s, g.note.start + g.note.length);
    if (!proposals_add_ghost(&s->takes, 0, &g))
        session_error(s, "out of memory: some played notes are lost");
}

/* -- the turns -- */

/* When the phrase is over. false: that is not known yet. */
static bool find_end(const struct session *s, int64_t *tick)
{
    const struct answer *a = s->parts.answer;
    int64_t beat = timeline_beat_ticks(session_timeline(s), a->phrase_to);
    bool is_held = answer_n_held(s) > 0;
    if (!a->is_struck || (is_held && !a->options.bars))
        return false;
    if (!a->options.bars)
        *tick = a->phrase_to + (int64_t)(a->options.pause * (double)beat);
    else if (a->options.when == ANSWER_ONCE && !is_held &&
             a->phrase_to >= a->turn_to - beat)
        *tick = a->phrase_to; /* early, which is at once */
    else
        *tick = a->turn_to;
    return true;
}

/* Time until the answer is requested; negative: not known yet. */
static double ms_to_ask(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    const struct timeline *t = session_timeline(s);
    int64_t end;
    if (a->turn != ANSWER_LISTENS || !find_end(s, &end))
        return -1;
    double seconds = timeline_seconds(t, (double)line_from(s, end)) -
                     timeline_seconds(t, answer_now_tick(s));
    double lead_ms = a->options.when == ANSWER_ONCE ? a->lead_ms : ASK_MS;
    return fmax(1e3 * seconds - lead_ms, 0);
}

static void ask(struct session *s)
{
    struct answer *a = s->parts.answer;
    const struct timeline *t = session_timeline(s);
    int64_t end = 0;
    double least_ms = a->options.when == ANSWER_ONCE ? a->lead_ms : LEAST_MS;
    double seconds = timeline_seconds(t, answer_now_tick(s)) + least_ms / 1e3;
    int64_t soonest = (int64_t)ceil(timeline_tick(t, seconds));
    if (!find_end(s, &end))
        return;
    a->begin = line_from(s, end > soonest ? end : soonest);
    a->bars = a->options.bars;
    if (!a->bars) { /* those that the phrase has taken, the last one whole */
        int64_t bar = timeline_bar_ticks(t, a->phrase_from);
        int64_t n = (a->phrase_to - a->phrase_from + bar - 1) / (bar > 0 ? bar : 1);
        a->bars = n < 1                       ? 1
                  : n < CONTINUATION_MAX_BARS ? (int)n
                                              : CONTINUATION_MAX_BARS;
    }
    a->end = bars_after(s, a->begin, a->bars);
    if (answer_ask(s))
        a->turn = ANSWER_WRITES;
    else
        answer_begin_turn(s, a->begin);
}

/* Notes that began before the recording do not belong to it. */
void answer_take(struct session *s, const struct live_event *e)
{
    struct answer *a = s->parts.answer;
    const struct score *score = s->project.score;
    int channel = e->status & 15, track = a->targets[channel];
    struct recording *r = &a->music;
    size_t *held = &r->held[channel][e->data1 & 127], before = *held;
    if (track < 0 || (size_t)track >= score->n_tracks)
        return;
    recording_feed(r, e, track, score->tracks[track].channel);
    for (struct proposal *t = take(s); t->n_gestures < r->n_events;) {
        const struct recorded_event *news = &r->events[t->n_gestures];
        if (!array_push(&t->gestures, &t->n_gestures, news, sizeof *news)) {
            session_error(s, "out of memory: some of what was played is lost");
            break;
        }
        reach(s, news->tick + 1);
    }
    if (*held == before)
        return;
    int64_t tick = llround(fmax(e->tick, 0));
    a->key_ms = e->ms;
    a->key_tick = e->tick;
    if (before)
        answer_add_played(s, &r->notes[before - 1]);
    if (*held) {
        /* In a turn of bars, notes struck before its end still belong to the phrase. */
        if (a->turn == ANSWER_WRITES && (!a->options.bars || tick >= a->begin)) {
            answer_end(s, tick);
            a->turn = ANSWER_LISTENS;
            if (tick >= a->begin)
                answer_begin_turn(s, tick);
        }
        /* The first key within the last beat of a turn is an upbeat to the next. */
        if (a->turn == ANSWER_LISTENS && !a->is_struck && a->options.bars &&
            a->turn_to - tick < timeline_beat_ticks(session_timeline(s), tick))
            answer_begin_turn(s, a->turn_to);
        if (!a->is_struck)
            a->phrase_from = tick;
        a->is_struck = true;
        a->phrase_to = tick;
    } else if (tick > a->phrase_to)
        a->phrase_to = tick;
}

void answer_tick(struct session *s)
{
    struct answer *a = s->parts.answer;
    if (!answer_is_on(s))
        return;
    if (!player_is_playing(s->player)) {
        answer_stop(s);
    } else if (a->turn == ANSWER_WRITES) {
        answer_follow(s);
        if (a->turn == ANSWER_WRITES && a->is_written &&
            player_tick(s->player) >= (double)a->end)
            answer_begin_turn(s, a->end);
    } else {
        /* A turn with bars in which nothing was played is followed by another. */
        if (a->options.bars && !a->is_struck &&
            answer_now_tick(s) >= (double)a->turn_to)
            answer_begin_turn(s, a->turn_to);
        answer_read(s);
        if (ms_to_ask(s) == 0)
            ask(s);
    }
}

int answer_timeout_ms(const struct session *s)
{
    double ms = ms_to_ask(s);
    return ms < 0 ? -1 : ms > 1000 ? 1000 : (int)ceil(ms);
}

bool answer_is_on(const struct session *s)
{
    return s->parts.answer->turn != ANSWER_OFF;
}

bool answer_is_urgent(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    return a->turn == ANSWER_LISTENS || (a->turn == ANSWER_WRITES && !a->n_scheduled);
}

void answer_view(struct session *s, struct view *v)
{
    struct answer *a = s->parts.answer;
    const bool writes = a->turn == ANSWER_WRITES;
    if (!answer_is_on(s))
        return;
    if (!writes) {
        double ms = player_count_in_ms(s->player);
        int64_t now = (int64_t)player_tick(s->player);
        int64_t beat = timeline_beat_ticks(session_timeline(s), now),
                left = a->turn_to - now;
        if (ms > 0)
            snprintf(a->label, sizeof a->label, "your turn in %.1f s   & leaves",
                     ms / 1e3);
        else if (a->options.bars)
            snprintf(a->label, sizeof a->label,
                     "your turn: %d bar%s, %lld beats left   & leaves", a->options.bars,
                     plural(a->options.bars),
                     (long long)(beat > 0 && left > 0 ? (left + beat - 1) / beat : 0));
        else
            snprintf(a->label, sizeof a->label, "%s   & leaves",
                     a->is_struck ? "your turn: a pause ends it" : "listening");
        snprintf(a->frame, sizeof a->frame, "your turn");
    } else if (player_is_held(s->player))
        snprintf(a->label, sizeof a->label, "waiting for the machine   & leaves");
    else
        snprintf(a->label, sizeof a->label, "answering: %d bar%s   any key takes over",
                 a->bars, plural(a->bars));
    if (writes)
        snprintf(a->frame, sizeof a->frame, "answer, %d bar%s", a->bars,
                 plural(a->bars));
    v->record.label = a->label;
    v->record.is_on = !writes;
    v->machine.is_generating = false;
    /* The user's turn is framed like an answer; a free turn has no end yet. */
    v->hole.box = (struct box){writes ? a->begin : a->turn_from,
                               writes ? a->end : a->turn_to, 0, 127};
    v->hole.is_shown = v->hole.box.to > v->hole.box.from;
    v->hole.label = a->frame;
    v->hole.track_name = NULL;
    v->machine.has_frontier = v->machine.has_frontier && writes;
}
