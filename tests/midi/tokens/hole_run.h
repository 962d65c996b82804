/* Random requests for holes, filled by choosers instead of a model. */
#ifndef TESTS_MIDI_HOLE_RUN_H
#define TESTS_MIDI_HOLE_RUN_H

#include "tests/check.h"
#include "tests/midi/random_fill.h"

/* -- what fits, found by trying: every note is compared with every other, independently of the
 * grammar's method -- */

enum { ASKED_MAX_BLOCKED = 4 };

struct asked {
    struct fill fill;
    struct hole hole; /* as given to the grammar */
    struct grid_note blocked[ASKED_MAX_BLOCKED];
    size_t n_blocked;
};

/* The largest number of sampled tokens before a hole is done: BAR for every bar up to `to`,
 * and FILL_END; six tokens a note, one note for each step, track and pitch; DURX for every
 * 96 steps of each pitch. */
static inline int64_t hole_max_tokens(const struct hole *h)
{
    const struct hole clipped = hole_clip(h);
    int64_t span = clipped.to > clipped.from ? clipped.to - clipped.from : 0;
    int64_t n_pitches = 0; /* on all tracks */
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (clipped.tracks[t] && clipped.low[t] <= clipped.high[t])
            n_pitches += clipped.high[t] - clipped.low[t] + 1;
    return clipped.to + 1 + n_pitches * (6 * span + span / TOKEN_RADIX);
}

/* The n-th token of a mask; -1: it has fewer. */
static inline int32_t nth_allowed(const uint8_t *allowed, int n)
{
    for (int32_t id = 0; id < TOKEN_COUNT; id++)
        if (allowed[id] && n-- == 0)
            return id;
    return -1;
}

static inline bool overlaps_any(const struct grid_note *notes, size_t n,
                                const struct grid_note *other)
{
    for (size_t i = 0; i < n; i++)
        if (notes_overlap(&notes[i], other))
            return true;
    return false;
}

/* Counts a track's notes at that step; they are in canonical order. */
static inline int count_sounding(const struct piece *p, int track, int32_t step)
{
    int n = 0;
    for (size_t i = 0; i < p->n_notes && p->notes[i].step <= step; i++)
        n += p->notes[i].track == track && p->notes[i].step + p->notes[i].length > step;
    return n;
}

static inline bool is_in_scale(uint16_t scale, int pitch)
{
    return scale == 0 || (scale & 1 << pitch % 12) != 0;
}

/* The scale and the common pitch range do not apply to hits. */
static inline bool is_pitch_of(const struct hole *h, const struct piece *p,
                               const struct grid_note *n)
{
    bool is_in_reach = n->pitch >= h->low[n->track] && n->pitch <= h->high[n->track];
    return is_in_reach &&
           (piece_is_hit(p, n) || (n->pitch >= h->pitch_lo && n->pitch <= h->pitch_hi &&
                                   is_in_scale(h->scale, n->pitch)));
}

/* Beside the notes already inside; does not check voices. */
static inline bool fits(const struct asked *a, const struct piece *inside,
                        const struct grid_note *n)
{
    const struct hole *h = &a->hole;
    const struct piece *around = &a->fill.around;
    return piece_note_valid(around, n) &&
           fill_contains(&a->fill.request, around->families, n) && n->step >= h->from &&
           n->step + n->length <= h->to && is_pitch_of(h, around, n) &&
           h->tracks[n->track] && !overlaps_any(around->notes, around->n_notes, n) &&
           !overlaps_any(a->blocked, a->n_blocked, n) &&
           !overlaps_any(inside->notes, inside->n_notes, n);
}

/* Each note inside fits as if it were put there last, voices too. */
static inline bool all_fit(const struct asked *a, const struct piece *inside)
{
    for (size_t i = 0; i < inside->n_notes; i++) {
        const struct grid_note *n = &inside->notes[i];
        const struct piece before = {.notes = inside->notes, .n_notes = i};
        int voices = a->hole.max_polyphony[n->track];
        if (!fits(a, &before, n) ||
            (voices && count_sounding(inside, n->track, n->step) > voices))
            return false;
    }
    return true;
}

/* Whether another note fits after the last one inside, in canonical order. */
static inline bool another_fits(const struct asked *a, const struct piece *inside)
{
    const struct fill_request *q = &a->fill.request;
    struct grid_note n = {.step = q->from, .length = 1};
    if (inside->n_notes > 0)
        n = inside->notes[inside->n_notes - 1];
    int key = n.track * 128 + n.pitch + (inside->n_notes > 0);
    for (n.length = 1; n.step < q->to; n.step++, key = 0)
        for (; key < TOKEN_MAX_TRACKS * 128; key++) {
            n.track = (uint8_t)(key / 128);
            int voices = a->hole.max_polyphony[n.track];
            n.pitch = (uint8_t)(key % 128);
            if (fits(a, inside, &n) &&
                (!voices || count_sounding(inside, n.track, n.step) < voices))
                return true;
        }
    return false;
}

/* -- runs -- */

enum { MAX_IDS = 1 << 20 };

/* A hole being filled: its request, and the sequence so far. */
struct run {
    struct grammar *g;
    struct asked asked;
    int32_t ids[MAX_IDS];
    size_t n, n_asked;
    bool was_forced; /* the last token had no alternative */
};

enum chooser { FAIR, FIRST, LAST, NO_END, BARS, LONGEST, DENSE, N_CHOOSERS };

static inline struct run *run_create(void)
{
    struct run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    run->g = grammar_create();
    assert_non_null(run->g);
    return run;
}

static inline void run_destroy(struct run **run)
{
    grammar_destroy((*run)->g);
    free(*run);
}

#define auto_run __attribute__((cleanup(run_destroy))) struct run

/* BAR is the first of all allowed tokens, FILL_END the last. */
static inline int32_t choose(const uint8_t *allowed, int n, enum chooser how,
                             uint64_t *r)
{
    int last = n - 1, bar = allowed[TOKEN_BAR];
    int but_end = last - (n > 1 && allowed[TOKEN_FILL_END]);
    if (how == FIRST || (how == BARS && bar))
        return nth_allowed(allowed, 0);
    if (how == LAST || (how == LONGEST && allowed[TOKEN_DUR]))
        return nth_allowed(allowed, last);
    if (how == NO_END)
        return nth_allowed(allowed, but_end);
    if (how == DENSE && but_end >= bar)
        return nth_allowed(allowed, bar + random_below(r, but_end - bar + 1));
    return nth_allowed(allowed, random_below(r, n));
}

/* So few steps, pitches and tracks that all notes can be taken. */
static inline void make_small(struct fill_request *q, uint64_t *r)
{
    q->to = smaller(q->to, q->from + 1 + random_below(r, 60));
    q->pitch_hi = (uint8_t)smaller(q->pitch_hi, q->pitch_lo + random_below(r, 4));
    uint64_t few = q->tracks & UINT64_C(7) << random_below(r, 8);
    q->tracks = few ? few : q->tracks & (~q->tracks + 1); /* or the first */
}

/* All, or most pitch classes, and unused bits. */
static inline uint16_t random_scale(uint64_t *r)
{
    bool has_scale = random_below(r, 3) == 0;
    int one = random_below(r, 0x1000), other = random_below(r, 0x10000);
    return has_scale ? (uint16_t)(one | other) : 0;
}

/* Half the tracks play every pitch, any number at once. */
static inline void random_limits(struct hole *h, uint64_t *r)
{
    int voices = random_below(r, 2) ? random_below(r, 5) : 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        h->max_polyphony[t] = random_below(r, 4) ? voices : random_below(r, 5);
        if (random_below(r, 4))
            continue;
        h->low[t] = (uint8_t)random_below(r, 128);
        h->high[t] = (uint8_t)random_below(r, 256);
    }
}

/* Most equal the request; the others hold a part of it, or nothing. */
static inline struct hole random_hole(const struct fill *f, uint64_t *r)
{
    const struct fill_request *q = &f->request;
    struct hole h = hole_from_request(q);
    h.drums = piece_drums(&f->around);
    if (random_below(r, 5) == 0) {
        h.from += random_below(r, 60) - 30;
        h.to += random_below(r, 60) - 30;
        h.pitch_lo = (uint8_t)random_below(r, h.pitch_lo + 2);
        h.pitch_hi = (uint8_t)random_below(r, 256);
        h.tracks[random_below(r, 4)] = random_below(r, 2);
    }
    random_limits(&h, r);
    h.scale = random_scale(r);
    h.min_notes = random_below(r, 2) ? random_below(r, 30) : 0;
    return h;
}

/* Notes that stay may be long, and sound into the hole. */
static inline void lengthen_some(struct piece *around, uint64_t *r)
{
    for (size_t i = 0; i < around->n_notes; i++)
        if (random_below(r, 4) == 0)
            around->notes[i].length = random_length(r);
    piece_sort(around);
}

static inline void block_some(struct run *run, uint64_t *r)
{
    run->asked.n_blocked =
        random_below(r, 3) ? 0 : (size_t)random_below(r, ASKED_MAX_BLOCKED + 1);
    for (size_t i = 0; i < run->asked.n_blocked; i++) {
        int64_t step = run->asked.hole.from + random_below(r, 40);
        struct grid_note n = {.step = step > 0 ? (int32_t)step : 0,
                              .length = 1 + random_below(r, 30),
                              .track = (uint8_t)random_below(r, 4),
                              .pitch = run->asked.hole.pitch_lo & 127};
        assert_ok(grammar_block(run->g, n.track, n.pitch, n.step, n.length, false));
        run->asked.blocked[i] = n;
    }
}

static inline void run_feed(struct run *run, int32_t id)
{
    assert_true(run->n < MAX_IDS);
    assert_ok(grammar_feed(run->g, id));
    run->ids[run->n++] = id;
}

/* Nothing may be sampled before the request is complete. */
static inline void run_ask(struct run *run)
{
    uint8_t allowed[TOKEN_COUNT];
    bool has_mark = false;
    auto_tokens t = fill_tokens(&run->asked.fill, false);
    run->n = 0;
    for (size_t i = 0; i < t.n; i++) {
        if (has_mark && t.id[i] == TOKEN_FILL)
            assert_int_equal(grammar_allow(run->g, allowed), 0);
        run_feed(run, t.id[i]);
        has_mark = has_mark || t.id[i] == TOKEN_HOLE;
    }
    run->n_asked = t.n;
}

static inline void run_sample(struct run *run, enum chooser how, uint64_t *r)
{
    uint8_t allowed[TOKEN_COUNT];
    int64_t most = hole_max_tokens(&run->asked.hole);
    while (!grammar_done(run->g)) {
        int n = grammar_allow(run->g, allowed);
        assert_true(n > 0);
        assert_true((int64_t)(run->n - run->n_asked) < most);
        run->was_forced = n == 1;
        run_feed(run, choose(allowed, n, how, r));
    }
    assert_int_equal(grammar_allow(run->g, allowed), 0);
}

static inline int count_holes(int otherwise)
{
    const char *wanted = getenv("CONTINUO_HOLES");
    long n = wanted ? strtol(wanted, NULL, 10) : 0;
    return n > 0 && n < INT32_MAX ? (int)n : otherwise;
}

/* Choosers that take all they can get small holes, the others any. The grammar gets
 * the hole, and is not asked yet. */
static inline void run_make_hole(struct run *run, enum chooser how, uint64_t *r)
{
    bool takes_all = how == FIRST || how == NO_END || how == DENSE;
    run->asked.fill = random_fill(r);
    run->asked.fill.inside.n_notes = 0;
    if (takes_all || random_below(r, 2))
        make_small(&run->asked.fill.request, r);
    lengthen_some(&run->asked.fill.around, r);
    run->asked.hole = random_hole(&run->asked.fill, r);
    grammar_start(run->g, &run->asked.hole);
    block_some(run, r);
}

/* The hole's own notes come in turn, and then the end, which nothing delays; in a plan it
 * is forced. */
static inline void run_teach(struct run *run, bool has_plan)
{
    uint8_t allowed[TOKEN_COUNT];
    auto_tokens t = fill_tokens(&run->asked.fill, true);
    run_ask(run);
    for (size_t k = run->n_asked; k < t.n; k++) {
        bool is_last = k + 1 == t.n;
        int n = grammar_allow(run->g, allowed);
        assert_true(allowed[t.id[k]]);
        assert_int_equal(allowed[TOKEN_FILL_END], is_last);
        assert_true(!has_plan || !is_last || n == 1);
        assert_ok(grammar_feed(run->g, t.id[k]));
    }
    assert_true(grammar_done(run->g));
}

/* The closest hole around the notes inside, without those that do not fit after the ones
 * before them; it ends with the last. */
static inline void run_keep_what_fits(struct run *run)
{
    struct piece *inside = &run->asked.fill.inside;
    size_t n = inside->n_notes;
    run->asked.hole = hole_from_request(&run->asked.fill.request);
    run->asked.hole.drums = piece_drums(&run->asked.fill.around);
    run->asked.n_blocked = 0;
    inside->n_notes = 0;
    for (size_t i = 0; i < n; i++)
        if (fits(&run->asked, inside, &inside->notes[i]))
            inside->notes[inside->n_notes++] = inside->notes[i];
    run->asked.hole.min_notes = (int)inside->n_notes;
    run->asked.hole.scale = 0;
    for (size_t i = 0; i < inside->n_notes; i++) {
        const struct grid_note *a = &inside->notes[i];
        int voices = count_sounding(inside, a->track, a->step);
        if (voices > run->asked.hole.max_polyphony[a->track])
            run->asked.hole.max_polyphony[a->track] = voices;
        if (a->pitch < run->asked.hole.low[a->track])
            run->asked.hole.low[a->track] = a->pitch;
        if (a->pitch > run->asked.hole.high[a->track])
            run->asked.hole.high[a->track] = a->pitch;
        run->asked.hole.scale |= (uint16_t)(1 << a->pitch % 12);
    }
}

#endif
