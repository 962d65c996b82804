/* Accepts a take, or the part of it in a box: its notes go into the score and the notes
 * it replaces go, in one step of undo. */
#include "app/editor/takes/takes.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/machine.h"
#include "app/generation/surroundings.h"
#include "midi/edit/apply.h"

#include <stdio.h>
#include <string.h>

/* What is accepted. */
struct accepting {
    const struct proposal *take;
    struct displaced displaced; /* by it */
    struct box part;            /* notes that begin in it */

    size_t n_new, n_old, n_left_out; /* of all tracks */
    struct surroundings around;      /* what changes beside the notes */
};

static bool is_in(const struct box *b, const struct note *n)
{
    return n->start >= b->from && n->start < b->to && n->pitch >= b->pitch_lo &&
           n->pitch <= b->pitch_hi;
}

/* Adds the removal of the notes of a track that go; returns how many. */
static size_t remove_old(const struct session *s, struct change *c, int track,
                         const struct accepting *a)
{
    const struct track *t = &s->project.score->tracks[track];
    size_t n = 0;
    for (size_t i = score_first_note_at(s->project.score, track, s->request.from);
         i < t->n_notes && t->notes[i].start < s->request.to; i++)
        if (is_in(&a->part, &t->notes[i]) &&
            displaced_has(&a->displaced, t->notes[i].id)) {
            change_remove_note(c, track, &t->notes[i]);
            n++;
        }
    return n;
}

static size_t n_ghosts_in(const struct proposal *t, const struct box *part)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_waiting; i++)
        n += is_in(part, &t->ghosts[i].note);
    return n;
}

static struct change *labelled_change(const struct session *s,
                                      const struct accepting *a, bool is_all)
{
    const struct proposal *t = a->take;
    char label[128], name[64], part[16] = "";
    size_t n = n_ghosts_in(t, &a->part);
    if (!is_all)
        snprintf(part, sizeof part, ", part of %d", proposal_number(t->letter));
    snprintf(label, sizeof label, "%s%s%s, %zu notes (seed %llu)",
             t->is_played       ? "play together"
             : band_waits(s)    ? "accompany with "
             : hole_is_asked(s) ? "fill "
                                : "continue",
             band_waits(s)      ? band_words(s)
             : hole_is_asked(s) ? hole_name(s, name)
                                : "",
             part, n, (unsigned long long)t->options.sampling.seed);
    return change_create(label);
}

void accept_say_selected(const struct session *s, char *buf, size_t n)
{
    const struct proposal *t = proposals_shown(&s->takes);
    *buf = '\0';
    if (!t || !s->selection.has_box)
        return;
    size_t there = n_ghosts_in(t, &s->selection.box);
    snprintf(buf, n, "a accepts %zu note%s of take %d", there, plural(there),
             proposal_number(t->letter));
}

/* What changes beside the notes, where those that go are gone. */
static void accept_surroundings(struct session *s, struct change *c,
                                struct accepting *a)
{
    struct surroundings *u = &a->around;
    if (!hearing_surroundings(s, a->take, a->part.from, a->part.to, u))
        return;
    struct score *stays = score_clone(s->project.score);
    struct change *gone = change_create("");
    for (int t = 0; t < s->request.n_tracks; t++)
        remove_old(s, gone, t, a);
    enum midi_status st = stays ? change_apply(gone, stays, true) : MIDI_NO_MEMORY;
    change_fail(c, st ? st : surroundings_add(u, c, s->project.score, stays));
    change_destroy(gone);
    score_destroy(stays);
}

/* It as one change; one that fails was short of memory. */
static struct change *change_for(struct session *s, struct accepting *a, bool is_all)
{
    struct change *c = labelled_change(s, a, is_all);
    if (!displaced_by(&a->displaced, s, s->takes.shown))
        change_fail(c, MIDI_NO_MEMORY);
    for (int t = 0; t < s->request.n_tracks; t++) {
        a->n_old += remove_old(s, c, t, a);
        for (size_t i = 0; i < a->take->n_waiting; i++) {
            const struct ghost *g = &a->take->ghosts[i];
            if (g->track != t || !is_in(&a->part, &g->note))
                continue;
            change_add_note(c, t, g->note);
            a->n_new++;
        }
    }
    a->n_left_out = change_settle(c, s->project.score, OVERLAP_SKIP);
    a->n_new -= a->n_left_out;
    accept_surroundings(s, c, a);
    proposal_add_gestures(a->take, c, s->project.score, a->part.from, a->part.to);
    displaced_fini(&a->displaced);
    return c;
}

static void say_what_was_accepted(struct session *s, const struct accepting *a,
                                  const char *rest)
{
    char kinds[80], restored[112] = "";
    if (*held_say(&a->around.out, kinds, sizeof kinds))
        snprintf(restored, sizeof restored, ", and restored the %s", kinds);
    if (a->n_left_out)
        session_say(s, "accepted %zu notes%s; left out %zu where yours are%s", a->n_new,
                    restored, a->n_left_out, rest);
    else if (a->n_old)
        session_say(s, "accepted %zu notes in place of %zu%s; u undoes this%s",
                    a->n_new, a->n_old, restored, rest);
    else
        session_say(s, "accepted %zu notes%s; u undoes this%s", a->n_new, restored,
                    rest);
}

/* Whether a take with notes is shown; if not, tells the user. */
static bool is_there(struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    if (t && t->n_waiting)
        return true;
    if (t && t->n_ghosts)
        session_say(s, "all of take %d is accepted: X rejects the others",
                    proposal_number(t->letter));
    else if (s->takes.n && !t)
        session_say(s, "this is the original: n shows a take");
    else if (s->takes.n > 1)
        session_say(s, "take %d has no notes: n shows the next",
                    proposal_number(t->letter));
    else
        session_say(s, "no take waits: C continues the music");
    return false;
}

/* false: nothing was accepted, and the user was told. */
static bool accept(struct session *s, const struct box *part, struct accepting *a,
                   bool is_all)
{
    session_stop_take(s);
    if (!is_there(s))
        return false;
    *a = (struct accepting){.take = proposals_shown(&s->takes), .part = *part};
    struct change *change = change_for(s, a, is_all);
    if (change_status(change)) {
        change_destroy(change);
        session_error(s, "out of memory: the take is still waiting");
        return false;
    }
    if (a->n_new || (a->n_old && !is_all))
        return band_do_with_tracks(s, change);
    change_destroy(change);
    session_say(s, a->n_left_out
                       ? "nothing to accept: notes of the same pitch are already there"
                       : "no note of this take begins there");
    return false;
}

void act_accept(struct session *s)
{
    const struct box all = {0, INT64_MAX, 0, 127};
    struct accepting a;
    if (!is_there(s) || !accept(s, &all, &a, true))
        return;
    session_drop_take(s);
    s->request.asked.bars = 0;
    say_what_was_accepted(s, &a, "");
}

/* The rest still waits, so that another part may come from another take. */
void act_accept_part(struct session *s)
{
    struct accepting a;
    struct box part = s->selection.box;
    if (!s->has_take || !s->selection.has_box || s->view.mode != MODE_SELECT) {
        session_say(s, "no take waits: c rewrites the selection");
        return;
    }
    if (is_there(s) && accept(s, &part, &a, false))
        say_what_was_accepted(s, &a, "; the rest waits");
    session_clear_selection(s);
    if (s->has_take)
        s->view.mode = MODE_TAKES;
}
