/* Accepts a take, or the part of it in a box: its notes are added to the score, and the notes
 * it replaces are removed, in one step of undo. */
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/machine.h"
#include "app/editor/session/edit.h"
#include "app/editor/takes/takes.h"
#include "app/generation/surroundings.h"
#include "midi/edit/apply.h"

#include <stdio.h>

static bool is_in(const struct box *b, const struct note *n)
{
    return n->start >= b->from && n->start < b->to && n->pitch >= b->pitch_lo &&
           n->pitch <= b->pitch_hi;
}

/* Adds the removal of the notes in `part` that the take displaces; returns how
 * many. */
static size_t remove_displaced(const struct session *s, struct change *c,
                               const struct box *part, const struct displaced *d)
{
    const struct score *score = s->project.score;
    size_t n = 0;
    for (int track = 0; track < s->request.n_tracks; track++) {
        const struct track *t = &score->tracks[track];
        for (size_t i = score_first_note_at(score, track, s->request.from);
             i < t->n_notes && t->notes[i].start < s->request.to; i++)
            if (is_in(part, &t->notes[i]) && displaced_has(d, t->notes[i].id)) {
                change_remove_note(c, track, &t->notes[i]);
                n++;
            }
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

/* Returns whether a take with notes is shown; if none is, tells the user. */
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

/* Accepts the notes of the shown take that begin in `part`, in one step of
 * undo. rest: the end of what is said. false: nothing was accepted, and the
 * user was told. */
static bool accept(struct session *s, const struct box *part, bool is_all,
                   const char *rest)
{
    char kinds[80], name[64], of[16] = "";
    struct displaced displaced;
    struct surroundings around;
    if (!is_there(s))
        return false;
    session_stop_take(s);
    if (!is_there(s))
        return false;
    const struct proposal *t = proposals_shown(&s->takes);
    const char *band = band_words(s);
    if (!is_all)
        snprintf(of, sizeof of, ", part of %d", proposal_number(t->letter));
    struct change *c = edit_begin("%s%s%s, %zu notes (seed %llu)",
                                  t->is_played       ? "play together"
                                  : band             ? "accompany with "
                                  : hole_is_asked(s) ? "fill "
                                                     : "continue",
                                  band               ? band
                                  : hole_is_asked(s) ? hole_name(s, name)
                                                     : "",
                                  of, n_ghosts_in(t, part),
                                  (unsigned long long)t->options.sampling.seed);
    if (!displaced_by(&displaced, s, s->takes.shown))
        change_fail(c, MIDI_NO_MEMORY);
    size_t n_new = 0;
    const size_t n_old = remove_displaced(s, c, part, &displaced);
    for (size_t i = 0; i < t->n_waiting; i++) {
        const struct ghost *g = &t->ghosts[i];
        if (g->track >= 0 && g->track < s->request.n_tracks && is_in(part, &g->note)) {
            change_add_note(c, g->track, g->note);
            n_new++;
        }
    }
    const size_t n_left_out = change_settle(c, s->project.score, OVERLAP_SKIP);
    n_new -= n_left_out;
    if (hearing_surroundings(s, t, part->from, part->to, &around)) {
        /* Controllers, tempo and the like change where the displaced notes are gone. */
        struct score *stays = score_clone(s->project.score);
        struct change *gone = change_create("");
        remove_displaced(s, gone, part, &displaced);
        enum midi_status st = stays ? change_apply(gone, stays, true) : MIDI_NO_MEMORY;
        change_fail(c, st ? st : surroundings_add(&around, c, s->project.score, stays));
        change_destroy(gone);
        score_destroy(stays);
    }
    proposal_add_gestures(t, c, s->project.score, part->from, part->to);
    displaced_fini(&displaced);
    if (change_status(c)) {
        change_destroy(c);
        session_error(s, "out of memory: the take is still waiting");
        return false;
    }
    if (!n_new && (!n_old || is_all)) {
        change_destroy(c);
        session_say(s,
                    n_left_out
                        ? "nothing to accept: notes of the same pitch are already there"
                        : "no note of this take begins there");
        return false;
    }
    if (!band_do_with_tracks(s, c))
        return false;
    if (is_all) {
        session_drop_take(s);
        s->request.asked.bars = 0;
    }
    session_say(s, "accepted %zu notes", n_new);
    if (n_old && !n_left_out)
        session_say_more(s, " in place of %zu", n_old);
    if (*held_say(&around.out, kinds, sizeof kinds))
        session_say_more(s, ", and restored the %s", kinds);
    if (n_left_out)
        session_say_more(s, "; left out %zu where yours are%s", n_left_out, rest);
    else
        session_say_more(s, "; u undoes this%s", rest);
    return true;
}

void act_accept(struct session *s)
{
    accept(s, &(struct box){0, INT64_MAX, 0, 127}, true, "");
}

/* The rest of the take still waits, so that another part may come from another take. */
void act_accept_part(struct session *s)
{
    const struct box part = s->selection.box;
    if (!s->has_take || !s->selection.has_box || s->view.mode != MODE_SELECT) {
        session_say(s, "no take waits: c rewrites the selection");
        return;
    }
    accept(s, &part, false, "; the rest waits");
    session_clear_selection(s);
    if (s->has_take)
        s->view.mode = MODE_TAKES;
}
