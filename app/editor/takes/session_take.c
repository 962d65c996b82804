/* What the machine has proposed: notes arrive from the model thread as ghosts, are
 * seen and heard, and wait outside the score until they are accepted or dropped.
 *
 * Takes begin when they are asked for (app/editor/takes/act_machine.c) and end in
 * session_drop_take, whatever became of them. */
#include "app/editor/session/session.h"

#include "app/editor/takes/displaced.h"
#include "midi/score/notes.h"

#include <stdlib.h>

void session_collect(struct session *s)
{
    struct continued_note notes[64];
    size_t n;
    if (answer_is_on(&s->answer))
        return; /* they are its own */
    while ((n = generator_take(s->generator, notes, 64)) > 0) {
        for (size_t i = 0; i < n; i++)
            if (!proposals_add_note(&s->takes, &notes[i], s->project.score->next_id++))
                session_error(s, "out of memory: some of the take was lost");
        s->sound_changed = true;
    }
}

static void say_how_it_ended(struct session *s, const struct generator_progress *p)
{
    int n = s->takes.n;
    if (p->failed || p->request_failed)
        session_error(s, "%s", p->error);
    else if (n == 1)
        session_say(s,
                    "%zu notes in %.1f s: Space hears them, a accepts, x rejects, r "
                    "tries again",
                    s->takes.list[0].n_waiting, p->seconds);
    else
        session_say(s,
                    "%d takes in %.1f s: 1-%d show them, a accepts, x rejects, r makes "
                    "more",
                    n, p->seconds, n < 8 ? n : 8);
}

static void learn_where(struct session *s, const struct continuation_stats *t)
{
    if (t->to_tick <= t->from_tick || s->rewritten.asked || s->hole_to)
        return;
    s->hole_from = t->from_tick;
    s->hole_to = t->to_tick;
}

/* Of more takes than were seen, those that are to be shown. */
static void show_choice(struct session *s)
{
    struct generator_choice c;
    int heard = player_is_playing(s->player) ? s->takes.shown : -1;
    if (!generator_take_choice(s->generator, &c))
        return;
    if (!proposals_choose(&s->takes, &c, heard, &s->project.score->next_id))
        session_error(s, "out of memory: some of the take was lost");
    generator_choice_free(&c);
}

/* The request is over, and its last notes are there. */
static void finish(struct session *s, const struct generator_progress *p)
{
    show_choice(s);
    proposals_end(&s->takes, p->failed || p->request_failed);
    s->is_switching = false;
    s->sound_changed = true;
    if (proposals_best(&s->takes) >= 0) {
        say_how_it_ended(s, p);
        return;
    }
    if (p->failed || p->request_failed)
        session_error(s, "%s", p->error);
    else
        session_say(s, "the machine had nothing to add here: r tries again");
    session_drop_take(s);
}

void session_watch_take(struct session *s)
{
    if (!s->has_take || answer_is_on(&s->answer))
        return;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    learn_where(s, &p.takes[0]);
    proposals_watch(&s->takes, &p);
    if (p.seconds_to_first > 0)
        s->first_ghost_ms = 1000 * p.seconds_to_first;
    bool ended = s->was_running && !p.running;
    s->was_running = p.running;
    if (!ended)
        return;
    session_collect(s); /* what came between the last look and the end */
    finish(s, &p);
}

void session_stop_take(struct session *s)
{
    struct generator_progress p;
    session_collect(s);
    generator_progress(s->generator, &p);
    proposals_watch(&s->takes, &p);
    generator_cancel(s->generator);
    proposals_end(&s->takes, true);
    s->was_running = s->is_switching = false;
    s->sound_changed = true;
}

void session_drop_take(struct session *s)
{
    answer_forget(s);
    session_stop_take(s);
    proposals_clear(&s->takes);
    rewritten_forget(&s->rewritten);
    s->hole_from = s->hole_to = 0;
    s->has_take = false;
    if (s->mode == MODE_TAKES)
        s->mode = MODE_NORMAL;
    if (s->mode_before == MODE_TAKES)
        s->mode_before = MODE_NORMAL;
}

bool session_lists_takes(const struct session *s)
{
    bool has_room = s->layout.columns >= 120;
    return session_is_in_takes(s) && s->takes.n &&
           (s->list == LIST_SHOWN || (s->list == LIST_WHERE_ROOM && has_room));
}

/* -- hearing -- */

/* The first beat that is still to be handed to the synth, which gets its notes a little
 * ahead (midi/transport/player.h). */
static int64_t next_beat(const struct session *s)
{
    const double ahead_seconds = 0.1;
    const struct timeline *t = &s->project.score->timeline;
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
    if (index == s->takes.shown)
        return;
    if (player_is_playing(s->player) && !s->is_switching) {
        s->is_switching = true;
        s->heard_before = s->takes.shown;
        s->switch_tick = next_beat(s);
    }
    s->takes.shown = index;
    s->sound_changed = true;
}

/* The beat is still to come: not passed, nor left behind by a loop that went back. */
static bool beat_is_ahead(const struct session *s)
{
    double wait = (double)s->switch_tick - player_tick(s->player);
    int64_t beat = timeline_beat_ticks(&s->project.score->timeline, s->switch_tick);
    return player_is_playing(s->player) && wait > 0 && wait < 3.0 * (double)beat;
}

/* The beat has passed, or nobody waits for it any more. */
static void end_switch(struct session *s)
{
    if (!s->is_switching || beat_is_ahead(s))
        return;
    s->is_switching = false;
    s->sound_changed = true;
}

static void cut(struct note *n, int64_t at)
{
    if (n->length > at - n->start)
        n->length = at - n->start;
}

/* A span of time in which one take is heard, or the original. */
struct hearing {
    int64_t from, to;        /* what begins in [from, to) */
    struct displaced silent; /* notes that go, */
    struct displaced ends;   /* and those that sound on until another take is heard */
};

/* false: out of memory. */
static bool hear_original_of(const struct hearing *h, struct score *heard, int t,
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
                          const struct hearing *h)
{
    bool ok = true, any = h->silent.n || h->ends.n;
    for (int t = 0; ok && any && t < (int)heard->n_tracks; t++)
        ok = hear_original_of(h, heard, t, s->hole_from, s->hole_to);
    return ok;
}

/* From `from` on the take `index`, and from `to` on `next`, as takes.shown. false: out of
 * memory. */
static bool hear(const struct session *s, struct score *heard, int index, int next,
                 int64_t from, int64_t to)
{
    const struct proposal *t = index >= 0 ? &s->takes.list[index] : NULL;
    struct hearing h = {.from = from, .to = to};
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
        ok = !answer_hear_gestures(s, t, heard, from, to);
    return ok;
}

struct score *session_heard(const struct session *s)
{
    struct score *heard = score_clone(s->project.score);
    if (!heard || !s->takes.n || answer_is_on(&s->answer))
        return heard; /* what is played together is heard as it is played */
    int64_t at = s->is_switching ? s->switch_tick : 0;
    int shown = s->takes.shown;
    bool ok = !s->is_switching || hear(s, heard, s->heard_before, shown, 0, at);
    if (ok && hear(s, heard, shown, -1, at, INT64_MAX))
        return heard;
    score_destroy(heard);
    return NULL;
}

void session_publish(struct session *s)
{
    end_switch(s);
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
