/* What a take keeps of the piece before it: its key, its chords, its subdivision of the beat,
 * the tracks that play. The model's weights are random and know no music, so whatever a take keeps
 * here it keeps by the biases of the take decoder alone. */
#include "tests/check.h"
#include "app/decoding/rules_aim.h"
#include "tests/app/one_fixture.h"

enum { BARS = 16, BAR = 4 * QUARTER, SEEDS = 16, PLAYERS = 40 };

GROUP(begin_tiny, end)

/* Whether a note is what is counted: 1, 0, or -1: it does not count at all. */
typedef int is_such(const struct continued_note *n);

static struct continuation_options going_on(int bars)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = bars;
    o.style = STYLE_PIANO;
    o.sampling.top_p = 1;
    return o;
}

/* The share of such notes in so many takes of a piece, of every second seed from `seed` on. The
 * score is freed. */
static double share_of(struct score *s, struct continuation_options o, int seed,
                       int n_takes, is_such *is)
{
    int n = 0, n_such = 0;
    for (int i = 0; i < n_takes; i++) {
        o.sampling.seed = (uint64_t)(seed + 2 * i);
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        for (size_t k = 0; k < r.n; k++) {
            const int such = is(&r.notes[k]);
            n += such >= 0;
            n_such += such > 0;
        }
    }
    score_destroy(s);
    assert_true(n > 0);
    return n_such / (double)n;
}

static int is_white_key(const struct continued_note *n)
{
    return 0xab5 >> n->note.pitch % 12 & 1;
}

/* C in one bar, F sharp in the next. */
#define C_BAR      "[C4 E4 G4]q*4 "
#define F_SHARP    "[F#4 Bb4 C#4]q*4 "
#define TAKE_TURNS "480 | a: (" C_BAR F_SHARP ")*8"

/* Of the chord that is due where they take turns. */
static int is_in_turn(const struct continued_note *n)
{
    return (n->note.start / BAR % 2 ? 0x442 : 0x91) >> n->note.pitch % 12 & 1;
}

static int is_on_grid(const struct continued_note *n)
{
    return n->note.start % (QUARTER / 4) == 0 || n->note.start % (QUARTER / 3) == 0;
}

static int is_on_beat(const struct continued_note *n)
{
    return n->note.start % QUARTER == 0;
}

/* A line's note not beyond that of the other which was written last. */
static int is_in_place(const struct continued_note *n)
{
    static int last[2];
    static int64_t start;
    if (n->note.start < start ||
        n->note.start > start + BAR) /* another take, or a rest */
        last[0] = 127, last[1] = 0;
    start = n->note.start;
    last[n->track] = n->note.pitch;
    return last[0] >= last[1];
}

static int is_eighth_of_bass(const struct continued_note *n)
{
    return n->track == 1 && n->note.length == QUARTER / 2;
}

/* Of the last of eight bars: a note on its first two beats, and a tom on its last one. */
static int is_before_rest(const struct continued_note *n)
{
    return n->note.start / BAR % 8 != 7 ? -1 : n->note.start % BAR <= QUARTER;
}

static int is_tom_at_phrase_end(const struct continued_note *n)
{
    return n->note.start / BAR % 8 != 7 || n->note.start % BAR < 3 * QUARTER
               ? -1
               : n->note.pitch == 45;
}

/* Within a phrase: a hat, or the drum of this beat. */
static int is_of_groove(const struct continued_note *n)
{
    const int drum = n->note.start / QUARTER % 2 ? 38 : 36;
    return n->note.start / BAR % 4 == 3 ? -1
                                        : n->note.pitch == 42 || n->note.pitch == drum;
}

/* A note of the bass that is neither of the two before it. */
static int is_new_step(const struct continued_note *n)
{
    static int last, before;
    if (n->track != 1)
        return -1;
    const bool is_new = n->note.pitch != last && n->note.pitch != before;
    before = last;
    last = n->note.pitch;
    return is_new;
}

/* What comes in every bar comes again, for four bars: music without drums is held no longer. Lines
 * that do not cross go on so, an Alberti bass goes on in eighths. Each by a rule, without which it
 * comes more seldom. */
TEST(a_take_keeps_what_the_piece_has)
{
    static const struct {
        const char *rule;
        is_such *is;
        int bars;
        double times; /* as often as without it */
        const char *music;
        enum style style; /* STYLE_ANY: as a piano's */
    } ROWS[] = {
        {"key", is_white_key, 8, 1.05, "480 | a: (C4e G4 D4 A4 E4 B4 F4)*18"},
        {"chord", is_in_turn, 8, 1.1, TAKE_TURNS},
        {"grid", is_on_grid, 2, 1.05, "480 | a: (C4q F4 E4 A4 G4 B4 D4)*9"},
        {"due", is_on_beat, 4, 1.1, "480 | a: (C4e r)*64"},
        {"voice_leading", is_in_place, 8, 1.03,
         "480 | a: (66q 71 69 67 72 70 68)*9 | b: (59q 62 65 61 64 60 63)*9"},
        {"due", is_eighth_of_bass, 8, 1.5,
         "480 | a: (84e 89 87 85 90 88 86)*18 84 89 | b: (C3e G3 E3 G3)*32"},
        {"breath", is_before_rest, 8, 2,
         "480 | a: ((C5q D5 E5 F5)*7 C5q D5h rq)*2 | b: ((C4q E4 G4 E4)*7 C4q E4h "
         "rq)*2"},
        {"turn", is_tom_at_phrase_end, 8, 2,
         "480 | drums ch9: ((36e 42 38 42 36 42 38 42)*7 36e 42 38 42 36 42 45 45)*2"},
        {"turn", is_of_groove, 8, 2,
         "480 | drums ch9: ([36 42]e 42 [38 42] 42 [36 42] 42 [38 42] 42)*8"},
        {"walk", is_new_step, 8, 1.02,
         "480 | drums ch9: (51q 51 51 51)*8 | bass: (C3q D3 E3 G3 A3 G3 E3 D3)*4",
         STYLE_JAZZ},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct continuation_options o = going_on(ROWS[i].bars);
        if (ROWS[i].style != STYLE_ANY)
            o.style = (int)ROWS[i].style;
        const double with =
            share_of(score_of("%s", ROWS[i].music), o, 1, SEEDS, ROWS[i].is);
        o.without = rules_bits(ROWS[i].rule, strlen(ROWS[i].rule));
        const double without =
            share_of(score_of("%s", ROWS[i].music), o, 1, SEEDS, ROWS[i].is);
        if (!(with > ROWS[i].times * without))
            fail_msg("%s: %g, without it %g", ROWS[i].rule, with, without);
    }
}

/* Phrases of four bars that end with a chord: the take closes with such a bar, or not at all. */
TEST(a_phrase_that_ends_with_a_chord_closes)
{
    struct rules rules = {0};
    struct continuation_options o = going_on(4);
    struct context c;
    auto_score *s = score_of(
        "480 | a: ((C5q D5 E5 F5)*3 C5w)*2 | b: ((C4q E4 G4 E4)*3 [C4 E4 G4]w)*2");
    assert_ok(context_init(&c, s, &o));
    struct rules_aim aim = {.from = c.hole.from,
                            .to = c.hole.to,
                            .style = STYLE_PIANO,
                            .guidance = 1,
                            .harmony = &(struct chord_plan){0}};
    rules_aim(&rules, &c, &aim);
    assert_true(rules.cadence.weight > 0);
    assert_int_equal(rules.cadence.tonic, 0);
    aim.to -= 4 * STEPS_PER_QUARTER;
    rules_aim(&rules, &c, &aim);
    assert_true(rules.cadence.weight == 0);
    context_fini(&c);
    o.hole.close = true; /* asked: on the bar line, too */
    assert_ok(context_init(&c, s, &o));
    aim.to = c.hole.to;
    rules_aim(&rules, &c, &aim);
    assert_true(rules.cadence.is_band);
    context_fini(&c);
}

/* A rule that is left out switches no other off where it would hold. */
TEST(a_rule_left_out_leaves_no_gate)
{
    static const char *const GATES[] = {"walk", "cadence", "form"};
    struct rules with = {0}, without = {0};
    struct continuation_options o = going_on(16);
    struct context c;
    auto_score *s = score_of("480 | a: (C4q E4 G4 C5)*16 | bass #32: (C2q)*64");
    o.hole.close = true;
    o.guidance = 2;
    assert_ok(context_init(&c, s, &o));
    struct rules_aim aim = {.from = c.hole.from,
                            .to = c.hole.to,
                            .style = STYLE_JAZZ,
                            .guidance = o.guidance,
                            .harmony = &(struct chord_plan){0}};
    for (size_t i = 0; i < sizeof GATES / sizeof *GATES; i++)
        without.without |= rules_bits(GATES[i], strlen(GATES[i]));
    rules_aim(&without, &c, &aim);
    rules_aim(&with, &c, &aim);
    with.chords.has_tensions = without.chords.has_tensions = false;
    rules_choose_form(&with, &c, 1, &o, true);
    rules_choose_form(&without, &c, 1, &o, true);
    assert_true(with.walks && with.form.n &&
                cadence_is_near(&with.cadence, aim.to - 1));
    assert_false(without.walks || cadence_is_near(&without.cadence, aim.to - 1) ||
                 without.form.n);
    context_fini(&c);
}

/* Even tracks play in each bar, odd ones in one bar of `every`. */
static struct score *ensemble(int every)
{
    struct score *s = score_create(QUARTER);
    for (int t = 0; t < PLAYERS; t++) {
        assert_int_equal(score_add_track(s, "a track", (uint8_t)(t % 9), 0), t);
        for (int b = 0; b < BARS; b += t % 2 ? every : 1)
            put_note(s, t, b * BAR + t * 30 % BAR, QUARTER, 60);
    }
    return s;
}

static int is_on_even_track(const struct continued_note *n)
{
    return n->track % 2 == 0;
}

TEST(tracks_that_play_go_on)
{
    const double some = share_of(ensemble(3), going_on(16), 1, 4, is_on_even_track),
                 all = share_of(ensemble(1), going_on(16), 1, 4, is_on_even_track);
    assert_true(some > all + 0.05);
}

/* But not on one that is muted. */
TEST(an_empty_score_begins_on_all_its_tracks)
{
    auto_score *s = score_of("480 | a: | b: | c: | d:");
    const struct continuation_options o = going_on(4);
    int n[4] = {0};
    s->tracks[1].mute = true;
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    for (size_t i = 0; i < r.n; i++)
        n[r.notes[i].track]++;
    assert_true(n[0] > 0 && n[1] == 0 && n[2] > 0 && n[3] > 0);
}

/* -- missing parts -- */

/* A bass where two chords take turns, which are played, or not a note: it follows them. */
TEST(a_missing_part_is_written_for_the_others)
{
    enum { HOLE = 8, TAKES = 12 };
    struct continuation_options o = whole_hole(HOLE * BAR);
    double due[2];
    o.tracks = 2;
    for (int has_chords = 0; has_chords < 2; has_chords++) {
        int n = 0, n_due = 0;
        auto_score *s =
            has_chords ? score_of(TAKE_TURNS) : score_of("480 | a: =15w C4w");
        assert_int_equal(score_add_track(s, "a bass", 1, 33), 1);
        for (o.sampling.seed = 1; o.sampling.seed <= TAKES;
             o.sampling.seed++, n += (int)r.n) {
            assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
            for (size_t i = 0; i < r.n; i++)
                n_due += is_in_turn(&r.notes[i]);
        }
        due[has_chords] = n_due / (double)n;
    }
    assert_true(due[1] > 1.5 * due[0]);
}

static int is_in_the_fourth_bar(const struct continued_note *n)
{
    return n->note.start >= 3 * BAR;
}

/* A missing bass walks through its last bar; one that closes has fewer notes there. */
TEST(a_walk_ends_where_the_piece_does)
{
    double share[2];
    for (int closes = 0; closes < 2; closes++) {
        struct continuation_options o = whole_hole(4 * BAR);
        o.tracks = 2;
        o.style = STYLE_JAZZ;
        o.hole.min_notes = 16; /* on the beats */
        o.hole.close = closes;
        o.guidance = 2;
        share[closes] =
            share_of(score_of("480 | a: [C4 E4 G4]h [F4 A4 C5] [G4 B4 D5] [C4 E4 G4] "
                              "[F4 A4 C5] [C4 E4 G4] [G4 B4 D5]w | bass #33:"),
                     o, 1, SEEDS, is_in_the_fourth_bar);
    }
    assert_true(share[1] < share[0]);
}

/* Of a tune in three-eight time on a piano, each voice is a line below the one before. */
TEST(voices_of_a_tune_are_lines_below_it)
{
    enum { HOLE = 8, TAKES = 8, LENGTH = 3 * QUARTER / 2 };
    double sum[4] = {0, 0, 0, 0}, n[4] = {0, 0, 0, 0};
    int n_unison = 0;
    auto_score *s =
        score_of("480 3/8 | a: (72e 73 76 72 79 79 72 76 73)*3 | b: | c: | d:");
    struct continuation_options o = whole_hole(HOLE * LENGTH);
    o.tracks = 14;
    for (o.sampling.seed = 1; o.sampling.seed <= TAKES; o.sampling.seed++) {
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        o.max_polyphony = 1; /* of which nothing was said */
        assert_legal(s, &o, &r);
        o.max_polyphony = 0;
        for (size_t i = 0; i < r.n; i++) {
            const struct note *note = &r.notes[i].note;
            sum[r.notes[i].track] += note->pitch;
            n[r.notes[i].track]++;
            n_unison +=
                note->pitch == s->tracks[0].notes[note->start * 2 / QUARTER].pitch;
        }
    }
    for (int t = 1; t < 4; t++)
        assert_true(n[t] > 0 &&
                    sum[t] / n[t] < (t > 1 ? sum[t - 1] / n[t - 1] : 72) - 2);
    assert_true(n_unison < (n[1] + n[2] + n[3]) / 50);
}

/* -- passages that return -- */

/* Quarter notes of which no two bars of eight are alike; the piece begins again after `period`
 * notes, and its second half is so many semitones up. */
static int tune[4 * BARS];
static int64_t shift; /* ticks from what returns to where it is due, */
static int64_t span;  /* and for how long: 0, all of the take */

static struct score *tune_of(int (*pitch)(int i), int up)
{
    struct score *s = score_of("480 | a:");
    for (int i = 0; i < 4 * BARS; i++) {
        tune[i] = pitch(i) + (i < 2 * BARS ? 0 : up);
        put_note(s, 0, i * QUARTER, QUARTER, tune[i]);
    }
    return s;
}

static int is_as_before(const struct continued_note *n)
{
    const int64_t at = n->note.start - shift;
    if (span && (at < 0 || at >= span))
        return -1;
    return n->note.start % QUARTER == 0 && n->note.pitch == tune[at / QUARTER];
}

static int repeated(int i)
{
    return 60 + i % 32 * (i % 32) % 23;
}

/* Bar 3 of a piece whose eight bars repeat is the parallel of bar 11, which is missing. Every other
 * take is free, as is what stands in for notes. */
TEST(a_gap_is_filled_as_the_piece_has_it_elsewhere)
{
    static const struct continued_note REPLACED = {
        .note = {.start = 10 * BAR, .length = QUARTER, .pitch = 50, .velocity = 80}};
    struct continuation_options o = whole_hole(11 * BAR);
    shift = 8 * BAR;
    o.hole.from_tick = 10 * BAR;
    for (int i = 0; i < 3; i++) {
        struct score *s = tune_of(repeated, 0);
        while (s->tracks[0].notes[40].start < 11 * BAR)
            assert_true(score_remove_note(s, 0, s->tracks[0].notes[40].id));
        o.replaced = &REPLACED;
        o.n_replaced = i == 2;
        const double same = share_of(s, o, i == 1 ? 2 : 1, SEEDS, is_as_before);
        assert_true(i == 0 ? same > 0.5 : same < 0.2);
    }
}

static int unlike(int i)
{
    return 60 + i * i % 23;
}

/* In its last eight bars: not at once, nor where it goes on. */
TEST(a_long_take_that_closes_returns_to_the_opening)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = 16;
    span = 8 * BAR;
    for (int i = 0; i < 3; i++) {
        o.hole.close = i < 2;
        shift = (BARS + (i == 1 ? 0 : 8)) * BAR;
        const double same = share_of(tune_of(unlike, 0), o, 1, 2, is_as_before);
        assert_true(i == 0 ? same > 0.4 : same < 0.2);
    }
    span = 0;
}

static int in_c(int i)
{
    static const int MAJOR[] = {0, 4, 7, 5, 9, 0, 7, 11, 2, 4, 7, 0};
    return 60 + MAJOR[(i + i / 12) % 12];
}

static int in_c_to_the_end(int i)
{
    return i == 4 * BARS - 1 ? 60 : in_c(i);
}

/* In the first two of eight bars after those that end open, not after a close. Every other take is
 * free. */
TEST(the_opening_answers_an_open_end)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = 8;
    shift = BARS * BAR;
    span = 2 * BAR;
    assert_true(share_of(tune_of(in_c, 0), o, 1, 3, is_as_before) > 0.5);
    assert_true(share_of(tune_of(in_c, 0), o, 2, 3, is_as_before) < 0.3);
    assert_true(share_of(tune_of(in_c_to_the_end, 0), o, 1, 3, is_as_before) < 0.3);
    span = 0;
}
