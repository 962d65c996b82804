/* The parser knows which token may come in any sequence. The grammar narrows that to
 * the hole, and looks one note ahead, so that no token leads into a dead end. */
#include "midi/tokens/grammar.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/tokens/parser.h"
#include "midi/tokens/note_constraints.h"

#include <stdlib.h>
#include <string.h>

struct grammar {
    struct parser at;
    struct hole hole; /* the hole that grammar_start was given */
    struct note_constraints constraints;
    int64_t n_notes;        /* in the request's hole so far */
    struct grid_chord *due; /* [n_due] chords that must come; owned, ascending */
    size_t n_due;
    int64_t free_from, free_to; /* steps between which other chords may come */
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
    constraints_fini(&g->constraints);
    free(g->due);
    free(g);
}

void grammar_start(struct grammar *g, const struct hole *hole)
{
    parser_init(&g->at);
    g->hole = *hole;
    constraints_start(&g->constraints, hole);
    g->n_notes = 0;
    g->n_due = 0;
    g->free_from = g->free_to = 0;
}

enum midi_status grammar_block(struct grammar *g, int track, int pitch, int64_t step,
                               int64_t length, bool is_voice)
{
    return occupancy_block(&g->constraints.room, track, pitch, step, length, is_voice);
}

enum midi_status grammar_keep(struct grammar *g, const struct hole_plan *plan)
{
    return constraints_set_plan(&g->constraints, plan);
}

enum midi_status grammar_harmonise(struct grammar *g, const struct grid_chord *due,
                                   size_t n, int64_t free_from, int64_t free_to)
{
    struct grid_chord *copy = array_copy(due, n, sizeof *copy);
    if (!copy)
        return MIDI_NO_MEMORY;
    free(g->due);
    g->due = copy;
    g->n_due = n;
    g->free_from = free_from;
    g->free_to = free_to;
    return MIDI_OK;
}

/* Whether the chord lies at the present position or later, and changes the harmony. */
static bool is_to_come(const struct parser *at, const struct grid_chord *c)
{
    const int64_t step = at->bar_start + (int64_t)at->onset;
    return (c->step > step || (c->step == step && at->state == AFTER_POS)) &&
           !grid_chord_equal(&at->chord, c);
}

const struct grid_chord *grammar_due(const struct grammar *g)
{
    for (size_t i = 0; i < g->n_due; i++)
        if (is_to_come(&g->at, &g->due[i]))
            return &g->due[i];
    return NULL;
}

/* Adopts the tracks and drums that the sequence declares, instead of the hole's. */
static void adopt_tracks(struct grammar *g)
{
    struct hole *h = &g->hole;
    bool changes = false;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const int family = g->at.families[t];
        const uint64_t drums = (uint64_t)(family == FAMILY_DRUMS) << t;
        changes = changes || (h->tracks[t] && family == FAMILY_NONE) ||
                  (h->drums & UINT64_C(1) << t) != drums;
        h->tracks[t] = h->tracks[t] && family != FAMILY_NONE;
        h->drums = (h->drums & ~(UINT64_C(1) << t)) | drums;
    }
    if (changes)
        occupancy_narrow(&g->constraints.room, h);
}

enum midi_status grammar_feed(struct grammar *g, int32_t token)
{
    if (!parser_feed(&g->at, token))
        return MIDI_BAD_TOKEN;
    if (token == TOKEN_HOLE)
        return occupancy_go_back(&g->constraints.room, g->at.marks[0]);
    if (g->at.event == PARSER_BAR && g->at.n_bars == 1 && !g->at.is_filling)
        adopt_tracks(g);
    if (g->at.state == AFTER_ASKED_TRACK) {
        const struct hole asked = hole_from_request(&g->at.request);
        const struct hole both = hole_intersect(&g->hole, &asked);
        constraints_narrow(&g->constraints, &both);
    }
    if (g->at.event != PARSER_NOTE)
        return MIDI_OK;
    const struct grid_note *n = &g->at.note;
    const bool is_inside = g->at.is_filling;
    if (!is_inside && g->at.n_marks == 1) /* between HOLE and RESUME */
        return occupancy_block(&g->constraints.room, n->track, n->pitch, n->step,
                               n->length, false);
    g->n_notes += is_inside;
    if (is_inside || g->at.n_marks == 0) /* other notes begin after the hole */
        constraints_add(&g->constraints, n);
    return MIDI_OK;
}

bool grammar_done(const struct grammar *g)
{
    if (g->at.state & (AFTER_EOS | AFTER_FILL_END))
        return true;
    if (g->at.n_marks > 0)
        return false;
    if (g->at.bar_steps == 0)
        return false; /* the first meter is not known yet */
    return g->at.bar_start >= g->constraints.room.hole.to || !parser_has_room(&g->at);
}

bool grammar_note(const struct grammar *g, struct grid_note *out)
{
    if (g->at.event != PARSER_NOTE)
        return false;
    *out = g->at.note;
    return true;
}

bool grammar_chord(const struct grammar *g, struct grid_chord *out)
{
    if (g->at.event != PARSER_CHORD)
        return false;
    *out = g->at.chord;
    return true;
}

int64_t grammar_step(const struct grammar *g)
{
    return g->at.bar_start + (g->at.onset > 0 ? g->at.onset : 0);
}

int grammar_track(const struct grammar *g)
{
    return g->at.track;
}

int64_t grammar_bar_start(const struct grammar *g)
{
    return g->at.bar_start;
}

/* The mask that is being filled. Each allow_ function adds the tokens of its kind. */
struct mask {
    uint8_t *allowed;
    int n;
    const struct grid_chord *due; /* the next chord that must come; NULL: none */
};

static void allow(struct mask *m, int32_t token)
{
    m->allowed[token] = 1;
    m->n++;
}

/* Whether a chord must come before the bar ends. */
static bool is_due_in_bar(const struct parser *at, const struct mask *m)
{
    return m->due && m->due->step < (int64_t)at->bar_start + at->bar_steps;
}

/* Returns the first position of [base, base + 96), from `low` on and after the present
 * onset, in this bar and the hole, at which a note fits or the chord that is due comes.
 * Positions do not pass that chord. Returns -1 if there is none. */
static int32_t next_position(const struct grammar *g, const struct mask *m,
                             int32_t base, int32_t low)
{
    const struct parser *at = &g->at;
    int64_t first = at->bar_start + larger(at->onset + 1, low);
    int64_t end = at->bar_start + smaller(at->bar_steps, base + TOKEN_RADIX);
    int64_t step = constraints_next_step(&g->constraints, first);
    const struct grid_chord *due = m->due;
    if (due && is_due_in_bar(at, m)) {
        end = smaller(end, (int64_t)due->step + 1);
        step = due->step >= first ? smaller(step, due->step) : step;
    }
    return step < end ? (int32_t)(step - at->bar_start) : -1;
}

/* Allows POS tokens after a POSX of `base`, or after none. */
static void allow_positions_from(const struct grammar *g, struct mask *m, int32_t base)
{
    int32_t position = base;
    while ((position = next_position(g, m, base, position)) >= 0)
        allow(m, TOKEN_POS + position++ - base);
}

static void allow_positions(const struct grammar *g, struct mask *m)
{
    allow_positions_from(g, m, 0);
    for (int32_t base = TOKEN_RADIX; base < g->at.bar_steps; base += TOKEN_RADIX)
        if (next_position(g, m, base, base) >= 0)
            allow(m, TOKEN_POSX + base / TOKEN_RADIX - 1);
}

/* Pitches ascend within one onset of a track. */
static int lowest_pitch(const struct parser *at)
{
    return at->has_note && at->track == at->note.track ? at->note.pitch + 1 : 0;
}

/* Allows pitches, or hits on a drum track. */
static void allow_pitches(const struct grammar *g, struct mask *m)
{
    int32_t first = parser_on_drums(&g->at) ? TOKEN_HIT - HIT_FIRST : TOKEN_PITCH;
    const struct note_constraints *c = &g->constraints;
    int track = g->at.track, pitch = lowest_pitch(&g->at);
    int64_t step = grammar_step(g);
    if (!constraints_track_fits(c, track, pitch, step))
        return;
    while ((pitch = constraints_first_pitch(c, track, pitch, step)) < N_PITCHES)
        allow(m, first + pitch++);
}

/* Allows a note on the present track: PITCH or HIT, or VEL first. */
static void allow_velocities_and_pitches(const struct grammar *g, struct mask *m)
{
    const struct parser *at = &g->at;
    if (at->track < 0 || !constraints_track_fits(&g->constraints, at->track,
                                                 lowest_pitch(at), grammar_step(g)))
        return;
    for (int v = 0; v < TOKEN_VELOCITIES; v++)
        if (v != at->velocities[at->track])
            allow(m, TOKEN_VEL + v);
    if (at->velocities[at->track] >= 0)
        allow_pitches(g, m);
}

/* Allows a note on another track: on any at a new onset, else only on later ones. */
static void allow_tracks(const struct grammar *g, struct mask *m)
{
    const struct parser *at = &g->at;
    for (int t = at->has_note ? at->track + 1 : 0; t < TOKEN_MAX_TRACKS; t++)
        if (t != at->track && at->families[t] != FAMILY_NONE &&
            constraints_track_fits(&g->constraints, t, 0, grammar_step(g)))
            allow(m, TOKEN_TRACK + t);
}

static bool is_free(const struct grammar *g)
{
    const int64_t step = grammar_step(g);
    return step >= g->free_from && step < g->free_to;
}

/* At a position: allows the chord that is due there, or any other where chords are
 * free. */
static void allow_chords(const struct grammar *g, struct mask *m)
{
    const struct grid_chord *due = m->due;
    if (due && due->step == grammar_step(g)) {
        allow(m, TOKEN_CHORD + (due->root == CHORD_NO_ROOT
                                    ? 12 * CHORD_QUALITIES
                                    : due->root * CHORD_QUALITIES + due->quality));
        return;
    }
    for (int i = 0; is_free(g) && i < 12 * CHORD_QUALITIES; i++) {
        const uint8_t root = (uint8_t)(i / CHORD_QUALITIES);
        const struct grid_chord c = {
            .root = root, .quality = (uint8_t)(i % CHORD_QUALITIES), .bass = root};
        if (!grid_chord_equal(&g->at.chord, &c))
            allow(m, TOKEN_CHORD + i);
    }
}

/* Returns the chord that is due at this step, whether it has come or not; NULL:
 * none. */
static const struct grid_chord *due_here(const struct grammar *g)
{
    for (size_t i = 0; i < g->n_due; i++)
        if (g->due[i].step == grammar_step(g))
            return &g->due[i];
    return NULL;
}

/* After CHORD: allows the bass of the chord that is due, or any other where chords are
 * free. */
static void allow_basses(const struct grammar *g, struct mask *m)
{
    const struct parser *at = &g->at;
    const struct grid_chord *due = due_here(g);
    for (uint8_t bass = 0; bass < 12 && at->chord.root < 12; bass++) {
        struct grid_chord c = at->chord;
        c.bass = bass;
        if (bass == at->chord.root || grid_chord_equal(&at->last_chord, &c))
            continue;
        if (due ? bass == due->bass : is_free(g))
            allow(m, TOKEN_BASS + bass);
    }
}

/* Whether only a bass may come now. */
static bool bass_is_due(const struct grammar *g)
{
    const struct parser *at = &g->at;
    const struct grid_chord *due = at->state == AFTER_CHORD ? due_here(g) : NULL;
    return at->state == AFTER_SAME_CHORD ||
           (due && due->root == at->chord.root && due->bass != at->chord.bass);
}

/* After a complete bar line, meter, note, chord or request. */
static void allow_between(const struct grammar *g, struct mask *m)
{
    const struct parser *at = &g->at;
    int64_t next_bar = (int64_t)at->bar_start + at->bar_steps;
    const bool is_later = m->due && m->due->step >= next_bar;
    /* In a plain sequence BAR is the way out. In a request's hole it must lead to a
     * note or a chord. */
    if (!is_due_in_bar(at, m) &&
        (!at->is_filling || is_later ||
         constraints_next_step(&g->constraints, next_bar) < INT64_MAX))
        allow(m, TOKEN_BAR);
    allow_positions(g, m);
    if (at->state & (AFTER_NOTE | AFTER_CHORD | AFTER_BASS)) {
        allow_velocities_and_pitches(g, m);
        allow_tracks(g, m);
    }
    if (at->state == AFTER_CHORD)
        allow_basses(g, m);
    bool is_enough = g->constraints.kept == HOLE_PLAN_NONE && !m->due &&
                     g->n_notes >= g->hole.min_notes;
    /* not right after BAR, which a note must follow */
    if (at->is_filling && at->state != AFTER_BAR && (is_enough || m->n == 0))
        allow(m, TOKEN_FILL_END);
}

/* Only the longest DURX may be repeated; after any other only DUR follows. */
static void allow_durations(const struct grammar *g, struct mask *m)
{
    const struct parser *at = &g->at;
    int64_t step = grammar_step(g);
    int64_t shortest = constraints_shortest(&g->constraints) - at->high;
    int64_t longest =
        constraints_longest(&g->constraints, at->track, at->pitch, step) - at->high;
    for (int64_t d = larger(shortest, 1); d <= TOKEN_RADIX && d <= longest; d++)
        allow(m, TOKEN_DUR + (int32_t)d - 1);
    if (at->state == AFTER_DURX && at->last_durx != TOKEN_MAX_DURX)
        return;
    for (int k = 1; k <= TOKEN_MAX_DURX && TOKEN_RADIX * k < longest; k++)
        if (k == TOKEN_MAX_DURX || TOKEN_RADIX * (k + 1) >= shortest)
            allow(m, TOKEN_DURX + k - 1);
}

int grammar_allow(const struct grammar *g, uint8_t *allowed)
{
    struct mask m = {.allowed = allowed, .due = grammar_due(g)};
    const struct parser *at = &g->at;
    memset(allowed, 0, TOKEN_COUNT);
    if (grammar_done(g) || (at->n_marks > 0 && !at->is_filling))
        return 0;
    if (bass_is_due(g)) {
        allow_basses(g, &m);
    } else if (parser_is_between(at)) {
        allow_between(g, &m);
    } else if (at->state == AFTER_POSX) {
        allow_positions_from(g, &m, at->high);
    } else if (at->state == AFTER_POS) {
        allow_chords(g, &m);
        if (m.due && m.due->step == grammar_step(g))
            return m.n;
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
