/* See motif.h. */
#include "app/decoding/motif.h"

#include "midi/score/scale.h"
#include "midi/base/array.h"

#include <stdlib.h>

enum {
    MOTIF_ID = 1, /* its notes are of the music, not drawn */
    WIDEST = 4,   /* semitones that varying moves a pitch by */
    IN_THREE = 3, /* one note in this many changes its pitch, one does not */
};

/* -- placing it -- */

static int compare(const void *a, const void *b)
{
    const struct motif_note *x = a, *y = b;
    return grid_note_compare(&x->grid, &y->grid);
}

static void put_on_grid(struct motif_note *n, const struct context *c)
{
    n->grid = context_grid_note(c, &n->out.note, context_token_track(c, n->out.track));
    n->grid.length = n->out.is_hit ? HIT_STEPS : n->grid.length;
    n->grid.id = MOTIF_ID;
}

/* As it was. Hits have no key, and return exactly. */
static enum midi_status take_source(struct motif *m, const struct context *c,
                                    enum motif_kind kind)
{
    m->notes = calloc(c->motif.n + 1, sizeof *m->notes);
    if (!m->notes)
        return MIDI_NO_MEMORY;
    m->place.kind = MOTIF_EXACT;
    for (size_t i = 0; i < c->motif.n; i++) {
        const struct continued_note *n = &c->motif.notes[i];
        m->notes[m->n] = (struct motif_note){.out = *n, .pitch_was = n->note.pitch};
        put_on_grid(&m->notes[m->n], c);
        m->tracks |= UINT64_C(1) << m->notes[m->n++].grid.track;
        m->place.kind = n->is_hit ? m->place.kind : kind;
    }
    qsort(m->notes, m->n, sizeof *m->notes, compare);
    m->scale = c->motif.scale;
    return MIDI_OK;
}

int64_t motif_ticks(const struct motif *m, const struct context *c, int64_t by)
{
    const struct piece *p = &c->music;
    const int64_t bar = piece_bar_start(p, piece_bar_at(p, m->notes[0].grid.step));
    return tick_from_step(bar + by, c->ticks_per_quarter) -
           tick_from_step(bar, c->ticks_per_quarter);
}

static void move(struct motif *m, const struct context *c, const struct motif_move *to)
{
    const int64_t ticks = motif_ticks(m, c, to->by);
    m->from = INT64_MAX;
    m->to = 0;
    for (size_t i = 0; i < m->n; i++) {
        struct motif_note *n = &m->notes[i];
        n->out.note.start += ticks;
        n->out.note.pitch = (uint8_t)motif_pitch(c, &n->grid, m->scale, to->degrees);
        put_on_grid(n, c);
        n->is_set = m->place.kind != MOTIF_VARIED || n->out.is_hit;
        const int64_t end = context_step_after(n->out.note.start + n->out.note.length,
                                               c->ticks_per_quarter),
                      grid_end = (int64_t)n->grid.step + n->grid.length;
        m->from = n->grid.step < m->from ? n->grid.step : m->from;
        m->to = end > m->to ? end : m->to;
        m->to = grid_end > m->to ? grid_end : m->to;
    }
    m->place.tick = m->notes[0].out.note.start;
    m->place.steps = to->degrees;
}

/* A note ends where the next of its pitch on its track begins; of two that begin together
 * one is removed. Drawn notes obey this, but the phrase or a moved phrase may not. */
static void cut_overlaps(struct motif *m, const struct context *c)
{
    struct motif_note *newest[TOKEN_MAX_TRACKS][N_PITCHES] = {{0}};
    for (size_t i = 0; i < m->n; i++) {
        struct motif_note *n = &m->notes[i];
        struct motif_note **last = &newest[n->grid.track][n->grid.pitch];
        const int64_t left = *last ? n->out.note.start - (*last)->out.note.start : 0;
        bool overlaps = *last && left < (*last)->out.note.length;
        if (overlaps && (left <= 0 || n->grid.step == (*last)->grid.step)) {
            n->is_set = false;
            continue;
        }
        if (overlaps) {
            (*last)->out.note.length = left;
            put_on_grid(*last, c);
        }
        *last = n;
    }
}

/* Removes notes without a possible pitch. */
static void leave_out_unset(struct motif *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++)
        if (m->notes[i].is_set)
            m->notes[n++] = m->notes[i];
    m->n = n;
}

static enum midi_status join_music(struct motif *m, struct context *c)
{
    enum midi_status st = MIDI_OK;
    leave_out_unset(m);
    qsort(m->notes, m->n, sizeof *m->notes, compare);
    cut_overlaps(m, c);
    leave_out_unset(m);
    for (size_t i = 0; !st && i < m->n; i++)
        st = context_add_note(c, &m->notes[i].grid);
    for (int t = 0; !st && t < TOKEN_MAX_TRACKS; t++) {
        if (!(m->tracks >> t & 1))
            continue;
        /* No other note of its tracks sounds there. */
        struct standing *all =
            array_resize(c->standing, c->n_standing + N_PITCHES, sizeof *all);
        c->standing = all ? all : c->standing;
        st = all ? MIDI_OK : MIDI_NO_MEMORY;
        for (int pitch = 0; all && pitch < N_PITCHES; pitch++)
            all[c->n_standing++] =
                (struct standing){m->from, m->to, (uint8_t)t, (uint8_t)pitch};
    }
    return st;
}

/* Its rhythm, for the pitches to come. */
static enum midi_status make_plan(struct motif *m)
{
    struct grid_note *slots = calloc(m->n + 1, sizeof *slots);
    size_t n = 0;
    if (!slots)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < m->n; i++)
        if (!m->notes[i].is_set)
            slots[n++] = m->notes[i].grid;
    enum midi_status st = hole_plan_make(&m->plan, HOLE_PLAN_RHYTHM, slots, n);
    free(slots);
    m->is_varying = !st && n > 0;
    return st;
}

/* The phrase alone is the hole, until it is settled. */
static void narrow(struct motif *m, struct context *c)
{
    m->hole = c->hole;
    m->request = c->request;
    c->hole.from = m->from;
    c->hole.to = m->to;
    c->hole.min_notes = 0;
    c->request.tracks = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        c->hole.tracks[t] = (m->tracks & ~c->hole.drums) >> t & 1;
        c->request.tracks |= (uint64_t)c->hole.tracks[t] << t;
    }
    c->request.density = c->request.polyphony = FILL_ANY;
    c->request.length = c->request.height = FILL_ANY;
    c->request.close = false;
}

enum midi_status motif_begin(struct motif *m, struct context *c,
                             const struct continuation_motif *wanted, uint64_t seed)
{
    struct motif_move to;
    motif_fini(m);
    if (!c->motif.n)
        return MIDI_OK;
    m->seed = seed;
    enum midi_status st = take_source(m, c, wanted->kind);
    if (st)
        return st;
    if (!motif_choose(&to, m, c, wanted))
        return MIDI_EMPTY;
    move(m, c, &to);
    st = m->place.kind == MOTIF_VARIED ? make_plan(m) : MIDI_OK;
    if (!st && m->is_varying)
        narrow(m, c);
    return st || m->is_varying ? st : join_music(m, c);
}

void motif_fini(struct motif *m)
{
    free(m->notes);
    hole_plan_fini(&m->plan);
    *m = (struct motif){0};
}

/* -- varying -- */

/* The note that is next there; n: none is. */
static size_t find_slot(const struct motif *m, int64_t step, int track)
{
    size_t i = 0;
    while (i < m->n && (m->notes[i].is_set || m->notes[i].grid.step != step ||
                        m->notes[i].grid.track != track))
        i++;
    return i;
}

/* The note before it on its track that does not begin with it; NULL: none. */
static const struct motif_note *before(const struct motif *m, size_t of)
{
    const struct grid_note *n = &m->notes[of].grid;
    for (size_t i = of; i-- > 0;) {
        const struct motif_note *other = &m->notes[i];
        if (other->is_set && other->grid.track == n->track &&
            other->grid.step < n->step)
            return other;
    }
    return NULL;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* Whether the pitch varies note i: as it should; or at least keeps the contour, and the key
 * if the note was in it; or only stays near. */
enum { NEAR, CONTOUR, STRICT };

static bool varies(const struct motif *m, size_t i, int pitch, int how)
{
    const struct motif_note *n = &m->notes[i], *last = before(m, i);
    const int turn = last ? sign(n->pitch_was - last->pitch_was) : 1;
    const uint64_t part = (i + m->seed) % IN_THREE;
    const bool is_same = pitch == n->pitch_was;
    if (abs(pitch - n->pitch_was) > WIDEST)
        return false;
    if (how >= CONTOUR && last && sign(pitch - last->grid.pitch) != turn)
        return false;
    if (how >= CONTOUR && scale_has(m->scale, n->pitch_was) &&
        !scale_has(m->scale, pitch))
        return false;
    return how < STRICT || (part == 0 ? !is_same || !turn : part == 2 || is_same);
}

void motif_mask(const struct motif *m, int64_t step, int track,
                uint8_t allowed[TOKEN_COUNT])
{
    const size_t i = m->is_varying ? find_slot(m, step, track) : m->n;
    bool any = i == m->n;
    int how = STRICT + 1;
    while (!any && --how >= NEAR)
        for (int pitch = 0; pitch < N_PITCHES; pitch++)
            any |= allowed[TOKEN_PITCH + pitch] && varies(m, i, pitch, how);
    for (int pitch = 0; any && i < m->n && pitch < N_PITCHES; pitch++)
        if (!varies(m, i, pitch, how))
            allowed[TOKEN_PITCH + pitch] = 0;
}

struct continued_note *motif_set(struct motif *m, const struct grid_note *drawn)
{
    const size_t i = find_slot(m, drawn->step, drawn->track);
    if (i == m->n)
        return NULL;
    m->notes[i].grid.pitch = m->notes[i].out.note.pitch = drawn->pitch;
    m->notes[i].grid.velocity = drawn->velocity;
    m->notes[i].out.note.velocity = (uint8_t)velocity_from_level(drawn->velocity);
    m->notes[i].is_set = true;
    return &m->notes[i].out;
}

enum midi_status motif_settle(struct motif *m, struct context *c)
{
    m->is_varying = false;
    c->hole = m->hole;
    c->request = m->request;
    return join_music(m, c);
}

/* -- handing out -- */

const struct continued_note *motif_tell(struct motif *m,
                                        const struct continued_note *next)
{
    if (m->is_varying || m->n_told == m->n)
        return NULL;
    const struct continued_note *n = &m->notes[m->n_told].out;
    if (next && continued_compare(n, next) >= 0)
        return NULL;
    m->n_told++;
    return n;
}

const struct grid_note *motif_hear(struct motif *m, int64_t step)
{
    if (m->is_varying || m->n_heard == m->n || m->notes[m->n_heard].grid.step > step)
        return NULL;
    return &m->notes[m->n_heard++].grid;
}
