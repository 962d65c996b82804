/* Where notes may begin, as a piece has them: hand-made beats and tunes of our own. */
#include "tests/check.h"
#include "app/biases/onset_grid.h"
#include "midi/tokens/tokens.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Q = STEPS_PER_QUARTER, TUNE = 0, KIT = 1, N = 32, MOST = 2 * N };

struct music {
    struct piece piece;
    struct grid_note notes[MOST];
    struct grid_meter meter;
    bool tracks[TOKEN_MAX_TRACKS];
};

static void begin(struct music *m)
{
    *m = (struct music){.meter = {0, 4, 4}};
    piece_init(&m->piece, STYLE_BAND);
    m->piece.notes = m->notes;
    m->piece.meters = &m->meter;
    m->piece.n_meters = 1;
    m->piece.n_bars = N / 4;
}

/* A note to each quarter, at these places in turn. */
static void add(struct music *m, int track, int places[2])
{
    m->tracks[track] = true;
    m->piece.families[track] = track == KIT ? FAMILY_DRUMS : 0;
    for (int i = 0; i < N; i++)
        m->notes[m->piece.n_notes++] =
            (struct grid_note){.step = i * Q + places[i % 2],
                               .length = 3,
                               .track = (uint8_t)track,
                               .pitch = (uint8_t)(track == KIT ? 42 : 60)};
}

static int by_step(const void *a, const void *b)
{
    return ((const struct grid_note *)a)->step - ((const struct grid_note *)b)->step;
}

/* The grid of a tune and a kit, either with places of -1 for none. */
static struct onset_grid grid_of_piece(int tune_a, int tune_b, int kit_a, int kit_b)
{
    static struct music m;
    begin(&m);
    if (tune_a >= 0)
        add(&m, TUNE, (int[2]){tune_a, tune_b});
    if (kit_a >= 0)
        add(&m, KIT, (int[2]){kit_a, kit_b});
    qsort(m.notes, m.piece.n_notes, sizeof *m.notes, by_step);
    return onset_grid_of(&m.piece, m.tracks);
}

static bool has(uint32_t places, int p)
{
    return places >> p & 1;
}

TEST(drums_keep_their_subdivision)
{
    struct onset_grid eighths = grid_of_piece(-1, -1, 0, 12),
                      swung = grid_of_piece(-1, -1, 0, 16),
                      played = grid_of_piece(-1, -1, 1, 13);
    for (int p = 0; p < Q; p++) {
        assert_int_equal(has(eighths.of[KIT].possible, p), p % 6 == 0);
        assert_int_equal(has(eighths.of[KIT].common, p), p % 12 == 0);
        assert_int_equal(has(swung.of[KIT].possible, p), p % 4 == 0);
        assert_int_equal(has(swung.of[KIT].common, p), p % 16 == 0);
        assert_false(has(eighths.of[TUNE].possible, p)); /* not asked for */
        assert_true(has(played.of[KIT].common, p));
    }
}

/* A kit that has not played begins where the tune does. */
TEST(new_drums_take_the_places_of_the_tune)
{
    static struct music m;
    begin(&m);
    add(&m, TUNE, (int[2]){0, 12});
    m.tracks[KIT] = true;
    m.piece.families[KIT] = FAMILY_DRUMS;
    struct onset_grid g = onset_grid_of(&m.piece, m.tracks);
    for (int p = 0; p < Q; p++) {
        assert_int_equal(has(g.of[KIT].possible, p), p % 6 == 0);
        assert_int_equal(has(g.of[KIT].common, p), p % 12 == 0);
    }
}

TEST(a_tune_has_triplets_too)
{
    struct onset_grid g = grid_of_piece(0, 6, -1, -1),
                      free = grid_of_piece(0, 5, -1, -1);
    const uint32_t possible = g.of[TUNE].possible;
    assert_true(has(possible, 8) && has(possible, 3) && has(possible, 18));
    assert_false(has(possible, 1) || has(possible, 23));
    for (int p = 0; p < Q; p++)
        assert_true(has(free.of[TUNE].common, p));
}

static float bias_of(const struct onset_grid *g, int track, int64_t position,
                     int64_t base, int32_t token)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_POS + 2] = 0;
    onset_grid_bias(g, track, position, base, allowed, logits);
    assert_true(logits[TOKEN_POS + 2] == 0); /* what is not allowed is left alone */
    return logits[token];
}

/* A walking bass plays on the beat only. */
TEST(what_plays_on_the_beat_swings_with_the_others)
{
    const struct onset_grid swung = grid_of_piece(0, 0, 0, 16),
                            straight = grid_of_piece(0, 0, 0, 12);
    assert_true(has(swung.of[TUNE].common, 16) && !has(swung.of[TUNE].common, 12));
    assert_true(has(straight.of[TUNE].common, 12));
    assert_true(bias_of(&swung, -1, 0, 0, TOKEN_POS + 12) < -4);
    assert_true(bias_of(&swung, -1, 0, 0, TOKEN_POS + 16) > 0); /* instead */
}

/* A tune in triplets over a beat in eighths. */
TEST(what_lies_between_is_turned_away)
{
    struct onset_grid g = grid_of_piece(0, 8, 0, 12);
    assert_true(bias_of(&g, -1, 0, 0, TOKEN_POS + 11) < -5);
    assert_true(bias_of(&g, -1, 0, 0, TOKEN_POS + 12) == 0);
    assert_true(bias_of(&g, -1, 0, 0, TOKEN_POS + 8) == 0); /* for the tune alone: */
    assert_true(bias_of(&g, -1, 8, 0, TOKEN_TRACK + TUNE) == 0);
    assert_true(bias_of(&g, -1, 8, 0, TOKEN_TRACK + KIT) < -5);
    assert_true(bias_of(&g, KIT, 8, 0, TOKEN_HIT) < -5);
    assert_true(bias_of(&g, TUNE, 8, 0, TOKEN_PITCH + 60) == 0);
    assert_true(bias_of(&g, KIT, 12, 0, TOKEN_HIT) == 0);
    assert_true(bias_of(&g, -1, 0, TOKEN_RADIX, TOKEN_POS + 11) < -5);
}

TEST(a_track_seldom_begins_where_it_has_not)
{
    struct onset_grid eighths = grid_of_piece(0, 12, -1, -1),
                      sixteenths = grid_of_piece(0, 6, -1, -1),
                      swing = grid_of_piece(0, 16, 0, 12);
    assert_true(bias_of(&eighths, -1, 0, 0, TOKEN_POS + 12) == 0);
    assert_true(bias_of(&eighths, -1, 0, 0, TOKEN_POS + 6) < 0);
    assert_true(bias_of(&eighths, -1, 0, 0, TOKEN_POS + 6) > -5);
    assert_true(bias_of(&sixteenths, -1, 0, 0, TOKEN_POS + 6) == 0);
    assert_true(bias_of(&sixteenths, -1, 0, 0, TOKEN_POS + 8) < 0);
    /* Where only the kit plays, the tune seldom joins in, */
    assert_true(bias_of(&swing, -1, 0, 0, TOKEN_POS + 12) == 0);
    assert_true(bias_of(&swing, KIT, 12, 0, TOKEN_HIT) == 0);
    assert_true(bias_of(&swing, TUNE, 12, 0, TOKEN_PITCH + 60) < 0);
    assert_true(bias_of(&swing, -1, 12, 0, TOKEN_TRACK + TUNE) < 0);
    /* and more seldom in swung music. */
    assert_true(bias_of(&swing, TUNE, 12, 0, TOKEN_PITCH + 60) <
                bias_of(&eighths, -1, 0, 0, TOKEN_POS + 6));
}

/* What a straight eighth would have is the swung one's, too. */
TEST(swung_music_is_swung)
{
    struct onset_grid swung = grid_of_piece(0, 16, 0, 16),
                      mixed = grid_of_piece(0, 16, 0, 12);
    assert_float_equal(bias_of(&swung, -1, 0, 0, TOKEN_POS + 16), log(2), 1e-6);
    assert_float_equal(bias_of(&swung, -1, 0, 0, TOKEN_POS + 3 * Q + 16), log(2), 1e-6);
    assert_true(bias_of(&swung, -1, 0, 0, TOKEN_POS + 12) < 0);
    assert_true(bias_of(&mixed, -1, 0, 0, TOKEN_POS + 16) == 0);
}

TEST(few_notes_bind_nobody)
{
    static struct music m;
    begin(&m);
    add(&m, TUNE, (int[2]){0, 0});
    m.piece.n_notes = 7;
    struct onset_grid g = onset_grid_of(&m.piece, m.tracks);
    for (int p = 0; p < Q; p++)
        assert_true(has(g.of[TUNE].common, p));
}
