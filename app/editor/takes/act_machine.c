/* The machine is asked: continue, try again, stop. What it proposes are ghosts, heard
 * and seen but not part of the score until accepted (app/editor/takes/act_accept.c). */
#include "app/editor/takes/framing.h"
#include "app/editor/takes/asking.h"
#include "app/editor/takes/machine.h"
#include "app/generation/request.h"

#include <time.h>
#include <stdio.h>

enum { PAUSE_MS = 200 }; /* without an edit, before the machine reads */

enum { USUAL_BARS = 4 }; /* C */

static bool machine_ready(struct session *s)
{
    struct generator_progress p;
    generator_progress(s->generator, &p);
    if (p.failed)
        session_error(s, "%s", p.error);
    return !p.failed;
}

bool machine_is_free(struct session *s)
{
    if (!s->has_take)
        return machine_ready(s);
    session_clear_selection(s);
    s->mode = MODE_TAKES;
    if (s->takes.n == 1)
        session_say(s, "a take is waiting: a accepts it, x rejects it, r tries again");
    else
        session_say(s, "%d takes are waiting: a accepts one, X rejects them all",
                    s->takes.n);
    return false;
}

/* 0: there are no numbers left for any. */
static int n_takes_to_ask(const struct session *s)
{
    int n = s->takes_once ? s->takes_once : s->steering.n_takes;
    int left = PROPOSALS_MAX - (s->has_take ? s->takes.n_letters : 0);
    return n < left ? n : left;
}

static void say_what_was_asked(struct session *s, int n_takes)
{
    char name[64], takes[24] = "";
    if (n_takes > 1)
        snprintf(takes, sizeof takes, ", %d takes", n_takes);
    if (hole_is_asked(s))
        session_say(s, "filling %s%s; Ctrl-C stops", hole_name(s, name), takes);
    else
        session_say(s, "continuing for %d bar%s%s; Ctrl-C stops", s->asked.bars,
                    s->asked.bars == 1 ? "" : "s", takes);
}

/* The music without what the takes would replace, and with what is kept of the one that
 * is shown. The caller's; NULL: out of memory. */
static struct score *what_it_hears(const struct session *s)
{
    struct score *heard = score_clone(s->project.score);
    const struct proposal *t = proposals_shown(&s->takes);
    if (!heard || !rewrite_take_out(heard, &s->asked.options, &s->rewritten)) {
        score_destroy(heard);
        return NULL;
    }
    for (size_t i = 0; t && i < t->n_waiting; i++)
        if (t->ghosts[i].is_kept)
            score_add_note(heard, t->ghosts[i].track, t->ghosts[i].note);
    return heard;
}

/* More takes of a continuation are of the same span, although by now something may stand
 * in it, or the music end elsewhere: then that span is a hole. */
static void stay_in_place(struct session *s, const struct score *heard,
                          struct continuation_options *o)
{
    if (s->takes.n && !hole_is_asked(s) && s->hole_to > s->hole_from &&
        score_end_tick(heard) != s->music_end) {
        o->hole.from_tick = s->hole_from;
        o->hole.to_tick = s->hole_to;
        o->keep = HOLE_PLAN_NONE; /* it held nothing */
    }
}

/* Which notes stay where they are was settled when the hole was first asked for. */
static void steer(struct session *s)
{
    struct continuation_options *o = &s->asked.options, before = *o;
    steer_apply(&s->steering, o);
    if (hole_is_asked(s)) {
        o->stays = before.stays;
        o->stays_seed = before.stays_seed;
    }
}

/* Takes `heard`. */
static bool start(struct session *s, struct score *heard, struct generation *wanted)
{
    struct continuation_options *o = &wanted->options;
    o->muted = s->muted.heads;
    o->n_muted = s->muted.n;
    bool ok = asking_gather(o, s) && proposals_begin(&s->takes, o);
    if (!s->has_take)
        s->music_end = score_end_tick(heard);
    if (!ok)
        score_destroy(heard);
    else if (!generator_start(s->generator, heard, wanted)) {
        proposals_end(&s->takes, true); /* of these nothing came */
        ok = false;
    }
    request_fini(o);
    return ok;
}

static bool begin(struct session *s, struct score *heard)
{
    steer(s);
    struct generation wanted = s->asked;
    wanted.options.n_takes = n_takes_to_ask(s);
    stay_in_place(s, heard, &wanted.options);
    if (!start(s, heard, &wanted))
        return false;
    s->steering.seed += (uint64_t)wanted.options.n_takes;
    say_what_was_asked(s, wanted.options.n_takes);
    return true;
}

bool machine_ask(struct session *s)
{
    if (!s->project.score->n_tracks)
        act_command_line(s, "track Piano"); /* somewhere for the notes to go */
    session_stop_take(s);
    struct score *heard = what_it_hears(s);
    if (!heard || !begin(s, heard)) {
        session_error(s, "out of memory: nothing was asked");
        return false;
    }
    s->has_take = s->was_running = s->sound_changed = true;
    s->take_tracks = (int)s->project.score->n_tracks;
    if (hole_is_asked(s)) {
        s->hole_from = s->asked.options.hole.from_tick;
        s->hole_to = s->asked.options.hole.to_tick;
    }
    s->mode = MODE_TAKES;
    framing_begin_anew(s);
    s->first_ghost_ms = 0;
    s->follow = true;
    return true;
}

/* -- reading ahead -- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void read_now(struct session *s)
{
    struct generation expected = {.options = CONTINUATION_DEFAULT, .bars = USUAL_BARS};
    struct score *heard =
        score_n_notes(s->project.score) ? score_clone(s->project.score) : NULL;
    if (!heard)
        return;
    expected.options.bars = USUAL_BARS;
    steer_apply(&s->steering, &expected.options);
    generator_read_ahead(s->generator, heard, &expected);
}

static bool may_read_ahead(const struct session *s)
{
    return !s->has_take && s->ahead.read != s->project.version;
}

/* Where the music has been let alone for a moment the machine reads it, so that it need
 * not when it is asked. */
static void read_ahead(struct session *s)
{
    struct read_ahead *a = &s->ahead;
    if (a->seen != s->project.version) {
        a->seen = s->project.version;
        a->seen_ms = now_ms();
    }
    if (!may_read_ahead(s) || now_ms() - a->seen_ms < PAUSE_MS)
        return;
    a->read = a->seen;
    read_now(s);
}

/* What was opened is read at once. */
static void read_afresh(struct session *s)
{
    s->ahead =
        (struct read_ahead){.seen = s->project.version, .seen_ms = now_ms() - PAUSE_MS};
}

static int ahead_timeout_ms(const struct session *s)
{
    return may_read_ahead(s) ? PAUSE_MS : -1;
}

static void act_continue(struct session *s, const struct command *c)
{
    int bars = c->count > 0 ? c->count : USUAL_BARS;
    if (bars > CONTINUATION_MAX_BARS) {
        session_say(s, "at most %d bars at a time", CONTINUATION_MAX_BARS);
        return;
    }
    if (!machine_is_free(s))
        return;
    s->asked.bars = s->asked.options.bars = bars;
    s->asked.options.hole = CONTINUATION_HOLE_DEFAULT;
    s->asked.options.tracks = 0;
    s->takes_once = 0;
    session_clear_selection(s);
    machine_ask(s);
}

static void act_again(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->asked.bars) {
        session_say(s, "nothing to try again: C continues the music");
        return;
    }
    if (!machine_ready(s))
        return;
    if (!n_takes_to_ask(s)) {
        session_say(s, "take 26 was the last: a accepts one, X rejects them all");
        return;
    }
    /* Of waiting takes the notes to replace are known; those drawn since stand. */
    if (!s->has_take && hole_is_asked(s) && !hole_collect(s))
        return;
    if (!machine_ask(s) && !s->has_take)
        rewritten_forget(&s->rewritten);
}

static bool stop_another(struct session *s)
{
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->stop && (*p)->stop(s))
            return true;
    return false;
}

static void act_stop(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->was_running && stop_another(s))
        return; /* its end will be told */
    if (!s->was_running) {
        session_say(s, "nothing is being generated; :q leaves the program");
        return;
    }
    session_stop_take(s);
    if (proposals_best(&s->takes) >= 0) {
        session_say(s, hole_is_asked(s)
                           ? "stopped; a puts what is there in the hole, x rejects it"
                           : "stopped; a keeps what is there, x rejects it");
    } else {
        session_drop_take(s);
        session_say(s, "stopped");
    }
}

static const struct act_row COMMANDS[] = {
    {CMD_CONTINUE, act_continue},
    {CMD_AGAIN, act_again},
    {CMD_STOP, act_stop},
    {0},
};

const struct editor_part MACHINE_PART = {.commands = COMMANDS,
                                         .reset = read_afresh,
                                         .tick = read_ahead,
                                         .timeout_ms = ahead_timeout_ms};
