/* A band is filled some bars at a time, one instrument after the other, by models of random
 * weights: each in its register, a bass one note at a time, and nothing else is touched. */
#include "tests/check.h"
#include "tests/app/one_fixture.h"

enum { BARS = 11, BAR = 4 * QUARTER };

GROUP(begin_tiny, end)

enum { MELODY, CHORDS, BASS, DRUMS };

static struct score *melody(void)
{
    return score_of("480 | flute #73: (72q 73 74 75 76)*8 72 73 74 75 | chords: | "
                    "bass #32: | drums ch9:");
}

static struct continuation_options band(void)
{
    struct continuation_options o = whole_hole(BARS * BAR);
    o.tracks = 1 << CHORDS | 1 << BASS | 1 << DRUMS;
    o.is_band = true;
    o.guidance = 2.0f;
    return o;
}

/* Each of n tracks plays, in turns of four bars, in the order of these places. The notes of
 * `line` come one at a time. */
static void check_turns(const int *places, int n, int line)
{
    int turn = 0;
    unsigned played = 0;
    int64_t line_end = 0;
    for (size_t i = 0; i < r.n; i++) {
        const struct continued_note *note = &r.notes[i];
        const int its_turn =
            (int)(note->note.start / (4 * BAR)) * n + places[note->track];
        assert_true(its_turn >= turn);
        turn = its_turn;
        played |= 1u << note->track;
        if (note->track != line)
            continue;
        assert_true(note->note.start >= line_end);
        line_end = note->note.start + note->note.length;
    }
    assert_int_equal(__builtin_popcount(played), n);
}

TEST(instruments_come_in_turn_fill_their_bars_and_keep_to_their_registers)
{
    static const int PLACES[] = {[DRUMS] = 0, [BASS] = 1, [CHORDS] = 2};
    const struct continuation_options o = band();
    bool plays[3][BARS] = {{false}};
    auto_score *s = melody();
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    assert_legal(s, &o, &r);
    check_turns(PLACES, 3, BASS);
    for (size_t i = 0; i < r.n; i++)
        plays[r.notes[i].track - CHORDS][r.notes[i].note.start / BAR] = true;
    assert_null(memchr(plays[BASS - CHORDS], false, 2 * BARS)); /* chords may ring on */
    for (size_t i = 0; i < r.n; i++)
        if (r.notes[i].track != DRUMS)
            assert_in_range(r.notes[i].note.pitch, r.notes[i].track == BASS ? 28 : 48,
                            r.notes[i].track == BASS ? 52 : 76);
}

TEST(progress_only_grows)
{
    const struct continuation_options o = band();
    struct take now = {0};
    int64_t at = 0;
    auto_score *s = melody();
    enum continuation_state is = continuation_begin(f.continuation, s, &o, &now, 1);
    while (is == CONTINUATION_BEGUN) {
        is = continuation_next(f.continuation);
        assert_true(now.stats.at_tick >= at && now.stats.at_tick <= BARS * BAR);
        at = now.stats.at_tick;
    }
    assert_int_equal(is, CONTINUATION_DONE);
    take_fini(&now);
}

/* An empty score whose tracks are a band's: the flute has the tune, first in each turn and in
 * one voice; the others follow. Without drums and bass it is no band: both that are left play at
 * once, in order of time. */
TEST(a_band_begins_with_its_tune)
{
    static const int PLACES[] = {1, 2, 3, 0}; /* in a turn: by track */
    struct continuation_options o = CONTINUATION_DEFAULT;
    auto_score *s = score_of("480 | drums ch9: | bass #32: | piano: | flute #73:");
    o.bars = 8;
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    check_turns(PLACES, 4, 3);
    s->tracks[0].mute = s->tracks[1].mute = true;
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    for (size_t i = 1; i < r.n; i++)
        assert_true(r.notes[i].note.start >= r.notes[i - 1].note.start);
}
