/* The machine proposes: continue, try again, accept, reject, stop. What it
 * proposes are ghosts, heard and seen but not part of the score until accepted,
 * which is then one step of undo. */
#include "app/session.h"

#include <stdio.h>
#include <stdlib.h>

static bool machine_ready(struct session *s)
{
    struct generator_progress p;
    generator_progress(s->generator, &p);
    if (p.failed)
        session_error(s, "%s", p.error);
    return !p.failed;
}

static void ask(struct session *s)
{
    struct score *snapshot = score_clone(s->project.score);
    if (!snapshot) {
        session_error(s, "out of memory");
        return;
    }
    session_drop_ghosts(s);
    generator_start(s->generator, snapshot, &s->asked);
    s->mode = MODE_TAKES;
    s->first_ghost_ms = 0;
    s->follow = true;
    session_say(s, "continuing for %d bar%s; Ctrl-C stops", s->asked.bars,
                s->asked.bars == 1 ? "" : "s");
}

void act_continue(struct session *s, const struct command *c)
{
    if (s->n_ghosts) {
        s->mode = MODE_TAKES;
        session_say(s, "a take is waiting: a accepts it, x rejects it, r tries again");
        return;
    }
    if (!machine_ready(s))
        return;
    if (!s->project.score->n_tracks)
        act_command_line(s, "track Piano"); /* somewhere for the notes to go */
    int bars = c->count > 0 ? c->count : 4;
    if (bars > CONTINUATION_MAX_BARS) {
        session_say(s, "at most %d bars at a time", CONTINUATION_MAX_BARS);
        return;
    }
    s->asked.bars = bars;
    s->asked.options.bars = bars;
    s->take = 1;
    session_clear_selection(s);
    ask(s);
}

void act_again(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->asked.bars) {
        session_say(s, "nothing to try again yet: C continues the music");
        return;
    }
    if (!machine_ready(s))
        return;
    s->asked.options.sampling.seed++;
    s->take++;
    ask(s);
}

void act_accept(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->n_ghosts) {
        session_say(s, "no take is waiting: C continues the music");
        return;
    }
    generator_cancel(s->generator);
    char label[64];
    snprintf(label, sizeof label, "continue, %zu notes (seed %llu)", s->n_ghosts,
             (unsigned long long)s->asked.options.sampling.seed);
    struct change *change = change_create(label);
    bool ok = change != NULL;
    for (size_t i = 0; ok && i < s->n_ghosts; i++) {
        struct note n = s->ghosts[i].note;
        n.id = 0;
        ok = change_add_note(change, s->ghosts[i].track, n) == MIDI_OK;
    }
    if (!ok) {
        change_destroy(change);
        session_error(s, "out of memory: the take is still waiting");
        return;
    }
    size_t n = s->n_ghosts;
    if (!session_do(s, change))
        return;
    session_drop_ghosts(s);
    s->asked.options.sampling.seed++; /* the next C is a new idea */
    session_say(s, "accepted %zu notes; u takes them back", n);
}

void act_reject(struct session *s, const struct command *c)
{
    (void)c;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    if (!s->n_ghosts && !p.running) {
        session_say(s, "no take is waiting");
        s->mode = MODE_NORMAL;
        return;
    }
    generator_cancel(s->generator);
    session_drop_ghosts(s);
    s->asked.options.sampling.seed++;
    session_say(s, "rejected; nothing was changed");
}

void act_stop(struct session *s, const struct command *c)
{
    (void)c;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    if (p.running) {
        generator_cancel(s->generator);
        session_say(s, s->n_ghosts ? "stopped; a keeps what is there, x rejects it"
                                   : "stopped");
    } else {
        session_say(s, "nothing is being generated; :q leaves the program");
    }
}

void act_takes(struct session *s, const struct command *c)
{
    (void)c;
    if (s->n_ghosts)
        s->mode = MODE_TAKES;
    else
        session_say(s, "no take is waiting: C continues the music");
}

void session_drop_ghosts(struct session *s)
{
    s->n_ghosts = 0;
    s->hole_from = s->hole_to = 0;
    s->ghosts_changed = true;
    if (s->mode == MODE_TAKES)
        s->mode = MODE_NORMAL;
}
