/* What a take keeps of the piece before it: its key, its chords, its subdivision of the beat,
 * the tracks that play. The model's weights are random and know no music, so whatever a take keeps here
 * it keeps by the biases of the take decoder alone. */
#include "tests/check.h"
#include "tests/app/filled_holes.h"

enum { BARS = 16, BAR = 4 * QUARTER, SEEDS = 32, PLAYERS = 40 };

static struct fixture f;
static struct result r;

static struct score *with_tracks(int n)
{
    struct score *s = score_create(QUARTER);
    for (int t = 0; t < n; t++)
        assert_int_equal(score_add_track(s, "a track", (uint8_t)(t % 9), 0), t);
    return s;
}

/* A tune whose notes begin every `step` ticks, here and there among n pitches of a scale. */
static struct score *tune(int64_t step, const int *scale, int n)
{
    struct score *s = with_tracks(1);
    for (int64_t i = 0; i * step < BARS * BAR; i++)
        put_note(s, 0, i * step, step, 60 + scale[(i * 5 + i * i / 3) % n]);
    return s;
}

/* C in one bar, F sharp in the next; or each where a bar of `turns` has a bit. */
static struct score *two_chords(unsigned turns)
{
    static const int CLASSES[2][3] = {{0, 4, 7}, {6, 10, 1}};
    struct score *s = with_tracks(1);
    for (int b = 0; b < BARS; b++)
        for (int i = 0; i < 12; i++)
            put_note(s, 0, b * BAR + i / 3 * QUARTER, QUARTER,
                     60 + CLASSES[turns >> b & 1][i % 3]);
    return s;
}

/* Even tracks play in each bar, odd ones in one bar of `every`. */
static struct score *ensemble(int every)
{
    struct score *s = with_tracks(PLAYERS);
    for (int b = 0; b < BARS; b++)
        for (int t = 0; t < PLAYERS; t++)
            if (t % 2 == 0 || b % every == 0)
                put_note(s, t, b * BAR + t * 30 % BAR % BAR, QUARTER, 60);
    return s;
}

/* Continues the piece, which it frees; the share of such notes, over the takes. */
static double share(struct score *s, int bars,
                    bool (*is)(const struct continued_note *n))
{
    double sum = 0;
    set_up(&f, 512, TOKEN_COUNT, 1);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct continuation_options o = CONTINUATION_DEFAULT;
        o.bars = bars;
        o.style = STYLE_PIANO;
        o.sampling.seed = seed;
        o.sampling.top_p = 1;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        assert_true(r.n > 0);
        for (size_t i = 0; i < r.n; i++)
            sum += is(&r.notes[i]) / (double)r.n;
    }
    tear_down(&f);
    score_destroy(s);
    return sum / SEEDS;
}

/* D flat, E flat, G flat, A flat and B flat. */
static bool is_black_key(const struct continued_note *n)
{
    return 0x54a >> n->note.pitch % 12 & 1;
}

/* Of the chord that is due where they take turns. */
static bool is_in_turn(const struct continued_note *n)
{
    return (n->note.start / BAR % 2 ? 0x442 : 0x91) >> n->note.pitch % 12 & 1;
}

static bool is_on_eighth(const struct continued_note *n)
{
    return n->note.start % (QUARTER / 2) == 0;
}

static bool is_on_even_track(const struct continued_note *n)
{
    return n->track % 2 == 0;
}

/* A line's note beyond that of the other which was written last. */
static bool is_crossed(const struct continued_note *n)
{
    static int last[2];
    static int64_t start;
    if (n->note.start < start ||
        n->note.start > start + BAR) /* another take, or a rest */
        last[0] = 127, last[1] = 0;
    start = n->note.start;
    last[n->track] = n->note.pitch;
    return last[0] < last[1];
}

/* Of quarter notes, the second from so far below the first. */
static struct score *two_lines(int below)
{
    struct score *s = with_tracks(2);
    for (int i = 0; i < 4 * BARS; i++) {
        put_note(s, 0, i * QUARTER, QUARTER, 66 + i * 5 % 7);
        put_note(s, 1, i * QUARTER, QUARTER, 66 - below + i * 3 % 7);
    }
    return s;
}

TEST(lines_that_do_not_cross_go_on_so)
{
    const double apart = share(two_lines(7), 8, is_crossed),
                 mixed = share(two_lines(2), 8, is_crossed);
    assert_true(apart < 0.7 * mixed);
}

/* What a missing part plays: of its notes, those of the chord that is due; and of all bars, those
 * in which none begins. */
struct part {
    double due, empty;
};

/* For a bass where two chords take turns, which are played, or not a note. */
static struct part missing_bass(bool has_chords)
{
    enum { HOLE = 8, TAKES = 24 };
    struct part part = {0};
    int n = 0;
    struct score *s = has_chords ? two_chords(0xaaaa) : with_tracks(1);
    struct continuation_options o = whole_hole(HOLE * BAR);
    assert_int_equal(score_add_track(s, "a bass", 1, 0), 1);
    s->tracks[1].program = 33;
    if (!has_chords)
        put_note(s, 0, (BARS - 1) * BAR, BAR, 60);
    o.tracks = 2;
    set_up(&f, 512, TOKEN_COUNT, 1);
    for (uint64_t seed = 1; seed <= TAKES; seed++) {
        uint64_t bars = 0;
        o.sampling.seed = seed;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        for (size_t i = 0; i < r.n; i++, n++) {
            part.due += is_in_turn(&r.notes[i]);
            bars |= UINT64_C(1) << r.notes[i].note.start / BAR;
        }
        part.empty += (HOLE - __builtin_popcountll(bars)) / (double)(TAKES * HOLE);
    }
    part.due /= n;
    tear_down(&f);
    score_destroy(s);
    return part;
}

TEST(a_missing_part_is_written_for_the_others)
{
    const struct part bass = missing_bass(true), alone = missing_bass(false);
    assert_true(bass.due > 1.5 * alone.due);
    assert_true(bass.empty < 0.1); /* with random weights */
}

/* A tune in three-eight time on a piano, and three more without notes. */
static struct score *tune_without_voices(void)
{
    struct score *s = with_tracks(4);
    const struct meter meter = {.numerator = 3, .denominator = 8};
    timeline_fini(&s->timeline);
    assert_int_equal(timeline_init(&s->timeline, QUARTER, NULL, 0, &meter, 1), MIDI_OK);
    for (int i = 0; i < 24; i++)
        put_note(s, 0, i * QUARTER / 2, QUARTER / 2, 72 + i * i % 9);
    return s;
}

/* Each voice is a line below the one before. */
TEST(voices_of_a_tune_are_lines_below_it)
{
    enum { HOLE = 8, TAKES = 16, LENGTH = 3 * QUARTER / 2 };
    double sum[4] = {0}, n[4] = {0};
    int n_unison = 0;
    struct score *s = tune_without_voices();
    struct continuation_options o = whole_hole(HOLE * LENGTH);
    o.tracks = 14;
    set_up(&f, 512, TOKEN_COUNT, 1);
    for (uint64_t seed = 1; seed <= TAKES; seed++) {
        o.sampling.seed = seed;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        for (size_t i = 0; i < r.n; i++) {
            const struct note *note = &r.notes[i].note;
            const int t = r.notes[i].track;
            sum[t] += note->pitch;
            n[t]++;
            n_unison +=
                note->pitch == s->tracks[0].notes[note->start * 2 / QUARTER].pitch;
            for (size_t k = 0; k < i; k++) {
                const struct note *other = &r.notes[k].note;
                assert_false(r.notes[k].track == t &&
                             other->start < note->start + note->length &&
                             note->start < other->start + other->length);
            }
        }
    }
    for (int t = 1; t < 4; t++)
        assert_true(n[t] > 0 &&
                    sum[t] / n[t] < (t > 1 ? sum[t - 1] / n[t - 1] : 72) - 2);
    assert_true(n_unison < (n[1] + n[2] + n[3]) / 50);
    tear_down(&f);
    score_destroy(s);
}

/* An Alberti bass below a tune, in eighths, or in eighths and shorter notes. */
static struct score *alberti(bool is_even)
{
    static const int FIGURE[] = {0, 7, 4, 7};
    struct score *s = with_tracks(2);
    for (int i = 0; i < 8 * BARS; i++) {
        const int64_t start = i * QUARTER / 2, cut = is_even ? 0 : i % 3 * QUARTER / 8;
        put_note(s, 0, start, QUARTER / 2, 84 + i * 5 % 7);
        put_note(s, 1, start, QUARTER / 2 - cut, 48 + FIGURE[i % 4]);
    }
    return s;
}

static bool is_eighth_of_bass(const struct continued_note *n)
{
    return n->track == 1 && n->note.length == QUARTER / 2;
}

TEST(a_figure_is_kept)
{
    const double kept = share(alberti(true), 8, is_eighth_of_bass),
                 free = share(alberti(false), 8, is_eighth_of_bass);
    assert_true(kept > 4 * free);
}

TEST(a_take_keeps_the_key)
{
    static const int MAJOR[] = {0, 2, 4, 5, 7, 9, 11},
                     ALL[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const double diatonic = share(tune(QUARTER / 2, MAJOR, 7), 8, is_black_key),
                 chromatic = share(tune(QUARTER / 2, ALL, 12), 8, is_black_key);
    assert_true(diatonic < chromatic - 0.08);
}

TEST(a_take_keeps_the_progression)
{
    const double repeated = share(two_chords(0xaaaa), 8, is_in_turn),
                 wild = share(two_chords(0x3d16), 8, is_in_turn);
    assert_true(repeated > 1.5 * wild);
}

TEST(a_take_keeps_the_subdivision)
{
    static const int C[] = {0};
    const double eighths = share(tune(QUARTER / 2, C, 1), 8, is_on_eighth),
                 free = share(tune(QUARTER * 5 / 24, C, 1), 8, is_on_eighth);
    assert_true(eighths > 0.3 && free < 0.15); /* two places of 24 */
}

/* The share of the notes in a gap of a piece whose eight bars repeat that the parallel bar has,
 * too. Bar 3 is the parallel of bar 11. */
static double share_of_parallel(uint64_t first_seed, bool replaces)
{
    static const struct continued_note REPLACED = {
        .note = {.start = 10 * BAR, .length = QUARTER, .pitch = 50, .velocity = 80}};
    int n = 0, n_same = 0;
    struct score *s = with_tracks(1);
    struct continuation_options o = whole_hole(11 * BAR);
    for (int i = 0; i < 4 * BARS; i++)
        if (i / 4 != 10)
            put_note(s, 0, i * QUARTER, QUARTER, 60 + i % 32 * (i % 32) % 23);
    o.hole.from_tick = 10 * BAR;
    o.replaced = &REPLACED;
    o.n_replaced = replaces;
    set_up(&f, 512, TOKEN_COUNT, 1);
    for (int i = 0; i < SEEDS; i++) {
        o.sampling.seed = first_seed + 2 * (uint64_t)i;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        for (size_t k = 0; k < r.n; k++, n++) {
            const struct note *note = &r.notes[k].note;
            const int64_t at = (note->start - 8 * BAR) / QUARTER;
            n_same += note->start % QUARTER == 0 && note->pitch == 60 + at * at % 23;
        }
    }
    tear_down(&f);
    score_destroy(s);
    return n ? n_same / (double)n : 0;
}

TEST(a_gap_is_filled_as_the_piece_has_it_elsewhere)
{
    assert_true(share_of_parallel(1, false) > 0.5);
    assert_true(share_of_parallel(2, false) < 0.2); /* every other take is free */
    assert_true(share_of_parallel(1, true) < 0.2);  /* as is what stands in for notes */
}

/* The share of the last eight bars' notes that the first eight have, too; of those before. */
static double share_of_opening(bool close, bool is_last)
{
    int n = 0, n_same = 0;
    struct continuation_options o = CONTINUATION_DEFAULT;
    struct score *s = with_tracks(1);
    for (int i = 0; i < 4 * BARS; i++)
        put_note(s, 0, i * QUARTER, QUARTER, 60 + i * i % 23);
    o.bars = 16;
    o.hole.close = close;
    set_up(&f, 512, TOKEN_COUNT, 1);
    for (int i = 0; i < 4; i++) {
        o.sampling.seed = (uint64_t)i + 1;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        for (size_t k = 0; k < r.n; k++) {
            const struct note *note = &r.notes[k].note;
            const int64_t at = note->start - (BARS + 8 * is_last) * BAR,
                          i_at = at / QUARTER;
            if (at < 0 || at >= 8 * BAR)
                continue;
            n++;
            n_same += at % QUARTER == 0 && note->pitch == 60 + i_at * i_at % 23;
        }
    }
    tear_down(&f);
    score_destroy(s);
    return n ? n_same / (double)n : 0;
}

TEST(a_long_take_that_closes_returns_to_the_opening)
{
    assert_true(share_of_opening(true, true) > 0.4);
    assert_true(share_of_opening(true, false) < 0.2); /* not at once, */
    assert_true(share_of_opening(false, true) < 0.2); /* nor where it goes on */
}

/* The share of a take's notes that the opening has, of eight bars in C, after eight in another key or
 * in C. */
static double share_of_home(uint64_t first_seed, int up)
{
    static const int MAJOR[] = {0, 4, 7, 5, 9, 0, 7, 11, 2, 4, 7, 0};
    int n = 0, n_same = 0;
    struct continuation_options o = CONTINUATION_DEFAULT;
    struct score *s = with_tracks(1);
    for (int i = 0; i < 4 * BARS; i++)
        put_note(s, 0, i * QUARTER, QUARTER,
                 60 + MAJOR[(i + i / 12) % 12] + (i < 2 * BARS ? 0 : up));
    o.bars = 8;
    set_up(&f, 512, TOKEN_COUNT, 1);
    for (int i = 0; i < 4; i++) {
        o.sampling.seed = first_seed + 2 * (uint64_t)i;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        for (size_t k = 0; k < r.n; k++, n++) {
            const struct note *note = &r.notes[k].note;
            const int64_t at = (note->start - BARS * BAR) / QUARTER;
            n_same += note->start % QUARTER == 0 &&
                      note->pitch == s->tracks[0].notes[at].pitch;
        }
    }
    tear_down(&f);
    score_destroy(s);
    return n ? n_same / (double)n : 0;
}

TEST(the_opening_comes_home_in_its_own_key)
{
    assert_true(share_of_home(1, 8) > 0.5);
    assert_true(share_of_home(2, 8) < 0.2); /* every other take is free */
    assert_true(share_of_home(1, 0) < 0.2);
}

/* Quarter notes on the beat; or an eighth later in a bar where `late` has a bit. */
static struct score *beats(unsigned late)
{
    struct score *s = with_tracks(1);
    for (int i = 0; i < 4 * BARS; i++)
        put_note(s, 0, i * QUARTER + (late >> i / 4 & 1) * QUARTER / 2, QUARTER / 2,
                 60);
    return s;
}

static bool is_on_beat(const struct continued_note *n)
{
    return n->note.start % QUARTER == 0;
}

/* For four bars: music without drums is held no longer. */
TEST(what_comes_in_every_bar_comes_again)
{
    const double always = share(beats(0), 4, is_on_beat),
                 at_times = share(beats(0x3d16), 4, is_on_beat);
    assert_true(always > 1.5 * at_times);
}

TEST(tracks_that_play_go_on)
{
    const double some = share(ensemble(3), 16, is_on_even_track),
                 all = share(ensemble(1), 16, is_on_even_track);
    assert_true(some > all + 0.05);
}

/* But not on one that is muted. */
TEST(an_empty_score_begins_on_all_its_tracks)
{
    struct score *s = with_tracks(4);
    struct continuation_options o = CONTINUATION_DEFAULT;
    int n[4] = {0};
    s->tracks[1].mute = true;
    o.bars = 4;
    set_up(&f, 512, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    for (size_t i = 0; i < r.n; i++)
        n[r.notes[i].track]++;
    assert_true(n[0] > 0 && n[2] > 0 && n[3] > 0);
    assert_int_equal(n[1], 0);
    tear_down(&f);
    score_destroy(s);
}
