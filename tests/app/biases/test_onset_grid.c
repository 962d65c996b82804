/* Where notes may begin, as a piece has them: hand-made beats and tunes of our own. */
#include "tests/check.h"
#include "app/biases/onset_grid.h"
#include "tests/app/biases/rule.h"

enum { Q = QUARTER, TUNE = 0, KIT = 1, N = 32 };

static struct onset_grid grid;
static bool tracks[TOKEN_MAX_TRACKS];

static void apply(int64_t step, int track)
{
    allowed[TOKEN_POS + 2] = false; /* what is not allowed is left alone */
    onset_grid_apply(&grid, place_at(step, track));
    assert_true(logits[TOKEN_POS + 2] == 0);
}

/* Notes of a tune at these places of quarters in turn, and hits; places: of "0 12", or NULL. */
static void begin(const char *tune, const char *kit)
{
    const char *const places[] = {tune, kit};
    hand_begin(&h, N / 4);
    h.piece.style = STYLE_BAND;
    h.piece.families[KIT] = FAMILY_DRUMS;
    for (int t = 0; t < 2; t++) {
        tracks[t] = places[t] != NULL;
        for (int i = 0; places[t] && i < 2; i++) {
            const int at = atoi(i ? strchr(places[t], ' ') : places[t]);
            hand_play(&h, t, i * Q + at, N * Q, 0, t == KIT ? "2q/3: 42" : "2q/3: 60");
        }
    }
    grid = onset_grid_of(&h.piece, tracks);
}

/* Places of a quarter are those that `every` divides. */
static void assert_every(uint32_t places, int every)
{
    for (int p = 0; p < Q; p++)
        assert_int_equal(places >> p & 1, p % every == 0);
}

static bool has(uint32_t places, int p)
{
    return places >> p & 1;
}

TEST(drums_keep_their_subdivision)
{
    begin(NULL, "0 12");
    assert_every(grid.of[KIT].possible, 6);
    assert_every(grid.of[KIT].common, 12);
    assert_int_equal(grid.of[TUNE].possible, 0); /* not asked for */
    begin(NULL, "0 16");
    assert_every(grid.of[KIT].possible, 4);
    assert_every(grid.of[KIT].common, 16);
    begin(NULL, "1 13");
    assert_every(grid.of[KIT].common, 1);
}

/* A kit that has not played begins where the tune does. */
TEST(new_drums_take_the_places_of_the_tune)
{
    begin("0 12", NULL);
    tracks[KIT] = true;
    grid = onset_grid_of(&h.piece, tracks);
    assert_every(grid.of[KIT].possible, 6);
    assert_every(grid.of[KIT].common, 12);
}

TEST(a_tune_has_triplets_too)
{
    begin("0 6", NULL);
    const uint32_t possible = grid.of[TUNE].possible;
    assert_true(has(possible, 8) && has(possible, 3) && has(possible, 18));
    assert_false(has(possible, 1) || has(possible, 23));
    begin("0 5", NULL);
    assert_every(grid.of[TUNE].common, 1);
}

/* A walking bass plays on the beat only. */
TEST(what_plays_on_the_beat_swings_with_the_others)
{
    begin("0 0", "0 12");
    assert_true(has(grid.of[TUNE].common, 12));
    begin("0 0", "0 16");
    assert_true(has(grid.of[TUNE].common, 16) && !has(grid.of[TUNE].common, 12));
    says(0, -1, "@12 < -4, @16 > 0"); /* instead */
}

/* A tune in triplets over a beat in eighths. */
TEST(what_lies_between_is_turned_away)
{
    begin("0 8", "0 12");
    says(0, -1, "@11 < -5, @12 = 0, @8 = 0"); /* for the tune alone: */
    says(8, -1, "t0 = 0, t1 < -5");
    says(8, KIT, "h35 < -5");
    says(8, TUNE, "p60 = 0");
    says(12, KIT, "h35 = 0");
    said.base = TOKEN_RADIX;
    says(0, -1, "@11 < -5");
    said.base = 0;
}

/* Where only the kit plays, the tune seldom joins in, and more seldom in swung music. */
TEST(a_track_seldom_begins_where_it_has_not)
{
    begin("0 6", NULL);
    says(0, -1, "@6 = 0, @8 < 0");
    begin("0 12", NULL);
    says(0, -1, "@12 = 0, @6 < 0, @6 > -5");
    const double seldom = nats("@6");
    begin("0 16", "0 12");
    says(0, -1, "@12 = 0");
    says(12, KIT, "h35 = 0");
    says(12, -1, "t0 < 0");
    assert_true(nats_at(12, TUNE, "p60") < seldom);
}

/* What a straight eighth would have is the swung one's, too. */
TEST(swung_music_is_swung)
{
    begin("0 16", "0 12");
    says(0, -1, "@16 = 0");
    begin("0 16", "0 16");
    says(0, -1, "@12 < 0, @16 = @88"); /* three quarters later */
    assert_float_equal(nats("@16"), log(2), 1e-6);
}

TEST(few_notes_bind_nobody)
{
    begin("0 0", NULL);
    h.piece.n_notes = 7;
    grid = onset_grid_of(&h.piece, tracks);
    assert_every(grid.of[TUNE].common, 1);
}
