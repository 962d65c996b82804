/* The musical state is what going through all tokens again says, whatever the tokens;
 * and of a few known bars what a reader sees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/random_piece.h"
#include "tests/midi/tokens/state_twin.h"

enum { N_SEQUENCES = 300, N_TOKENS = 400, N_LONG = 6000 };

static int32_t any_of(uint64_t *r, enum token first, int count)
{
    return (int32_t)first + random_below(r, count);
}

/* Near to music: most notes are whole, most positions follow each other. Returns how many
 * tokens were put, at most 8. */
static int put_some(int32_t *to, uint64_t *r, int *place)
{
    int n = 0;
    switch (random_below(r, 24)) {
    case 0:
        *place = 0;
        to[n++] = TOKEN_BAR;
        break;
    case 1:
        to[n++] = any_of(r, TOKEN_NUM, 12);
        to[n++] = any_of(r, TOKEN_DEN, 4);
        break;
    case 2:
        to[n++] = any_of(r, TOKEN_CHORD, 121);
        if (random_below(r, 2))
            to[n++] = any_of(r, TOKEN_BASS, 12);
        break;
    case 3:
        to[n++] = any_of(r, TOKEN_TRACK, 4);
        break;
    case 4:
        to[n++] = any_of(r, TOKEN_VEL, 32);
        break;
    case 5:
        to[n++] = any_of(r, TOKEN_HIT, HIT_COUNT);
        break;
    case 6:
    case 7:
    case 8:
        *place = (*place + random_below(r, 20)) % 96;
        to[n++] = TOKEN_POS + *place;
        break;
    case 9:
        to[n++] = any_of(r, TOKEN_PAD, TOKEN_COUNT + 5) - 2;
        break;
    default:
        to[n++] = any_of(r, TOKEN_PITCH + 40, 12);
        if (random_below(r, 8) == 0)
            to[n++] = any_of(r, TOKEN_DURX, 20);
        to[n++] = any_of(r, TOKEN_DUR, 96);
    }
    return n;
}

static int put_ask(int32_t *to, uint64_t *r)
{
    int n = 0;
    to[n++] = TOKEN_FILL;
    to[n++] = any_of(r, TOKEN_POS, 96);
    to[n++] = any_of(r, TOKEN_POSX, 6);
    to[n++] = any_of(r, TOKEN_POS, 96);
    to[n++] = any_of(r, TOKEN_PITCH, 128);
    to[n++] = any_of(r, TOKEN_PITCH, 128);
    to[n++] = any_of(r, TOKEN_TRACK, 4);
    return n;
}

static void make_sequence(int32_t *tokens, int n_tokens, uint64_t *r)
{
    int place = 0, n = 0;
    int32_t some[8];
    for (int t = 0; t < 4; t++) {
        tokens[n++] = TOKEN_TRACK + t;
        tokens[n++] = any_of(r, TOKEN_FAMILY, FAMILY_COUNT);
    }
    while (n < n_tokens) {
        bool asks = random_below(r, n_tokens / 2) == 0;
        int k = asks ? put_ask(some, r) : put_some(some, r, &place);
        for (int i = 0; i < k && n < n_tokens; i++)
            tokens[n++] = some[i];
    }
}

/* Does the last of these tokens have the row? */
static bool has_row(const int32_t *tokens, int n, int row)
{
    static struct token_state s;
    uint16_t rows[TOKEN_STATE_MOST];
    int n_rows = 0;
    token_state_start(&s);
    for (int i = 0; i < n; i++)
        n_rows = token_state_next(&s, tokens[i], rows);
    for (int i = 0; i < n_rows; i++)
        if (rows[i] == row)
            return true;
    return false;
}

static void compare(const int32_t *tokens, int n)
{
    struct twin *twin = calloc(1, sizeof *twin);
    struct token_state *s = malloc(sizeof *s);
    assert_true(twin && s);
    twin_start(twin, (size_t)n);
    token_state_start(s);
    for (int i = 0; i < n; i++) {
        int wanted[10 + 128];
        uint16_t rows[TOKEN_STATE_MOST];
        int n_rows = token_state_next(s, tokens[i], rows);
        twin_feed(twin, tokens[i]);
        int n_wanted = twin_rows(twin, wanted);
        assert_int_equal(n_rows, n_wanted);
        for (int k = 0; k < n_rows; k++) {
            assert_true(rows[k] < TOKEN_STATE_ROWS);
            assert_int_equal(rows[k], wanted[k]);
        }
    }
    twin_end(twin);
    free(twin);
    free(s);
}

static void it_is_what_was_told(void **state)
{
    uint64_t r = 5;
    (void)state;
    for (int i = 0; i < N_SEQUENCES; i++) {
        int32_t tokens[N_TOKENS];
        make_sequence(tokens, N_TOKENS, &r);
        compare(tokens, N_TOKENS);
    }
}

/* More notes and chords than are kept. */
static void it_forgets_the_oldest(void **state)
{
    static int32_t tokens[N_LONG];
    uint64_t r = 6;
    (void)state;
    for (int i = 0; i < 2; i++) {
        make_sequence(tokens, N_LONG, &r);
        compare(tokens, N_LONG);
    }
}

/* A note of track 0 that lasts, and n short ones of track 1, which is left again. */
static int put_pedal(int32_t *to, int n_others)
{
    int n = 0;
    to[n++] = TOKEN_TRACK;
    to[n++] = TOKEN_PITCH + 30;
    to[n++] = TOKEN_DURX + 62;
    to[n++] = TOKEN_DUR;
    to[n++] = TOKEN_TRACK + 1;
    for (int i = 0; i < n_others; i++) {
        to[n++] = TOKEN_PITCH + 60 + i % 9;
        to[n++] = TOKEN_DUR;
    }
    to[n++] = TOKEN_TRACK;
    return n;
}

static void a_pedal_is_forgotten_too(void **state)
{
    static int32_t tokens[2100];
    (void)state;
    int n = put_pedal(tokens, 1023);
    assert_true(has_row(tokens, n, STATE_SOUNDING + 30));
    assert_true(has_row(tokens, n, STATE_KEY + 30));
    n = put_pedal(tokens, 1024);
    assert_false(has_row(tokens, n, STATE_SOUNDING + 30));
    assert_true(has_row(tokens, n, STATE_KEY + 175));
    compare(tokens, n);
}

static void it_takes_anything(void **state)
{
    uint64_t r = 7;
    (void)state;
    for (int i = 0; i < N_SEQUENCES; i++) {
        int32_t tokens[N_TOKENS];
        for (int k = 0; k < N_TOKENS; k++)
            tokens[k] = random_below(&r, 50) == 0
                            ? random_below(&r, 1 << 30) - (1 << 29)
                            : random_below(&r, TOKEN_COUNT);
        compare(tokens, N_TOKENS);
    }
}

/* A bar of a C held by the piano and a hit; in a hole from the second quarter, on track 0,
 * the C sounds on and the chord holds. */
static const int32_t BARS[] = {
    TOKEN_BOS,        TOKEN_STYLE + 10,  TOKEN_TRACK,       TOKEN_FAMILY,
    TOKEN_TRACK + 1,  TOKEN_FAMILY + 16, TOKEN_BAR,         TOKEN_NUM + 3,
    TOKEN_DEN + 2,    TOKEN_POS,         TOKEN_CHORD + 71,  TOKEN_BASS + 2,
    TOKEN_TRACK,      TOKEN_VEL + 20,    TOKEN_PITCH + 60,  TOKEN_DUR + 47, /* 15 */
    TOKEN_POS + 24,   TOKEN_HOLE,        TOKEN_TRACK + 1,   TOKEN_VEL + 25,
    TOKEN_HIT + 3,    TOKEN_POS + 48,    TOKEN_CHORD + 120, TOKEN_RESUME, /* 23 */
    TOKEN_FILL,       TOKEN_POS + 24,    TOKEN_POS + 48,    TOKEN_PITCH,
    TOKEN_PITCH + 99, TOKEN_TRACK,       TOKEN_POS + 36,    TOKEN_VEL + 9, /* 31 */
    TOKEN_PITCH + 64, TOKEN_DUR + 11,    TOKEN_FILL_END,
};

static void it_says_what_a_reader_sees(void **state)
{
    (void)state;
    assert_true(has_row(BARS, 1, STATE_PLACE + 192)); /* nothing is known */
    assert_true(has_row(BARS, 1, STATE_BAR + 32));
    assert_true(has_row(BARS, 1, STATE_TRACK + 64));
    assert_true(has_row(BARS, 6, STATE_FAMILY + 16));
    assert_true(has_row(BARS, 13, STATE_FAMILY));
    assert_true(has_row(BARS, 9, STATE_BAR + 8)); /* eight eighths */
    assert_true(has_row(BARS, 12, STATE_CHORD + 71));
    assert_true(has_row(BARS, 11, STATE_BASS + 7)); /* the root, */
    assert_true(has_row(BARS, 12, STATE_BASS + 2)); /* and then another */
    assert_true(has_row(BARS, 14, STATE_VELOCITY + 20));
    assert_false(has_row(BARS, 15, STATE_SOUNDING + 60));
    assert_true(has_row(BARS, 16, STATE_SOUNDING + 60));
    assert_true(has_row(BARS, 16, STATE_KEY + 60));
    assert_true(has_row(BARS, 16, STATE_LENGTH + 47));
    assert_true(has_row(BARS, 17, STATE_PLACE + 24));
    assert_true(has_row(BARS, 17, STATE_SOUNDING + 60));
    assert_true(has_row(BARS, 21, STATE_KEY + 128 + 3));
    assert_false(has_row(BARS, 22, STATE_SOUNDING + 60)); /* it ends here */
    assert_true(has_row(BARS, 23, STATE_CHORD + 120));
    assert_true(has_row(BARS, 23, STATE_BASS + 12));
}

static void it_goes_back_to_the_hole(void **state)
{
    (void)state;
    assert_true(has_row(BARS, 24, STATE_LEFT + 17));
    assert_true(has_row(BARS, 30, STATE_LEFT + 1));
    assert_true(has_row(BARS, 30, STATE_PLACE + 24));
    assert_true(has_row(BARS, 30, STATE_SOUNDING + 60));
    assert_true(has_row(BARS, 30, STATE_CHORD + 71));
    assert_true(has_row(BARS, 30, STATE_VELOCITY + 20)); /* of the last note, */
    assert_true(has_row(BARS, 32, STATE_VELOCITY + 9));  /* till another is said */
    assert_true(has_row(BARS, 31, STATE_LEFT));
    assert_true(has_row(BARS, 33, STATE_KEY + 60));
    assert_true(has_row(BARS, 34, STATE_KEY + 64));
    assert_true(has_row(BARS, 34, STATE_SOUNDING + 60));
    assert_true(has_row(BARS, 34, STATE_SOUNDING + 64));
}

static void the_lowest_have_room(void **state)
{
    int32_t tokens[128 * 2 + 1] = {TOKEN_TRACK};
    (void)state;
    for (int i = 0; i < 128; i++) {
        tokens[1 + 2 * i] = TOKEN_PITCH + 127 - i;
        tokens[2 + 2 * i] = TOKEN_DUR + 4;
    }
    assert_true(has_row(tokens, 257, STATE_SOUNDING + 21));
    assert_false(has_row(tokens, 257, STATE_SOUNDING + 22));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_was_told),
        cmocka_unit_test(it_forgets_the_oldest),
        cmocka_unit_test(a_pedal_is_forgotten_too),
        cmocka_unit_test(it_takes_anything),
        cmocka_unit_test(it_says_what_a_reader_sees),
        cmocka_unit_test(it_goes_back_to_the_hole),
        cmocka_unit_test(the_lowest_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
