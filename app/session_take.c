/* What the machine has proposed: notes arrive from the model thread as ghosts, are
 * seen and heard, and wait outside the score until they are accepted or dropped.
 *
 * A take begins when it is asked for (app/act_machine.c) and ends in
 * session_drop_take, whatever became of it. */
#include "app/session.h"

#include <math.h>
#include <stdlib.h>

static bool add_ghost(struct session *s, const struct continued_note *n)
{
    if (s->n_ghosts == s->cap_ghosts) {
        size_t cap = s->cap_ghosts ? 2 * s->cap_ghosts : 256;
        struct ghost *grown = reallocarray(s->ghosts, cap, sizeof *grown);
        if (!grown)
            return false;
        s->ghosts = grown;
        s->cap_ghosts = cap;
    }
    s->ghosts[s->n_ghosts++] = (struct ghost){
        .track = n->track, .note = n->note, .probability = expf(n->log_prob)};
    return true;
}

static void show_newest(struct session *s)
{
    if (s->n_ghosts && s->follow && !player_is_playing(s->player))
        viewport_show(&s->port, &s->layout, s->ghosts[s->n_ghosts - 1].note.start,
                      s->cursor_pitch);
}

void session_collect(struct session *s)
{
    struct continued_note notes[64];
    size_t n;
    while ((n = generator_take(s->generator, notes, 64)) > 0) {
        for (size_t i = 0; i < n; i++)
            if (!add_ghost(s, &notes[i]))
                session_error(s, "out of memory: some of the take was lost");
        s->sound_changed = true;
        show_newest(s);
    }
}

static void say_how_it_ended(struct session *s, const struct generator_progress *p)
{
    if (p->failed || p->request_failed)
        session_error(s, "%s", p->error);
    else if (s->n_ghosts)
        session_say(s,
                    "%zu notes in %.1f s: Space hears them, a accepts, x rejects, r "
                    "tries again",
                    s->n_ghosts, p->seconds);
    else
        session_say(s, "the machine had nothing to add here: r tries again");
}

void session_watch_take(struct session *s)
{
    if (!s->has_take)
        return;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    const struct continuation_stats *first = &p.takes[0];
    if (first->to_tick > first->from_tick && !s->rewritten.asked) {
        s->hole_from = first->from_tick;
        s->hole_to = first->to_tick;
    }
    if (p.seconds_to_first > 0)
        s->first_ghost_ms = 1000 * p.seconds_to_first;
    bool ended = s->was_running && !p.running;
    s->was_running = p.running;
    if (!ended)
        return;
    session_collect(s); /* what came between the last look and the end */
    say_how_it_ended(s, &p);
    if (!s->n_ghosts)
        session_drop_take(s);
}

void session_stop_take(struct session *s)
{
    session_collect(s);
    generator_cancel(s->generator);
    s->was_running = false;
}

void session_clear_take(struct session *s)
{
    session_stop_take(s);
    s->n_ghosts = 0;
    s->hole_from = s->hole_to = 0;
    s->sound_changed = true;
}

void session_drop_take(struct session *s)
{
    session_clear_take(s);
    rewritten_forget(&s->rewritten);
    s->has_take = false;
    if (s->mode == MODE_TAKES)
        s->mode = MODE_NORMAL;
    if (s->mode_before == MODE_TAKES)
        s->mode_before = MODE_NORMAL;
}

struct score *session_heard(const struct session *s)
{
    struct score *snapshot = score_clone(s->project.score);
    if (snapshot)
        rewrite_take_out(snapshot, &s->asked.options, &s->rewritten);
    for (size_t i = 0; snapshot && i < s->n_ghosts; i++) {
        struct note n = s->ghosts[i].note;
        n.id = 0;
        score_add_note(snapshot, s->ghosts[i].track, n);
    }
    return snapshot;
}

void session_publish(struct session *s)
{
    if (s->published == s->project.version && !s->sound_changed)
        return;
    struct score *snapshot = session_heard(s);
    if (!snapshot) {
        session_error(s, "out of memory: the newest notes are not heard");
        return;
    }
    player_set_score(s->player, snapshot);
    s->published = s->project.version;
    s->sound_changed = false;
}
