/* & and :answer: starts and stops playing together (app/editor/perform/answer.h). */
#include "app/editor/takes/takes.h"
#include "app/editor/perform/recorder.h"
#include "app/decoding/learnt_styles.h"
#include "app/editor/perform/answer.h"
#include "app/editor/takes/hearing.h"
#include "app/base/values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 32, MOST_PAUSE = 16, FIRST_LEAD_MS = 40 };

static void begin(struct session *s)
{
    struct answer *a = s->parts.answer;
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.sampling.seed = s->steering.seed;
    record_stop(s);
    if (!machine_is_free(s))
        return;
    if (!s->project.score->n_tracks)
        act_command_line(s, "track Piano");
    recorder_targets(s, a->targets);
    proposals_clear(&s->takes);
    if (a->targets[0] < 0 || !proposals_begin(&s->takes, &o)) {
        session_error(s, "out of memory: nothing was started");
        return;
    }
    /* The take that both play into. */
    s->takes.list[0].is_played = s->has_take = true;
    s->request.asked = (struct generation){.options = CONTINUATION_DEFAULT, .bars = 1};
    s->request.is_running = false;
    s->request.n_tracks = (int)s->project.score->n_tracks;
    s->request.from = s->request.to = 0;
    hearing_changed_now(s);
    if (s->view.mode == MODE_SELECT)
        session_clear_selection(s);
    a->from = s->view.cursor.tick;
    a->context_from = 0;
    /* If it is to be guessed: what the model guessed for the whole. */
    struct generator_progress p;
    generator_progress(s->generator, &p);
    a->style = s->steering.style != CONTINUATION_STYLE_GUESS ? s->steering.style
               : p.style                                     ? (int)p.style
                         : (int)learnt_style_for(p.styles, s->project.score);
    a->lead_ms = FIRST_LEAD_MS;
    a->key_ms = 0;
    a->first_id = UINT64_MAX;
    recording_fini(&a->music);
    recording_begin(&a->music, a->from, s->project.score->ticks_per_quarter / 2);
    s->roll.follow = true;
    recorder_drop_waiting(s);
    session_hold_loop(s, true);
    recorder_roll(s);
    player_play_after(s->player, a->from, s->sound.count_in);
    answer_begin_turn(s, a->from);
}

/* Also where the transport has stopped by itself or the take is being dropped. */
static void leave(struct session *s)
{
    if (!answer_is_on(s))
        return;
    s->parts.answer->turn = ANSWER_OFF;
    proposals_end(&s->takes, false);
    generator_cancel(s->generator);
    player_hold_at(s->player, 0);
    player_stop(s->player);
    recorder_listen(s, false, false);
    session_send_clicks(s);
    session_hold_loop(s, false);
}

static bool init(struct session *s, const struct session_options *o)
{
    (void)o;
    s->parts.answer->options = ANSWER_OPTIONS_DEFAULT;
    return true;
}

static void fini(struct session *s)
{
    recording_fini(&s->parts.answer->music);
}

bool answer_stop(struct session *s)
{
    if (!answer_is_on(s))
        return false;
    struct live_event e;
    piano_release(s);
    while (live_take(player_live(s->player), &e))
        answer_take(s, &e);
    double tick = player_tick(s->player);
    if (s->parts.answer->turn == ANSWER_WRITES)
        answer_end(s, (int64_t)tick);
    const struct recording *r = answer_music(s);
    for (size_t i = 0; i < r->n_notes; i++) {
        struct recorded_note n = r->notes[i];
        n.note.length = recorded_end(r, &n, (int64_t)tick, 0) - n.note.start;
        if (n.is_held)
            answer_add_played(s, &n);
    }
    s->takes.list[0].played_to = (int64_t)tick + 1;
    s->takes.list[0].stats.is_done = true;
    leave(s);
    if (s->takes.list[0].n_waiting) {
        /* The frame is of all that was played. */
        const struct proposal *t = &s->takes.list[0];
        s->request.from = s->parts.answer->from;
        s->request.to = s->parts.answer->from;
        for (size_t i = 0; i < t->n_waiting; i++) {
            int64_t end = t->ghosts[i].note.start + t->ghosts[i].note.length;
            s->request.to = end > s->request.to ? end : s->request.to;
        }
        const struct timeline *of = session_timeline(s);
        int64_t bars = 1 + timeline_bar_at(of, s->request.to - 1).index -
                       timeline_bar_at(of, s->request.from).index;
        /* For r, which makes a take of that span. */
        s->request.asked.bars = s->request.asked.options.bars =
            bars < CONTINUATION_MAX_BARS ? (int)bars : CONTINUATION_MAX_BARS;
        hearing_changed(s);
        session_set_mode(s, MODE_TAKES); /* a line that is being typed stays */
        session_show_cursor(s);          /* which is where it began */
        session_say(s, "%zu notes of both wait: a accepts them, v then a some, x none",
                    t->n_waiting);
    } else {
        session_drop_take(s);
        session_show_cursor(s);
        session_say(s, "nothing was played");
    }
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
    bool is_lost =
        at >= 0 && !has_place && s->takes.list[at].is_played &&
        (s->takes.list[at].n_waiting || (answer_is_on(s) && answer_n_held(s)));
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

/* A word, with one after it where it takes one. false: it is not understood. */
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
        s->parts.answer->options = options; /* from the next turn, if it is running */
        if (!answer_is_on(s))
            begin(s);
    }
}

/* Commands about takes find that playing together has ended. */
static void stop_before(struct session *s, enum command_id id)
{
    if (commands[id].flags & OF_TAKES)
        answer_stop(s);
}

static bool escape(struct session *s)
{
    return s->view.mode == MODE_NORMAL && answer_stop(s);
}

static void stop_with_model(struct session *s)
{
    answer_stop(s);
}

const struct editor_part ANSWER_PART = {
    PART_STATE(answer),    .init = init,          .fini = fini,
    .before = stop_before, .take_dropped = leave, .model_goes = stop_with_model,
    .escape = escape,      .tick = answer_tick,   .timeout_ms = answer_timeout_ms,
    .view = answer_view,
};
