/* Holes as tokens: exact both ways; what goes inside, its
 * measures, and the bars that the parser goes back to. */
#include "tests/check.h"
#include "tests/midi/random_fill.h"

enum { N_HOLES = 3000 };

TEST(holes_are_exact_both_ways)
{
    uint64_t r = 1;
    size_t n_inside = 0;
    for (int i = 0; i < N_HOLES; i++) {
        auto_fill f = random_fill(&r), back;
        if (i % 2)
            fill_take_chords(&f);
        auto_tokens t = fill_tokens(&f, true);
        assert_int_equal(t.id[t.n - 1], TOKEN_FILL_END);
        assert_ok(fill_decode(&back, t.id, t.n));
        assert_true(pieces_equal(&f.around, &back.around));
        assert_true(pieces_equal(&f.inside, &back.inside));
        assert_true(requests_equal(&f.request, &back.request));
        n_inside += f.inside.n_notes;
    }
    assert_true(n_inside > N_HOLES);
}

TEST(a_note_is_inside_with_all_its_length)
{
    const uint8_t families[TOKEN_MAX_TRACKS] = {[2] = FAMILY_DRUMS};
    const struct fill_request q = {
        .from = 24, .to = 96, .pitch_lo = 60, .pitch_hi = 72, .tracks = 6};
    struct grid_note notes[16];
    const size_t n = notes_of("1:60@24+24 1:72@24+72 1:60@95+1 2:36@24+1 2:81@95+1 "
                              "1:60@24+73 1:60@23+24 1:60@96+1 0:60@24+24 1:59@24+24 "
                              "1:73@24+24 2:61@96+1",
                              notes);
    assert_int_equal(n, 12);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(fill_contains(&q, families, &notes[i]), i < 5);
}

/* Four have one a quarter; 24 = 3 octaves above 3; 24 + 36. Two tracks are half as dense; hits
 * have no pitch and no length. */
TEST(what_is_inside_is_measured)
{
    enum { SOME = -2 };
    static const char FOUR[] = "0:60@0+24 0:62@24+24 0:58@48+24 0:60@72+24",
                      BEAT[] = "2:36@0+1 2:38@24+1 2:42@24+1 0:60@48+24 2:36@48+1 "
                               "2:42@60+1 2:46@60+1 2:38@72+1";
    static const struct {
        const char *notes;
        int tracks, density, polyphony, length, height;
    } ROWS[] = {
        {FOUR, 1, 6, 0, 6, 6},
        {FOUR, 3, 4, 0, 6, 6},
        {"0:36@0+48 0:40@0+48 0:44@0+48 0:36@48+48 0:40@48+48 0:44@48+48", 1, SOME, 2,
         8, SOME},
        {BEAT, 5, 6, 0, 6, 6},
        {"2:36@0+1 2:38@24+1 2:42@24+1", 5, SOME, FILL_ANY, FILL_ANY, FILL_ANY},
        {"", 1, 0, FILL_ANY, FILL_ANY, FILL_ANY},
    };
    const uint8_t families[TOKEN_MAX_TRACKS] = {[2] = FAMILY_DRUMS};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct grid_note notes[8];
        struct fill_request q = {
            .to = 96, .pitch_hi = 127, .tracks = (uint64_t)ROWS[i].tracks};
        fill_measure(&q, families, notes, notes_of(ROWS[i].notes, notes));
        assert_true(ROWS[i].density == SOME || q.density == ROWS[i].density);
        assert_int_equal(q.polyphony, ROWS[i].polyphony);
        assert_int_equal(q.length, ROWS[i].length);
        assert_true(ROWS[i].height == SOME || q.height == ROWS[i].height);
    }
}

/* The hole in words, which say this of the notes around and inside; other words say something
 * else. */
static struct fill said(const char *words, const char *around, const char *inside)
{
    struct fill f;
    auto_tokens t = tokens_of(words);
    assert_ok(fill_decode(&f, t.id, t.n));
    assert_string_equal(told_notes(f.around.notes, f.around.n_notes), around);
    assert_string_equal(told_notes(f.inside.notes, f.inside.n_notes), inside);
    auto_tokens again = fill_tokens(&f, true);
    assert_string_equal(told_tokens(&again), words);
    return f;
}

static void assert_chord(const struct grid_chord *c, int step, int root, int quality,
                         int bass)
{
    assert_true(c->step == step && c->root == root && c->quality == quality &&
                c->bass == bass);
}

/* By name: bars and marks, the request, and the notes, from the hole's bar on. */
TEST(a_hole_in_words)
{
    auto_fill f =
        said("BOS, STYLE 0, TRACK 0, FAMILY 0, TRACK 1, FAMILY 0, TRACK 2, FAMILY "
             "16, BAR, NUM 4, DEN 4, POS 0, TRACK 0, VEL 16, PITCH 60, DUR 24, POS "
             "48, HOLE, BAR, POS 0, CHORD 74, BASS 11, RESUME, FILL, POS 48, POSX "
             "192, POS 0, PITCH 0, PITCH 127, TRACK 0, TRACK 2, DENSITY 3, CLOSE, "
             "POS 72, TRACK 0, VEL 16, PITCH 64, DUR 24, TRACK 2, VEL 16, HIT 36, "
             "BAR, POS 0, TRACK 0, PITCH 67, DUR 24, FILL_END",
             "0:60@0+24 ", "0:64@72+24 2:36@72+1 0:67@96+24 ");
    const struct fill_request *q = &f.request;
    assert_true(q->from == 48 && q->to == 192 && q->pitch_hi == 127 && q->tracks == 5);
    assert_true(q->density == 3 && q->height == FILL_ANY && q->close);
    assert_true(f.around.n_bars == 2 && f.around.n_chords == 1);
    assert_chord(f.around.chords, 96, 7, CHORD_DOMINANT7, 11);
    f.request.tracks = 8; /* not declared */
    auto_tokens none;
    assert_int_equal(fill_encode(&none, &f, true), MIDI_BAD_TOKEN);
}

/* Chords that fill the hole come before the notes from their positions on, also in a bar without
 * notes; the first one after the hole is written only if it is another than the last before. */
TEST(chords_may_fill_the_hole)
{
    auto_fill f = said("BOS, STYLE 0, RESUME, TRACK 0, FAMILY 0, "
                       "BAR, NUM 4, DEN 4, POS 48, CHORD 0, BAR, "
                       "POS 0, HOLE, BAR, POS 48, RESUME, BAR, POS "
                       "0, TRACK 0, VEL 16, PITCH 62, DUR 24, "
                       "FILL, POSX 96, POS 0, POSX 192, POS 48, "
                       "PITCH 0, PITCH 127, TRACK 0, POS 0, CHORD "
                       "10, TRACK 0, VEL 16, PITCH 60, DUR 24, POS "
                       "48, CHORD 20, BAR, POS 0, CHORD 30, FILL_END",
                       "0:62@288+24 ", "0:60@96+24 ");
    assert_true(f.around.n_chords == 1 && f.inside.n_chords == 3);
    for (int i = 0; i < 3; i++)
        assert_chord(&f.inside.chords[i], 96 + 48 * i, i + 1, CHORD_MAJOR, i + 1);
    f.inside.chords[1].step = 96; /* two at a time */
    auto_tokens none;
    assert_int_equal(fill_encode(&none, &f, true), MIDI_BAD_TOKEN);
}

TEST(wrong_requests_are_refused)
{
    const struct fill_request fine = {.to = 1, .pitch_hi = 127, .tracks = 1};
    const struct fill_request wrong[] = {
        {.to = 0, .pitch_hi = 127, .tracks = 1},
        {.to = FILL_MAX_STEP + 1, .pitch_hi = 127, .tracks = 1},
        {.to = 1, .pitch_lo = 128, .pitch_hi = 127, .tracks = 1},
        {.to = 1, .pitch_hi = 127, .tracks = 0},
        {.to = 1, .pitch_hi = 127, .tracks = 1, .density = FILL_DENSITIES},
        {.to = 1, .pitch_hi = 127, .tracks = 1, .height = -2}};
    assert_true(fill_request_valid(&fine));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(fill_request_valid(&wrong[i]));
}

/* A control's level is that of the token it is like. */
TEST(controls_are_like_what_they_mean)
{
    for (int32_t i = 0; i < TOKEN_COUNT; i++) {
        int32_t like = fill_token_like(i);
        if (i < TOKEN_DENSITY || i >= TOKEN_CLOSE) {
            assert_int_equal(like, -1);
            continue;
        }
        double steps = like - TOKEN_DUR + 1;
        bool is_longest = like == TOKEN_DUR + TOKEN_RADIX - 1;
        if (i >= TOKEN_REGISTER)
            assert_int_equal(fill_height_level(like - TOKEN_PITCH), i - TOKEN_REGISTER);
        else if (i >= TOKEN_LENGTH)
            assert_true(is_longest || fill_length_level(steps) == i - TOKEN_LENGTH);
        else if (i >= TOKEN_POLYPHONY)
            assert_int_equal(like - TOKEN_NUM, i - TOKEN_POLYPHONY);
        else
            assert_true(is_longest || fill_density_level(STEPS_PER_QUARTER / steps) ==
                                          i - TOKEN_DENSITY);
    }
}
