/* The parser knows what may come in any sequence; here that is narrowed to
 * what may come in a hole, looking one note ahead so that no token leads into
 * a dead end. */
#include "midi/grammar.h"

#include "midi/parser.h"

#include <stdlib.h>
#include <string.h>

struct grammar {
    struct parser at;
    struct occupancy room;
};

struct grammar *grammar_create(void)
{
    struct grammar *g = calloc(1, sizeof *g);
    if (g)
        parser_init(&g->at);
    return g;
}

void grammar_destroy(struct grammar *g)
{
    if (!g)
        return;
    occupancy_fini(&g->room);
    free(g);
}

void grammar_start(struct grammar *g, const struct hole *hole)
{
    parser_init(&g->at);
    occupancy_start(&g->room, hole);
}

enum midi_status grammar_block(struct grammar *g, int track, int pitch, int64_t step,
                               int64_t length)
{
    return occupancy_block(&g->room, track, pitch, step, length);
}

enum midi_status grammar_feed(struct grammar *g, int32_t token)
{
    if (!parser_feed(&g->at, token))
        return MIDI_BAD_TOKEN;
    if (g->at.event == PARSER_NOTE)
        occupancy_add(&g->room, &g->at.note);
    return MIDI_OK;
}

bool grammar_done(const struct grammar *g)
{
    if (g->at.state == AFTER_EOS)
        return true;
    if (g->at.bar_steps == 0)
        return false; /* before the first meter */
    return g->at.bar_start >= g->room.hole.to || !parser_has_room(&g->at);
}

bool grammar_note(const struct grammar *g, struct grid_note *out)
{
    if (g->at.event != PARSER_NOTE)
        return false;
    *out = g->at.note;
    return true;
}

int64_t grammar_step(const struct grammar *g)
{
    return g->at.bar_start + (g->at.onset > 0 ? g->at.onset : 0);
}

int64_t grammar_bar_start(const struct grammar *g)
{
    return g->at.bar_start;
}

/* The mask being filled. Each allow_ function adds the tokens of its kind. */
struct mask {
    uint8_t *allowed;
    int n;
};

static void allow(struct mask *m, int32_t token)
{
    m->allowed[token] = 1;
    m->n++;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The first position of [base, base + 96) after the present onset, in this bar
 * and the hole, with room for a note, from `low` on; -1: none. */
static int32_t next_position(const struct grammar *g, int32_t base, int32_t low)
{
    const struct parser *at = &g->at;
    const struct hole *hole = &g->room.hole;
    int64_t first = larger(larger(at->onset + 1, low), hole->from - at->bar_start);
    int64_t end =
        smaller(smaller(at->bar_steps, base + TOKEN_RADIX), hole->to - at->bar_start);
    for (int64_t position = first; position < end; position++)
        if (occupancy_step_fits(&g->room, at->bar_start + position))
            return (int32_t)position;
    return -1;
}

/* POS tokens, after a POSX that said `base`, or after none. */
static void allow_positions_from(const struct grammar *g, struct mask *m, int32_t base)
{
    int32_t position = base;
    while ((position = next_position(g, base, position)) >= 0)
        allow(m, TOKEN_POS + position++ - base);
}

static void allow_positions(const struct grammar *g, struct mask *m)
{
    allow_positions_from(g, m, 0);
    for (int32_t base = TOKEN_RADIX; base < g->at.bar_steps; base += TOKEN_RADIX)
        if (next_position(g, base, base) >= 0)
            allow(m, TOKEN_POSX + base / TOKEN_RADIX - 1);
}

/* Pitches rise within one track's onset, and start over at the next. */
static int lowest_pitch(const struct parser *at)
{
    return at->has_note && at->track == at->note.track ? at->note.pitch + 1 : 0;
}

static void allow_pitches(const struct grammar *g, struct mask *m)
{
    const struct occupancy *room = &g->room;
    int track = g->at.track, pitch = lowest_pitch(&g->at);
    int64_t step = grammar_step(g);
    if (!occupancy_track_fits(room, track, pitch, step))
        return;
    for (; (pitch = occupancy_first_pitch(room, track, pitch, step)) < N_PITCHES;
         pitch++)
        allow(m, TOKEN_PITCH + pitch);
}

/* The track last spoken takes a note: a PITCH, or VEL first. */
static void allow_velocities_and_pitches(const struct grammar *g, struct mask *m)
{
    const struct parser *at = &g->at;
    if (at->track < 0 ||
        !occupancy_track_fits(&g->room, at->track, lowest_pitch(at), grammar_step(g)))
        return;
    for (int v = 0; v < TOKEN_VELOCITIES; v++)
        if (v != at->velocity)
            allow(m, TOKEN_VEL + v);
    if (at->velocity >= 0)
        allow_pitches(g, m);
}

/* Another track takes a note: any at a new onset, else only later ones. */
static void allow_tracks(const struct grammar *g, struct mask *m)
{
    const struct parser *at = &g->at;
    for (int t = at->has_note ? at->track + 1 : 0; t < TOKEN_MAX_TRACKS; t++)
        if (t != at->track && occupancy_track_fits(&g->room, t, 0, grammar_step(g)))
            allow(m, TOKEN_TRACK + t);
}

/* After a complete bar line, meter or note. */
static void allow_between(const struct grammar *g, struct mask *m)
{
    allow(m, TOKEN_BAR);
    allow_positions(g, m);
    if (g->at.state == AFTER_NOTE) {
        allow_velocities_and_pitches(g, m);
        allow_tracks(g, m);
    }
}

/* Up to the hole's end, or the next note of this pitch. The longest DURX may
 * be said again; any other leaves only DUR. */
static void allow_durations(const struct grammar *g, struct mask *m)
{
    const struct parser *at = &g->at;
    int64_t step = grammar_step(g);
    int64_t until_next = occupancy_steps_free(&g->room, at->track, at->pitch, step);
    int64_t left = smaller(until_next, g->room.hole.to - step) - at->high;
    for (int d = 1; d <= TOKEN_RADIX && d <= left; d++)
        allow(m, TOKEN_DUR + d - 1);
    if (at->state == AFTER_DURX && at->last_durx != TOKEN_MAX_DURX)
        return;
    for (int k = 1; k <= TOKEN_MAX_DURX && TOKEN_RADIX * k < left; k++)
        allow(m, TOKEN_DURX + k - 1);
}

int grammar_allow(const struct grammar *g, uint8_t *allowed)
{
    struct mask m = {.allowed = allowed};
    const struct parser *at = &g->at;
    memset(allowed, 0, TOKEN_COUNT);
    if (grammar_done(g))
        return 0;
    if (parser_is_between(at)) {
        allow_between(g, &m);
    } else if (at->state == AFTER_POSX) {
        allow_positions_from(g, &m, at->high);
    } else if (at->state == AFTER_POS) {
        allow_velocities_and_pitches(g, &m);
        allow_tracks(g, &m);
    } else if (at->state == AFTER_TRACK) {
        allow_velocities_and_pitches(g, &m);
    } else if (at->state == AFTER_VEL) {
        allow_pitches(g, &m);
    } else if (at->state & (AFTER_PITCH | AFTER_DURX)) {
        allow_durations(g, &m);
    }
    return m.n;
}
