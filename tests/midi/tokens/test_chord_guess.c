/* Chords are found in our own music, in any key, beat and meter; and for any notes
 * the result is a canonical list. */
#include "tests/check.h"
#include "midi/tokens/chord_guess.h"
#include "tests/midi/random_piece.h"

enum { MOST_NOTES = 256, N_RANDOM = 500 };

static struct piece new_piece(int numerator, int denominator, int n_bars)
{
    struct piece p;
    assert_ok(piece_alloc(&p, STYLE_ANY, MOST_NOTES, 0, 1));
    p.n_bars = n_bars;
    p.meters[p.n_meters++] =
        (struct grid_meter){0, (int16_t)numerator, (int16_t)denominator};
    p.families[0] = 0;
    return p;
}

static void add(struct piece *p, int track, int32_t step, int32_t length, int pitch)
{
    assert_true(p->n_notes < MOST_NOTES);
    p->notes[p->n_notes++] = (struct grid_note){.step = step,
                                                .length = length,
                                                .track = (uint8_t)track,
                                                .pitch = (uint8_t)pitch,
                                                .velocity = 20};
}

static void add_chord(struct piece *p, int32_t step, int32_t length,
                      const int pitches[4])
{
    for (int i = 0; i < 4; i++)
        add(p, 0, step, length, pitches[i]);
}

static void guess(struct piece *p)
{
    piece_sort(p);
    assert_ok(chord_guess(p));
    assert_ok(piece_check(p));
}

static void expect(const struct piece *p, size_t i, int32_t step, int root, int quality,
                   int bass)
{
    assert_true(i < p->n_chords);
    const struct grid_chord *c = &p->chords[i];
    if (c->step != step || c->root != root || c->quality != quality || c->bass != bass)
        fail_msg("chord %zu: at %d, %d %d / %d", i, c->step, c->root, c->quality,
                 c->bass);
}

/* Our own phrase: tonic, subdominant over its third, dominant seventh, tonic. */
static void play_phrase(struct piece *p, int up)
{
    static const int CHORDS[4][4] = {
        {48, 64, 67, 72}, {45, 65, 72, 77}, {43, 65, 71, 74}, {48, 64, 67, 72}};
    for (int bar = 0; bar < 4; bar++) {
        int pitches[4];
        for (int i = 0; i < 4; i++)
            pitches[i] = CHORDS[bar][i] + up;
        add_chord(p, 96 * bar, 96, pitches);
        add(p, 0, 96 * bar + 36, 12, 75 + up); /* a note that is in none of them */
    }
}

TEST(it_finds_a_cadence_in_any_key)
{
    for (int up = 0; up < 12; up++) {
        auto_piece p = new_piece(4, 4, 4);
        play_phrase(&p, up);
        guess(&p);
        assert_int_equal(p.n_chords, 4);
        expect(&p, 0, 0, up, CHORD_MAJOR, up);
        expect(&p, 1, 96, (5 + up) % 12, CHORD_MAJOR, (9 + up) % 12);
        expect(&p, 2, 192, (7 + up) % 12, CHORD_DOMINANT7, (7 + up) % 12);
        expect(&p, 3, 288, up, CHORD_MAJOR, up);
    }
}

/* Loud drums on other pitches. */
TEST(drums_are_left_out)
{
    auto_piece p = new_piece(4, 4, 4);
    p.families[1] = FAMILY_DRUMS;
    play_phrase(&p, 0);
    for (int i = 0; i < 32; i++)
        add(&p, 1, 12 * i, HIT_STEPS, i % 2 ? 42 : 37);
    guess(&p);
    assert_int_equal(p.n_chords, 4);
    expect(&p, 1, 96, 5, CHORD_MAJOR, 9);
    expect(&p, 2, 192, 7, CHORD_DOMINANT7, 7);
}

/* Six eighths are two beats. */
TEST(it_counts_dotted_beats)
{
    static const int MINOR[4] = {45, 60, 64, 69}, MAJOR[4] = {40, 56, 64, 71};
    auto_piece p = new_piece(6, 8, 4);
    for (int half = 0; half < 8; half++)
        for (int i = 0; i < 3; i++)
            add_chord(&p, 36 * half + 12 * i, 12, half % 2 ? MAJOR : MINOR);
    guess(&p);
    assert_int_equal(p.n_chords, 8);
    for (int half = 0; half < 8; half++)
        expect(&p, (size_t)half, 36 * half, half % 2 ? 4 : 9,
               half % 2 ? CHORD_MAJOR : CHORD_MINOR, half % 2 ? 4 : 9);
}

/* A single line, broken chords: C, then D7, then G. */
TEST(it_hears_a_single_line)
{
    static const int LINE[24] = {60, 64, 67, 64, 72, 67, 64, 60, 62, 66, 69, 72,
                                 69, 66, 62, 66, 67, 71, 74, 71, 67, 71, 74, 67};
    auto_piece p = new_piece(4, 4, 3);
    for (int i = 0; i < 24; i++)
        add(&p, 0, 12 * i, 12, LINE[i]);
    guess(&p);
    assert_int_equal(p.n_chords, 3);
    expect(&p, 0, 0, 0, CHORD_MAJOR, 0);
    expect(&p, 1, 96, 2, CHORD_DOMINANT7, 2);
    expect(&p, 2, 192, 7, CHORD_MAJOR, 7);
}

TEST(silence_has_no_chord)
{
    static const int TONIC[4] = {48, 64, 67, 72};
    auto_piece p = new_piece(4, 4, 12);
    guess(&p);
    assert_int_equal(p.n_chords, 0);
    add_chord(&p, 96, 96, TONIC);
    add_chord(&p, 96 * 11, 96, TONIC);
    guess(&p);
    assert_int_equal(p.n_chords, 3);
    expect(&p, 0, 96, 0, CHORD_MAJOR, 0);
    assert_int_equal(p.chords[1].root, CHORD_NO_ROOT);
    expect(&p, 2, 96 * 11, 0, CHORD_MAJOR, 0);
}

TEST(any_piece_is_taken)
{
    uint64_t r = 8;
    size_t n = 0;
    for (int i = 0; i < N_RANDOM; i++) {
        auto_piece p = random_piece(&r);
        guess(&p);
        n += p.n_chords;
    }
    assert_true(n > N_RANDOM);
}

/* Two notes of it suffice, if it is the key's: E and G of a tune in C. */
TEST(the_first_chord_is_of_the_key)
{
    static const int TUNE[4][2] = {{67, 64}, {67, 67}, {65, 69}, {67, 72}};
    struct piece p = new_piece(4, 4, 8);
    for (int bar = 0; bar < 8; bar++)
        for (int i = 0; i < 4; i++)
            add(&p, 0, (4 * bar + i) * STEPS_PER_QUARTER, STEPS_PER_QUARTER,
                TUNE[bar % 4][i % 2]);
    guess(&p);
    expect(&p, 0, 0, 0, CHORD_MAJOR, 0);
    piece_fini(&p);
}
