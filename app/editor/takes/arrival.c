/* Takes notes from the model thread. They are ghosts: they are shown and played, and
 * wait outside the score until they are accepted or dropped.
 *
 * Takes begin with their request (app/editor/takes/machine.c) and always end in
 * session_drop_take. */
#include "app/editor/takes/takes.h"
#include "app/editor/takes/machine.h"
#include "app/editor/takes/hearing.h"

#include <stdlib.h>

size_t takes_collect(struct session *s)
{
    struct continued_note notes[64];
    size_t n, all = 0;
    while ((n = generator_take(s->generator, notes, 64)) > 0) {
        for (size_t i = 0; i < n; i++)
            if (!proposals_add_note(&s->takes, &notes[i], s->project.score->next_id++))
                session_error(s, "out of memory: some of the take was lost");
        all += n;
    }
    return all;
}

/* Also the tokens, which a take that is played has none of: each answer has others. */
static void collect(struct session *s)
{
    if (proposals_are_played(&s->takes))
        return;
    if (takes_collect(s))
        hearing_changed(s);
    for (int i = 0; i < s->takes.n; i++) {
        struct proposal *t = &s->takes.list[i];
        if (t->slot >= 0 &&
            !generator_take_tokens(s->generator, t->slot, &t->tokens, &t->n_tokens))
            session_error(s, "out of memory: some of the take was lost");
    }
}

/* The request is over, and its last notes are there. */
static void finish(struct session *s, const struct generator_progress *p)
{
    struct generator_choice c; /* of the takes, if more were drawn than were shown */
    const bool plays = player_is_playing(s->player);
    if (generator_take_choice(s->generator, &c)) {
        if (!proposals_choose(&s->takes, &c, plays ? s->takes.shown : -1,
                              &s->project.score->next_id))
            session_error(s, "out of memory: some of the take was lost");
        generator_choice_free(&c);
    }
    proposals_end(&s->takes, p->failed || p->request_failed);
    const int best = proposals_best(&s->takes);
    /* A band has no more takes than were seen come: the best is shown, unless one is
     * chosen. */
    if (s->request.asked.options.is_band && s->takes.shown == 0 && best >= 0 && !plays)
        s->takes.shown = best;
    hearing_changed_now(s);
    int n = s->takes.n;
    char read[CONTINUATION_READ_TEXT];
    continuation_say_read(&p->takes[0], &s->request.asked.options, read);
    if (p->failed || p->request_failed)
        session_error(s, "%s", p->error);
    else if (proposals_best(&s->takes) < 0)
        session_say(s, "the machine added no notes here: r tries again");
    else if (n == 1)
        session_say(s,
                    "%zu notes in %.1f s%s: Space plays them, a accepts, x rejects, r "
                    "tries again",
                    s->takes.list[0].n_waiting, p->seconds, read);
    else
        session_say(
            s,
            "%d takes in %.1f s%s: 1-%d show them, a accepts, x rejects, r makes "
            "more",
            n, p->seconds, read, n < 8 ? n : 8);
    if (best < 0) {
        session_drop_take(s);
        band_take_away(s);
    }
}

static void watch(struct session *s)
{
    struct take_request *r = &s->request;
    struct generator_progress p;
    collect(s);
    if (!s->has_take || proposals_are_played(&s->takes))
        return;
    generator_progress(s->generator, &p);
    const struct continuation_stats *first = &p.takes[0];
    if (first->to_tick > first->from_tick && !r->rewritten.asked && !r->to) {
        r->from = first->from_tick;
        r->to = first->to_tick;
    }
    proposals_watch(&s->takes, &p);
    if (p.seconds_to_first > 0)
        r->first_ghost_ms = 1000 * p.seconds_to_first;
    bool ended = r->is_running && !p.running;
    r->is_running = p.running;
    if (!ended)
        return;
    collect(s); /* what came between the last look and the end */
    finish(s, &p);
}

void session_stop_take(struct session *s)
{
    struct generator_progress p;
    collect(s);
    generator_progress(s->generator, &p);
    proposals_watch(&s->takes, &p);
    generator_cancel(s->generator);
    proposals_end(&s->takes, true);
    s->request.is_running = false;
    hearing_changed_now(s);
}

void session_drop_take(struct session *s)
{
    CALL_PARTS(take_dropped, s);
    session_stop_take(s);
    proposals_clear(&s->takes);
    rewritten_forget(&s->request.rewritten);
    s->request.from = s->request.to = 0;
    s->has_take = false;
    if (s->view.mode == MODE_TAKES)
        s->view.mode = MODE_NORMAL;
}

bool session_lists_takes(const struct session *s)
{
    bool has_room = s->layout.columns >= 120;
    return session_is_in_takes(s) && s->takes.n &&
           (s->take_display.list == LIST_SHOWN ||
            (s->take_display.list == LIST_WHERE_ROOM && has_room));
}

static int timeout_ms(const struct session *s)
{
    return s->request.is_running ? BUSY_MS : -1;
}

static void reset(struct session *s)
{
    session_drop_take(s);
    s->request.asked.bars = 0;
}

/* The requested hole has moved. Takes only fit their own tracks and time. */
static void follow_edit(struct session *s)
{
    bool has_moved = s->seen.time_moved || s->seen.tracks_moved;
    if (s->has_take &&
        (has_moved || (int)s->project.score->n_tracks < s->request.n_tracks)) {
        session_drop_take(s);
        s->request.takes_went = true;
    }
    if (has_moved)
        s->request.asked.bars = 0;
    rewritten_update(&s->request.rewritten, s->project.score,
                     &s->request.asked.options);
    proposals_follow(&s->takes, s->project.score);
}

static void fini(struct session *s)
{
    proposals_clear(&s->takes);
    rewritten_forget(&s->request.rewritten);
    free(s->request.note_ids);
}

const struct editor_part ARRIVAL_PART = {
    .fini = fini,
    .reset = reset,
    .edited = follow_edit,
    .tick = watch,
    .timeout_ms = timeout_ms,
};
