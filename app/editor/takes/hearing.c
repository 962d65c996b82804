/* See hearing.h. */
#include "app/editor/takes/takes.h"
#include "app/editor/takes/hearing.h"
#include "midi/base/ids.h"
#include "app/editor/takes/machine.h"
#include "app/generation/surroundings.h"
#include "midi/edit/apply.h"
#include "midi/base/larger.h"
#include "midi/score/notes.h"

#include <stdlib.h>

void hearing_changed(struct session *s)
{
    s->parts.hearing->published = UINT64_MAX;
}

void hearing_changed_now(struct session *s)
{
    s->parts.hearing->is_switching = false;
    hearing_changed(s);
}

bool session_show_take(struct session *s, int index)
{
    struct hearing *h = s->parts.hearing;
    if (index == s->takes.shown)
        return h->is_switching;
    if (player_is_playing(s->player) && !h->is_switching) {
        h->is_switching = true;
        h->heard_before = s->takes.shown;
        /* The first beat whose notes the synth does not have yet; it gets them a little
         * ahead (midi/transport/player.h). */
        const double ahead_seconds = 0.1;
        const struct timeline *t = session_timeline(s);
        double now = player_tick(s->player), bpm = timeline_bpm(t, (int64_t)now);
        int64_t tick = (int64_t)(now + ahead_seconds * bpm / 60 *
                                           s->project.score->ticks_per_quarter);
        h->switch_tick = timeline_next_beat(t, tick);
    }
    s->takes.shown = index;
    hearing_changed(s);
    return h->is_switching;
}

/* -- displaced notes: only notes that begin in the hole -- */

bool displaced_has(const struct displaced *d, uint64_t id)
{
    return ids_find(d->ids, d->n, id) != NULL;
}

void displaced_fini(struct displaced *d)
{
    free(d->ids);
    *d = (struct displaced){0};
}

bool displaced_by(struct displaced *d, const struct session *s, int index)
{
    const struct score *score = s->project.score;
    const struct rewritten *r = &s->request.rewritten;
    const struct continuation_hole *h = &s->request.asked.options.hole;
    struct displaced accepted;
    *d = (struct displaced){0};
    if (index < 0)
        return true;
    accepted.ids = proposals_accepted(&s->takes, index, &accepted.n);
    d->ids = calloc(r->n_there + accepted.n + 1, sizeof *d->ids);
    const bool ok = accepted.ids && d->ids;
    for (int t = 0; ok && t < (int)score->n_tracks; t++) {
        const struct track *track = &score->tracks[t];
        for (size_t i = score_first_note_at(score, t, s->request.from);
             i < track->n_notes && track->notes[i].start < s->request.to; i++) {
            const struct note *note = &track->notes[i];
            /* An accepted note is displaced only in the hole: a note that was moved out of it
             * is the composer's. */
            bool is_in_hole = !hole_is_asked(s) || (note->pitch >= h->pitch_lo &&
                                                    note->pitch <= h->pitch_hi);
            if (ids_find(r->there, r->n_there, note->id) ||
                (is_in_hole && displaced_has(&accepted, note->id)))
                d->ids[d->n++] = note->id;
        }
    }
    if (ok)
        ids_sort(d->ids, d->n);
    else
        displaced_fini(d);
    displaced_fini(&accepted);
    return ok;
}

bool hearing_surroundings(const struct session *s, const struct proposal *t,
                          int64_t from, int64_t to, struct surroundings *out)
{
    const bool is_hole = hole_is_asked(s);
    *out = (struct surroundings){
        .is_hole = is_hole,
        .from = is_hole ? larger(from, s->request.from) : s->request.from,
        .to = smaller(to, s->request.to),
        .tracks = is_hole ? s->request.asked.options.tracks : 0,
    };
    for (size_t i = 0; i < t->n_ghosts; i++)
        if (t->ghosts[i].note.start >= from && t->ghosts[i].note.start < to)
            out->tracks |= UINT64_C(1) << (t->ghosts[i].track & 63);
    return !t->is_played && out->tracks && s->request.to > s->request.from &&
           out->to > out->from;
}

/* Adds the take `index` from tick `from` to tick `to`, where the take `next` begins (both as
 * takes.shown). false: out of memory. */
static bool add_heard_take(const struct session *s, struct score *heard, int index,
                           int next, int64_t from, int64_t to)
{
    const struct proposal *t = index >= 0 ? &s->takes.list[index] : NULL;
    /* The notes that are silent, and those that end where the next take begins to play. All begin
     * in the hole. */
    struct displaced silent = {0}, ends = {0};
    bool ok = displaced_by(&silent, s, index) && displaced_by(&ends, s, next);
    for (int i = 0; ok && i < (int)heard->n_tracks && (silent.n || ends.n); i++) {
        struct track *track = &heard->tracks[i];
        size_t first = score_first_note_at(heard, i, larger(from, s->request.from));
        const size_t end = score_first_note_at(heard, i, smaller(to, s->request.to));
        while (first < end && !displaced_has(&silent, track->notes[first].id) &&
               !displaced_has(&ends, track->notes[first].id))
            first++;
        struct note *notes = first < end ? notes_own(track, 0) : NULL;
        size_t kept = first;
        for (size_t k = first; notes && k < track->n_notes; k++) {
            struct note n = notes[k];
            if (k < end && displaced_has(&ends, n.id))
                n.length = smaller(n.length, to - n.start);
            if (k >= end || !displaced_has(&silent, n.id))
                notes[kept++] = n;
        }
        if (notes)
            track->n_notes = kept;
        ok = notes || first >= end;
    }
    displaced_fini(&silent);
    displaced_fini(&ends);
    struct surroundings u;
    if (ok && t && hearing_surroundings(s, t, from, to, &u))
        ok = surroundings_apply(&u, heard) == MIDI_OK;
    for (size_t i = 0; ok && t && i < t->n_waiting; i++) {
        struct note n = t->ghosts[i].note;
        n.length = smaller(n.length, to - n.start);
        if (n.start >= from && n.start < to)
            score_add_note(heard, t->ghosts[i].track, n);
    }
    if (!ok || !t || !t->n_gestures)
        return ok;
    struct change *c = change_create("");
    proposal_add_gestures(t, c, s->project.score, from, to);
    ok = !change_apply(c, heard, true);
    change_destroy(c);
    return ok;
}

struct score *session_heard(const struct session *s)
{
    struct score *heard = score_clone(s->project.score);
    if (!heard || !s->takes.n || proposals_are_played(&s->takes))
        return heard; /* a played take is already heard */
    const struct hearing *h = s->parts.hearing;
    int64_t at = h->is_switching ? h->switch_tick : 0;
    int shown = s->takes.shown;
    bool ok =
        !h->is_switching || add_heard_take(s, heard, h->heard_before, shown, 0, at);
    if (ok && add_heard_take(s, heard, shown, -1, at, INT64_MAX))
        return heard;
    score_destroy(heard);
    return NULL;
}

void session_publish(struct session *s)
{
    struct hearing *h = s->parts.hearing;
    /* The beat has passed, or a loop has jumped back from it. */
    double wait = (double)h->switch_tick - player_tick(s->player);
    int64_t beat = timeline_beat_ticks(session_timeline(s), h->switch_tick);
    if (h->is_switching &&
        (!player_is_playing(s->player) || wait <= 0 || wait >= 3.0 * (double)beat))
        hearing_changed_now(s);
    if (h->published == s->project.version)
        return;
    struct score *snapshot = session_heard(s);
    if (!snapshot) {
        session_error(s, "out of memory: the newest notes are silent");
        return;
    }
    player_set_score(s->player, snapshot);
    h->published = s->project.version;
}

static void tick(struct session *s)
{
    if (player_is_playing(s->player))
        session_publish(s);
    player_collect(s->player);
}

const struct editor_part HEARING_PART = {PART_STATE(hearing), .tick = tick};
