/* Requests to the model: continue, try again, stop. Its takes are ghosts: shown and
 * played, but not in the score until they are accepted (app/editor/takes/accept.c). */
#include "app/editor/takes/takes.h"
#include "app/editor/takes/framing.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/machine.h"
#include "app/generation/surroundings.h"
#include "midi/base/clock.h"
#include "midi/score/score.h"

#include <stdio.h>
#include <stdlib.h>

/* The music that the model reads before a request. */
struct read_ahead {
    uint64_t seen, read; /* project versions: at the last look; that was read */
    int64_t seen_ms;     /* when `seen` was new, monotonic */
};

enum {
    PAUSE_MS = 200, /* without an edit, before the machine reads */
    USUAL_BARS = 4, /* C */
};

static bool machine_ready(struct session *s)
{
    struct generator_progress p;
    generator_progress(s->generator, &p);
    if (p.failed)
        session_error(s, "%s", p.error);
    return !p.failed;
}

/* Whether there is a model and no take waits; if not, tells the user why. */
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

/* 0: no ids are left. */
static int n_takes_to_ask(const struct session *s)
{
    int n = s->request.n_once ? s->request.n_once : s->steering.n_takes;
    int left = PROPOSALS_MAX - (s->has_take ? s->takes.n_letters : 0);
    return n < left ? n : left;
}

/* The music without the notes that the takes would replace, and with the kept notes of the
 * shown take. The caller destroys it. NULL: out of memory. */
static struct score *model_context(const struct session *s)
{
    struct score *context = score_clone(s->project.score);
    const struct proposal *t = proposals_shown(&s->takes);
    if (!context ||
        !rewrite_take_out(context, &s->request.asked.options, &s->request.rewritten) ||
        (!hole_is_asked(s) && surroundings_set_meter(context))) {
        score_destroy(context);
        return NULL;
    }
    for (size_t i = 0; t && i < t->n_waiting; i++)
        if (t->ghosts[i].is_kept)
            score_add_note(context, t->ghosts[i].track, t->ghosts[i].note);
    return context;
}

/* All takes: the neutral ones show what is common to all. */
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

/* Takes `context`. false: out of memory. */
static bool begin(struct session *s, struct score *context)
{
    struct continuation_options *o = &s->request.asked.options;
    const struct continuation_options before = *o;
    steer_apply(&s->steering, o);
    o->is_band = band_waits(s) || (s->has_take && before.is_band);
    if (hole_is_asked(s)) { /* which notes stay was decided by its first request */
        o->stays = before.stays;
        o->stays_seed = before.stays_seed;
    }
    struct generation wanted = s->request.asked;
    wanted.options.n_takes = n_takes_to_ask(s);
    /* More takes of a continuation have its span. If it has notes now, or the music
     * ends elsewhere, it is a hole. */
    if (s->takes.n && !hole_is_asked(s) && s->request.to > s->request.from &&
        score_end_tick(context) != s->request.music_end) {
        wanted.options.hole.from_tick = s->request.from;
        wanted.options.hole.to_tick = s->request.to;
        wanted.options.keep = HOLE_PLAN_NONE; /* it held nothing */
    }
    /* The request gets the notes it replaces, where something of them is kept or may return, and
     * the takes that were liked or disliked. */
    struct continuation_options *own = &wanted.options;
    const bool needs_replaced =
        (own->keep != HOLE_PLAN_NONE || own->motif.kind != MOTIF_NONE) &&
        own->hole.to_tick > 0;
    struct attention_head muted[64];
    own->muted = muted;
    own->n_muted = 0;
    for (int bit = 0; bit < 64; bit++)
        if (s->muted.heads >> bit & 1)
            muted[own->n_muted++] = (struct attention_head){
                .layer = bit / s->muted.n_heads, .head = bit % s->muted.n_heads};
    bool ok = true;
    if (needs_replaced) {
        own->replaced =
            rewrite_list(s->project.score, o, &s->request.rewritten, &own->n_replaced);
        ok = own->replaced != NULL;
    }
    ok = ok && gather_marks(own, &s->takes) && proposals_begin(&s->takes, own);
    if (!s->has_take)
        s->request.music_end = score_end_tick(context);
    if (!ok) {
        score_destroy(context);
    } else if (!generator_start(s->generator, context, &wanted)) {
        proposals_end(&s->takes, true); /* of these nothing came */
        ok = false;
    }
    own->given = NULL; /* these two were borrowed */
    own->muted = NULL;
    request_fini(own);
    if (!ok)
        return false;
    s->steering.seed += (uint64_t)wanted.options.n_takes;
    static const char *const MOTIF[] = {"", ", with the motif",
                                        ", the motif transposed", ", the motif varied"};
    const char *motif = MOTIF[s->request.asked.options.motif.kind];
    const char *grid = score_is_off_grid(s->project.score)
                           ? "the notes are off the grid: gL lays them on it; "
                           : "";
    char name[64], takes[24] = "";
    if (wanted.options.n_takes > 1)
        snprintf(takes, sizeof takes, ", %d takes", wanted.options.n_takes);
    if (hole_is_asked(s))
        session_say(s, "%sfilling %s%s%s; Ctrl-C stops", grid, hole_name(s, name),
                    takes, motif);
    else
        session_say(s, "%scontinuing for %d bar%s%s%s; Ctrl-C stops", grid,
                    s->request.asked.bars, plural(s->request.asked.bars), takes, motif);
    return true;
}

bool machine_ask(struct session *s)
{
    if (!s->project.score->n_tracks)
        act_command_line(s, "track Piano"); /* somewhere for the notes to go */
    session_stop_take(s);
    struct score *context = model_context(s);
    if (!context || !begin(s, context)) {
        session_error(s, "out of memory: nothing was requested");
        return false;
    }
    s->has_take = s->request.is_running = true;
    hearing_changed(s);
    s->request.n_tracks = (int)s->project.score->n_tracks;
    if (hole_is_asked(s)) {
        s->request.from = s->request.asked.options.hole.from_tick;
        s->request.to = s->request.asked.options.hole.to_tick;
    }
    s->view.mode = MODE_TAKES;
    framing_begin_anew(s);
    s->request.first_ghost_ms = 0;
    s->roll.follow = true;
    return true;
}

/* -- reading ahead -- */

/* Until it has something to do. */
static int ahead_timeout_ms(const struct session *s)
{
    const struct read_ahead *a = s->parts.ahead;
    return s->has_take || a->read == s->project.version ? -1 : PAUSE_MS;
}

/* If the music has not changed for a moment, the model reads it, to be ready for a request. */
static void read_ahead(struct session *s)
{
    struct read_ahead *a = s->parts.ahead;
    if (a->seen != s->project.version) {
        a->seen = s->project.version;
        a->seen_ms = clock_whole_ms();
    }
    if (ahead_timeout_ms(s) < 0 || clock_whole_ms() - a->seen_ms < PAUSE_MS)
        return;
    a->read = a->seen;
    struct generation expected = {.options = CONTINUATION_DEFAULT, .bars = USUAL_BARS};
    struct score *context =
        score_n_notes(s->project.score) ? score_clone(s->project.score) : NULL;
    if (!context)
        return;
    if (surroundings_set_meter(context)) {
        score_destroy(context);
        return;
    }
    expected.options.bars = USUAL_BARS;
    steer_apply(&s->steering, &expected.options);
    generator_read_ahead(s->generator, context, &expected);
}

bool machine_has_read(const struct session *s, int ago_ms)
{
    const struct read_ahead *a = s->parts.ahead;
    return a->read == s->project.version && clock_whole_ms() - a->seen_ms > ago_ms;
}

/* What was opened is read at once. */
static void read_afresh(struct session *s)
{
    *s->parts.ahead = (struct read_ahead){.seen = s->project.version,
                                          .seen_ms = clock_whole_ms() - PAUSE_MS};
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
    /* For waiting takes the notes to replace are known; notes drawn since then stay. */
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
    if (proposals_best(&s->takes) >= 0) {
        session_say(s, "stopped; a accepts the notes so far, x rejects them");
    } else {
        session_drop_take(s);
        band_take_away(s);
        session_say(s, "stopped");
    }
}

const struct editor_part MACHINE_PART = {
    PART_STATE(ahead),
    .reset = read_afresh,
    .tick = read_ahead,
    .timeout_ms = ahead_timeout_ms,
};
