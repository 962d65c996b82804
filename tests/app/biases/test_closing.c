/* Closes: how well hand-made ends are told from what is none, and what is drawn to one. The
 * music is our own: four voices in C, and what is altered in it. */
#include "tests/check.h"
#include "app/biases/cadence.h"
#include "app/decoding/context.h"

#include <string.h>

enum { Q = STEPS_PER_QUARTER, BAR = 4 * Q, BARS = 4, MOST = 224 };

/* Voices that are heard in the last bar. */
enum { VOICES = 15 };

static const struct signature UNSIGNED = {0};
static const struct scale C_MAJOR = {'C', 0, SCALE_MAJOR},
                          A_MINOR = {'A', 0, SCALE_MINOR};

struct music {
    struct piece piece;
    struct grid_note notes[MOST];
    struct grid_meter meter;
};

static void add(struct music *m, int step, int length, int track, int pitch)
{
    m->notes[m->piece.n_notes++] = (struct grid_note){.step = step,
                                                      .length = length,
                                                      .track = (uint8_t)track,
                                                      .pitch = (uint8_t)pitch};
}

/* Soprano to bass, and up by so many semitones. */
static void add_chord(struct music *m, int step, int length, const int pitches[4],
                      int up)
{
    for (int t = 0; t < 4; t++)
        add(m, step, length, t, pitches[t] + up);
}

static const int I[4] = {72, 67, 64, 48}, IV[4] = {72, 69, 65, 53},
                 V[4] = {71, 67, 62, 55}, I6[4] = {72, 67, 60, 52};

static void begin(struct music *m)
{
    *m = (struct music){.meter = {0, 4, 4}};
    piece_init(&m->piece, STYLE_CHORALE);
    m->piece.notes = m->notes;
    m->piece.meters = &m->meter;
    m->piece.n_meters = 1;
    m->piece.n_bars = BARS;
    for (int t = 0; t < 4; t++)
        m->piece.families[t] = 0;
}

/* I IV V I in each of three bars, and nothing in the last. */
static void begin_key(struct music *m, int up)
{
    static const int *const CHORDS[] = {I, IV, V, I};
    begin(m);
    for (int i = 0; i < 12; i++)
        add_chord(m, i * Q, Q, CHORDS[i % 4], up);
}

static double worth_of(const struct music *m)
{
    return closing_worth(&m->piece, 3 * BAR, 4 * BAR, &C_MAJOR);
}

static double end_with(const int chord[4], int at, int length)
{
    struct music m;
    begin(&m);
    add_chord(&m, 3 * BAR + at, length, chord, 0);
    return worth_of(&m);
}

TEST(a_full_close_is_worth_most)
{
    assert_float_equal(end_with(I, 0, BAR), 1, 1e-9);
    assert_true(end_with(I, Q, 3 * Q) < 1);
    assert_true(end_with(I, 2 * Q, 2 * Q) > end_with(I, Q, 3 * Q));
    assert_true(end_with(I, 0, Q / 2) < end_with(I, 0, Q)); /* not held */
}

TEST(other_ends_are_none)
{
    assert_true(end_with(V, 0, BAR) < 0.5 && end_with(IV, 0, BAR) < 0.5);
    assert_true(end_with(I6, 0, BAR) < 0.5); /* the tonic is not in the bass */
    assert_true(end_with(I6, 0, BAR) > end_with(IV, 0, BAR));
}

TEST(what_comes_last_counts)
{
    struct music m;
    begin(&m);
    add_chord(&m, 3 * BAR, 2 * Q, V, 0);
    add_chord(&m, 3 * BAR + 2 * Q, 2 * Q, I, 0);
    double closed = worth_of(&m);
    begin(&m);
    add_chord(&m, 3 * BAR, 2 * Q, I, 0);
    add_chord(&m, 3 * BAR + 2 * Q, 2 * Q, V, 0);
    assert_true(closed > 0.9 && worth_of(&m) < 0.5);
    begin(&m); /* a voice moves above the last bass */
    add_chord(&m, 3 * BAR, BAR, I, 0);
    add(&m, 3 * BAR + 2 * Q, 2 * Q, 0, 76);
    assert_true(worth_of(&m) > 0.9);
}

TEST(silence_closes_nothing)
{
    struct music m;
    begin(&m);
    assert_true(worth_of(&m) == 0);
    m.piece.families[0] = FAMILY_DRUMS;
    add(&m, 3 * BAR, HIT_STEPS, 0, 36);
    assert_true(worth_of(&m) == 0);
    struct scale key;
    assert_false(closing_key(&m.piece, &UNSIGNED, 3 * BAR, 4 * BAR, &key));
    begin_key(&m, 0); /* and an early end falls short of the last bar */
    double early = closing_worth(&m.piece, 2 * BAR, 4 * BAR, &C_MAJOR);
    assert_true(early > 0.5 && early < 0.9);
}

TEST(the_third_is_of_the_key)
{
    static const int MINOR[4] = {72, 69, 64, 45}, PICARDY[4] = {73, 69, 64, 45},
                     C_MINOR[4] = {72, 67, 63, 48};
    struct music m;
    begin(&m);
    add_chord(&m, 3 * BAR, BAR, MINOR, 0);
    assert_float_equal(closing_worth(&m.piece, 3 * BAR, 4 * BAR, &A_MINOR), 1, 1e-9);
    begin(&m);
    add_chord(&m, 3 * BAR, BAR, PICARDY, 0);
    assert_float_equal(closing_worth(&m.piece, 3 * BAR, 4 * BAR, &A_MINOR), 1, 1e-9);
    assert_true(end_with(C_MINOR, 0, BAR) < 1);
}

TEST(the_key_is_of_what_goes_before)
{
    for (int up = 0; up < 12; up++) {
        struct music m;
        struct scale key;
        begin_key(&m, up);
        add_chord(&m, 3 * BAR, BAR, I, up + 6); /* which is not asked */
        assert_true(closing_key(&m.piece, &UNSIGNED, 3 * BAR, 4 * BAR, &key));
        assert_int_equal(scale_tonic(&key), up);
        assert_true(closing_key(&m.piece, &UNSIGNED, 0, 4 * BAR,
                                &key)); /* nothing else is there */
    }
}

/* A boogie over E, E and A: its notes are those of A major. */
TEST(a_bass_that_hardly_moves_is_the_tonic)
{
    static const int FIGURE[4] = {7, 9, 10, 9}, ROOTS[3] = {40, 40, 45};
    struct music m;
    struct scale key;
    begin(&m);
    for (int bar = 0; bar < 3; bar++)
        for (int i = 0; i < 4; i++) {
            add(&m, bar * BAR + i * Q, Q, 0, ROOTS[bar]);
            add(&m, bar * BAR + i * Q, Q, 0, ROOTS[bar] + FIGURE[i]);
        }
    assert_true(closing_key(&m.piece, &UNSIGNED, 3 * BAR, 4 * BAR, &key));
    assert_int_equal(scale_tonic(&key), 4);
}

/* G, A, D and E, which many keys have. */
TEST(a_signature_decides_where_the_music_keeps_it)
{
    static const struct signature G = {0xad5, 7}, F_SHARP = {0xc6a, 6};
    static const int TUNE[] = {67, 69, 62, 64};
    struct music m;
    struct scale key;
    begin(&m);
    for (int i = 0; i < 12; i++)
        add(&m, i * Q, Q, 0, TUNE[i % 4]);
    assert_true(closing_key(&m.piece, &UNSIGNED, 3 * BAR, 4 * BAR, &key));
    assert_int_equal(scale_tonic(&key), 2);
    assert_true(closing_key(&m.piece, &F_SHARP, 3 * BAR, 4 * BAR, &key));
    assert_int_equal(scale_tonic(&key), 2);
    assert_true(closing_key(&m.piece, &G, 3 * BAR, 4 * BAR, &key));
    assert_int_equal(scale_tonic(&key), 7);
}

/* A, C, E and G in turn are of C major and of A minor. */
TEST(a_signature_says_major_or_minor)
{
    static const struct signature MAJOR = {0xab5, 0}, MINOR = {0xab5, 9};
    static const int TUNE[] = {69, 72, 64, 67};
    struct music m;
    struct scale key;
    begin(&m);
    for (int i = 0; i < 12; i++)
        add(&m, i * Q, Q, 0, TUNE[i % 4]);
    assert_true(closing_key(&m.piece, &MAJOR, 3 * BAR, 4 * BAR, &key));
    assert_int_equal(scale_tonic(&key), 0);
    assert_true(closing_key(&m.piece, &MINOR, 3 * BAR, 4 * BAR, &key));
    assert_int_equal(scale_tonic(&key), 9);
}

/* Sixteen bars in C and then twice as many in F. */
TEST(a_piece_ends_in_the_key_that_is_near)
{
    enum { FIRST = 16, ALL = 48 };
    struct music m;
    struct scale key;
    begin(&m);
    m.piece.n_bars = ALL + 1;
    for (int bar = 0; bar < ALL; bar++)
        add_chord(&m, bar * BAR, BAR, bar % 4 == 2 ? V : I, bar < FIRST ? 0 : 5);
    assert_true(closing_key(&m.piece, &UNSIGNED, FIRST * BAR, FIRST * BAR, &key));
    assert_int_equal(scale_tonic(&key), 0);
    assert_true(closing_key(&m.piece, &UNSIGNED, ALL * BAR, ALL * BAR, &key));
    assert_int_equal(scale_tonic(&key), 5);
}

/* -- the bias -- */

static const struct fill_request CLOSE = {.from = 3 * BAR,
                                          .to = 4 * BAR,
                                          .pitch_hi = 127,
                                          .tracks = 15,
                                          .density = FILL_ANY,
                                          .polyphony = FILL_ANY,
                                          .length = FILL_ANY,
                                          .height = FILL_ANY,
                                          .close = true};

static struct cadence in_c(void)
{
    struct music m;
    begin_key(&m, 0);
    return cadence_for(&m.piece, &UNSIGNED, &CLOSE, 3 * BAR, 4 * BAR, 1);
}

TEST(a_cadence_is_of_the_last_bar)
{
    struct cadence c = in_c();
    assert_int_equal(c.tonic, 0);
    assert_int_equal(c.bass, 3);
    assert_int_equal(c.triad, 1 << 0 | 1 << 4 | 1 << 7);
    assert_false(cadence_is_needed(&c, 3 * BAR - 1));
    assert_true(cadence_is_needed(&c, 3 * BAR));
    struct music m;
    begin_key(&m, 0);
    struct fill_request open = CLOSE;
    open.close = false;
    c = cadence_for(&m.piece, &UNSIGNED, &open, 3 * BAR, 4 * BAR, 1);
    assert_false(cadence_is_needed(&c, 4 * BAR));
    c = cadence_for(&m.piece, &UNSIGNED, &CLOSE, 3 * BAR, 4 * BAR, 0);
    assert_false(cadence_is_needed(&c, 4 * BAR));
    begin(&m); /* no key */
    c = cadence_for(&m.piece, &UNSIGNED, &CLOSE, 3 * BAR, 4 * BAR, 1);
    assert_false(cadence_is_needed(&c, 4 * BAR));
}

static void bias_of(struct cadence c, struct cadence_position at, float *logits)
{
    uint8_t allowed[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, TOKEN_COUNT * sizeof *logits);
    cadence_bias(&c, &at, allowed, logits);
    for (int i = 0; i < TOKEN_COUNT; i++)
        assert_true(logits[i] <= 0 && logits[i] >= -CADENCE_BOUND);
}

static void bias(struct cadence_position at, float *logits)
{
    bias_of(in_c(), at, logits);
}

TEST(the_bass_is_drawn_to_the_tonic)
{
    float l[TOKEN_COUNT];
    const int half = 3 * BAR + 2 * Q;
    bias((struct cadence_position){half, 3, 60, VOICES, TOKEN_TRACK + 3, -1, false}, l);
    assert_true(l[TOKEN_PITCH + 48] == 0 && l[TOKEN_PITCH + 55] == -CADENCE_BOUND);
    assert_true(l[TOKEN_PITCH + 64] == 0); /* above the tenor it is no bass */
    bias((struct cadence_position){3 * BAR, 3, 60, VOICES, TOKEN_TRACK + 3, -1, false},
         l);
    assert_true(l[TOKEN_PITCH + 55] > -CADENCE_BOUND / 2); /* there is time yet */
    bias((struct cadence_position){half, 0, 128, VOICES, TOKEN_TRACK, -1, false}, l);
    assert_true(l[TOKEN_PITCH + 67] == 0 && l[TOKEN_PITCH + 65] < 0);
    bias((struct cadence_position){3 * BAR - Q, 3, 60, VOICES, TOKEN_TRACK + 3, -1,
                                   false},
         l);
    assert_true(l[TOKEN_PITCH + 55] == 0);
}

/* In the two beats before the last bar G or B, with D and F above; in a tune all four. */
TEST(the_dominant_comes_before_the_end)
{
    float l[TOKEN_COUNT];
    struct cadence tune = in_c();
    assert_true(!cadence_is_near(&tune, 3 * BAR - 2 * Q - 1) &&
                cadence_is_near(&tune, 3 * BAR - 2 * Q));
    bias((struct cadence_position){3 * BAR - 3 * Q, 3, 128, VOICES, TOKEN_TRACK + 3, -1,
                                   false},
         l);
    assert_true(l[TOKEN_PITCH + 48] == 0);
    bias((struct cadence_position){3 * BAR - 2 * Q, 3, 128, VOICES, TOKEN_TRACK + 3, -1,
                                   false},
         l);
    assert_true(l[TOKEN_PITCH + 43] == 0 && l[TOKEN_PITCH + 47] == 0);
    assert_true(l[TOKEN_PITCH + 48] < -3 && l[TOKEN_PITCH + 50] < -3);
    bias((struct cadence_position){3 * BAR - Q, 0, 43, VOICES, TOKEN_TRACK, -1, false},
         l);
    assert_true(l[TOKEN_PITCH + 74] == 0 && l[TOKEN_PITCH + 77] == 0);
    assert_true(l[TOKEN_PITCH + 72] < -1 && l[TOKEN_PITCH + 76] < -1);
    tune.is_tune = true;
    bias_of(tune,
            (struct cadence_position){3 * BAR - Q, 3, 128, VOICES, TOKEN_TRACK + 3, -1,
                                      false},
            l);
    assert_true(l[TOKEN_PITCH + 50] == 0 && l[TOKEN_PITCH + 48] < -1);
}

/* B and the bass's G do, another G stays. */
TEST(the_dominant_ends_with_its_bar)
{
    float l[TOKEN_COUNT];
    const int at = 3 * BAR - Q;
    bias((struct cadence_position){at, 0, 43, VOICES, TOKEN_PITCH + 71, 71, false}, l);
    assert_true(l[TOKEN_DUR + Q - 1] == 0 && l[TOKEN_DUR + Q] < -1);
    bias((struct cadence_position){at, 3, 43, VOICES, TOKEN_PITCH + 43, 43, false}, l);
    assert_true(l[TOKEN_DUR + Q - 1] == 0 && l[TOKEN_DURX] < -1);
    bias((struct cadence_position){at, 0, 43, VOICES, TOKEN_PITCH + 67, 67, false}, l);
    assert_true(l[TOKEN_DUR + Q] == 0 && l[TOKEN_DURX] == 0);
}

TEST(the_end_is_held_and_waited_for)
{
    float l[TOKEN_COUNT];
    const int at = 3 * BAR + 2 * Q;
    bias((struct cadence_position){at, 3, 48, VOICES, TOKEN_PITCH + 48, 48, false}, l);
    assert_true(l[TOKEN_DUR + 2 * Q - 1] == 0 && l[TOKEN_DUR + Q - 1] < 0);
    assert_true(l[TOKEN_FILL_END] == 0);
    bias((struct cadence_position){at, 3, 55, VOICES, TOKEN_PITCH + 55, 55, false}, l);
    assert_true(l[TOKEN_DUR + 2 * Q - 1] < 0 && l[TOKEN_DUR + Q - 1] == 0);
    bias((struct cadence_position){at, 3, 55, VOICES, TOKEN_DUR, 55, false}, l);
    assert_true(l[TOKEN_FILL_END] == -CADENCE_BOUND);
}

/* Of A flat the pitch class is 128 % 12. */
TEST(silence_is_no_tonic)
{
    float l[TOKEN_COUNT];
    struct music m;
    begin_key(&m, 8);
    const struct cadence c =
        cadence_for(&m.piece, &UNSIGNED, &CLOSE, 3 * BAR, 4 * BAR, 1);
    assert_int_equal(c.tonic, 8);
    bias_of(c, (struct cadence_position){3 * BAR, 3, 128, VOICES, TOKEN_DUR, 48, false},
            l);
    assert_true(l[TOKEN_FILL_END] == -CADENCE_BOUND && l[TOKEN_POS + Q] == 0);
}

/* -- what a model is asked -- */

static bool says_close(const struct continuation_options *o, int to)
{
    struct context c;
    struct context_window w;
    struct score *s = score_create(480);
    bool says = false;
    assert_int_equal(score_add_track(s, "a", 0, 0), 0);
    score_add_note(s, 0, (struct note){.length = 1920, .pitch = 60, .velocity = 80});
    assert_ok(context_init(&c, s, o));
    assert_true(c.is_hole);
    assert_ok(context_encode_hole(&c, c.hole.from, to, 1000, &w));
    for (size_t i = 0; i < w.tokens.n; i++)
        says = says || w.tokens.id[i] == TOKEN_CLOSE;
    tokens_fini(&w.tokens);
    context_fini(&c);
    score_destroy(s);
    return says;
}

/* After the music as in a hole; of parts the last alone is the end. */
TEST(the_request_is_said_in_tokens)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = 8;
    o.hole.close = true;
    assert_true(says_close(&o, 9 * BAR));
    assert_false(says_close(&o, 5 * BAR));
    o.hole.close = false;
    o.hole.density = 6;
    assert_false(says_close(&o, 9 * BAR));
    o.hole.from_tick = 1920;
    o.hole.to_tick = 3 * 1920;
    o.tracks = 1;
    assert_false(says_close(&o, 3 * BAR));
    o.hole.close = true;
    assert_true(says_close(&o, 3 * BAR));
}

TEST(it_does_not_end_before_the_last_bar)
{
    float l[TOKEN_COUNT];
    bias((struct cadence_position){3 * BAR - Q, 3, 43, VOICES, TOKEN_DUR, 43, false},
         l);
    assert_true(l[TOKEN_FILL_END] == -CADENCE_BOUND && l[TOKEN_BAR] == 0);
}

/* The tenor is track 2, the bass 3. */
TEST(it_does_not_end_before_all_voices_are_there)
{
    float l[TOKEN_COUNT];
    bias((struct cadence_position){3 * BAR, 3, 48, VOICES & ~4, TOKEN_DUR, 48, false},
         l);
    assert_true(l[TOKEN_FILL_END] == -CADENCE_BOUND && l[TOKEN_POS + Q] == 0);
    bias((struct cadence_position){3 * BAR, 1, 67, 3, TOKEN_DUR, 67, false}, l);
    assert_true(l[TOKEN_TRACK + 3] < -1 && l[TOKEN_TRACK + 2] == 0);
    struct music m;
    begin_key(&m, 0);
    add(&m, 0, Q, 4, 60); /* which is not asked */
    m.piece.families[4] = 0;
    assert_int_equal(
        cadence_for(&m.piece, &UNSIGNED, &CLOSE, 3 * BAR, 4 * BAR, 1).voices, VOICES);
}

/* To F and C no dominant leads: until the third beat G, with B above, may follow. */
TEST(a_dominant_may_come_in_the_last_bar)
{
    float l[TOKEN_COUNT];
    struct music m;
    begin_key(&m, 0);
    const struct cadence c =
        cadence_for(&m.piece, &UNSIGNED, &CLOSE, 3 * BAR, 4 * BAR, 1);
    assert_false(cadence_is_open(&c, &m.piece, 3 * BAR)); /* G C */
    for (size_t i = 0; i < m.piece.n_notes; i++)
        if (m.notes[i].track == 3 && m.notes[i].step == 3 * BAR - 2 * Q)
            m.notes[i].pitch = 53;
    assert_true(cadence_is_open(&c, &m.piece, 3 * BAR));
    for (int half = 0; half < 2; half++) {
        const int64_t at = 3 * BAR + half * 2 * Q;
        bias_of(c,
                (struct cadence_position){at, 3, 60, VOICES, TOKEN_TRACK + 3, -1, true},
                l);
        assert_int_equal(l[TOKEN_PITCH + 55] == 0, !half);
        assert_int_equal(l[TOKEN_PITCH + 48] < -1, !half);
        bias_of(c, (struct cadence_position){at, 0, 60, VOICES, TOKEN_TRACK, -1, true},
                l);
        assert_int_equal(l[TOKEN_PITCH + 71] == 0, !half);
        bias_of(c, (struct cadence_position){at, 3, 48, VOICES, TOKEN_DUR, 48, true},
                l);
        assert_int_equal(l[TOKEN_POS + Q] == 0, !half);
        assert_int_equal(l[TOKEN_FILL_END] < 0, !half);
    }
}

/* From the bar's beginning on. */
TEST(the_bar_before_the_last_waits_for_the_dominant)
{
    float l[TOKEN_COUNT];
    bias((struct cadence_position){2 * BAR, 3, 43, VOICES, TOKEN_DUR, 43, false}, l);
    assert_true(l[TOKEN_BAR] < -1); /* it may end too soon */
    bias((struct cadence_position){3 * BAR - Q, 3, 48, VOICES, TOKEN_DUR, 48, false},
         l);
    assert_true(l[TOKEN_BAR] < -1);
    bias((struct cadence_position){2 * BAR - Q, 3, 48, VOICES, TOKEN_DUR, 48, false},
         l);
    assert_true(l[TOKEN_BAR] == 0);
    bias((struct cadence_position){2 * BAR, 3, 48, VOICES, TOKEN_PITCH + 48, 48, false},
         l);
    assert_true(l[TOKEN_DUR + 2 * Q - 1] == 0 && l[TOKEN_DUR + 2 * Q] < -3);
    bias((struct cadence_position){2 * BAR, 0, 48, VOICES, TOKEN_PITCH + 72, 72, false},
         l);
    assert_true(l[TOKEN_DUR + 2 * Q] == 0); /* above it notes may stay */
}

TEST(little_follows_the_tonic)
{
    float l[TOKEN_COUNT];
    bias((struct cadence_position){3 * BAR, 3, 48, VOICES, TOKEN_DUR, 48, false}, l);
    assert_true(l[TOKEN_POS + Q] < -1 && l[TOKEN_POS + 3 * Q] == l[TOKEN_POS + Q]);
    bias((struct cadence_position){3 * BAR, 3, 55, VOICES, TOKEN_DUR, 55, false}, l);
    assert_true(l[TOKEN_POS + Q] == 0);
}

TEST(a_band_ends_on_the_bar_line)
{
    float l[TOKEN_COUNT];
    struct music m;
    begin_key(&m, 0);
    m.piece.families[4] = FAMILY_DRUMS;
    const struct cadence c =
        cadence_for(&m.piece, &UNSIGNED, &CLOSE, 3 * BAR, 4 * BAR, 1);
    bias_of(
        c,
        (struct cadence_position){3 * BAR, 3, 60, VOICES, TOKEN_TRACK + 3, -1, false},
        l);
    assert_true(l[TOKEN_PITCH + 48] == 0 && l[TOKEN_PITCH + 55] == -CADENCE_BOUND);
    bias_of(
        c,
        (struct cadence_position){3 * BAR, 3, 48, VOICES, TOKEN_PITCH + 48, 48, false},
        l);
    assert_true(l[TOKEN_DUR + BAR - 1] == 0 && l[TOKEN_DUR + Q - 1] == -CADENCE_BOUND);
    bias_of(c, (struct cadence_position){3 * BAR, 3, 48, VOICES, TOKEN_DUR, 48, false},
            l);
    assert_true(l[TOKEN_POS + Q] == -CADENCE_BOUND);
}
