/* Closes: the key of what goes before, and what is drawn to an end in it. The music is our own: four
 * voices in C, soprano to bass, and what is altered in it. */
#include "tests/check.h"
#include "app/decoding/context.h"
#include "tests/app/biases/rule.h"
#include "tests/midi/score_of.h"

enum { Q = QUARTER, BAR = 4 * Q, LAST = 3 * BAR, END = 4 * BAR, VOICES = 15 };
enum { SOPRANO, ALTO, TENOR, BASS };

static const struct signature UNSIGNED = {0};

/* A chord for each sign: I, IV and V; that many steps each, so many semitones up. */
static void put_chords(int step, int length, const char *chords, int up)
{
    static const struct {
        char name;
        int pitches[4];
    } CHORDS[] = {
        {'1', {72, 67, 64, 48}}, {'4', {72, 69, 65, 53}}, {'5', {71, 67, 62, 55}}};
    for (; *chords; chords++, step += length)
        for (size_t i = 0; i < sizeof CHORDS / sizeof *CHORDS; i++)
            for (int t = 0; CHORDS[i].name == *chords && t < 4; t++)
                hand_note(&h, t, step, length, CHORDS[i].pitches[t] + up);
}

/* I IV V I in each of three bars, and nothing in the last. */
static void begin_key(int up)
{
    hand_begin(&h, 4);
    put_chords(0, Q, "145114511451", up);
}

/* Of the music outside these steps. */
static void assert_tonic(const struct signature *s, int from, int to, int tonic)
{
    assert_int_equal(piece_key(&h.piece, s, from, to).tonic, tonic);
}

TEST(the_key_is_of_what_goes_before)
{
    for (int up = 0; up < 12; up++) {
        begin_key(up);
        put_chords(LAST, BAR, "1", up + 6); /* which is not asked */
        assert_tonic(&UNSIGNED, LAST, END, up);
        /* nothing else is there */
        assert_true(piece_key(&h.piece, &UNSIGNED, 0, END).tonic >= 0);
    }
    hand_begin(&h, 4);
    h.piece.families[0] = FAMILY_DRUMS;
    hand_note(&h, 0, LAST, HIT_STEPS, 36);
    assert_int_equal(piece_key(&h.piece, &UNSIGNED, LAST, END).tonic, -1);
    /* A boogie over E, E and A: a bass that hardly moves is the tonic, though its notes are those
     * of A major. */
    hand_begin(&h, 4);
    hand_play(&h, 0, 0, LAST, 0,
              "1q: 40+47 40+49 40+50 40+49 40+47 40+49 40+50 40+49 "
              "45+52 45+54 45+55 45+54");
    assert_tonic(&UNSIGNED, LAST, END, 4);
}

/* G, A, D and E, which many keys have; A, C, E and G, of C major and of A minor. */
TEST(a_signature_decides_where_the_music_keeps_it)
{
    static const struct signature G = {0xad5, 7}, F_SHARP = {0xc6a, 6}, C = {0xab5, 0},
                                  A = {0xab5, 9};
    hand_begin(&h, 4);
    hand_play(&h, 0, 0, LAST, 0, "1q: 67 69 62 64");
    assert_tonic(&UNSIGNED, LAST, END, 2);
    assert_tonic(&F_SHARP, LAST, END, 2);
    assert_tonic(&G, LAST, END, 7);
    hand_begin(&h, 4);
    hand_play(&h, 0, 0, LAST, 0, "1q: 69 72 64 67");
    assert_tonic(&C, LAST, END, 0);
    assert_tonic(&A, LAST, END, 9);
}

/* Sixteen bars in C and then twice as many in F. */
TEST(a_piece_ends_in_the_key_that_is_near)
{
    enum { FIRST = 16, ALL = 48 };
    hand_begin(&h, ALL + 1);
    for (int bar = 0; bar < ALL; bar++)
        put_chords(bar * BAR, BAR, bar % 4 == 2 ? "5" : "1", bar < FIRST ? 0 : 5);
    assert_tonic(&UNSIGNED, FIRST * BAR, FIRST * BAR, 0);
    assert_tonic(&UNSIGNED, ALL * BAR, ALL * BAR, 5);
}

/* -- the bias -- */

static const struct fill_request CLOSE = {.from = LAST,
                                          .to = END,
                                          .pitch_hi = 127,
                                          .tracks = VOICES,
                                          FILL_ANYTHING,
                                          .close = true};
static struct cadence c;
static struct sounding at;

static void apply(int64_t step, int track)
{
    cadence_apply(&c, &at, place_at(step, track));
    for (int i = 0; i < TOKEN_COUNT; i++) {
        const bool is_length = i >= TOKEN_DUR && i < TOKEN_HIT;
        assert_true(logits[i] <= 0 &&
                    logits[i] >= -(is_length ? 2 : 1) * CADENCE_BOUND);
    }
}

static void listen(const struct fill_request *q, float weight)
{
    c = cadence_for(&h.piece, &UNSIGNED, q, LAST, END, weight);
}

FIXTURE(in_c)
{
    begin_key(0);
    listen(&CLOSE, 1);
    at = (struct sounding){.lowest = 128, .heard = VOICES};
    said.pitch = -1;
    return 0;
}

#define CLOSE_TEST(name) TEST_IN(name, in_c, NULL)

/* A note is to come over a lowest pitch that sounds. */
static void says_note(int64_t step, int track, int lowest, const char *facts)
{
    at.lowest = lowest;
    said.last = TOKEN_TRACK + track;
    said.pitch = -1;
    says(step, track, facts);
}

/* The length of that pitch is to come, over the lowest. */
static void says_length(int64_t step, int track, int lowest, int pitch,
                        const char *facts)
{
    at.lowest = lowest;
    said.last = TOKEN_PITCH + pitch;
    said.pitch = pitch;
    says(step, track, facts);
}

/* The note of the lowest pitch has been written. */
static void says_next(int64_t step, int track, int lowest, const char *facts)
{
    at.lowest = said.pitch = lowest;
    said.last = TOKEN_DUR;
    says(step, track, facts);
}

CLOSE_TEST(a_cadence_is_of_the_last_bar)
{
    struct fill_request open = CLOSE;
    assert_true(c.tonic == 0 && c.bass == BASS &&
                c.triad == (1 << 0 | 1 << 4 | 1 << 7));
    assert_true(!cadence_is_needed(&c, LAST - 1) && cadence_is_needed(&c, LAST));
    open.close = false;
    listen(&open, 1);
    assert_false(cadence_is_needed(&c, END));
    listen(&CLOSE, 0);
    assert_false(cadence_is_needed(&c, END));
    hand_begin(&h, 4); /* no key */
    listen(&CLOSE, 1);
    assert_false(cadence_is_needed(&c, END));
}

CLOSE_TEST(the_bass_is_drawn_to_the_tonic)
{
    /* above the tenor it is no bass */
    says_note(LAST + 2 * Q, BASS, 60, "p48 = 0, p55 = -6, p64 = 0");
    says_note(LAST, BASS, 60, "p55 > -3"); /* there is time yet */
    says_note(LAST + 2 * Q, ALTO, 128, "p67 = 0, p65 < 0");
    says_note(LAST - Q, BASS, 60, "p55 = 0");
}

CLOSE_TEST(the_highest_voice_rather_ends_on_the_tonic)
{
    says_note(LAST + 2 * Q, SOPRANO, 48, "p72 = 0, p76 < -1, p79 < -1, p77 < p76");
    says_note(LAST + 2 * Q, ALTO, 48, "p76 = 0");
    says_note(LAST - Q, SOPRANO, 43, "p74 = 0");
}

/* In the two beats before the last bar G or B, with D and F above; in a tune all four. */
CLOSE_TEST(the_dominant_comes_before_the_end)
{
    assert_true(!cadence_is_near(&c, LAST - 2 * Q - 1) &&
                cadence_is_near(&c, LAST - 2 * Q));
    says_note(LAST - 3 * Q, BASS, 128, "p48 = 0");
    says_note(LAST - 2 * Q, BASS, 128, "p43 = 0, p47 = 0, p48 < -3, p50 < -3");
    says_note(LAST - Q, SOPRANO, 43, "p74 = 0, p77 = 0, p79 < -1, p72 < -1, p76 < -1");
    c.is_tune = true;
    says_note(LAST - Q, BASS, 128, "p50 = 0, p48 < -1");
}

/* B and the bass's G do, another G stays. */
CLOSE_TEST(the_dominant_ends_with_its_bar)
{
    says_length(LAST - Q, SOPRANO, 43, 71, "d1q = 0, d25 < -1");
    says_length(LAST - Q, BASS, 43, 43, "d1q = 0, dx < -1");
    says_length(LAST - Q, SOPRANO, 43, 67, "d25 = 0, dx = 0");
}

CLOSE_TEST(the_end_is_held_and_waited_for)
{
    says_length(LAST + 2 * Q, BASS, 48, 48, "d2q = 0, d1q < 0, end = 0");
    says_length(LAST + 2 * Q, BASS, 55, 55, "d2q < 0, d1q = 0");
    says_next(LAST + 2 * Q, BASS, 55, "end = -6");
    /* that of the bass from the bar line on, once a dominant has led to it */
    says_length(LAST, BASS, 48, 48, "d1b = 0, d1q = -6");
    at.is_open = true;
    says_length(LAST, BASS, 48, 48, "d1q > -2");
}

/* Of A flat the pitch class is 128 % 12. */
CLOSE_TEST(silence_is_no_tonic)
{
    begin_key(8);
    listen(&CLOSE, 1);
    assert_int_equal(c.tonic, 8);
    says_next(LAST, BASS, 128, "end = -6, @1q = 0");
}

CLOSE_TEST(it_does_not_end_before_the_last_bar)
{
    says_next(LAST - Q, BASS, 43, "end = -6, bar = 0");
}

CLOSE_TEST(it_does_not_end_before_all_voices_are_there)
{
    at.heard = VOICES & ~(1 << TENOR);
    says_next(LAST, BASS, 48, "end = -6, @1q = 0");
    at.heard = 1 << SOPRANO | 1 << ALTO;
    says_next(LAST, ALTO, 67, "t3 < -1, t2 = 0");
    hand_note(&h, 4, 0, Q, 60); /* which is not asked */
    listen(&CLOSE, 1);
    assert_int_equal(c.voices, VOICES);
}

/* To F and C no dominant leads: until the third beat G, with B above, may follow. */
CLOSE_TEST(a_dominant_may_come_in_the_last_bar)
{
    assert_false(cadence_listen(&c, place_at(LAST, 0)).is_open); /* G C */
    for (size_t i = 0; i < h.piece.n_notes; i++)
        if (h.notes[i].track == BASS && h.notes[i].step == LAST - 2 * Q)
            h.notes[i].pitch = 53;
    assert_true(cadence_listen(&c, place_at(LAST, 0)).is_open);
    at.is_open = true;
    says_note(LAST, BASS, 60, "p55 = 0, p48 < -1");
    says_note(LAST, SOPRANO, 60, "p71 = 0");
    says_next(LAST, BASS, 48, "@1q = 0, end < 0");
    says_note(LAST + 2 * Q, BASS, 60, "p55 < 0, p48 >= -1");
    says_note(LAST + 2 * Q, SOPRANO, 60, "p71 < 0");
    says_next(LAST + 2 * Q, BASS, 48, "@1q < 0, end = 0");
}

/* From the bar's beginning on. */
CLOSE_TEST(the_bar_before_the_last_waits_for_the_dominant)
{
    says_next(2 * BAR, BASS, 43, "bar < -1"); /* it may end too soon */
    says_next(LAST - Q, BASS, 48, "bar < -1");
    says_next(2 * BAR - Q, BASS, 48, "bar = 0");
}

CLOSE_TEST(little_follows_the_tonic)
{
    says_next(LAST, BASS, 48, "@1q < -1, @3q = @1q");
    says_next(LAST, BASS, 55, "@1q = 0");
}

CLOSE_TEST(a_band_ends_on_the_bar_line)
{
    h.piece.families[4] = FAMILY_DRUMS;
    listen(&CLOSE, 1);
    says_note(LAST, BASS, 60, "p48 = 0, p55 = -6");
    says_length(LAST, BASS, 48, 48, "d1b = 0, d1q = -12");
    says_next(LAST, BASS, 48, "@1q = -6");
    at.heard = 1 << TENOR | 1 << BASS;
    says_next(LAST, TENOR, 48, "@1q = 0"); /* what lacks comes before it in the order */
    at.heard = VOICES & ~(1 << BASS);
    says_next(LAST, TENOR, 48, "@1q = -6, t3 = 0");
    at.heard = 0;
    says_next(LAST, -1, 128, "@1q = -6, @0q = 0"); /* a bar line, and all are to come */
}

/* -- what a model is asked: after the music as in a hole; of parts the last alone is the end -- */

static bool asks_to_close(const struct continuation_options *o, int to)
{
    struct context context;
    struct context_window w;
    bool asks = false;
    auto_score *s = score_of("480 4/4 | a: C4w");
    assert_ok(context_init(&context, s, o));
    assert_true(context.is_hole);
    assert_ok(context_encode(&context, context.hole.from, to, 0, 1000, &w));
    for (size_t i = 0; i < w.tokens.n; i++)
        asks = asks || w.tokens.id[i] == TOKEN_CLOSE;
    tokens_fini(&w.tokens);
    context_fini(&context);
    return asks;
}

TEST(the_request_is_said_in_tokens)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = 8;
    o.hole.close = true;
    assert_true(asks_to_close(&o, 9 * BAR));
    assert_false(asks_to_close(&o, 5 * BAR));
    o.hole.close = false;
    o.hole.density = 6;
    assert_false(asks_to_close(&o, 9 * BAR));
    o.hole.from_tick = 1920;
    o.hole.to_tick = 3 * 1920;
    o.tracks = 1;
    assert_false(asks_to_close(&o, 3 * BAR));
    o.hole.close = true;
    assert_true(asks_to_close(&o, 3 * BAR));
}
