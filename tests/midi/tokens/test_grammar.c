/* What may be sampled, by hand, where a sequence goes on. That anything sampled stays in its
 * hole and ends is shown by fuzz_grammar.c, and of a request by test_grammar_fill.c. */
#include "tests/check.h"
#include "tests/midi/tokens/hole_run.h"

/* One voice in bar 2 of 4/4, from its second beat, pitches 60 to 62. */
TEST(small_hole_by_hand)
{
    struct hole h = hole_of(120, 160, 60, 62, 2); /* the second is not declared */
    h.max_polyphony[0] = 1;
    auto_grammar *g = start_grammar(&h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    feed_forced(g, TOKEN_BAR);
    assert_allowed(g, TOKEN_POS + 24, 40, 1);
    FEED(g, TOKEN_POS + 62);
    feed_forced(g, TOKEN_TRACK);
    FEED_OF(g, TOKEN_VELOCITIES, TOKEN_VEL + 9);
    FEED_OF(g, 3, TOKEN_PITCH + 61);
    assert_n_allowed(g, 2);
    assert_int_equal(grammar_feed(g, TOKEN_BAR), MIDI_BAD_TOKEN);
    FEED(g, TOKEN_DUR + 1);

    struct grid_note note;
    assert_true(grammar_note(g, &note));
    assert_int_equal(note.step, 158);
    assert_int_equal(note.length, 2);
    assert_int_equal(grammar_step(g), 158);
    assert_int_equal(grammar_bar_start(g), 96);
    assert_n_allowed(g, 1); /* the one voice is taken */
    FEED(g, TOKEN_BAR);
    assert_true(grammar_done(g));
    assert_false(grammar_note(g, &note));
}

/* Two tracks of a band, one of them drums whatever the hole says, and one that is
 * not declared. Each has its own range, drums in keys. */
TEST(drums_are_hit)
{
    struct hole h = hole_of(0, 96, 60, 72, 3);
    h.scale = h.max_polyphony[0] = 1;
    h.low[0] = 65;
    h.low[1] = 36;
    auto_grammar *g = start_grammar(&h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY + 4);
    FEED(g, TOKEN_TRACK + 1, TOKEN_FAMILY + FAMILY_DRUMS);
    FEED(g, TOKEN_BAR, TOKEN_NUM + 3, TOKEN_DEN + 2, TOKEN_POS + 24, TOKEN_CHORD + 7);
    FEED_OF(g, 1 + 71 + 2, TOKEN_TRACK, TOKEN_VEL);
    assert_allowed(g, TOKEN_PITCH + 72, 1, 0);
    FEED(g, TOKEN_PITCH + 72, TOKEN_DUR + 71, TOKEN_TRACK + 1, TOKEN_VEL + 30);
    assert_allowed(g, TOKEN_HIT + 1, HIT_COUNT - 1, 0);
    FEED(g, TOKEN_HIT + 10);
    struct grid_note note;
    assert_true(grammar_note(g, &note));
    assert_int_equal(note.pitch, 45);
    assert_int_equal(note.length, HIT_STEPS);
    /* each key once, ascending */
    assert_allowed(g, TOKEN_HIT + 11, HIT_COUNT - 11, 1 + 71 + TOKEN_VELOCITIES - 1);
    FEED(g, TOKEN_POS + 25);
    FEED_OF(g, TOKEN_VELOCITIES - 1 + HIT_COUNT - 1, TOKEN_HIT + 10, TOKEN_BAR);
    assert_true(grammar_done(g));
}

TEST(blocked_notes_are_kept_off)
{
    struct hole h = hole_of(0, 96, 60, 60, 1);
    auto_grammar *g = start_grammar(&h);
    assert_ok(grammar_block(g, 0, 60, 30, 10));
    assert_ok(grammar_block(g, 0, 61, 0, 96));
    assert_ok(grammar_block(g, 0, 60, 20, 4));
    assert_int_equal(grammar_block(g, TOKEN_MAX_TRACKS, 60, 0, 1), MIDI_TOO_LONG);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    assert_allowed(g, TOKEN_POS, 20, 1 + 6 + 56);
    assert_allowed(g, TOKEN_POS + 24, 6, 1 + 20 + 56);
    assert_allowed(g, TOKEN_POS + 40, 56, 1 + 20 + 6);
    FEED(g, TOKEN_POS + 24, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60);
    assert_n_allowed(g, 6);
}

/* Holes at and past the limits of a sequence, or empty. */
TEST(extreme_holes_still_end)
{
    const struct hole holes[] = {
        {.from = INT64_MIN, .to = INT64_MAX, .pitch_hi = 255, .tracks = {true}},
        {.from = INT64_MAX, .to = INT64_MIN, .pitch_hi = 127, .tracks = {true}},
        {.to = 1000, .pitch_lo = 9, .pitch_hi = 8, .tracks = {true}},
        {.to = 1000, .pitch_hi = 127}};
    uint8_t allowed[TOKEN_COUNT];
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++) {
        struct hole h = holes[i];
        h.high[0] = h.tracks[0] ? 127 : 0;
        int64_t most = hole_max_tokens(&h);
        assert_true(most >= 0);
        auto_grammar *g = start_grammar(&h);
        FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR,
             TOKEN_NUM + 63, TOKEN_DEN);
        for (; !grammar_done(g); most--) {
            assert_true(most > 0);
            assert_true(grammar_allow(g, allowed) > 0 && allowed[TOKEN_BAR]);
            FEED(g, TOKEN_BAR);
        }
    }
}
