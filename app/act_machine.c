/* The machine proposes: continue, try again, accept, reject, stop. What it
 * proposes are ghosts, heard and seen but not part of the score until accepted,
 * which is then one step of undo. */
#include "app/overlap.h"
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
    if (!s->project.score->n_tracks)
        act_command_line(s, "track Piano"); /* somewhere for the notes to go */
    struct score *snapshot = score_clone(s->project.score);
    if (!snapshot) {
        session_error(s, "out of memory: nothing was asked");
        return;
    }
    session_drop_take(s);
    generator_start(s->generator, snapshot, &s->asked);
    s->has_take = s->was_running = true;
    s->take_tracks = (int)s->project.score->n_tracks;
    s->mode = MODE_TAKES;
    s->first_ghost_ms = 0;
    s->follow = true;
    session_say(s, "continuing for %d bar%s; Ctrl-C stops", s->asked.bars,
                s->asked.bars == 1 ? "" : "s");
}

void act_continue(struct session *s, const struct command *c)
{
    int bars = c->count > 0 ? c->count : 4;
    if (s->has_take) {
        s->mode = MODE_TAKES;
        session_say(s, "a take is waiting: a accepts it, x rejects it, r tries again");
        return;
    }
    if (bars > CONTINUATION_MAX_BARS) {
        session_say(s, "at most %d bars at a time", CONTINUATION_MAX_BARS);
        return;
    }
    if (!machine_ready(s))
        return;
    s->asked.bars = s->asked.options.bars = bars;
    s->take = 1;
    session_clear_selection(s);
    ask(s);
}

void act_again(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->asked.bars) {
        session_say(s, "nothing to try again: C continues the music");
        return;
    }
    if (!machine_ready(s))
        return;
    s->asked.options.sampling.seed++;
    s->take++;
    ask(s);
}

/* Adds to `c` what the take has for one track, but for notes that would overlap one
 * drawn there since. `notes` and `is_bad` have room for them all. */
static enum midi_status accept_track(struct session *s, struct change *c, int track,
                                     struct note *notes, bool *is_bad)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_ghosts; i++) {
        if (s->ghosts[i].track != track)
            continue;
        is_bad[n] = false;
        notes[n] = s->ghosts[i].note;
        notes[n++].id = 0;
    }
    overlap_count(&s->project.score->tracks[track], NULL, 0, notes, n, is_bad);
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < n; i++)
        if (!is_bad[i])
            st = change_add_note(c, track, notes[i]);
    return st;
}

/* The take as one change. NULL: out of memory. */
static struct change *take_change(struct session *s)
{
    char label[64];
    snprintf(label, sizeof label, "continue, %zu notes (seed %llu)", s->n_ghosts,
             (unsigned long long)s->asked.options.sampling.seed);
    struct change *c = change_create(label);
    struct note *notes = calloc(s->n_ghosts, sizeof *notes);
    bool *is_bad = calloc(s->n_ghosts, sizeof *is_bad);
    bool ok = c && notes && is_bad;
    for (int t = 0; ok && t < s->take_tracks; t++)
        ok = accept_track(s, c, t, notes, is_bad) == MIDI_OK;
    free(notes);
    free(is_bad);
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}

void act_accept(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->n_ghosts) {
        session_say(s, "no notes are waiting: C continues the music");
        return;
    }
    session_stop_take(s);
    struct change *change = take_change(s);
    if (!change) {
        session_error(s, "out of memory: the take is still waiting");
        return;
    }
    size_t n = change_n_edits(change), n_left_out = s->n_ghosts - n;
    if (!n) {
        change_destroy(change);
        session_say(s, "nothing to accept: notes of the same pitch are there already");
        return;
    }
    if (!session_do(s, change))
        return;
    session_drop_take(s);
    s->asked.bars = 0;
    s->asked.options.sampling.seed++; /* the next C is a new idea */
    if (n_left_out)
        session_say(s, "accepted %zu notes; %zu left out, where yours are", n,
                    n_left_out);
    else
        session_say(s, "accepted %zu notes; u takes them back", n);
}

void act_reject(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->has_take) {
        session_say(s, "no take is waiting");
        return;
    }
    session_drop_take(s);
    s->asked.options.sampling.seed++;
    session_say(s, "rejected; nothing was changed");
}

void act_stop(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->was_running) {
        session_say(s, "nothing is being generated; :q leaves the program");
        return;
    }
    session_stop_take(s);
    if (s->n_ghosts) {
        session_say(s, "stopped; a keeps what is there, x rejects it");
    } else {
        session_drop_take(s);
        session_say(s, "stopped");
    }
}
