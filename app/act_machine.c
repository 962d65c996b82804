/* The machine proposes: continue, try again, accept, reject, stop. What it
 * proposes are ghosts, heard and seen but not part of the score until accepted,
 * which is then one step of undo, with what they replace. */
#include "app/machine.h"
#include "app/overlap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    s->mode = MODE_TAKES;
    session_say(s, "a take is waiting: a accepts it, x rejects it, r tries again");
    return false;
}

static void say_what_was_asked(struct session *s)
{
    char name[64];
    if (hole_is_asked(s))
        session_say(s, "filling %s; Ctrl-C stops", hole_name(s, name));
    else
        session_say(s, "continuing for %d bar%s; Ctrl-C stops", s->asked.bars,
                    s->asked.bars == 1 ? "" : "s");
}

bool machine_ask(struct session *s)
{
    if (!s->project.score->n_tracks)
        act_command_line(s, "track Piano"); /* somewhere for the notes to go */
    struct score *snapshot = score_clone(s->project.score);
    if (!snapshot) {
        session_error(s, "out of memory: nothing was asked");
        return false;
    }
    steer_apply(&s->steering, &s->asked.options);
    rewrite_take_out(snapshot, &s->asked.options, &s->rewritten);
    session_clear_take(s);
    generator_start(s->generator, snapshot, &s->asked);
    s->has_take = s->was_running = true;
    s->take_tracks = (int)s->project.score->n_tracks;
    if (hole_is_asked(s)) {
        s->hole_from = s->asked.options.hole.from_tick;
        s->hole_to = s->asked.options.hole.to_tick;
    }
    s->mode = MODE_TAKES;
    s->first_ghost_ms = 0;
    s->follow = true;
    say_what_was_asked(s);
    return true;
}

void act_continue(struct session *s, const struct command *c)
{
    int bars = c->count > 0 ? c->count : 4;
    if (bars > CONTINUATION_MAX_BARS) {
        session_say(s, "at most %d bars at a time", CONTINUATION_MAX_BARS);
        return;
    }
    if (!machine_is_free(s))
        return;
    s->asked.bars = s->asked.options.bars = bars;
    s->asked.options.hole = CONTINUATION_HOLE_DEFAULT;
    s->asked.options.tracks = 0;
    s->take = 1;
    session_clear_selection(s);
    machine_ask(s);
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
    /* Of a waiting take the notes to replace are known; those drawn since stand. */
    if (!s->has_take && hole_is_asked(s) && !hole_collect(s))
        return;
    s->steering.seed++;
    s->take++;
    if (!machine_ask(s) && !s->has_take)
        rewritten_forget(&s->rewritten);
}

/* Room for the notes of one track. */
struct accepting {
    struct note *old; /* what goes, in the track's order */
    struct note *new; /* what comes, in order of time */
    bool *is_bad;     /* of `new`: it would overlap a note drawn there since */
};

static bool accepting_init(struct accepting *a, const struct session *s)
{
    *a = (struct accepting){calloc(s->rewritten.n_there + 1, sizeof *a->old),
                            calloc(s->n_ghosts + 1, sizeof *a->new),
                            calloc(s->n_ghosts + 1, sizeof *a->is_bad)};
    return a->old && a->new && a->is_bad;
}

static void accepting_fini(struct accepting *a)
{
    free(a->old);
    free(a->new);
    free(a->is_bad);
}

static size_t collect_old(const struct session *s, int track, struct note *old)
{
    const struct track *t = &s->project.score->tracks[track];
    size_t n = 0;
    for (size_t i = 0; n < s->rewritten.n_there && i < t->n_notes; i++)
        if (rewrite_goes(&s->asked.options, &s->rewritten, track, &t->notes[i]))
            old[n++] = t->notes[i];
    return n;
}

static size_t collect_new(const struct session *s, int track, struct note *new)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_ghosts; i++) {
        if (s->ghosts[i].track != track)
            continue;
        new[n] = s->ghosts[i].note;
        new[n++].id = 0;
    }
    return n;
}

/* Adds to `c` what the take changes on one track. */
static enum midi_status accept_track(struct session *s, struct change *c, int track,
                                     struct accepting *a)
{
    size_t n_old = collect_old(s, track, a->old), n = collect_new(s, track, a->new);
    memset(a->is_bad, 0, n * sizeof *a->is_bad);
    overlap_count(&s->project.score->tracks[track], a->old, n_old, a->new, n,
                  a->is_bad);
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < n_old; i++)
        st = change_remove_note(c, track, &a->old[i]);
    for (size_t i = 0; !st && i < n; i++)
        if (!a->is_bad[i])
            st = change_add_note(c, track, a->new[i]);
    return st;
}

static struct change *labelled_change(const struct session *s)
{
    char label[128], name[64];
    snprintf(label, sizeof label, "%s%s, %zu notes (seed %llu)",
             hole_is_asked(s) ? "fill " : "continue",
             hole_is_asked(s) ? hole_name(s, name) : "", s->n_ghosts,
             (unsigned long long)s->asked.options.sampling.seed);
    return change_create(label);
}

/* The take as one change. NULL: out of memory. */
static struct change *take_change(struct session *s)
{
    struct accepting a;
    struct change *c = labelled_change(s);
    bool ok = accepting_init(&a, s) && c;
    for (int t = 0; ok && t < s->take_tracks; t++)
        ok = accept_track(s, c, t, &a) == MIDI_OK;
    accepting_fini(&a);
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}

static void say_what_was_accepted(struct session *s, size_t n, size_t n_left_out,
                                  size_t n_gone)
{
    if (n_left_out)
        session_say(s, "accepted %zu notes; %zu left out, where yours are", n,
                    n_left_out);
    else if (n_gone)
        session_say(s, "accepted %zu notes in place of %zu; u brings those back", n,
                    n_gone);
    else
        session_say(s, "accepted %zu notes; u takes them back", n);
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
    size_t n_gone = s->rewritten.n_there, n = change_n_edits(change) - n_gone,
           n_left_out = s->n_ghosts - n;
    if (!n) {
        change_destroy(change);
        session_say(s, "nothing to accept: notes of the same pitch are there already");
        return;
    }
    if (!session_do(s, change))
        return;
    session_drop_take(s);
    s->asked.bars = 0;
    s->steering.seed++; /* the next C is a new idea */
    say_what_was_accepted(s, n, n_left_out, n_gone);
}

void act_reject(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->has_take) {
        session_say(s, "no take is waiting");
        return;
    }
    session_drop_take(s);
    s->steering.seed++;
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
        session_say(s, hole_is_asked(s)
                           ? "stopped; a puts what is there in the hole, x rejects it"
                           : "stopped; a keeps what is there, x rejects it");
    } else {
        session_drop_take(s);
        session_say(s, "stopped");
    }
}
