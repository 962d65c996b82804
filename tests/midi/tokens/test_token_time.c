/* The time of every token in sequences that follow one another; and nothing breaks it. That
 * those of a hole come back to earlier music is seen in test_token_state.c. */
#include "tests/check.h"
#include "tests/midi/random_fill.h"

enum { N_FILLS = 200 };

/* Every token that speaks of a note, from its POS on, stands at the note's step, in
 * `base` steps from the first token. */
static void check_notes(const struct fill *f, const struct tokens *t,
                        const int32_t *times, int32_t base)
{
    const int n_around = (int)f->around.n_notes;
    for (size_t i = 0; i < t->n; i++)
        if (t->note[i] >= 0 && token_kind(t->id[i]) != TOKEN_POSX) {
            int k = t->note[i] - n_around;
            const struct grid_note *note =
                k < 0 ? &f->around.notes[t->note[i]] : &f->inside.notes[k];
            assert_int_equal(times[i], base + note->step);
        }
}

/* As windows do in a row to train on: each counts from where its first bar begins. */
TEST(sequences_follow_one_another)
{
    uint64_t r = 2;
    struct token_time c;
    int32_t end = 0; /* of all bars so far */
    token_time_init(&c);
    for (int i = 0; i < N_FILLS; i++) {
        auto_fill f = random_fill(&r);
        auto_tokens t;
        random_inside(&f, &r);
        assert_ok(fill_encode(&t, &f, true));
        auto_free int32_t *times = calloc(t.n, sizeof *times);
        assert_non_null(times);
        for (size_t k = 0; k < t.n; k++)
            times[k] = token_time_next(&c, t.id[k]);
        size_t bar = 0; /* the first, after the tracks */
        while (t.id[bar] != TOKEN_BAR)
            bar++;
        assert_true(times[bar] >= end);
        end = times[bar] + (int32_t)piece_bar_start(&f.around, f.around.n_bars);
        check_notes(&f, &t, times, times[bar]);
    }
}

/* As long as there is time, or longer, around a hole or in it, and then all over again:
 * the sanitizers see what counts too far. */
static void go_on_for(int n_bars, bool is_inside)
{
    static const int32_t ask[] = {TOKEN_FILL, TOKEN_POS, TOKEN_POS + 1},
                         again[] = {TOKEN_FILL, TOKEN_BAR, TOKEN_BOS, TOKEN_BAR,
                                    TOKEN_FILL, TOKEN_POS, TOKEN_POS, TOKEN_BAR};
    int32_t now = 0;
    struct token_time c;
    token_time_init(&c);
    token_time_next(&c, TOKEN_NUM + 63);
    token_time_next(&c, TOKEN_DEN);
    token_time_next(&c, TOKEN_BAR);
    for (size_t i = 0; is_inside && i < sizeof ask / sizeof ask[0]; i++)
        token_time_next(&c, ask[i]);
    for (int i = 0; i < n_bars; i++)
        now = token_time_next(&c, TOKEN_BAR);
    assert_true(now >= INT32_MAX - 2 * 6144);
    for (size_t i = 0; i < sizeof again / sizeof again[0]; i++)
        assert_true(token_time_next(&c, again[i]) >= now);
}

TEST(time_without_end_stops)
{
    for (int is_inside = 0; is_inside < 2; is_inside++) {
        go_on_for(INT32_MAX / 6144 - 1, is_inside);
        go_on_for(400000, is_inside);
    }
}
