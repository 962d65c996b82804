/* The whole screen in its modes, against saved screens in tests/tui/golden.
 * CONTINUO_GOLDEN=write saves them anew; look at them before committing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/tui/scene.h"

static void normal_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    check(&s, "normal-80x24");
}

static void takes_200x50(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 200, 50);
    add_takes(&s);
    check(&s, "takes-200x50");
}

static void select_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, false);
    s.view.mode = MODE_SELECT;
    s.view.selection.has_box = true;
    s.view.selection.box = (struct box){16 * SIXTEENTH, 28 * SIXTEENTH, 66, 76};
    s.selected[0] = s.score->tracks[0].notes[4].id;
    s.view.selection.ids = s.selected;
    s.view.selection.n = 1;
    check(&s, "select-mono-80x24");
}

static void takes_ascii_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, true);
    add_takes(&s);
    s.view.message.text = "cannot write x.mid: the disk is full";
    s.view.message.is_error = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    for (int i = 0; i < 80 * 24; i++)
        assert_in_range(s.cells.at[i].glyph, ' ', '~');
    check(&s, "takes-ascii-80x24");
}

static void help_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.mode = MODE_HELP;
    check(&s, "help-80x24");
}

static void help_200x50(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 200, 50);
    s.view.mode = MODE_HELP;
    check(&s, "help-200x50");
}

static void generating_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.machine.is_generating = true;
    s.view.machine.share = 0.62;
    s.view.machine.bars_per_second = 41;
    s.view.machine.n_bars = 8;
    s.view.machine.n_at_work = 4;
    s.view.machine.seconds_left = 2.6;
    s.view.transport.has_sound = false;
    check(&s, "generating-80x24");
}

static void too_small(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 38, 9);
    check(&s, "too-small-38x9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_80x24),      cmocka_unit_test(takes_200x50),
        cmocka_unit_test(select_mono_80x24), cmocka_unit_test(takes_ascii_80x24),
        cmocka_unit_test(help_80x24),        cmocka_unit_test(help_200x50),
        cmocka_unit_test(generating_80x24),  cmocka_unit_test(too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
