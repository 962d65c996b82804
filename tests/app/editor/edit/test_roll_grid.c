/* The grid: its lines at every step, division and meter; the scale on the roll: steps,
 * snapping, folding, and what is kept beside the music. */
#include "tests/check.h"
#include "tests/app/editor/edit/pointer.h"
#include "tests/app/kept.h"

/* -- steps -- */

/* Lines are as near as can be to where they should be, and found again. */
TEST(lines_do_not_drift)
{
    static const int DIVISIONS[] = {1, 7, 24, 96, 120, 480, 960, 32767};
    for (size_t d = 0; d < sizeof DIVISIONS / sizeof DIVISIONS[0]; d++)
        for (int i = 0; i < 21; i++) {
            struct grid_step g = {1 << i / 3, (enum grid_kind)(i % 3), false};
            struct lattice l = grid_step_lattice(&g, DIVISIONS[d]);
            double step = (double)l.ticks / (double)l.steps;
            assert_true(step >= 1);
            for (int64_t k = 0; k < 200; k++) {
                int64_t line = lattice_line(&l, k);
                assert_true(fabs((double)line - (double)k * step) <= 0.5);
                assert_int_equal(lattice_before(&l, line), k);
                if (k)
                    assert_int_equal(lattice_before(&l, line - 1), k - 1);
            }
        }
}

static void line_and_back(struct session *s, int64_t tick)
{
    int64_t line = grid_floor(s, tick), next = grid_next(s, tick);
    assert_true(line <= tick && next > tick);
    assert_int_equal(grid_floor(s, line), line);
    assert_int_equal(grid_floor(s, next), next);
    if (s->grid.is_free)
        return; /* from anywhere to anywhere */
    assert_int_equal(grid_previous(s, next), line);
    assert_int_equal(grid_next(s, grid_previous(s, line)), line ? line : next);
}

TEST_WITH(bar_lines_are_lines_in_every_grid, empty_session)
{
    keys(s, ":meter 5/8\r3L:meter 3/4\r2L:meter 4/4\rgg");
    static const char *const NAMES[] = {"1/1",  "1/4",  "1/8t", "1/16T",
                                        "1/8.", "1/64", "1/2t", "off"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        obeyed(s, formatted("grid %s", NAMES[i]));
        for (int64_t tick = 0; tick < 12000; tick += 7)
            line_and_back(s, tick);
        for (int64_t bar = 0; bar < 8; bar++) {
            int64_t start = timeline_bar(&s->project.score->timeline, bar).start;
            assert_int_equal(grid_floor(s, start), start);
            assert_true(!start || grid_next(s, start - 1) == start);
        }
    }
}

NUMBER_FACT(free, s->grid.is_free)
NUMBER_FACT(snaps, s->roll.snaps)
NUMBER_FACT(folds, s->roll.folds)
NUMBER_FACT(mask, session_scale_mask(s))
NUMBER_FACT(as_steered, session_scale_mask(s) == scale_mask(&s->steering.scale))
NUMBER_FACT(shown, !pitch_set_has(&view_of(s)->port.hidden, of))
NUMBER_FACT(row, layout_row(&s->layout, &s->view.port, s->view.cursor.pitch))
NUMBER_FACT(dotted, s->grid.kind == GRID_DOTTED)

SCRIPT(keys_choose_the_grid, empty_session) = {
    {"g3", "", "grid 1/16T"},
    {"3l", "at 240"},
    {"((", "", "grid 1/4T"},
    {"gd", "", "grid 1/4."},
    {"ggl", "at 720"},
    {"l", "at 1440"},
    {"l", "at 1920"}, /* the bar is over before */
    {"gd2)", "", "grid 1/16"},
    {"99)99(", "", "grid 1/1"},
    {":grid 1/32t\r", "", "grid 1/32T"},
    {"‹refused grid 1/5|grid 1/|grid 3|grid 0|grid 1/128|grid 1/16x|grid 1/16tt|grid "
     "-1|"
     "grid 1/99999999999999999999›"},
    {"g0ggl", "free; zoom 120; at 120"}, /* by columns */
    {"h", "at 0"},
    {"zizil\r", "zoom 30; notes 30+30 60"}, /* a note off every line */
    {"g0", "", "grid 1/32T"},
};

SCRIPT(notes_move_by_its_steps, empty_session) = {
    {"g3\r3>", "notes 240+80 60"},
    {"]", "notes 240+160 60"},
};

/* -- scales -- */

SCRIPT(the_scale_is_asked_for_and_guessed, empty_session) = {
    {"O\r", "", "there are no notes to guess a scale from"},
    {"OF# minor\r", "mask; as_steered", "scale F# minor"},
    {"‹put 0+1q 62, 1q+1q 65, 2q+1q 69, 3q+1q 67, 4q+1q 70, 5q+1q 62, 6q+1q 69, "
     "7q+1q 61, 8q+1q 64, 9q+1q 62›:scale guess\r",
     "", "~scale D minor"},
    {"‹C-a›x‹put 0+1q 67, 1q+1q 71, 2q+1q 74, 3q+1q 72, 4q+1q 76, 5q+1q 67, 6q+1q 74, "
     "7q+1q 78, 8q+1q 69, 9q+1q 67›:scale guess\r",
     "", "~scale G major"},
    {":scale any\r", "no mask"},
    {"O", "prompt scale, or Enter for G major: "},
    {"\r", "", "~scale G major"},
    {"Oloud\r", "", "!"},
};

SCRIPT(notes_and_the_cursor_go_by_the_scale, empty_session) = {
    {"zs", "no snaps", "~no scale is set"},
    {":scale C\rzskk", "pitch 64"},
    {"k3j", "pitch 60"},
    {"‹pitch 61›\r", "notes 0+1s 60; pitch 60"}, /* as the mouse may put it */
    {"2}", "notes 0+1s 64; pitch 64"},
    {"{.", "notes 0+1s 60"},
    {"99j", "pitch 0"},
    {"999k", "pitch 127"}, /* a G */
    {"zsj", "pitch 126"},
};

/* By mouse a chord is carried by steps of the scale. */
SCRIPT(what_is_dragged_goes_by_the_scale, tall_session) = {
    {"‹put 0+4s 60, 0+4s 64›‹C-a›‹swipe 1s 60 1s 61›", "notes 0+4s 61, 0+4s 65"},
    {"u:scale C\rzs‹swipe 1s 60 1s 64›", "notes 0+4s 64, 0+4s 67"}, /* C to E: E to G */
    {"u‹swipe 1s 60 1s 63›", "notes 0+4s 62, 0+4s 65"},             /* only to D */
    {"u‹swipe 1s 60 1s 59›", "notes 0+4s 59, 0+4s 62"},
};

SCRIPT(rows_are_folded_away, empty_session) = {
    {"‹put 0+1q 61›:scale C\rzf", "shown60; no shown63; shown61"},
    {"kkk", "pitch 64"},       /* 61, 62, 64 */
    {"u", "no shown61"},       /* its note is gone */
    {"‹pitch 61›", "shown61"}, /* where the cursor is, it is seen */
    {"k", "no shown61; row 9"},
    {"zf", "shown61; row 9"},
    {"zf:scale any\r", "shown63"},
};

SCRIPT(hidden_tracks_hold_no_rows_open, empty_session) = {
    {":track Second\r‹put1 0+1q 61›:scale C\rzf", "shown61"},
    {"‹track 1›gh", "no shown61"},
};

/* -- beside the music -- */

SCRIPT(it_is_kept_beside_the_music, empty_session) = {
    {"\r:scale G\rzszf:grid 1/8.\r‹file w! a.mid›zszfg0‹open_here a.mid›",
     "snaps; folds; no free; division 8; dotted"},
    {"‹sh rm -f a.mid.continuo›‹open_here a.mid›", "no snaps; no folds; division 16"},
};

GROUP(make_own_folder, remove_own_folder)
