/* What a rule adds to the logits of tokens, as a row of text a place. A test's own `apply` calls
 * the rule; `says(step, track, "@1 < -6, bar = 0")` asks it there. A token is
 *
 *   @24 a position, @@ the first far one (@@1 the second); p60 a pitch; d24 a length, dx the first long one
 *   (dx1 the second); h36 a hit; t1 a track; v a velocity; bar; end, of what is filled
 *
 * with steps as in hand_play; rows are those of expect.h: "p57 < p40 - 4". Include tests/check.h before it. */
#ifndef TESTS_APP_RULE_H
#define TESTS_APP_RULE_H

#include "app/biases/place.h"
#include "tests/app/expect.h"
#include "tests/app/hand_piece.h"

static __attribute__((unused)) struct hand_piece h; /* the music */
static uint8_t allowed[TOKEN_COUNT];                /* given to the rule, */
static float logits[TOKEN_COUNT];                   /* which adds to these */
static float added[TOKEN_COUNT]; /* what was added there where it was asked last */

static __attribute__((unused)) struct place said = {
    .pitch = -1}; /* what the tokens said before */

static void apply(int64_t step, int track);

/* Where a test asks. */
static inline __attribute__((unused)) const struct place *place_at(int64_t step,
                                                                   int track)
{
    const int64_t bar = piece_bar_at(&h.piece, step);
    said.p = &h.piece;
    said.step = step;
    said.track = track;
    said.bar = piece_bar_start(&h.piece, bar);
    said.next_bar = piece_bar_start(&h.piece, bar + 1);
    said.held = token_kind(said.last) == TOKEN_DURX
                    ? TOKEN_RADIX * (said.last - TOKEN_DURX + 1)
                    : 0;
    said.allowed = allowed;
    said.logits = logits;
    return &said;
}

/* Logits of 0 of these tokens alone. */
static inline void allow(int first, int n)
{
    memset(allowed, 0, sizeof allowed);
    memset(allowed + first, 1, (size_t)n);
    memset(logits, 0, sizeof logits);
}

/* As in the grammar, lengths may come or all else. The lowest pitch and the shortest length are
 * not allowed: they are left alone. */
static inline void ask(int64_t step, int track)
{
    allow(TOKEN_DUR + 1, TOKEN_HIT - TOKEN_DUR - 1);
    apply(step, track);
    assert_true(logits[TOKEN_DUR] == 0);
    memcpy(added, logits, sizeof added);
    allow(0, TOKEN_COUNT);
    memset(allowed + TOKEN_DUR, 0, TOKEN_HIT - TOKEN_DUR);
    allowed[TOKEN_PITCH] = 0;
    apply(step, track);
    assert_true(logits[TOKEN_PITCH] == 0);
    for (int i = 0; i < TOKEN_COUNT; i++)
        if (i < TOKEN_DUR || i >= TOKEN_HIT)
            added[i] = logits[i];
}

/* Reads a token's name, and moves past it; -1: it is none. */
static inline int32_t read_token(const char **at)
{
    static const struct {
        const char *name;
        int first, has_steps;
    } KINDS[] = {{"@@", TOKEN_POSX, 1}, {"@", TOKEN_POS, 1},
                 {"bar", TOKEN_BAR, 0}, {"p", TOKEN_PITCH, 1},
                 {"dx", TOKEN_DURX, 1}, {"d", TOKEN_DUR - 1, 1},
                 {"t", TOKEN_TRACK, 1}, {"h", TOKEN_HIT - HIT_FIRST, 1},
                 {"v", TOKEN_VEL, 0},   {"end", TOKEN_FILL_END, 0}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        const size_t n = strlen(KINDS[i].name);
        if (strncmp(*at, KINDS[i].name, n) != 0)
            continue;
        *at += n;
        return KINDS[i].first + (KINDS[i].has_steps ? read_steps(at) : 0);
    }
    return -1;
}

/* What was added to a token. */
static inline double nats(const char *token)
{
    const int32_t id = read_token(&token);
    assert_in_range(id, 0, TOKEN_COUNT - 1);
    return (double)added[id];
}

static inline bool read_nats(const char **at, double *value)
{
    const int32_t token = read_token(at);
    if (token >= 0)
        *value = (double)added[token];
    return token >= 0;
}

static inline void says(int64_t step, int track, const char *facts)
{
    ask(step, track);
    expect_facts(facts, read_nats);
}

/* What is added to a token at a place. */
static inline double nats_at(int64_t step, int track, const char *token)
{
    ask(step, track);
    return nats(token);
}

static inline void says_nothing(int64_t step, int track)
{
    ask(step, track);
    for (int i = 0; i < TOKEN_COUNT; i++)
        assert_true(added[i] == 0);
}

#endif
