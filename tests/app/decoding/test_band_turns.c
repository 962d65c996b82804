/* A band is filled some bars at a time, one instrument after the other, by models of random
 * weights: each in its register, a bass one note at a time, and nothing else is touched. */
#include "tests/check.h"
#include "tests/app/filled_holes.h"

enum { BARS = 11, BAR = 4 * QUARTER, MELODY = 0, CHORDS = 1, BASS = 2, DRUMS = 3 };

static struct fixture f;
static struct result r;
static struct score *s;
static struct continuation_options o;

FIXTURE(begin)
{
    static const struct {
        uint8_t channel, program;
    } TRACKS_OF[] = {{0, 73}, {1, 0}, {2, 32}, {9, 0}};
    s = score_create(QUARTER);
    assert_non_null(s);
    for (int t = 0; t < 4; t++)
        assert_int_equal(
            score_add_track(s, "one", TRACKS_OF[t].channel, TRACKS_OF[t].program), t);
    for (int i = 0; i < 4 * BARS; i++)
        assert_true(score_add_note(s, MELODY,
                                   (struct note){.start = (int64_t)i * QUARTER,
                                                 .length = QUARTER,
                                                 .pitch = (uint8_t)(72 + i % 5),
                                                 .velocity = 80}));
    o = whole_hole(BARS * BAR);
    o.tracks = 1 << CHORDS | 1 << BASS | 1 << DRUMS;
    o.is_band = true;
    o.guidance = 2.0f;
    set_up(&f, 256, TOKEN_COUNT, 1);
    return 0;
}

FIXTURE(end)
{
    tear_down(&f);
    score_destroy(s);
    return 0;
}

/* The number of the turn that the note came in: of four bars, drums, bass and chords. */
static int turn_of(const struct continued_note *n)
{
    static const int PLACES[] = {[DRUMS] = 0, [BASS] = 1, [CHORDS] = 2};
    return (int)(n->note.start / (4 * BAR)) * 3 + PLACES[n->track];
}

TEST_IN(instruments_come_in_turn, begin, end)
{
    int turn = 0, n_of[4] = {0};
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    for (size_t i = 0; i < r.n; i++) {
        const struct continued_note *n = &r.notes[i];
        assert_in_range(n->track, CHORDS, DRUMS);
        assert_true(turn_of(n) >= turn);
        assert_true(n->note.start + n->note.length <= BARS * BAR);
        turn = turn_of(n);
        n_of[n->track]++;
    }
    assert_true(n_of[CHORDS] && n_of[BASS] && n_of[DRUMS]);
}

TEST_IN(each_keeps_to_its_register, begin, end)
{
    int64_t bass_end = 0;
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    for (size_t i = 0; i < r.n; i++) {
        const struct continued_note *n = &r.notes[i];
        if (n->track == CHORDS)
            assert_in_range(n->note.pitch, 48, 76);
        if (n->track != BASS)
            continue;
        assert_in_range(n->note.pitch, 28, 52);
        assert_true(n->note.start >= bass_end);
        bass_end = n->note.start + n->note.length;
    }
}

TEST_IN(progress_only_grows, begin, end)
{
    struct continued_note n;
    struct continuation_stats now;
    int64_t at = 0;
    enum continuation_state is = continuation_begin(f.continuation, s, &o);
    while (is == CONTINUATION_BEGUN || is == CONTINUATION_NOTE) {
        is = continuation_next(f.continuation, &n);
        continuation_stats(f.continuation, 0, &now);
        assert_true(now.at_tick >= at && now.at_tick <= BARS * BAR);
        at = now.at_tick;
    }
    assert_int_equal(is, CONTINUATION_DONE);
}

/* An empty score whose tracks are a band's: the flute has the tune, first in each turn and in
 * one voice; the others follow. */
static void clear(void)
{
    score_destroy(s);
    s = score_create(QUARTER);
    assert_int_equal(score_add_track(s, "drums", 9, 0), 0);
    assert_int_equal(score_add_track(s, "bass", 2, 32), 1);
    assert_int_equal(score_add_track(s, "piano", 1, 0), 2);
    assert_int_equal(score_add_track(s, "flute", 0, 73), 3);
    o = CONTINUATION_DEFAULT;
    o.bars = 8;
}

TEST_IN(a_band_begins_with_its_tune, begin, end)
{
    static const int PLACES[] = {1, 2, 3, 0}; /* in a turn: by track */
    int turn = 0, n_of[4] = {0};
    int64_t tune_end = 0;
    clear();
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    for (size_t i = 0; i < r.n; i++) {
        const struct continued_note *n = &r.notes[i];
        const int its_turn = (int)(n->note.start / (4 * BAR)) * 4 + PLACES[n->track];
        assert_true(its_turn >= turn);
        turn = its_turn;
        n_of[n->track]++;
        if (n->track == 3) {
            assert_true(n->note.start >= tune_end);
            tune_end = n->note.start + n->note.length;
        }
    }
    assert_true(n_of[0] && n_of[1] && n_of[2] && n_of[3]);
}

/* Two tracks of an empty score that are no band are written side by side. */
TEST_IN(no_band_without_drums_or_bass, begin, end)
{
    clear();
    s->tracks[0].mute = s->tracks[1].mute = true;
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    for (size_t i = 1; i < r.n; i++) /* both play at once, in order of time */
        assert_true(r.notes[i].note.start >= r.notes[i - 1].note.start);
}
