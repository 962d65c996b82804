/* The grid: its lines at every step, division and meter; the scale on the roll: steps,
 * snapping, folding, and what is kept beside the music. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/score/scale_guess.h"
#include "midi/score/scale_steps.h"
#include "tests/app/keyed.h"
#include "tests/app/own_folder.h"
#include "app/editor/shell/files.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static int open_session(void **state)
{
    *state = keyed_open();
    return *state ? 0 : -1;
}

/* -- steps -- */

static void names_are_read_back(void **state)
{
    (void)state;
    char text[GRID_STEP_TEXT];
    for (int division = 1; division <= GRID_FINEST; division *= 2)
        for (int kind = 0; kind < N_GRID_KINDS; kind++) {
            struct grid_step g = {division, (enum grid_kind)kind, false}, back = {0};
            assert_true(grid_step_parse(grid_step_format(&g, text), &back));
            assert_int_equal(back.division, division);
            assert_int_equal(back.kind, kind);
        }
    struct grid_step g = {.division = 7};
    static const char *const BAD[] = {
        "",      "1/",    "1/3",    "3",  "0",
        "1/128", "1/16x", "1/16tt", "-1", "1/99999999999999999999"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_false(grid_step_parse(BAD[i], &g));
    assert_int_equal(g.division, 7);
    assert_true(grid_step_parse("8 t", &g) && g.kind == GRID_TRIPLET);
    assert_true(grid_step_parse("off", &g) && g.is_free);
}

/* Lines are as near as can be to where they should be, and found again. */
static void lines_do_not_drift(void **state)
{
    (void)state;
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

static void bar_lines_are_lines_in_every_grid(void **state)
{
    struct session *s = *state;
    keys(s, ":meter 5/8\r3L:meter 3/4\r2L:meter 4/4\rgg");
    static const char *const NAMES[] = {"1/1",  "1/4",  "1/8t", "1/16T",
                                        "1/8.", "1/64", "1/2t", "off"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        char line[32];
        snprintf(line, sizeof line, "grid %s", NAMES[i]);
        act_command_line(s, line);
        for (int64_t tick = 0; tick < 12000; tick += 7)
            line_and_back(s, tick);
        for (int64_t bar = 0; bar < 8; bar++) {
            int64_t start = timeline_bar(&s->project.score->timeline, bar).start;
            assert_int_equal(grid_floor(s, start), start);
            if (start) {
                assert_int_equal(grid_next(s, start - 1), start);
                assert_int_equal(grid_next(s, grid_previous(s, start)), start);
            }
        }
    }
}

static void keys_choose_the_grid(void **state)
{
    struct session *s = *state;
    keys(s, "g3");
    assert_string_equal(s->message, "grid 1/16T");
    keys(s, "3l");
    assert_int_equal(s->cursor_tick, 240);
    keys(s, "((");
    assert_string_equal(s->message, "grid 1/4T");
    keys(s, "gd");
    assert_string_equal(s->message, "grid 1/4.");
    keys(s, "ggl");
    assert_int_equal(s->cursor_tick, 720);
    keys(s, "l");
    assert_int_equal(s->cursor_tick, 1440);
    keys(s, "l"); /* the bar is over before */
    assert_int_equal(s->cursor_tick, 1920);
    keys(s, "gd2)");
    assert_string_equal(s->message, "grid 1/16");
    keys(s, "99)99(");
    assert_string_equal(s->message, "grid 1/1");
    keys(s, ":grid 1/32t\r");
    assert_string_equal(s->message, "grid 1/32T");
    keys(s, ":grid 1/5\r");
    assert_true(s->message_is_error);
    keys(s, "g0");
    assert_true(s->grid.is_free);
    keys(s, "ggl");
    assert_int_equal(s->cursor_tick, s->port.ticks_per_column);
    keys(s, "h");
    assert_int_equal(s->cursor_tick, 0);
    keys(s, "zizil\r"); /* a note off every line */
    assert_int_equal(note_of(s, 0, 0)->start, s->port.ticks_per_column);
    assert_int_equal(note_of(s, 0, 0)->length, s->port.ticks_per_column);
    keys(s, "g0");
    assert_string_equal(s->message, "grid 1/32T");
}

static void notes_move_by_its_steps(void **state)
{
    struct session *s = *state;
    keys(s, "g3\r3>");
    assert_int_equal(note_of(s, 0, 0)->start, 240);
    assert_int_equal(note_of(s, 0, 0)->length, 80);
    keys(s, "]");
    assert_int_equal(note_of(s, 0, 0)->length, 160);
}

/* -- scales -- */

static void steps_of_every_scale(void **state)
{
    (void)state;
    for (int mask = 1; mask < 4096; mask++)
        for (int pitch = 0; pitch < 128; pitch += 1 + mask % 7) {
            uint16_t m = (uint16_t)mask;
            int up = scale_step(m, pitch, 1), down = scale_step(m, pitch, -1);
            int near = scale_nearest(m, pitch);
            assert_true(scale_has(m, near) || mask == 0);
            if (scale_has(m, pitch))
                assert_int_equal(near, pitch);
            if (up >= 0) {
                assert_true(up > pitch && scale_has(m, up));
                assert_int_equal(scale_step(m, up, -1) >= 0 ? scale_step(m, up, -1)
                                                            : pitch,
                                 scale_has(m, pitch) ? pitch
                                 : down >= 0         ? down
                                                     : pitch);
            }
        }
    assert_int_equal(scale_step(0xab5, 127, 1), -1);
    assert_int_equal(scale_step(0xab5, 60, 7), 72); /* C major */
    assert_int_equal(scale_step(0xab5, 60, -7), 48);
}

/* Cadences in every key, major and minor. */
static void keys_are_guessed_from_notes(void **state)
{
    (void)state;
    static const int MAJOR[] = {0, 4, 7, 5, 9, 0, 7, 11, 2, 0, 4, 7, 0},
                     MINOR[] = {0, 3, 7, 5, 8, 0, 7, 11, 2, 0, 3, 7, 0};
    for (int tonic = 0; tonic < 12; tonic++)
        for (int is_minor = 0; is_minor < 2; is_minor++) {
            struct score *score = score_create(480);
            struct scale got;
            assert_int_equal(score_add_track(score, "drums", 9, 0), 0);
            assert_int_equal(score_add_track(score, "piano", 0, 0), 1);
            for (int i = 0; i < 13; i++) {
                int pitch = 48 + tonic + (is_minor ? MINOR : MAJOR)[i];
                struct note n = edit_new_note(i * 480, 480, pitch, 80);
                assert_true(score_add_note(score, 1, n) != 0);
                n.pitch = 42; /* a hi-hat is in no key */
                assert_true(score_add_note(score, 0, n) != 0);
            }
            assert_true(scale_guess(score, 0, INT64_MAX, &got));
            assert_int_equal(scale_tonic(&got), tonic);
            assert_int_equal(got.kind, is_minor ? SCALE_MINOR : SCALE_MAJOR);
            assert_false(scale_guess(score, 100000, INT64_MAX, &got));
            score_destroy(score);
        }
}

static void the_scale_is_asked_for_and_guessed(void **state)
{
    struct session *s = *state;
    keys(s, "O\r");
    assert_string_equal(s->message, "there are no notes to guess a scale from");
    keys(s, "OF# minor\r");
    assert_string_equal(s->message, "scale F# minor");
    assert_int_equal(session_scale_mask(s), scale_mask(&s->steering.scale));
    static const int D_MINOR[] = {62, 65, 69, 67, 70, 62, 69, 61, 64, 62};
    for (int i = 0; i < 10; i++)
        put_note(s, 0, i * 480, 480, D_MINOR[i], 80);
    keys(s, ":scale guess\r");
    assert_int_equal(s->steering.scale.letter, 'D');
    assert_int_equal(s->steering.scale.kind, SCALE_MINOR);
    keys(s, ":scale any\r");
    assert_int_equal(session_scale_mask(s), 0);
    keys(s, "O");
    struct view v;
    session_view(s, &v, 0);
    assert_string_equal(v.prompt.label, "scale, or Enter for D minor: ");
    keys(s, "\r");
    assert_int_equal(s->steering.scale.letter, 'D');
    keys(s, "Oloud\r");
    assert_true(s->message_is_error);
}

static void notes_and_the_cursor_go_by_the_scale(void **state)
{
    struct session *s = *state;
    keys(s, "zs");
    assert_false(s->snaps);
    assert_non_null(strstr(s->message, "no scale is set"));
    keys(s, ":scale C\rzskk");
    assert_int_equal(s->cursor_pitch, 64);
    keys(s, "k3j");
    assert_int_equal(s->cursor_pitch, 60);
    s->cursor_pitch = 61; /* as the mouse may put it */
    keys(s, "\r");
    assert_int_equal(note_of(s, 0, 0)->pitch, 60);
    assert_int_equal(s->cursor_pitch, 60);
    keys(s, "2}");
    assert_int_equal(note_of(s, 0, 0)->pitch, 64);
    assert_int_equal(s->cursor_pitch, 64);
    keys(s, "{.");
    assert_int_equal(note_of(s, 0, 0)->pitch, 60);
    keys(s, "99j");
    assert_int_equal(s->cursor_pitch, 0);
    keys(s, "999k");
    assert_int_equal(s->cursor_pitch, 127); /* a G */
    keys(s, "zsj");
    assert_int_equal(s->cursor_pitch, 126);
}

/* By mouse a chord is carried by steps of the scale. */
static void what_is_dragged_goes_by_the_scale(void **state)
{
    struct session *s = *state;
    assert_int_equal(session_carry_pitch(s, 64, -3, 60), 61);
    assert_int_equal(session_carry_pitch(s, 127, 3, 60), 127);
    keys(s, ":scale C\rzs");
    assert_int_equal(session_carry_pitch(s, 64, 4, 60), 67); /* C to E: E to G */
    assert_int_equal(session_carry_pitch(s, 64, 3, 60), 65); /* only to D */
    assert_int_equal(session_carry_pitch(s, 61, 0, 61), 61);
    assert_int_equal(session_carry_pitch(s, 61, 1, 61), 62);
    assert_int_equal(session_carry_pitch(s, 60, -1, 60), 59);
    assert_int_equal(session_carry_pitch(s, 2, -10, 60), 0);
}

static bool is_shown(struct session *s, int pitch)
{
    struct view v;
    session_view(s, &v, 0);
    return !pitch_set_has(&v.port.hidden, pitch);
}

static void rows_are_folded_away(void **state)
{
    struct session *s = *state;
    put_note(s, 0, 0, 480, 61, 80);
    keys(s, ":scale C\rzf");
    assert_true(is_shown(s, 60) && !is_shown(s, 63) && is_shown(s, 61));
    keys(s, "kkk"); /* 61, 62, 64 */
    assert_int_equal(s->cursor_pitch, 64);
    keys(s, "u");
    assert_false(is_shown(s, 61)); /* its note is gone */
    s->cursor_pitch = 61;
    assert_true(is_shown(s, 61)); /* where the cursor is, it is seen */
    keys(s, "k");
    assert_false(is_shown(s, 61));
    int row = layout_row(&s->layout, &s->port, s->cursor_pitch);
    keys(s, "zf");
    assert_true(is_shown(s, 61));
    assert_int_equal(layout_row(&s->layout, &s->port, s->cursor_pitch), row);
    keys(s, "zf:scale any\r");
    assert_true(is_shown(s, 63));
}

static void hidden_tracks_hold_no_rows_open(void **state)
{
    struct session *s = *state;
    act_command_line(s, "track Second");
    put_note(s, 1, 0, 480, 61, 80);
    keys(s, ":scale C\rzf");
    assert_true(is_shown(s, 61));
    s->project.score->tracks[1].hide = true;
    assert_false(is_shown(s, 61));
}

/* -- beside the music -- */

static void it_is_kept_beside_the_music(void **state)
{
    struct session *s = *state;
    char path[] = "/tmp/continuo-roll-XXXXXX", midi[64], beside[80];
    assert_non_null(mkdtemp(path));
    snprintf(midi, sizeof midi, "%s/a.mid", path);
    snprintf(beside, sizeof beside, "%s.continuo", midi);
    keys(s, "\r:scale G\rzszf:grid 1/8.\r");
    assert_true(act_save_as(s, midi, true));
    keys(s, "zszfg0");
    session_open(s, midi);
    assert_true(s->snaps && s->folds && !s->grid.is_free);
    assert_int_equal(s->grid.division, 8);
    assert_int_equal(s->grid.kind, GRID_DOTTED);
    unlink(beside);
    session_open(s, midi);
    assert_false(s->snaps || s->folds);
    assert_int_equal(s->grid.division, 16);
    unlink(beside);
    unlink(midi);
    assert_int_equal(rmdir(path), 0);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, keyed_close)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read_back),
        cmocka_unit_test(lines_do_not_drift),
        CASE(bar_lines_are_lines_in_every_grid),
        CASE(keys_choose_the_grid),
        CASE(notes_move_by_its_steps),
        cmocka_unit_test(steps_of_every_scale),
        cmocka_unit_test(keys_are_guessed_from_notes),
        CASE(the_scale_is_asked_for_and_guessed),
        CASE(notes_and_the_cursor_go_by_the_scale),
        CASE(what_is_dragged_goes_by_the_scale),
        CASE(rows_are_folded_away),
        CASE(hidden_tracks_hold_no_rows_open),
        CASE(it_is_kept_beside_the_music),
    };
    return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
