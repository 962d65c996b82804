/* The grid, bars, windows, and pieces of scores. */
#include "tests/check.h"
#include "midi/score/notes.h"
#include "tests/midi/score_of.h"
#include "tests/midi/random_piece.h"

enum { N_PIECES = 3000 };

TEST(ticks_to_nearest_step)
{
    assert_int_equal(step_from_tick(480, 480), 24);
    assert_int_equal(step_from_tick(9, 480), 0);
    assert_int_equal(step_from_tick(10, 480), 1); /* halves go up */
    assert_int_equal(step_from_tick(1, 1), 24);
    assert_int_equal(step_from_tick(INT64_MAX, 1), INT64_MAX);
    assert_int_equal(tick_from_step(1, 480), 20);
    assert_int_equal(tick_from_step(24, 7), 7);
    for (int division = 24; division < 1000; division += 31)
        for (int64_t step = 0; step < 200; step++)
            assert_int_equal(step_from_tick(tick_from_step(step, division), division),
                             step);
}

TEST(velocity_levels_come_back)
{
    for (int level = 0; level < TOKEN_VELOCITIES; level++)
        assert_int_equal(velocity_level(velocity_from_level(level)), level);
    for (int v = 1; v < 128; v++)
        assert_in_range(velocity_from_level(velocity_level(v)) - v + 2, 0, 4);
    assert_int_equal(velocity_level(1), 0);
    assert_int_equal(velocity_level(127), TOKEN_VELOCITIES - 1);
}

TEST(sorting_makes_canonical)
{
    struct grid_note notes[] = {
        {.step = 5, .length = 2, .pitch = 60, .id = 7},
        {.step = 5, .length = 1, .pitch = 60, .id = 9},
        {.step = 5, .length = 2, .pitch = 60, .id = 3},
        {.step = 5, .length = 2, .pitch = 59, .track = 1},
        {.step = 5, .length = 9, .pitch = 36, .track = 2, .velocity = 7},
        {.step = 5, .length = 2, .pitch = 36, .track = 2, .velocity = 9, .id = 8},
        {.step = 5, .length = 4, .pitch = 36, .track = 2, .velocity = 3},
    };
    struct grid_meter meters[] = {{96, 3, 4}, {0, 4, 4}, {96, 4, 4}, {100, 4, 4}};
    struct grid_chord chords[] = {{48, 2, 1, 2},
                                  {0, 2, 1, 2},
                                  {96, CHORD_NO_ROOT, 3, 4},
                                  {96, 7, 4, 5},
                                  {96, 7, 4, 7}};
    struct piece p = {.notes = notes, .meters = meters, .n_meters = 4, .n_bars = 3};
    p.n_notes = 7;
    p.chords = chords;
    p.n_chords = 5;
    p.families[2] = FAMILY_DRUMS;
    piece_sort(&p);
    assert_string_equal(told_notes(notes, p.n_notes),
                        "0:60@5+1 0:60@5+2 1:59@5+2 2:36@5+1 ");
    assert_true(notes[0].id == 9 && notes[1].id == 3);
    assert_int_equal(notes[3].id, 8); /* the loudest hit */
    assert_int_equal(p.n_chords,
                     2); /* the same again, and all but the last of a step */
    assert_true(chords[1].root == 7 && chords[1].bass == 7);
    assert_int_equal(p.n_meters, 2); /* the one at 96 repeats the meter */
    assert_int_equal(meters[1].step, 100);
    assert_ok(piece_check(&p));
}

/* Exactly those with notes in the window. */
static void check_tracks(const struct piece *w, const struct piece *p)
{
    uint64_t used = 0;
    for (size_t i = 0; i < w->n_notes; i++)
        used |= UINT64_C(1) << w->notes[i].track;
    assert_true(piece_declared(w) == used);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (used >> t & 1)
            assert_int_equal(w->families[t], p->families[t]);
}

static const struct grid_chord *chord_at(const struct piece *p, int64_t step)
{
    const struct grid_chord *in_force = NULL;
    for (size_t i = 0; i < p->n_chords && p->chords[i].step <= step; i++)
        in_force = &p->chords[i];
    return in_force;
}

/* At every step of the window the same chord is in force as in the piece. */
static void check_chords(const struct piece *w, const struct piece *p, int64_t from,
                         int64_t to)
{
    for (int64_t step = 0; step < to - from; step++) {
        const struct grid_chord *a = chord_at(w, step), *b = chord_at(p, from + step);
        assert_int_equal(a != NULL, b != NULL);
        if (a)
            assert_true(grid_chord_equal(a, b));
    }
}

/* Adjacent windows hold every note once, and the same bars. */
TEST(windows_share_out_a_piece)
{
    uint64_t r = 2;
    for (int i = 0; i < N_PIECES; i++) {
        struct piece p = random_piece(&r), w;
        size_t note = 0;
        for (int32_t bar = 0; bar < p.n_bars;) {
            int32_t n = 1 + random_below(&r, 4);
            int64_t from = piece_bar_start(&p, bar);
            assert_ok(piece_window(&w, &p, bar, n));
            assert_ok(piece_check(&w));
            check_tracks(&w, &p);
            assert_int_equal(w.resumes, p.resumes || bar > 0);
            check_chords(&w, &p, from, piece_bar_start(&p, bar + w.n_bars));
            int32_t starts[5];
            piece_bar_starts(&w, starts);
            for (int32_t k = 0; k < w.n_bars; k++) {
                assert_int_equal(starts[k], piece_bar_start(&p, bar + k) - from);
                assert_int_equal(piece_bar_start(&w, k), starts[k]);
                assert_int_equal(piece_bar_at(&w, starts[k + 1] - 1), k);
            }
            for (size_t k = 0; k < w.n_notes; k++, note++) {
                w.notes[k].step += (int32_t)from;
                assert_int_equal(grid_note_compare(&w.notes[k], &p.notes[note]), 0);
            }
            bar += w.n_bars;
            piece_fini(&w);
        }
        assert_int_equal(note, p.n_notes);
        piece_fini(&p);
    }
}

TEST(windows_outside_are_empty)
{
    struct grid_meter meter = {0, 4, 4};
    struct piece p = {.meters = &meter, .n_meters = 1, .n_bars = 2}, w;
    const int32_t bars[][2] = {{2, 1}, {INT32_MAX, INT32_MAX}, {0, 0}, {1, -1}};
    for (size_t i = 0; i < 4; i++) {
        assert_ok(piece_window(&w, &p, bars[i][0], bars[i][1]));
        assert_int_equal(w.n_bars, 0);
        assert_ok(piece_check(&w));
        piece_fini(&w);
    }
}

TEST(score_is_put_on_the_grid)
{
    /* The last meter is after the music. */
    auto_score *s =
        score_of("480 200/4 3/8=960 2/4=961 7/8=2880"
                 "| low: =11 40:465@100 =480 41:0@1 | empty: | high: 70:6q@127");
    auto_piece p;
    int map[TOKEN_MAX_TRACKS];
    assert_ok(piece_from_score(&p, s, STYLE_FOLK, map, 0));
    assert_string_equal(told_notes(p.notes, p.n_notes),
                        "1:70@0+144 0:40@1+23 0:41@24+1 ");
    static const int VELOCITIES[] = {31, 25, 0}, IDS[] = {3, 1, 2};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(p.notes[i].velocity, VELOCITIES[i]);
        assert_int_equal(p.notes[i].id, IDS[i]);
    }
    assert_int_equal(p.n_meters, 2);
    assert_int_equal(p.meters[0].numerator, TOKEN_MAX_NUMERATOR);
    assert_int_equal(p.meters[1].step, 48);
    assert_int_equal(p.meters[1].numerator, 2);
    assert_int_equal(p.n_bars, 3); /* cut at 48, to 96, to 144 and none after */
    assert_memory_equal(map, ((int[]){0, 2, -1}), 3 * sizeof *map);
}

/* The family of each; drums by channel, with the keys that are drums. */
TEST(tracks_have_families)
{
    auto_score *s =
        score_of("480 | a #40: C4 | muted #127: C4 | no drum sound ch9: 34"
                 "| d ch9 #40: 36 =0 34 =3 36@120 =480 81:10@80 =480 82 | e #127: C4");
    s->tracks[1].mute = true;
    auto_piece p;
    int map[TOKEN_MAX_TRACKS];
    assert_ok(piece_from_score(&p, s, STYLE_BAND, map, 0));
    assert_ok(piece_check(&p));
    assert_memory_equal(p.families, ((uint8_t[]){5, FAMILY_DRUMS, 15, FAMILY_NONE}), 4);
    assert_memory_equal(map, ((int[]){0, 3, 4}), 3 * sizeof *map);
    assert_int_equal(piece_drums(&p), 2);
    assert_string_equal(told_notes(p.notes, p.n_notes),
                        "0:60@0+24 1:36@0+1 2:60@0+24 1:81@24+1 ");
    assert_int_equal(p.notes[1].id, 6); /* the louder one at a step */
}

TEST(empty_score_has_a_bar_to_write_in)
{
    auto_score *s = score_of("480 3/4");
    auto_piece p;
    assert_ok(piece_from_score(&p, s, STYLE_ANY, NULL, 0));
    assert_int_equal(p.n_bars, 1);
    assert_int_equal(p.n_notes, 0);
    assert_int_equal(piece_bar_start(&p, 1), 72);
}

/* The last is within TOKEN_MAX_STEPS, but in too many bars of one step. */
TEST(endless_scores_are_refused)
{
    const int64_t starts[] = {(int64_t)1 << 40, INT64_MAX - 1, 400000000, -1, 40000000};
    auto_score *s = score_of("480 1/128 | a: C4:5");
    for (size_t i = 0; i < 5; i++) {
        struct piece p;
        notes_own(&s->tracks[0], 1)->start = starts[i];
        assert_int_equal(piece_from_score(&p, s, STYLE_ANY, NULL, 0), MIDI_TOO_LONG);
        assert_null(p.notes);
    }
}

TEST(tracks_past_the_last_are_left_out)
{
    auto_score *s = score_create(480);
    for (int i = 0; i < TOKEN_MAX_TRACKS + 3; i++)
        score_put(s, score_add_track(s, "t", (uint8_t)(i % 9), 0), "C4");
    auto_piece p;
    assert_ok(piece_from_score(&p, s, STYLE_ANY, NULL, 0));
    assert_int_equal(p.n_notes, TOKEN_MAX_TRACKS);
}

/* Legato that reaches over the next onset of its pitch ends there; a second voice goes on. */
TEST(a_note_ends_where_its_pitch_begins_again)
{
    /* three steps over, and four */
    auto_score *s = score_of("480 | a: C4:1q60 =1q C4:2q80 =3q C4q");
    auto_piece p;
    assert_ok(piece_from_score(&p, s, STYLE_ANY, NULL, 0));
    assert_int_equal(p.n_notes, 3);
    assert_int_equal(p.notes[0].length, 24);
    assert_int_equal(p.notes[1].length, 52);
    assert_int_equal(p.notes[2].length, 24);
}
