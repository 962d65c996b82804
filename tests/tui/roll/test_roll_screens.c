/* The roll: scales, folds and zooms, holes and what is proposed for them, and the colours
 * of single cells. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/tui/scene.h"

/* Bar 2 of the bass from a sixteenth on, filled: what it held is still there to see. */
static void add_hole(struct scene *s, int from)
{
    const struct track *bass = &s->score->tracks[2];
    size_t n = 0;
    for (size_t i = 0; i < bass->n_notes; i++)
        if (bass->notes[i].start >= from * SIXTEENTH &&
            bass->notes[i].start + bass->notes[i].length <= 32 * SIXTEENTH)
            s->replaced[n++] = bass->notes[i].id;
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){
            .track = 2,
            .note = {.start = (from + 1 + 3 * i) * SIXTEENTH,
                     .length = 2 * SIXTEENTH,
                     .pitch = (uint8_t)(55 + 2 * i),
                     .velocity = 80},
            .probability = 0.3f * (float)i,
        };
    s->view.track = 2;
    s->view.mode = MODE_TAKES;
    s->view.port.top_pitch = 72;
    s->view.cursor.tick = 16 * SIXTEENTH;
    s->view.cursor.pitch = 62;
    s->view.ghosts.replaced = s->replaced;
    s->view.ghosts.n_replaced = n;
    s->view.ghosts.notes = s->ghosts;
    s->view.ghosts.n = 3;
    s->view.hole.is_shown = true;
    s->view.hole.box = (struct box){from * SIXTEENTH, 32 * SIXTEENTH, 53, 60};
    s->view.hole.label = "bar 2";
    s->view.hole.track_name = s->score->tracks[2].name;
    s->view.takes.label = "take 1, seed 8";
}

static void hole_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    add_hole(&s, 16);
    check(&s, "hole-80x24");
}

/* Narrower than its name, and without colours. */
static void hole_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, false);
    add_hole(&s, 20);
    s.view.hole.box.pitch_lo = 0;
    s.view.hole.box.pitch_hi = 127;
    s.view.hole.label = "3 beats of bar 2";
    check(&s, "hole-mono-80x24");
}

/* By dots and shades, the denser the surer; what is kept has its name in a box. */
static void shaded_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, false);
    add_takes(&s);
    add_list(&s);
    s.view.takes.is_listed = false;
    s.view.transport.is_playing = false;
    s.view.ghosts.by_probability = true;
    s.view.cursor.tick = s.ghosts[1].note.start; /* which is told at the foot */
    s.view.cursor.pitch = s.ghosts[1].note.pitch;
    frame_draw(&s.cells, &s.view, &s.theme);
    struct layout l = layout_for(80, 24);
    int row = layout_row(&l, &s.view.port, s.ghosts[1].note.pitch);
    int column = (int)layout_column(&l, &s.view.port, s.ghosts[1].note.start);
    s.view.cursor.pitch++;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_true(cells_at(&s.cells, column, row)->attr & ATTR_REVERSE);
    s.view.cursor.pitch--;
    check(&s, "shaded-mono-80x24");
}

/* D minor: the beats' dots are where notes are out of it, the tonic has its mark. */
static void scale_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, false);
    s.view.scale.pitches = 0x6b5;
    s.view.scale.tonic = 2;
    s.view.scale.sharps = -1;
    check(&s, "scale-mono-80x24");
}

/* Only its rows, and those of notes out of it, with a grid of triplets. */
static void fold_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    struct layout l = layout_for(80, 24);
    struct pitch_set hidden = {{0, 0}};
    s.view.scale.pitches = 0x6b5;
    s.view.scale.tonic = 2;
    s.view.scale.sharps = -1;
    for (int pitch = 0; pitch < 128; pitch++)
        if (!(s.view.scale.pitches >> pitch % 12 & 1) && pitch != 66 && pitch != 71 &&
            pitch != 73)
            pitch_set_add(&hidden, pitch);
    s.view.cursor.tick = 1920;
    s.view.grid.ticks = 80;
    s.view.grid.name = "1/16T";
    viewport_fold(&s.view.port, &l, hidden, 69);
    frame_draw(&s.cells, &s.view, &s.theme);
    const struct cell *in = cells_at(&s.cells, 40, layout_row(&l, &s.view.port, 76));
    const struct cell *out = cells_at(&s.cells, 40, layout_row(&l, &s.view.port, 73));
    const struct cell *home = cells_at(&s.cells, 40, layout_row(&l, &s.view.port, 74));
    assert_true(in->bg != out->bg && home->bg != in->bg && home->bg != out->bg);
    check(&s, "fold-80x24");
}

static void zoomed_out_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.port.ticks_per_column = 960;
    check(&s, "zoomed-out-80x24");
}

static void tall_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.port.rows_per_pitch = 3;
    s.view.port.top_pitch = 72;
    s.view.mode = MODE_PROMPT;
    s.view.prompt.label = "open: ";
    s.view.prompt.input = "лад/音楽.mid";
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(s.cells.cursor_row, 23);
    assert_int_equal(s.cells.cursor_column, 6 + 12);
    check(&s, "tall-prompt-80x24");
}

/* Notes of other tracks may be left out, of one or of all; the edited one's never. */
static void other_notes_are_hidden(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 132, 46);
    s.score->tracks[0].hide = s.score->tracks[1].hide = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_not_equal(cell_of(&s, SIXTEENTH, 71)->bg, s.theme.row_white);
    assert_int_equal(cell_of(&s, SIXTEENTH, 67)->bg, s.theme.row_white);
    s.score->tracks[1].hide = false;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_not_equal(cell_of(&s, SIXTEENTH, 67)->bg, s.theme.row_white);
    s.view.tracks.hide_others = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(cell_of(&s, SIXTEENTH, 67)->bg, s.theme.row_white);
    scene_fini(&s);
}

/* Neighbouring notes of one pitch are told apart at every zoom. */
static void repeated_notes_are_seen_apart(void **state)
{
    (void)state;
    for (int columns_each = 1; columns_each <= 4; columns_each *= 2) {
        struct scene s;
        scene_init(&s, 80, 24);
        for (int i = 0; i < 4; i++)
            score_add_note(s.score, 0,
                           (struct note){.start = (40 + i) * SIXTEENTH,
                                         .length = SIXTEENTH,
                                         .pitch = 70,
                                         .velocity = 90});
        s.view.port.ticks_per_column = SIXTEENTH / columns_each;
        s.view.port.left_tick = 36 * SIXTEENTH;
        s.view.port.top_pitch = 75;
        frame_draw(&s.cells, &s.view, &s.theme);
        for (int i = 1; i < 4; i++)
            assert_int_not_equal(cell_of(&s, (40 + i) * SIXTEENTH, 70)->glyph, ' ');
        scene_fini(&s);
    }
}

static void colours(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 132, 46);
    add_takes(&s);
    frame_draw(&s.cells, &s.view, &s.theme);
    const struct theme *t = &s.theme;
    const struct note *first = &s.score->tracks[0].notes[0];
    assert_int_equal(cell_of(&s, SIXTEENTH, 71)->bg,
                     theme_note(t, 0, first->velocity, PRESENCE_ACTIVE));
    assert_int_equal(
        cell_of(&s, SIXTEENTH, 67)->bg,
        theme_note(t, 1, s.score->tracks[1].notes[0].velocity, PRESENCE_OTHER));
    assert_int_equal(cell_of(&s, SIXTEENTH, 72)->bg, t->row_white);
    assert_int_equal(cell_of(&s, SIXTEENTH, 73)->bg, t->row_black);
    assert_int_equal(cell_of(&s, 16 * SIXTEENTH, 73)->fg, t->line_bar);
    assert_int_equal(cell_of(&s, 20 * SIXTEENTH, 69)->bg, t->accent);
    assert_int_equal(cell_of(&s, 26 * SIXTEENTH, 79)->fg, t->playhead);
    assert_int_equal(cell_of(&s, 36 * SIXTEENTH, 62)->fg, theme_track(t, 1));
    s.score->tracks[1].mute = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(
        cell_of(&s, SIXTEENTH, 67)->bg,
        theme_note(t, 1, s.score->tracks[1].notes[0].velocity, PRESENCE_MUTED));
    scene_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hole_80x24),
        cmocka_unit_test(hole_mono_80x24),
        cmocka_unit_test(shaded_mono_80x24),
        cmocka_unit_test(scale_mono_80x24),
        cmocka_unit_test(fold_80x24),
        cmocka_unit_test(zoomed_out_80x24),
        cmocka_unit_test(tall_80x24),
        cmocka_unit_test(other_notes_are_hidden),
        cmocka_unit_test(repeated_notes_are_seen_apart),
        cmocka_unit_test(colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
