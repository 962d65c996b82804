/* Random requests, and random pieces with some requested notes removed or replaced. */
#ifndef TESTS_MIDI_RANDOM_FILL_H
#define TESTS_MIDI_RANDOM_FILL_H

#include "midi/tokens/parser.h"
#include "tests/midi/random_piece.h"

static inline int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* On a bar line, on a note, at the end, or anywhere. */
static inline int32_t random_step(const struct piece *p, uint64_t *r)
{
    int32_t end = (int32_t)piece_bar_start(p, p->n_bars);
    switch (random_below(r, 4)) {
    case 0:
        return (int32_t)piece_bar_start(p, random_below(r, p->n_bars + 2));
    case 1:
        return p->n_notes ? p->notes[random_below(r, (int)p->n_notes)].step : 0;
    case 2:
        return end;
    default:
        return random_below(r, end + 200);
    }
}

static inline int random_level(uint64_t *r, int count)
{
    return random_below(r, 2) ? FILL_ANY : random_below(r, count);
}

/* One or all of the declared tracks; there is at least one. */
static inline uint64_t random_tracks(const struct piece *p, uint64_t *r)
{
    uint64_t all = piece_declared(p);
    if (random_below(r, 2))
        return all;
    int t = random_below(r, TOKEN_MAX_TRACKS);
    while (!(all >> t & 1))
        t = (t + 1) % TOKEN_MAX_TRACKS;
    return UINT64_C(1) << t;
}

/* A valid request for a piece with tracks and bars. */
static inline struct fill_request random_request(const struct piece *p, uint64_t *r)
{
    int32_t a = smaller(random_step(p, r), FILL_MAX_STEP - 1);
    int32_t b = smaller(random_step(p, r), FILL_MAX_STEP);
    int low = random_below(r, 2) ? 0 : random_below(r, 128);
    struct fill_request q = {
        .from = a < b ? a : b,
        .to = a < b ? b : a,
        .pitch_lo = (uint8_t)low,
        .pitch_hi = (uint8_t)(low + random_below(r, 128 - low)),
        .tracks = random_tracks(p, r),
        .density = random_level(r, FILL_DENSITIES),
        .polyphony = random_level(r, FILL_POLYPHONIES),
        .length = random_level(r, FILL_LENGTHS),
        .height = random_level(r, FILL_REGISTERS),
        .close = random_below(r, 2),
    };
    q.to += q.from == q.to;
    return q;
}

static inline bool requests_equal(const struct fill_request *a,
                                  const struct fill_request *b)
{
    return a->from == b->from && a->to == b->to && a->pitch_lo == b->pitch_lo &&
           a->pitch_hi == b->pitch_hi && a->tracks == b->tracks &&
           a->density == b->density && a->polyphony == b->polyphony &&
           a->length == b->length && a->height == b->height && a->close == b->close;
}

/* A hole that can be encoded; it holds some of the notes inside the request. */
static inline struct fill random_fill(uint64_t *r)
{
    for (;;) {
        auto_piece p = random_piece(r);
        bool keep[RANDOM_PIECE_NOTES];
        struct fill f;
        for (int i = 0; i < RANDOM_PIECE_NOTES; i++)
            keep[i] = random_below(r, 5) == 0;
        for (size_t i = 0; i < p.n_notes; i++) /* short enough to lie inside */
            p.notes[i].length = smaller(p.notes[i].length, 1 + random_below(r, 90));
        piece_sort(&p);
        bool usable = p.n_bars > 0 && p.n_bars <= BAR_TABLE_SIZE && piece_declared(&p);
        if (usable) {
            struct fill_request q = random_request(&p, r);
            if (fill_split(&f, &p, &q, keep))
                abort();
        }
        if (usable)
            return f;
    }
}

/* The hole as tokens, which must succeed. */
static inline struct tokens fill_tokens(const struct fill *f, bool with_inside)
{
    struct tokens t;
    if (fill_encode(&t, f, with_inside))
        abort();
    return t;
}

/* Puts other notes inside, anywhere in it, also past the last bar and in unison. */
static inline void random_inside(struct fill *f, uint64_t *r)
{
    const struct fill_request *q = &f->request;
    size_t n = f->inside.n_notes;
    for (size_t i = 0; i < n; i++) {
        int32_t step = q->from + random_below(r, q->to - q->from);
        int track = random_below(r, TOKEN_MAX_TRACKS);
        while (!(q->tracks >> track & 1))
            track = (track + 1) % TOKEN_MAX_TRACKS;
        bool is_hit = f->inside.families[track] == FAMILY_DRUMS;
        int low = is_hit ? HIT_FIRST : q->pitch_lo;
        int high = is_hit ? HIT_FIRST + HIT_COUNT - 1 : q->pitch_hi;
        f->inside.notes[i] = (struct grid_note){
            .step = step,
            .length = smaller(random_length(r), q->to - step),
            .track = (uint8_t)track,
            .pitch = (uint8_t)(low + random_below(r, high - low + 1)),
            .velocity = (uint8_t)random_below(r, TOKEN_VELOCITIES),
        };
    }
    piece_sort(&f->inside);
}

/* A token that may come here, but not `except`, from a random one on; a refused token
 * changes nothing. -1: none. */
static inline int32_t any_legal_token(const struct parser *at, int32_t except,
                                      uint64_t *r)
{
    int32_t first = random_below(r, TOKEN_COUNT);
    for (int32_t i = 0; i < TOKEN_COUNT; i++) {
        struct parser copy = *at;
        int32_t id = (first + i) % TOKEN_COUNT;
        if (id != except && parser_feed(&copy, id))
            return id;
        if (id != except && memcmp(&copy, at, sizeof copy) != 0)
            abort();
    }
    return -1;
}

static inline bool notes_overlap(const struct grid_note *a, const struct grid_note *b)
{
    return a->track == b->track && a->pitch == b->pitch &&
           a->step < b->step + b->length && b->step < a->step + a->length;
}

#endif
