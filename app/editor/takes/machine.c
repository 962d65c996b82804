/* Requests to the model: continue, try again, stop; and the notes that come
 * from its thread. They are ghosts: shown and played, but not in the score
 * until they are accepted (app/editor/takes/accept.c). Takes begin with their
 * request and always end in session_drop_take. */
#include "app/editor/takes/machine.h"
#include "app/editor/takes/framing.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/takes.h"
#include "app/generation/surroundings.h"
#include "midi/base/clock.h"
#include "midi/score/score.h"

#include <stdlib.h>

/* The music that the model reads before a request. */
struct read_ahead {
    uint64_t seen;   /* the project's version at the last look */
    uint64_t read;   /* the version that was read */
    int64_t seen_ms; /* when `seen` was new, monotonic */
};

enum {
    PAUSE_MS = 200, /* without an edit before the model reads */
    USUAL_BARS = 4, /* of `C` without a number */
};

static bool machine_ready(struct session *s)
{
    struct generator_progress p;
    generator_progress(s->generator, &p);
    if (p.failed)
        session_error(s, "%s", p.error);
    return !p.failed;
}

/* Returns whether there is a model and no take waits; if not, tells the user why. */
bool machine_is_free(struct session *s)
{
    if (!s->has_take)
        return machine_ready(s);
    session_clear_selection(s);
    s->view.mode = MODE_TAKES;
    if (s->takes.n == 1)
        session_say(s, "a take waits: a accepts it, x rejects it, r tries again");
    else
        session_say(s, "%d takes wait: a accepts one, X rejects all", s->takes.n);
    return false;
}

/* Returns how many takes the next request has; 0: no letters are left. */
static int n_takes_to_ask(const struct session *s)
{
    int n = s->request.n_once ? s->request.n_once : s->steering.n_takes;
    int left = PROPOSALS_MAX - (s->has_take ? s->takes.n_letters : 0);
    return n < left ? n : left;
}

/* Lists all takes with what the user thinks of each: the neutral ones show what is common to
 * all. If none is liked or disliked, lists none. false: out of memory. */
static bool gather_marks(struct continuation_options *o, const struct proposals *p)
{
    bool any = false;
    for (int i = 0; i < p->n; i++)
        any |= p->list[i].liking != 0;
    if (!any)
        return true;
    struct continuation_mark *marks = calloc((size_t)p->n, sizeof *marks);
    bool ok = marks != NULL;
    o->marks = marks;
    for (int i = 0; ok && i < p->n; i++) {
        const struct proposal *t = &p->list[i];
        struct continued_note *notes = calloc(t->n_ghosts + 1, sizeof *notes);
        for (size_t k = 0; notes && k < t->n_ghosts; k++)
            notes[k] = (struct continued_note){.track = t->ghosts[k].track,
                                               .note = t->ghosts[k].note};
        marks[i].notes = notes;
        marks[i].n_notes = t->n_ghosts;
        marks[i].how_much = (float)t->liking;
        o->n_marks++;
        ok = notes != NULL;
    }
    return ok;
}

static void say_request(struct session *s, int n_takes)
{
    static const char *const MOTIF[] = {"", ", with the motif",
                                        ", the motif transposed", ", the motif varied"};
    const struct generation *g = &s->request.asked;
    char name[64];
    session_say(s, "%s",
                score_is_off_grid(s->project.score)
                    ? "the notes are off the grid: gL lays them on it; "
                    : "");
    if (hole_is_asked(s))
        session_say_more(s, "filling %s", hole_name(s, name));
    else
        session_say_more(s, "continuing for %d bar%s", g->bars, plural(g->bars));
    if (n_takes > 1)
        session_say_more(s, ", %d takes", n_takes);
    session_say_more(s, "%s; Ctrl-C stops", MOTIF[g->options.motif.kind]);
}

bool machine_ask(struct session *s)
{
    if (!s->project.score->n_tracks)
        act_command_line(s, "track Piano"); /* the notes need one */
    session_stop_take(s);
    struct continuation_options *o = &s->request.asked.options;
    const struct continuation_options before = *o;
    /* The model reads the music without the notes that the takes would replace, and with the kept
     * notes of the shown take. */
    const struct proposal *shown = proposals_shown(&s->takes);
    struct score *context = score_clone(s->project.score);
    bool ok = context && rewrite_take_out(context, o, &s->request.rewritten) &&
              (hole_is_asked(s) || !surroundings_set_meter(context));
    for (size_t i = 0; ok && shown && i < shown->n_waiting; i++)
        if (shown->ghosts[i].is_kept)
            score_add_note(context, shown->ghosts[i].track, shown->ghosts[i].note);
    steer_apply(&s->steering, o);
    o->is_band = band_words(s) || (s->has_take && before.is_band);
    if (hole_is_asked(s)) { /* its first request has decided which notes stay */
        o->stays = before.stays;
        o->stays_seed = before.stays_seed;
    }
    struct continuation_options wanted = *o, *own = &wanted;
    own->n_takes = n_takes_to_ask(s);
    /* More takes of a continuation have its span. If it has notes now, or the music ends
     * elsewhere, it is a hole. */
    if (ok && s->takes.n && !hole_is_asked(s) && s->request.to > s->request.from &&
        score_end_tick(context) != s->request.music_end) {
        own->hole.from_tick = s->request.from;
        own->hole.to_tick = s->request.to;
        own->keep = HOLE_PLAN_NONE; /* it held nothing */
    }
    struct attention_head muted[64];
    own->muted = muted;
    own->n_muted = 0;
    for (int bit = 0; bit < 64; bit++)
        if (s->muted.heads >> bit & 1)
            muted[own->n_muted++] = (struct attention_head){
                .layer = bit / s->muted.n_heads, .head = bit % s->muted.n_heads};
    /* The request gets the notes it replaces, where something of them is kept or may return,
     * and the takes that were liked or disliked. */
    if (ok && own->hole.to_tick > 0 &&
        (own->keep != HOLE_PLAN_NONE || own->motif.kind != MOTIF_NONE)) {
        own->replaced =
            rewrite_list(s->project.score, o, &s->request.rewritten, &own->n_replaced);
        ok = own->replaced != NULL;
    }
    ok = ok && gather_marks(own, &s->takes) && proposals_begin(&s->takes, own);
    if (ok && !s->has_take)
        s->request.music_end = score_end_tick(context);
    if (!ok) {
        score_destroy(context);
    } else if (!generator_ask(s->generator, context, own, false)) {
        proposals_end(&s->takes, true); /* no notes of these takes came */
        ok = false;
    }
    own->given = NULL; /* these two were borrowed */
    own->muted = NULL;
    continuation_options_fini(own);
    if (!ok) {
        if (s->has_take)
            session_drop_empty(s);
        session_error(s, "out of memory: nothing was requested");
        return false;
    }
    s->steering.seed += (uint64_t)own->n_takes;
    say_request(s, own->n_takes);
    s->has_take = s->request.is_running = true;
    hearing_changed(s);
    s->request.n_tracks = (int)s->project.score->n_tracks;
    if (hole_is_asked(s)) {
        s->request.from = s->request.asked.options.hole.from_tick;
        s->request.to = s->request.asked.options.hole.to_tick;
    }
    s->view.mode = MODE_TAKES;
    framing_begin_anew(s);
    s->roll.follow = true;
    return true;
}

/* -- reading ahead -- */

/* Whether there is music that the model could read before a request. */
static bool is_unread(const struct session *s)
{
    return !s->has_take && s->parts.ahead->read != s->project.version;
}

/* If the music has not changed for a moment, the model reads it, to be ready
 * for a request. */
static void read_ahead(struct session *s)
{
    struct read_ahead *a = s->parts.ahead;
    if (a->seen != s->project.version) {
        a->seen = s->project.version;
        a->seen_ms = clock_whole_ms();
    }
    if (!is_unread(s) || clock_whole_ms() - a->seen_ms < PAUSE_MS)
        return;
    a->read = a->seen;
    struct continuation_options expected = CONTINUATION_DEFAULT;
    struct score *context =
        score_n_notes(s->project.score) ? score_clone(s->project.score) : NULL;
    if (!context || surroundings_set_meter(context)) {
        score_destroy(context);
        return;
    }
    expected.bars = USUAL_BARS;
    steer_apply(&s->steering, &expected);
    generator_ask(s->generator, context, &expected, true);
}

bool machine_has_read(const struct session *s, int ago_ms)
{
    const struct read_ahead *a = s->parts.ahead;
    return a->read == s->project.version && clock_whole_ms() - a->seen_ms > ago_ms;
}

void act_continue(struct session *s, const struct command *c)
{
    int bars = c->count > 0 ? c->count : USUAL_BARS;
    if (bars > CONTINUATION_MAX_BARS) {
        session_say(s, "at most %d bars at a time", CONTINUATION_MAX_BARS);
        return;
    }
    if (!machine_is_free(s))
        return;
    s->request.asked.bars = s->request.asked.options.bars = bars;
    s->request.asked.options.hole = CONTINUATION_HOLE_DEFAULT;
    s->request.asked.options.tracks = 0;
    s->request.asked.options.motif = machine_take_motif(s, NULL);
    s->request.n_once = 0;
    session_clear_selection(s);
    machine_ask(s);
}

void act_again(struct session *s)
{
    if (!s->request.asked.bars) {
        session_say(s, "nothing to try again: C continues the music");
        return;
    }
    if (!machine_ready(s))
        return;
    if (!n_takes_to_ask(s)) {
        session_say(s, "take 26 is the last: a accepts one, X rejects all");
        return;
    }
    /* For waiting takes the notes to replace are known; notes that were added since then stay. */
    if (!s->has_take && hole_is_asked(s) && !hole_collect(s))
        return;
    if (!machine_ask(s) && !s->has_take)
        rewritten_forget(&s->request.rewritten);
}

void act_stop(struct session *s)
{
    if (!s->request.is_running) {
        EACH_PART (p)
            if (job_runs((*p)->job, s)) {
                (*p)->job->stop(s); /* it reports its end itself */
                return;
            }
        session_say(s, "nothing to stop; :q quits");
        return;
    }
    session_stop_take(s);
    session_say(s, session_drop_empty(s)
                       ? "stopped"
                       : "stopped; a accepts the notes so far, x rejects them");
}

/* -- the notes that come -- */

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

/* Takes new notes and tokens from the model thread. A take that is played has no tokens: each
 * answer has its own. */
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

static void tick(struct session *s)
{
    struct take_request *r = &s->request;
    struct generator_progress p;
    read_ahead(s);
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
    bool ended = r->is_running && !p.running;
    r->is_running = p.running;
    if (!ended)
        return;
    collect(s); /* the notes that came between the last look and the end */
    const bool plays = player_is_playing(s->player);
    const bool has_failed = p.failed || p.request_failed;
    int n_choice;
    struct take *choice = generator_take_choice(s->generator, &n_choice);
    if (choice &&
        !proposals_choose(&s->takes, choice, n_choice, plays ? s->takes.shown : -1,
                          &s->project.score->next_id))
        session_error(s, "out of memory: some of the take was lost");
    takes_free(choice, n_choice);
    proposals_end(&s->takes, has_failed);
    const int best = proposals_best(&s->takes), n = s->takes.n;
    /* A band has no takes beyond those that were seen as they came: the best is shown, unless
     * the user chose one. */
    if (r->asked.options.is_band && s->takes.shown == 0 && best >= 0 && !plays)
        s->takes.shown = best;
    hearing_changed_now(s);
    char read[CONTINUATION_READ_TEXT];
    continuation_say_read(&p.takes[0], &r->asked.options, read);
    if (has_failed)
        session_error(s, "%s", p.error);
    else if (best < 0)
        session_say(s, "the machine added no notes here: r tries again");
    else if (n == 1)
        session_say(s,
                    "%zu notes in %.1f s%s: Space plays them, a accepts, x rejects, r "
                    "tries again",
                    s->takes.list[0].n_waiting, p.seconds, read);
    else
        session_say(
            s,
            "%d takes in %.1f s%s: 1-%d show them, a accepts, x rejects, r makes "
            "more",
            n, p.seconds, read, n < 8 ? n : 8);
    session_drop_empty(s);
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

bool session_drop_empty(struct session *s)
{
    if (proposals_best(&s->takes) >= 0)
        return false;
    session_drop_take(s);
    band_take_away(s);
    return true;
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
    return s->request.is_running ? BUSY_MS : is_unread(s) ? PAUSE_MS : -1;
}

static void reset(struct session *s)
{
    session_drop_take(s);
    s->request.asked.bars = 0;
    /* The model reads an opened piece at once. */
    *s->parts.ahead = (struct read_ahead){.seen = s->project.version,
                                          .seen_ms = clock_whole_ms() - PAUSE_MS};
}

/* Takes fit only their own tracks and time: they go if the hole has moved. */
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

const struct editor_part MACHINE_PART = {
    PART_STATE(ahead),     .fini = fini, .reset = reset,
    .edited = follow_edit, .tick = tick, .timeout_ms = timeout_ms,
};
