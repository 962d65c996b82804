/* The notes of a sequence that is being decoded, and the attention that a row gives to
 * each. The tokens alone show which of them belong to notes (midi/tokens/tokens.h,
 * midi/tokens/fill.h). */
#include "app/decoding/live_row.h"

enum stage {
    AMONG_NOTES,
    ASKED_TIMES, /* POS POS PITCH PITCH, two of each, */
    ASKED_PITCHES,
    ASKED_TRACKS, /* and tracks, going up; then request */
};

struct walk {
    const struct live_map *m;
    const float *row;
    enum stage stage;
    int n_said;      /* of a stage's two */
    int asked_track; /* the last, id */
    int track;       /* id of the newest TRACK */
    int first;       /* token that may belong to the note to come; -1: none */
    bool is_open;    /* a note was named, and its length may follow */
    float other;
    struct live_note *notes;
    int most, n;
};

/* Whether the token still belongs to the request. Requested tracks ascend, and the first
 * note names its own track, which is one of them. */
static bool is_asked(struct walk *w, int32_t token, enum token kind)
{
    if (w->stage == ASKED_TIMES && kind == TOKEN_POS && ++w->n_said == 2) {
        w->stage = ASKED_PITCHES;
        w->n_said = 0;
    } else if (w->stage == ASKED_PITCHES && kind == TOKEN_PITCH && ++w->n_said == 2) {
        w->stage = ASKED_TRACKS;
        w->asked_track = -1;
    } else if (w->stage == ASKED_TRACKS) {
        if (kind == TOKEN_TRACK && token > w->asked_track)
            w->asked_track = token;
        else if (!token_is_control(token))
            w->stage = AMONG_NOTES;
    }
    return w->stage != AMONG_NOTES;
}

/* Tokens for a note that did not come: a position before a bar line. */
static void drop(struct walk *w, int end)
{
    for (int i = w->first; w->first >= 0 && i < end; i++)
        w->other += w->row[i];
    w->first = -1;
}

static float sum(const float *row, int from, int to)
{
    float s = 0.0f;
    for (int i = from; i < to; i++)
        s += row[i];
    return s;
}

static void add_note(struct walk *w, int at, int pitch)
{
    const struct live_map *m = w->m;
    const int first = w->first < 0 ? at : w->first, track = w->track - TOKEN_TRACK;
    w->first = -1;
    w->is_open = w->n < w->most;
    if (!w->is_open) {
        w->other += sum(w->row, first, at + 1);
        return;
    }
    w->notes[w->n++] = (struct live_note){
        .track = track >= 0 && track < TOKEN_MAX_TRACKS ? m->track_map[track] : -1,
        .pitch = pitch,
        .tick = tick_from_step(m->origin + m->times[at], m->ticks_per_quarter),
        .first_token = first,
        .n_tokens = at + 1 - first,
        .is_drawn = at >= m->n_given,
        .weight = sum(w->row, first, at + 1)};
}

static void walk_over(struct walk *w, int at)
{
    const int32_t token = w->m->tokens[at];
    const enum token kind = token_kind(token);
    if (kind == TOKEN_FILL) {
        w->stage = ASKED_TIMES;
        w->n_said = 0;
    }
    bool is_of_note = !is_asked(w, token, kind);
    if (is_of_note && kind == TOKEN_TRACK)
        w->track = token;
    if (is_of_note && kind == TOKEN_PITCH)
        add_note(w, at, token - TOKEN_PITCH);
    else if (is_of_note && kind == TOKEN_HIT)
        add_note(w, at, HIT_FIRST + token - TOKEN_HIT);
    else if (is_of_note && w->is_open && (kind == TOKEN_DUR || kind == TOKEN_DURX)) {
        w->notes[w->n - 1].n_tokens++;
        w->notes[w->n - 1].weight += w->row[at];
    } else if (is_of_note && (kind == TOKEN_DUR || kind == TOKEN_DURX))
        w->other += w->row[at];
    else if (is_of_note && (kind == TOKEN_POS || kind == TOKEN_POSX ||
                            kind == TOKEN_TRACK || kind == TOKEN_VEL))
        w->first = w->first < 0 ? at : w->first;
    else {
        drop(w, at);
        w->is_open = false;
        w->other += w->row[at];
    }
}

int live_map_notes(const struct live_map *m, int place, struct live_note *notes,
                   int most, float *other)
{
    struct walk w = {.m = m,
                     .row = live_map_row(m, place),
                     .track = -1,
                     .first = -1,
                     .notes = notes,
                     .most = most};
    for (int at = 0; at <= place; at++)
        walk_over(&w, at);
    drop(&w, place + 1);
    *other = w.other;
    return w.n;
}
