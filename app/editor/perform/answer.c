/* `&` and `:answer`: playing together. See answer.h. */
#include "app/editor/perform/answer.h"
#include "app/base/values.h"
#include "app/decoding/styles.h"
#include "app/editor/perform/answer_context.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/takes.h"
#include "midi/base/array.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ASK_MS = 160,   /* time before its beat when an answer is requested; */
    LEAST_MS = 100, /* an answer that is due sooner than this is due a beat later */
    FRESH_MS = 1000,
    MOST_BARS = 32,
    MOST_PAUSE = 16, /* beats */
};

bool answer_is_on(const struct session *s)
{
    return s->parts.answer->turn != ANSWER_OFF;
}

/* The take that both play into. */
static struct proposal *take_of(struct session *s)
{
    return &s->takes.list[0];
}

/* Counts the keys that are down. */
static int count_held(const struct session *s)
{
    const struct recording *r = &s->parts.recorder->recording;
    int n = 0;
    for (size_t i = 0; i < r->n_notes; i++)
        n += r->notes[i].is_held;
    return n;
}

/* Estimates the present tick. The player reports its tick every few milliseconds; a key's tick
 * is exact. */
static double answer_now_tick(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    double tick = player_tick(s->player), since = clock_now_ms() - a->key_ms;
    if (!a->key_ms || since > FRESH_MS || player_is_held(s->player))
        return tick;
    double seconds = timeline_seconds(session_timeline(s), fmax(a->key_tick, 0));
    return fmax(tick, timeline_tick(session_timeline(s), seconds + since / 1e3));
}

/* Returns the first step, beat or bar line from this tick on: an answer may begin there. */
static int64_t line_from(const struct session *s, int64_t tick)
{
    const enum answer_when when = s->parts.answer->options.when;
    const int tpq = s->project.score->ticks_per_quarter;
    const struct bar bar = session_bar_at(s, tick);
    if (when == ANSWER_ONCE) {
        const int64_t step = step_from_tick(tick, tpq), at = tick_from_step(step, tpq);
        return at < tick ? tick_from_step(step + 1, tpq) : at;
    }
    if (bar.start == tick)
        return tick;
    return when == ANSWER_BEAT ? timeline_next_beat(session_timeline(s), tick - 1)
                               : bar.start + bar.length;
}

/* Returns the tick n bars after the nearest bar line. */
static int64_t bars_after(const struct session *s, int64_t tick, int n)
{
    struct bar bar = session_bar_at(s, tick);
    bool is_late = 2 * (tick - bar.start) >= bar.length;
    return timeline_bar(session_timeline(s), bar.index + is_late + n).start;
}

static void begin_turn(struct session *s, int64_t at)
{
    struct answer *a = s->parts.answer;
    a->turn = ANSWER_LISTENS;
    a->turn_from = at;
    a->turn_to = a->options.bars ? bars_after(s, at, a->options.bars) : at;
    a->is_struck = false;
    a->read_to = -1;
    answer_forget(s);
}

/* -- the model's notes go to the player and to the take; the player holds the transport if they
 * are late -- */

/* The first note of an answer may take this much longer than those before it. */
enum { LEAD_MARGIN_MS = 8, LEAST_LEAD_MS = 20, MOST_LEAD_MS = 200 };

/* Returns the index of the answer's first ghost. No played note follows: a key that is struck
 * from the answer's beginning on ends it. */
static size_t first_of_answer(const struct session *s)
{
    const struct proposal *t = &s->takes.list[0];
    size_t i = t->n_waiting;
    while (i > 0 && t->ghosts[i - 1].probability >= 0 &&
           t->ghosts[i - 1].note.id >= s->parts.answer->first_id)
        i--;
    return i;
}

/* Pedals that are down at the end go up after all that was played. */
static void extend_take(struct session *s, int64_t tick)
{
    take_of(s)->played_to = MAX(take_of(s)->played_to, tick);
}

/* Returns the tick where the transport waits for the model: in the first bar the beat, later
 * the bar, that the model is writing. 0: it need not wait. */
static int64_t tick_to_hold_at(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    if (a->is_written)
        return 0;
    if (first_of_answer(s) == s->takes.list[0].n_waiting)
        return a->options.when == ANSWER_ONCE ? 0 : a->begin;
    const struct bar now = session_bar_at(s, a->frontier);
    if (now.index > session_bar_at(s, a->begin).index)
        return now.start;
    int64_t line = timeline_next_beat(session_timeline(s), a->begin);
    for (int64_t next = line; next <= a->frontier;
         next = timeline_next_beat(session_timeline(s), next))
        line = next;
    return line;
}

/* Ends the answer at a tick: notes that begin later go, the others end there. */
static void end_answer(struct session *s, int64_t tick)
{
    struct answer *a = s->parts.answer;
    struct proposal *t = take_of(s);
    size_t i = first_of_answer(s);
    generator_cancel(s->generator);
    player_cut_scheduled(s->player);
    player_hold_at(s->player, 0);
    for (; i < t->n_waiting && t->ghosts[i].note.start < tick; i++) {
        struct note *n = &t->ghosts[i].note;
        n->length = MIN(n->length, tick - n->start);
    }
    t->n_waiting = t->n_ghosts = i; /* none is accepted while both play */
    t->stats.is_done = true;
    a->first_id = UINT64_MAX;
    a->n_scheduled = 0;
    a->is_written = true;
}

/* Takes what the model has written. The progress is read before the notes: so no note is
 * missing before the frontier. */
static void follow_answer(struct session *s)
{
    struct answer *a = s->parts.answer;
    struct proposal *t = take_of(s);
    struct generator_progress p;
    generator_progress(s->generator, &p);
    takes_collect(s);
    for (size_t i = first_of_answer(s); i < t->n_waiting; i++) {
        struct ghost *g = &t->ghosts[i];
        g->track = answer_track(s); /* the model may be unable to name it */
        extend_take(s, g->note.start + g->note.length);
    }
    /* The player gets the notes that it does not have yet, if the track is audible. */
    const struct score *score = s->project.score;
    const size_t first = first_of_answer(s);
    const bool is_heard =
        track_is_audible(&score->tracks[answer_track(s)], score_has_solo(score));
    if (is_heard != a->is_heard && (is_heard || player_cut_scheduled(s->player))) {
        /* Notes that have begun by the time the track sounds again stay silent. */
        double now = player_tick(s->player);
        for (size_t i = 0; is_heard && i < a->n_scheduled; i++)
            if ((double)t->ghosts[first + i].note.start >= now)
                a->n_scheduled = i;
        a->is_heard = is_heard;
    }
    for (; first + a->n_scheduled < t->n_waiting; a->n_scheduled++) {
        const struct ghost *g = &t->ghosts[first + a->n_scheduled];
        struct scheduled_note c = {.start = g->note.start,
                                   .end = g->note.start + g->note.length,
                                   .channel = score->tracks[g->track].channel,
                                   .pitch = g->note.pitch,
                                   .velocity = g->note.velocity};
        if (a->is_heard && !player_schedule_note(s->player, &c))
            break; /* the rest waits until there is room */
        if (a->asked_ms == 0)
            continue;
        /* The lead is the longest time of late that a first note took to the player; it decays
         * slowly. It is measured once an answer: after a mute the note may be given again. */
        double ms = clock_now_ms() - a->asked_ms + LEAD_MARGIN_MS;
        a->lead_ms = fmax(ms, 0.9 * a->lead_ms + 0.1 * ms);
        a->lead_ms = CLAMP(a->lead_ms, LEAST_LEAD_MS, MOST_LEAD_MS);
        a->asked_ms = 0;
    }
    if (a->is_written)
        return;
    a->is_written = !p.running;
    a->frontier = p.takes[0].at_tick > a->begin ? p.takes[0].at_tick : a->begin;
    const struct continuation_stats *now = &p.takes[0];
    struct continuation_stats *own = &t->stats;
    own->from_tick = now->from_tick;
    own->to_tick = now->to_tick;
    own->at_tick = now->at_tick;
    own->is_done = a->is_written;
    if (a->is_written) {
        own->n_tokens += now->n_tokens;
        own->log_prob += now->log_prob;
        own->own_log_prob += now->own_log_prob;
    }
    player_hold_at(s->player, tick_to_hold_at(s));
    if (!p.failed && !p.request_failed)
        return;
    session_error(s, "%s", p.error);
    end_answer(s, a->begin);
    begin_turn(s, a->begin);
}

/* Makes a ghost of an ended note of the user. Of two notes of one pitch on one track the
 * earlier ends where the later begins. */
static void add_played(struct session *s, const struct recorded_note *n)
{
    const struct proposal *t = take_of(s);
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
    extend_take(s, g.note.start + g.note.length);
    if (!proposals_add_ghost(&s->takes, 0, &g))
        session_error(s, "out of memory: some played notes are lost");
}

/* -- the turns -- */

/* Finds the tick where the phrase ends. false: it is not known yet. */
static bool find_end(const struct session *s, int64_t *tick)
{
    const struct answer *a = s->parts.answer;
    int64_t beat = timeline_beat_ticks(session_timeline(s), a->phrase_to);
    bool is_held = count_held(s) > 0;
    if (!a->is_struck || (is_held && !a->options.bars))
        return false;
    if (!a->options.bars)
        *tick = a->phrase_to + (int64_t)(a->options.pause * (double)beat);
    else if (a->options.when == ANSWER_ONCE && !is_held &&
             a->phrase_to >= a->turn_to - beat)
        *tick = a->phrase_to; /* early: the answer comes at once */
    else
        *tick = a->turn_to;
    return true;
}

/* Returns the time until the answer is requested; negative: it is not known yet. */
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

/* Requests the answer to the phrase. */
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
    if (!a->bars) { /* as many as the phrase has begun */
        int64_t bar = timeline_bar_ticks(t, a->phrase_from);
        int64_t n = (a->phrase_to - a->phrase_from + bar - 1) / (bar > 0 ? bar : 1);
        a->bars = (int)CLAMP(n, 1, CONTINUATION_MAX_BARS);
    }
    a->end = bars_after(s, a->begin, a->bars);
    a->first_id = s->project.score->next_id;
    a->n_scheduled = 0;
    a->is_written = false;
    a->is_heard = true;
    a->frontier = a->begin;
    a->asked_ms = clock_now_ms();
    struct score *context = answer_context(s, a->begin);
    struct continuation_options o = answer_request(s, a->begin, a->end);
    o.sampling.seed = s->steering.seed++;
    if (!context || !generator_ask(s->generator, context, &o, false)) {
        session_error(s, "out of memory: the machine cannot answer");
        begin_turn(s, a->begin);
        return;
    }
    player_hold_at(s->player, a->options.when == ANSWER_ONCE ? 0 : a->begin);
    s->request.from = a->begin;
    s->request.to = a->end;
    a->turn = ANSWER_WRITES;
}

/* Notes that began before the recording do not belong to it. */
void answer_take(struct session *s, const struct live_event *e)
{
    struct answer *a = s->parts.answer;
    const struct score *score = s->project.score;
    int channel = e->status & 15, track = s->parts.recorder->targets[channel];
    struct recording *r = &s->parts.recorder->recording;
    size_t *held = &r->held[channel][e->data1 & 127], before = *held;
    if (track < 0 || (size_t)track >= score->n_tracks)
        return;
    recording_feed(r, e, track, score->tracks[track].channel);
    for (struct proposal *t = take_of(s); t->n_gestures < r->n_events;) {
        const struct recorded_event *news = &r->events[t->n_gestures];
        if (!array_push(&t->gestures, &t->n_gestures, news, sizeof *news)) {
            session_error(s, "out of memory: some of what was played is lost");
            break;
        }
        extend_take(s, news->tick + 1);
    }
    if (*held == before)
        return;
    int64_t tick = llround(fmax(e->tick, 0));
    a->key_ms = e->ms;
    a->key_tick = e->tick;
    if (before)
        add_played(s, &r->notes[before - 1]);
    if (*held) {
        /* In a turn of bars, notes struck before its end still belong to the phrase. */
        if (a->turn == ANSWER_WRITES && (!a->options.bars || tick >= a->begin)) {
            end_answer(s, tick);
            a->turn = ANSWER_LISTENS;
            if (tick >= a->begin)
                begin_turn(s, tick);
        }
        /* The first key within the last beat of a turn is an upbeat to the next. */
        if (a->turn == ANSWER_LISTENS && !a->is_struck && a->options.bars &&
            a->turn_to - tick < timeline_beat_ticks(session_timeline(s), tick))
            begin_turn(s, a->turn_to);
        if (!a->is_struck)
            a->phrase_from = tick;
        a->is_struck = true;
        a->phrase_to = tick;
    } else if (tick > a->phrase_to)
        a->phrase_to = tick;
}

static void tick(struct session *s)
{
    struct answer *a = s->parts.answer;
    if (!answer_is_on(s))
        return;
    if (!player_is_playing(s->player)) {
        answer_stop(s);
    } else if (a->turn == ANSWER_WRITES) {
        follow_answer(s);
        if (a->turn == ANSWER_WRITES && a->is_written &&
            player_tick(s->player) >= (double)a->end)
            begin_turn(s, a->end);
    } else {
        /* A turn with bars in which nothing was played is followed by another. */
        if (a->options.bars && !a->is_struck &&
            answer_now_tick(s) >= (double)a->turn_to)
            begin_turn(s, a->turn_to);
        answer_read_ahead(s, answer_now_tick(s));
        if (ms_to_ask(s) == 0)
            ask(s);
    }
}

static int timeout_ms(const struct session *s)
{
    double ms = ms_to_ask(s);
    return ms < 0 ? -1 : ms > 1000 ? 1000 : (int)ceil(ms);
}

bool answer_is_urgent(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    return a->turn == ANSWER_LISTENS || (a->turn == ANSWER_WRITES && !a->n_scheduled);
}

static void view(struct session *s, struct view *v)
{
    const struct answer *a = s->parts.answer;
    const bool writes = a->turn == ANSWER_WRITES;
    char *label = v->record.label;
    const size_t n = sizeof v->record.label;
    if (!answer_is_on(s))
        return;
    const double count_in_ms = player_count_in_ms(s->player);
    if (writes && player_is_held(s->player)) {
        snprintf(label, n, "waiting for the machine   & leaves");
    } else if (writes) {
        snprintf(label, n, "answering: %d bar%s   any key takes over", a->bars,
                 plural(a->bars));
    } else if (count_in_ms > 0) {
        snprintf(label, n, "your turn in %.1f s   & leaves", count_in_ms / 1e3);
    } else if (a->options.bars) {
        int64_t now = (int64_t)player_tick(s->player), left = a->turn_to - now;
        int64_t beat = timeline_beat_ticks(session_timeline(s), now);
        snprintf(label, n, "your turn: %d bar%s, %lld beats left   & leaves",
                 a->options.bars, plural(a->options.bars),
                 (long long)(beat > 0 && left > 0 ? (left + beat - 1) / beat : 0));
    } else {
        snprintf(label, n, "%s   & leaves",
                 a->is_struck ? "your turn: a pause ends it" : "listening");
    }
    v->record.is_on = !writes;
    v->machine.is_generating = false;
    /* The user's turn is framed like an answer; a free turn has no end yet. */
    v->hole = (struct hole_view){.box = {writes ? a->begin : a->turn_from,
                                         writes ? a->end : a->turn_to, 0, 127}};
    v->hole.is_shown = v->hole.box.to > v->hole.box.from;
    if (writes)
        snprintf(v->hole.label, sizeof v->hole.label, "answer, %d bar%s", a->bars,
                 plural(a->bars));
    else
        snprintf(v->hole.label, sizeof v->hole.label, "your turn");
    v->machine.has_frontier = v->machine.has_frontier && writes;
}

/* -- beginning and ending -- */

static void begin(struct session *s)
{
    enum { FIRST_LEAD_MS = 40 };
    struct answer *a = s->parts.answer;
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.sampling.seed = s->steering.seed;
    record_stop(s);
    if (!machine_is_free(s))
        return;
    if (!s->project.score->n_tracks)
        act_command_line(s, "track Piano");
    proposals_clear(&s->takes);
    if (recorder_target(s, 0) < 0 || !proposals_begin(&s->takes, &o)) {
        session_error(s, "out of memory: nothing was started");
        return;
    }
    take_of(s)->is_played = s->has_take = true;
    s->request.asked = (struct generation){.options = CONTINUATION_DEFAULT, .bars = 1};
    s->request.is_running = false;
    s->request.n_tracks = (int)s->project.score->n_tracks;
    s->request.from = s->request.to = 0;
    hearing_changed_now(s);
    /* A style that is to be guessed is the one that the model guessed for the whole piece. */
    struct generator_progress p;
    generator_progress(s->generator, &p);
    a->style = s->steering.style != CONTINUATION_STYLE_GUESS ? s->steering.style
               : p.style                                     ? (int)p.style
                         : (int)learnt_style_for(p.styles, s->project.score);
    a->from = s->view.cursor.tick;
    a->context_from = 0;
    a->lead_ms = FIRST_LEAD_MS;
    a->key_ms = 0;
    a->first_id = UINT64_MAX;
    a->turn = ANSWER_LISTENS;
    s->roll.follow = true;
    session_hold_loop(s, true);
    recorder_begin(s, a->from);
    player_play_after(s->player, a->from, s->sound.count_in);
    begin_turn(s, a->from);
}

/* Leaves playing together; also called where the take is being dropped. */
static void leave_answer(struct session *s)
{
    if (!answer_is_on(s))
        return;
    s->parts.answer->turn = ANSWER_OFF;
    proposals_end(&s->takes, false);
    generator_cancel(s->generator);
    player_hold_at(s->player, 0);
    recorder_end(s);
}

bool answer_stop(struct session *s)
{
    const struct answer *a = s->parts.answer;
    const struct recording *r = &s->parts.recorder->recording;
    struct proposal *t = take_of(s);
    if (!answer_is_on(s))
        return false;
    piano_release(s);
    recorder_take_input(s);
    const int64_t tick = (int64_t)player_tick(s->player);
    if (a->turn == ANSWER_WRITES)
        end_answer(s, tick);
    for (size_t i = 0; i < r->n_notes; i++) {
        struct recorded_note n = r->notes[i];
        n.note.length = recorded_end(r, &n, tick, 0) - n.note.start;
        if (n.is_held)
            add_played(s, &n);
    }
    t->played_to = tick + 1;
    t->stats.is_done = true;
    leave_answer(s);
    if (!t->n_waiting) {
        session_drop_take(s);
        session_show_cursor(s);
        session_say(s, "nothing was played");
        return true;
    }
    /* The frame is of all that was played. */
    s->request.from = s->request.to = a->from;
    for (size_t i = 0; i < t->n_waiting; i++)
        s->request.to =
            MAX(s->request.to, t->ghosts[i].note.start + t->ghosts[i].note.length);
    /* `r` makes a take of that span. */
    const int64_t bars = 1 + session_bar_at(s, s->request.to - 1).index -
                         session_bar_at(s, s->request.from).index;
    s->request.asked.bars = s->request.asked.options.bars =
        bars < CONTINUATION_MAX_BARS ? (int)bars : CONTINUATION_MAX_BARS;
    hearing_changed(s);
    session_set_mode(s, MODE_TAKES); /* a line that is being typed stays */
    session_show_cursor(s);          /* it is where playing began */
    session_say(s, "%zu notes of both wait: a accepts them, v then a some, x none",
                t->n_waiting);
    return true;
}

void act_answer(struct session *s, const struct command *c)
{
    if (answer_stop(s))
        return;
    if (c->count > 0)
        s->parts.answer->options.bars = c->count < MOST_BARS ? c->count : MOST_BARS;
    begin(s);
}

bool history_arrive(struct session *s, uint64_t from)
{
    const struct history *h = s->project.history;
    int at = proposals_find(&s->takes, 'A');
    bool has_place = history_now(h)->inserted_ticks == s->seen.inserted_ticks &&
                     history_now(h)->arrangement == s->seen.arrangement &&
                     (int)s->project.score->n_tracks >= s->request.n_tracks;
    /* A take that was played together cannot be requested again. */
    bool is_lost = at >= 0 && !has_place && s->takes.list[at].is_played &&
                   (s->takes.list[at].n_waiting || (answer_is_on(s) && count_held(s)));
    bool stays = is_lost && !project_go(&s->project, from);
    session_revalidate(s);
    if (!stays)
        return true;
    answer_stop(s);
    s->view.mode = MODE_TAKES;
    session_error(
        s,
        "this would remove music that you played on: a accepts it first, x rejects it");
    return false;
}

/* Sets the option that a word names; the value of some is the next word. false: it is not
 * understood. */
static bool set_word(struct answer_options *w, const char *word, char **rest)
{
    static const char *const WHEN[] = {"once", "beat", "bar", NULL};
    const bool is_pause = !strcmp(word, "pause"), is_track = !strcmp(word, "on");
    const char *value = is_pause || is_track ? strtok_r(NULL, " ", rest) : word;
    int when;
    if (!value)
        return false;
    if (is_pause)
        return value_real(value, 0, MOST_PAUSE, &w->pause);
    if (is_track)
        return value_count(value, 1, 64, &w->track) && w->track-- > 0;
    if (value_word(word, WHEN, &when)) {
        w->when = (enum answer_when)when;
        return true;
    }
    if (strcmp(word, "free") != 0)
        return value_count(word, 1, MOST_BARS, &w->bars);
    w->bars = 0;
    return true;
}

void act_answer_line(struct session *s, const char *words)
{
    char copy[128], *rest, *word;
    struct answer_options options = s->parts.answer->options;
    if (!strcmp(words, "off")) {
        if (!answer_stop(s))
            session_say(s, "not playing together; & starts");
        return;
    }
    snprintf(copy, sizeof copy, "%s", words);
    word = strtok_r(copy, " ", &rest);
    while (word && set_word(&options, word, &rest))
        word = strtok_r(NULL, " ", &rest);
    if (word) {
        session_error(
            s, "use :answer 2 beat, or :answer free pause 1 bar, on 3; not %s", word);
    } else if (options.track >= (int)s->project.score->n_tracks) {
        session_error(s, "there is no such track");
    } else {
        s->parts.answer->options = options; /* while it is on: from the next turn */
        if (!answer_is_on(s))
            begin(s);
    }
}

static bool escape(struct session *s)
{
    return s->view.mode == MODE_NORMAL && answer_stop(s);
}

/* Playing together ends before a command about takes, and with the model. */
static void stop(struct session *s)
{
    answer_stop(s);
}

static bool init(struct session *s, const struct session_options *o)
{
    (void)o;
    s->parts.answer->options = (struct answer_options){
        .bars = 2, .pause = 1, .when = ANSWER_BEAT, .track = -1};
    return true;
}

const struct editor_part ANSWER_PART = {
    PART_STATE(answer),           .init = init,       .ends_at = OF_TAKES, .end = stop,
    .take_dropped = leave_answer, .model_goes = stop, .escape = escape,    .tick = tick,
    .timeout_ms = timeout_ms,     .view = view,
};
