/* Holes in random scores, filled by models of random weights. Include cmocka.h before it. */
#ifndef TESTS_APP_FILLED_HOLES_H
#define TESTS_APP_FILLED_HOLES_H

#include "midi/tokens/fill.h"
#include "tests/app/random_continuation.h"
#include "tests/app/take_checks.h"

enum { QUARTER = 480, TRACKS = 3, MAX_NOTES = 8192 };

static inline int draw(uint64_t *state, int below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)below);
}

/* Notes of all lengths on two of three tracks; none overlaps one of its pitch. */
static inline struct score *random_score(uint64_t *r, int n_notes)
{
    int64_t silent_from[TRACKS][128] = {0};
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    for (int t = 0; t < TRACKS; t++)
        assert_int_equal(score_add_track(s, "a track", (uint8_t)t, 0), t);
    for (int i = 0; i < n_notes; i++) {
        int track = 2 * draw(r, 2), pitch = 40 + draw(r, 40);
        int64_t start = (int64_t)i * 200 + draw(r, 100);
        struct note n = {.start = start,
                         .length = 30 + draw(r, draw(r, 4) ? 900 : 9000),
                         .pitch = (uint8_t)pitch,
                         .velocity = (uint8_t)(20 + draw(r, 100)),
                         .on_order = ORDER_LAST,
                         .off_order = ORDER_FIRST};
        if (start < silent_from[track][pitch])
            continue;
        silent_from[track][pitch] = start + n.length;
        assert_int_not_equal(score_add_note(s, track, n), 0);
    }
    return s;
}

struct result {
    struct continued_note notes[MAX_NOTES];
    size_t n;
    struct continuation_stats stats; /* of the first take */
};

static inline enum continuation_state run(struct fixture *f, const struct score *s,
                                          const struct continuation_options *o,
                                          struct result *r)
{
    r->n = 0;
    enum continuation_state state = continuation_begin(f->continuation, s, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        assert_true(r->n < MAX_NOTES);
        const struct continued_note *n = &r->notes[r->n];
        state = continuation_next(f->continuation, &r->notes[r->n]);
        for (size_t i = 0; state == CONTINUATION_NOTE && n->is_hit && i < r->n; i++)
            if (r->notes[i].track == n->track && r->notes[i].take == n->take)
                continued_cut(&r->notes[i].note, n);
        r->n += state == CONTINUATION_NOTE;
    }
    continuation_stats(f->continuation, 0, &r->stats);
    return state;
}

static inline void assert_legal(const struct score *s,
                                const struct continuation_options *o,
                                const struct result *r)
{
    check_notes(s, o, &r->stats, r->notes, r->n);
}

static inline struct continuation_options whole_hole(int64_t to)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_PIANO;
    o.hole = CONTINUATION_HOLE_DEFAULT;
    o.hole.to_tick = to;
    return o;
}

static inline bool same_notes(const struct result *a, const struct result *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->notes[i].note.start == b->notes[i].note.start &&
               a->notes[i].note.pitch == b->notes[i].note.pitch &&
               a->notes[i].note.length == b->notes[i].note.length;
    return same;
}

#endif
