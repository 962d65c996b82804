/* What the machine has proposed: notes arrive from the model thread as ghosts, are
 * seen and heard, and wait outside the score until they are accepted or dropped.
 *
 * Takes begin when they are asked for (app/act_machine.c) and end in
 * session_drop_take, whatever became of them. */
#include "app/session.h"

#include "midi/notes.h"

#include <stdlib.h>

/* The range of the ghosts that came last. */
static void newest_range(const struct proposal *t, int *lo, int *hi)
{
    enum { NEWEST = 64 };
    *lo = 127;
    *hi = 0;
    for (size_t i = t->n_waiting > NEWEST ? t->n_waiting - NEWEST : 0; i < t->n_waiting;
         i++) {
        int pitch = t->ghosts[i].note.pitch;
        *lo = pitch < *lo ? pitch : *lo;
        *hi = pitch > *hi ? pitch : *hi;
    }
}

/* With the room that viewport_show leaves. */
static bool fits_rows(const struct session *s, int lo, int hi)
{
    int rows =
        layout_row(&s->layout, &s->port, lo) - layout_row(&s->layout, &s->port, hi);
    return rows + 5 * s->port.rows_per_pitch <= s->layout.roll.rows;
}

/* Up and down only where all of them can be seen at once: else the view would jump from
 * voice to voice, and marks at its edges tell of them (tui/edges.c). */
static void show_newest(struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    int lo, hi;
    if (!t || !t->n_waiting || !s->follow || player_is_playing(s->player))
        return;
    int64_t tick = t->ghosts[t->n_waiting - 1].note.start;
    newest_range(t, &lo, &hi);
    if (fits_rows(s, lo, hi)) {
        viewport_show(&s->port, &s->layout, tick, hi);
        viewport_show(&s->port, &s->layout, tick, lo);
    } else {
        viewport_show(&s->port, &s->layout, tick, s->cursor_pitch);
    }
}

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
        show_newest(s);
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
    return s->mode == MODE_TAKES && s->takes.n &&
           (s->list == LIST_SHOWN || (s->list == LIST_WHERE_ROOM && has_room));
}

/* -- hearing -- */

/* The first beat that is still to be handed to the synth, which gets its notes a little
 * ahead (midi/player.h). */
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

/* What begins in [from, to) of the notes that would go: they do, or they sound until
 * another take is heard instead. */
static bool hear_original_of(const struct session *s, struct score *heard, int t,
                             bool they_go, int64_t from, int64_t to)
{
    struct track *track = &heard->tracks[t];
    size_t first = score_first_note_at(heard, t, from), kept = first;
    size_t end = to < INT64_MAX ? score_first_note_at(heard, t, to) : track->n_notes;
    while (first < end &&
           !rewrite_goes(&s->asked.options, &s->rewritten, t, &track->notes[first]))
        kept = ++first;
    struct note *notes = first < end ? notes_own(track, 0) : NULL;
    for (size_t i = first; notes && i < track->n_notes; i++) {
        struct note n = notes[i];
        bool is_it = i < end && rewrite_goes(&s->asked.options, &s->rewritten, t, &n);
        if (is_it)
            cut(&n, to);
        if (!is_it || !they_go)
            notes[kept++] = n;
    }
    if (notes)
        track->n_notes = kept;
    return notes || first == end;
}

static bool hear_original(const struct session *s, struct score *heard, bool they_go,
                          int64_t from, int64_t to)
{
    bool ok = true;
    for (int t = 0; ok && s->rewritten.n_there && t < (int)heard->n_tracks; t++)
        ok = hear_original_of(s, heard, t, they_go, from, to);
    return ok;
}

/* index as takes.shown. false: out of memory. */
static bool hear(const struct session *s, struct score *heard, int index, int64_t from,
                 int64_t to)
{
    const struct proposal *t = index >= 0 ? &s->takes.list[index] : NULL;
    bool ok = hear_original(s, heard, t != NULL, from, to);
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
    bool ok = !s->is_switching || hear(s, heard, s->heard_before, 0, at);
    if (ok && hear(s, heard, s->takes.shown, at, INT64_MAX))
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
