/* See hearing.h. */
#include "app/editor/takes/hearing.h"
#include "app/editor/session/session.h"
#include "app/editor/takes/displaced.h"
#include "app/editor/takes/played_take.h"
#include "midi/score/notes.h"

void hearing_changed(struct session *s)
{
    s->parts.hearing->has_changed = true;
}

void hearing_changed_now(struct session *s)
{
    s->parts.hearing->is_switching = false;
    hearing_changed(s);
}

bool hearing_is_switching(const struct session *s)
{
    return s->parts.hearing->is_switching;
}

/* The first beat that is still to be handed to the synth, which gets its notes a little
 * ahead (midi/transport/player.h). */
static int64_t next_beat(const struct session *s)
{
    const double ahead_seconds = 0.1;
    const struct timeline *t = session_timeline(s);
    double now = player_tick(s->player), bpm = timeline_bpm(t, (int64_t)now);
    int64_t tick =
        (int64_t)(now + ahead_seconds * bpm / 60 * s->project.score->ticks_per_quarter);
    struct bar bar = timeline_bar_at(t, tick);
    int64_t beat = timeline_beat_ticks(t, tick), end = bar.start + bar.length;
    beat = beat > 0 ? beat : 1;
    int64_t next = bar.start + ((tick - bar.start) / beat + 1) * beat;
    return next < end ? next : end;
}

void session_show_take(struct session *s, int index)
{
    struct hearing *h = s->parts.hearing;
    if (index == s->takes.shown)
        return;
    if (player_is_playing(s->player) && !h->is_switching) {
        h->is_switching = true;
        h->heard_before = s->takes.shown;
        h->switch_tick = next_beat(s);
    }
    s->takes.shown = index;
    hearing_changed(s);
}

/* The beat is still to come: not passed, nor left behind by a loop that went back. */
static bool beat_is_ahead(const struct session *s)
{
    int64_t at = s->parts.hearing->switch_tick;
    double wait = (double)at - player_tick(s->player);
    int64_t beat = timeline_beat_ticks(session_timeline(s), at);
    return player_is_playing(s->player) && wait > 0 && wait < 3.0 * (double)beat;
}

/* The beat has passed, or nobody waits for it any more. */
static void end_switch(struct session *s)
{
    if (s->parts.hearing->is_switching && !beat_is_ahead(s))
        hearing_changed_now(s);
}

static void cut(struct note *n, int64_t at)
{
    if (n->length > at - n->start)
        n->length = at - n->start;
}

/* A span of time in which one take plays, or the original. */
struct beat_tracker {
    int64_t from, to;        /* what begins in [from, to) */
    struct displaced silent; /* notes that go, */
    struct displaced ends;   /* and those that sound on until another take is heard */
};

/* false: out of memory. */
static bool hear_original_of(const struct beat_tracker *h, struct score *heard, int t,
                             int64_t hole_from, int64_t hole_to)
{
    struct track *track = &heard->tracks[t];
    int64_t from = h->from > hole_from ? h->from : hole_from;
    size_t first = score_first_note_at(heard, t, from), kept = first;
    size_t end = score_first_note_at(heard, t, h->to < hole_to ? h->to : hole_to);
    while (first < end && !displaced_has(&h->silent, track->notes[first].id) &&
           !displaced_has(&h->ends, track->notes[first].id))
        kept = ++first;
    struct note *notes = first < end ? notes_own(track, 0) : NULL;
    for (size_t i = first; notes && i < track->n_notes; i++) {
        struct note n = notes[i];
        if (i < end && displaced_has(&h->ends, n.id))
            cut(&n, h->to);
        if (i >= end || !displaced_has(&h->silent, n.id))
            notes[kept++] = n;
    }
    if (notes)
        track->n_notes = kept;
    return notes || first >= end;
}

/* All that is displaced begins in the hole. */
static bool hear_original(const struct session *s, struct score *heard,
                          const struct beat_tracker *h)
{
    bool ok = true, any = h->silent.n || h->ends.n;
    for (int t = 0; ok && any && t < (int)heard->n_tracks; t++)
        ok = hear_original_of(h, heard, t, s->request.from, s->request.to);
    return ok;
}

/* From `from` on the take `index`, and from `to` on `next`, as takes.shown. false: out of
 * memory. */
static bool hear(const struct session *s, struct score *heard, int index, int next,
                 int64_t from, int64_t to)
{
    const struct proposal *t = index >= 0 ? &s->takes.list[index] : NULL;
    struct beat_tracker h = {.from = from, .to = to};
    bool ok = displaced_by(&h.silent, s, index) && displaced_by(&h.ends, s, next) &&
              hear_original(s, heard, &h);
    displaced_fini(&h.silent);
    displaced_fini(&h.ends);
    for (size_t i = 0; ok && t && i < t->n_waiting; i++) {
        struct note n = t->ghosts[i].note;
        if (n.start < from || n.start >= to)
            continue;
        cut(&n, to);
        score_add_note(heard, t->ghosts[i].track, n);
    }
    if (ok && t)
        ok = !played_take_hear_gestures(s, t, heard, from, to);
    return ok;
}

struct score *session_heard(const struct session *s)
{
    struct score *heard = score_clone(s->project.score);
    if (!heard || !s->takes.n || s->request.plays_together)
        return heard; /* what is played together is heard as it is played */
    const struct hearing *h = s->parts.hearing;
    int64_t at = h->is_switching ? h->switch_tick : 0;
    int shown = s->takes.shown;
    bool ok = !h->is_switching || hear(s, heard, h->heard_before, shown, 0, at);
    if (ok && hear(s, heard, shown, -1, at, INT64_MAX))
        return heard;
    score_destroy(heard);
    return NULL;
}

void session_publish(struct session *s)
{
    struct hearing *h = s->parts.hearing;
    end_switch(s);
    if (h->published == s->project.version && !h->has_changed)
        return;
    struct score *snapshot = session_heard(s);
    if (!snapshot) {
        session_error(s, "out of memory: the newest notes are not heard");
        return;
    }
    player_set_score(s->player, snapshot);
    h->published = s->project.version;
    h->has_changed = false;
}

static void tick(struct session *s)
{
    if (player_is_playing(s->player))
        session_publish(s);
    player_collect(s->player);
}

const struct editor_part HEARING_PART = {PART_STATE(hearing), .tick = tick};
