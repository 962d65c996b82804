/* Holes as tokens: exact both ways, refused unless canonical; what goes inside, its
 * measures, and the bars that the parser goes back to. */
#include "tests/check.h"
#include "tests/midi/canonical.h"
#include "tests/midi/random_fill.h"

enum { N_HOLES = 3000, N_MUTANTS = 20000 };

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

/* One token replaced, by a near one or by any. */
TEST(mutants_are_refused_or_canonical)
{
    uint64_t r = 3;
    int n_taken = 0;
    for (int i = 0; i < N_MUTANTS; i++) {
        auto_fill f = random_fill(&r);
        if (i % 2)
            fill_take_chords(&f);
        auto_tokens t = fill_tokens(&f, true);
        for (int k = random_below(&r, 2); k >= 0; k--) {
            size_t at = (size_t)random_below(&r, (int)t.n);
            t.id[at] = random_below(&r, 2) ? random_below(&r, TOKEN_COUNT)
                                           : t.id[at] + random_below(&r, 5) - 2;
        }
        n_taken += decodes_as_fill(t.id, t.n);
    }
    assert_in_range(n_taken, N_MUTANTS / 50, N_MUTANTS / 2);
}

static struct grid_note at(int32_t step, int32_t length, int track, int pitch)
{
    return (struct grid_note){.step = step,
                              .length = length,
                              .track = (uint8_t)track,
                              .pitch = (uint8_t)pitch,
                              .velocity = 16};
}

TEST(a_note_is_inside_with_all_its_length)
{
    const uint8_t families[TOKEN_MAX_TRACKS] = {[2] = FAMILY_DRUMS};
    const struct fill_request q = {
        .from = 24, .to = 96, .pitch_lo = 60, .pitch_hi = 72, .tracks = 6};
    const struct {
        struct grid_note n;
        bool is_inside;
    } notes[] = {
        {at(24, 24, 1, 60), true},  {at(24, 72, 1, 72), true},
        {at(24, 73, 1, 60), false}, {at(23, 24, 1, 60), false},
        {at(96, 1, 1, 60), false},  {at(95, 1, 1, 60), true},
        {at(24, 24, 0, 60), false}, {at(24, 24, 1, 59), false},
        {at(24, 24, 1, 73), false}, {at(24, 1, 2, 36), true},
        {at(95, 1, 2, 81), true},   {at(96, 1, 2, 61), false},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        assert_int_equal(fill_contains(&q, families, &notes[i].n), notes[i].is_inside);
}

static void assert_levels(const struct fill_request *q, int density, int polyphony,
                          int length, int height)
{
    assert_int_equal(q->density, density);
    assert_int_equal(q->polyphony, polyphony);
    assert_int_equal(q->length, length);
    assert_int_equal(q->height, height);
}

TEST(what_is_inside_is_measured)
{
    const uint8_t families[TOKEN_MAX_TRACKS] = {[2] = FAMILY_DRUMS};
    struct fill_request q = {.to = 96, .pitch_hi = 127, .tracks = 1};
    const struct grid_note four[] = {at(0, 24, 0, 60), at(24, 24, 0, 62),
                                     at(48, 24, 0, 58), at(72, 24, 0, 60)};
    fill_measure(&q, families, four, 4);
    /* One a quarter; 24 = 3 octaves above 3; 24 + 36. */
    assert_levels(&q, 6, 0, 6, 6);
    const struct grid_note chords[] = {at(0, 48, 0, 36),  at(0, 48, 0, 40),
                                       at(0, 48, 0, 44),  at(48, 48, 0, 36),
                                       at(48, 48, 0, 40), at(48, 48, 0, 44)};
    fill_measure(&q, families, chords, 6);
    assert_levels(&q, q.density, 2, 8, q.height);
    q.tracks = 3; /* half as dense on two tracks */
    fill_measure(&q, families, four, 4);
    assert_int_equal(q.density, 4);
    q.tracks = 5; /* hits have no pitch and no length */
    const struct grid_note beat[] = {
        at(0, 1, 2, 36),  at(24, 1, 2, 38), at(24, 1, 2, 42), at(48, 24, 0, 60),
        at(48, 1, 2, 36), at(60, 1, 2, 42), at(60, 1, 2, 46), at(72, 1, 2, 38)};
    fill_measure(&q, families, beat, 8);
    assert_levels(&q, 6, 0, 6, 6);
    fill_measure(&q, families, beat, 3);
    assert_levels(&q, q.density, FILL_ANY, FILL_ANY, FILL_ANY);
    fill_measure(&q, families, NULL, 0);
    assert_levels(&q, 0, FILL_ANY, FILL_ANY, FILL_ANY);
}

/* By name: bars and marks, the request, and the notes, from the hole's bar on. */
TEST(a_hole_in_words)
{
    auto_piece p;
    assert_ok(piece_alloc(&p, STYLE_ANY, 4, 1, 1));
    p.families[0] = p.families[1] = 0;
    p.families[2] = FAMILY_DRUMS;
    p.n_bars = 2;
    p.n_notes = 4;
    p.n_meters = p.n_chords = 1;
    p.chords[0] = (struct grid_chord){96, 7, CHORD_DOMINANT7, 11};
    p.meters[0] = (struct grid_meter){0, 4, 4};
    p.notes[0] = at(0, 24, 0, 60);
    p.notes[1] = at(72, 24, 0, 64);
    p.notes[2] = at(72, 1, 2, 36);
    p.notes[3] = at(96, 24, 0, 67);
    struct fill_request q = {.from = 48,
                             .to = 192,
                             .pitch_lo = 0,
                             .pitch_hi = 127,
                             .tracks = 5,
                             .density = 3,
                             .polyphony = FILL_ANY,
                             .length = FILL_ANY,
                             .height = FILL_ANY,
                             .close = true};
    auto_fill f;
    auto_tokens t;
    assert_ok(fill_split(&f, &p, &q, NULL));
    f.request.tracks = 8; /* not declared */
    assert_int_equal(fill_encode(&t, &f, true), MIDI_BAD_TOKEN);
    f.request.tracks = 5;
    assert_ok(fill_encode(&t, &f, true));
    assert_string_equal(
        told_tokens(&t),
        "BOS, STYLE 0, TRACK 0, FAMILY 0, TRACK 1, FAMILY 0, TRACK 2, FAMILY "
        "16, BAR, NUM 4, DEN 4, POS 0, TRACK 0, VEL 16, PITCH 60, DUR 24, POS "
        "48, HOLE, BAR, POS 0, CHORD 74, BASS 11, RESUME, FILL, POS 48, POSX "
        "192, POS 0, PITCH 0, PITCH 127, TRACK 0, TRACK 2, DENSITY 3, CLOSE, "
        "POS 72, TRACK 0, VEL 16, PITCH 64, DUR 24, TRACK 2, VEL 16, HIT 36, "
        "BAR, POS 0, TRACK 0, PITCH 67, DUR 24, FILL_END");
}

/* Chords that fill the hole come before the notes from their positions on, also in a bar without
 * notes; the first one after the hole is written only if it is another than the last before. */
TEST(chords_may_fill_the_hole)
{
    auto_piece p;
    auto_fill f;
    auto_tokens t;
    assert_ok(piece_alloc(&p, STYLE_ANY, 2, 5, 1));
    p.families[0] = 0;
    p.n_bars = 4;
    p.resumes = true;
    p.n_notes = 2;
    p.n_meters = 1;
    p.n_chords = 5;
    p.meters[0] = (struct grid_meter){0, 4, 4};
    p.notes[0] = at(96, 24, 0, 60);
    p.notes[1] = at(288, 24, 0, 62);
    for (int i = 0; i < 5; i++)
        p.chords[i] =
            (struct grid_chord){48 + 48 * i, (uint8_t)i, CHORD_MAJOR, (uint8_t)i};
    p.chords[4] = p.chords[0];
    p.chords[4].step = 240;
    const struct fill_request q = {.from = 96,
                                   .to = 240,
                                   .pitch_hi = 127,
                                   .tracks = 1,
                                   .density = FILL_ANY,
                                   .polyphony = FILL_ANY,
                                   .length = FILL_ANY,
                                   .height = FILL_ANY};
    assert_ok(fill_split(&f, &p, &q, NULL));
    fill_take_chords(&f);
    assert_ok(fill_encode(&t, &f, true));
    assert_string_equal(told_tokens(&t), "BOS, STYLE 0, RESUME, TRACK 0, FAMILY 0, "
                                         "BAR, NUM 4, DEN 4, POS 48, CHORD 0, BAR, "
                                         "POS 0, HOLE, BAR, POS 48, RESUME, BAR, POS "
                                         "0, TRACK 0, VEL 16, PITCH 62, DUR 24, "
                                         "FILL, POSX 96, POS 0, POSX 192, POS 48, "
                                         "PITCH 0, PITCH 127, TRACK 0, POS 0, CHORD "
                                         "10, TRACK 0, VEL 16, PITCH 60, DUR 24, POS "
                                         "48, CHORD 20, BAR, POS 0, CHORD 30, "
                                         "FILL_END");
    f.inside.chords[1].step = 96; /* two at a time */
    tokens_fini(&t);
    assert_int_equal(fill_encode(&t, &f, true), MIDI_BAD_TOKEN);
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
