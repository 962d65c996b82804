/* Random requests for holes, filled by choosers instead of a model. */
#ifndef TESTS_MIDI_HOLE_RUN_H
#define TESTS_MIDI_HOLE_RUN_H

#include "tests/check.h"
#include "tests/midi/hole_oracle.h"

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
        assert_ok(grammar_block(run->g, n.track, n.pitch, n.step, n.length));
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

#define FEED(g, ...)                                                                   \
    feed_all(g, (const int32_t[]){__VA_ARGS__},                                        \
             sizeof(const int32_t[]){__VA_ARGS__} / sizeof(int32_t))

static inline void feed_all(struct grammar *g, const int32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_ok(grammar_feed(g, ids[i]));
}

/* All of these ids are allowed, and others are not: `rest` of them are. */
static inline void assert_allowed(const struct grammar *g, int32_t first, int n,
                                  int rest)
{
    uint8_t allowed[TOKEN_COUNT];
    assert_int_equal(grammar_allow(g, allowed), n + rest);
    for (int i = 0; i < n; i++)
        assert_true(allowed[first + i]);
}

static inline void assert_n_allowed(const struct grammar *g, int n)
{
    assert_allowed(g, 0, 0, n);
}

/* So many may be sampled; then these come. */
#define FEED_OF(g, n, ...)                                                             \
    do {                                                                               \
        assert_n_allowed(g, n);                                                        \
        FEED(g, __VA_ARGS__);                                                          \
    } while (0)

/* Only this one may be sampled; then it comes. */
static inline void feed_forced(struct grammar *g, int32_t token)
{
    assert_allowed(g, token, 1, 0);
    FEED(g, token);
}

static inline struct grammar *start_grammar(const struct hole *h)
{
    struct grammar *g = grammar_create();
    assert_non_null(g);
    grammar_start(g, h);
    return g;
}

#endif
