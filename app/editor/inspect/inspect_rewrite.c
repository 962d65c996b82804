/* The inspector's actions: leaves music out, mutes heads, and requests a rewrite from a
 * note on or with another note in its place. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/edit.h"
#include "app/editor/takes/machine.h"
#include "midi/base/array.h"

#include <stdlib.h>

/* Leaves out first the other note of the pair, then its bar, then its track, and then nothing
 * again. */
void act_inspect_mute(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const uint64_t other = inspect_other(s);
    if (i->without == WITHOUT_NOTHING && !other) {
        session_say(s, "pin a note and choose another first");
        return;
    }
    if (i->without == WITHOUT_NOTHING)
        i->without_of = other;
    i->without = (i->without + 1) % WITHOUT_COUNT;
    if (i->without == WITHOUT_NOTHING) /* in the other cases the figures show it */
        session_say(s, "all notes are used again");
    inspect_change(s);
}

void act_inspect_mute_head(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    int bit = i->look.layer * i->n_heads + i->look.head;
    if (i->look.layer < 0 || i->look.head < 0 || i->n_heads < 1) {
        session_say(s, "M mutes one head: ] and } choose it");
        return;
    }
    if (bit >= 64) {
        session_say(s, "only the first 64 heads can be muted");
        return;
    }
    s->muted.heads ^= UINT64_C(1) << bit;
    s->muted.n_heads = i->n_heads;
    bool is_muted = s->muted.heads >> bit & 1;
    session_say(s,
                is_muted ? "layer %d head %d is muted, also for the next takes"
                         : "layer %d head %d is no longer muted",
                i->look.layer + 1, i->look.head + 1);
    inspect_change(s);
}

/* Stays in the inspector while the requested take is written. */
static void stay_open(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    if (s->view.mode != MODE_TAKES)
        return;
    i->is_live = true;
    i->pinned = 0;
    session_open_mode(s, MODE_INSPECT);
}

/* Requests a take that begins with the first n tokens of the shown one, and one more, if it is
 * given; the rest is sampled again. */
static void go_on_from(struct session *s, size_t n, const int32_t *instead)
{
    const struct proposal *t = proposals_shown(&s->takes);
    int32_t *given = array_copy(t->tokens, n, sizeof *given);
    if (!given) {
        session_error(s, "out of memory: nothing was requested");
        return;
    }
    if (instead)
        given[n++] = *instead;
    struct continuation_options *o = &s->request.asked.options;
    o->given = given;
    o->n_given = n;
    o->motif.at = t->stats.motif; /* the tokens were written for this place */
    act_call(s, CMD_AGAIN);
    o->motif.at.kind = MOTIF_NONE;
    o->given = NULL;
    o->n_given = 0;
    free(given);
    stay_open(s);
}

/* Returns whether the tokens of the chosen note in the shown take are known; if not, tells the
 * user. */
static bool knows_way(struct session *s)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    const struct proposal *t = proposals_shown(&s->takes);
    const uint64_t request = s->parts.inspect->request;
    bool is_now = r->choices_for && r->choices_for == request && t && r->n_given >= 0 &&
                  (size_t)r->n_given <= t->n_tokens;
    if (!is_now && r->is_done && r->error[0] && r->request == request)
        session_say(s, "%s", r->error);
    else if (!is_now)
        session_say(s, s->request.is_running
                           ? "the take is still being written: Ctrl-C stops it"
                           : "this take is being read: wait a moment");
    return is_now && !s->request.is_running;
}

static bool chosen_spot(struct session *s, struct inspect_spot *at)
{
    if (inspect_find(s, inspect_chosen(s), at))
        return true;
    session_say(s, "there is no note here");
    return false;
}

/* Requests a rewrite of the note's track from a tick to the end of that bar. */
static void change_from(struct session *s, const struct inspect_spot *at, int64_t from)
{
    struct bar bar = session_bar_at(s, from);
    struct box b = {from, bar.start + bar.length, 0, 127};
    uint64_t tracks = machine_track(s, at->track);
    if (!tracks)
        return;
    hole_change(s, &b, tracks);
    stay_open(s);
}

void act_inspect_rewrite(struct session *s)
{
    struct inspect_spot at;
    if (!chosen_spot(s, &at))
        return;
    if (!at.is_ghost) {
        if (machine_is_free(s))
            change_from(s, &at, at.note.start);
    } else if (knows_way(s)) {
        const int n = s->parts.inspect->report.n_given_note;
        go_on_from(s, n > 0 ? (size_t)n : 0, NULL);
    }
}

void inspect_rewrite_worst(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    struct bar bar;
    float mean;
    i->wants_rewrite = false;
    if (!surprise_worst_bar(session_timeline(s), r->surprise, r->n_surprise, &bar,
                            &mean)) {
        session_say(s, "no bar has two or more notes");
        return;
    }
    uint64_t tracks = machine_tracks(s);
    struct box b = {bar.start, bar.start + bar.length, 0, 127};
    if (!tracks || !machine_is_free(s))
        return;
    session_go_to(s, bar.start);
    hole_change(s, &b, tracks);
    stay_open(s);
}

void act_inspect_rewrite_worst(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    i->wants_rewrite = true;
    session_say(s, "finding the most surprising bar");
    if (i->report.surprise_is_whole && i->report.surprise_for == i->request)
        inspect_rewrite_worst(s);
    else
        inspect_change(s);
}

void act_inspect_choose(struct session *s, const struct command *c)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    const bool is_now = r->choices_for == s->parts.inspect->request;
    const struct inspect_guess *g = NULL;
    struct inspect_spot at;
    if (!chosen_spot(s, &at))
        return;
    for (int k = 0, n = command_times(c); is_now && k < r->found.n_guesses; k++)
        if (!r->found.guesses[k].is_written && --n == 0)
            g = &r->found.guesses[k];
    if (!g) {
        session_say(s, is_now ? "the model has no other pitch here"
                              : "finding other pitches");
        return;
    }
    int32_t token = g->token;
    if (!g->is_allowed) {
        session_say(s, "not possible here: another note is in the way");
    } else if (at.is_ghost) {
        if (knows_way(s))
            go_on_from(s, (size_t)s->parts.inspect->report.n_given, &token);
    } else if (token < TOKEN_PITCH || token >= TOKEN_PITCH + 128) {
        session_say(s,
                    "press t first, to choose another pitch for a note of the piece");
    } else if (machine_is_free(s)) {
        /* The pitch is changed in one step; the rest of the bar is requested. */
        struct target before = {at.track, at.note};
        struct note after = at.note;
        after.pitch = (uint8_t)(token - TOKEN_PITCH);
        if (edit_replace(s, change_create("choose another pitch"), &before, &after, 1,
                         OVERLAP_REFUSE, NULL))
            change_from(s, &at, note_end(&at.note));
    }
}
