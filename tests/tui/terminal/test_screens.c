/* The whole screen in its modes, against saved screens. */
#include "tests/tui/scene.h"

static void help(struct scene *s, int i)
{
    s->view.mode = i < 2 ? MODE_HELP : MODE_NORMAL;
}

TEST(plain_screens)
{
    static const char *const NAMES[] = {"help_80x24", "help_200x50", "normal_80x24",
                                        "too_small_38x9", NULL};
    check_screens(scene_init, help, NAMES);
}

SCREEN_WITH(scene_init, takes_200x50, add_takes(s))

SCREEN(select_mono_80x24)
{
    s->view.mode = MODE_SELECT;
    s->view.selection.has_box = true;
    s->view.selection.box = (struct box){16 * SIXTEENTH, 28 * SIXTEENTH, 66, 76};
    s->selected[0] = s->score->tracks[0].notes[4].id;
    s->view.selection.ids = s->selected;
    s->view.selection.n = 1;
}

SCREEN(takes_ascii_80x24)
{
    add_takes(s);
    s->view.message.text = "cannot write x.mid: the disk is full";
    s->view.message.is_error = true;
}

SCREEN(generating_80x24)
{
    s->view.machine.is_generating = true;
    s->view.machine.share = 0.62;
    s->view.machine.bars_per_second = 41;
    s->view.machine.n_bars = 8;
    s->view.machine.n_at_work = 4;
    s->view.machine.seconds_left = 2.6;
    s->view.transport.has_sound = false;
}

/* A screen that is too small says so in the room it has. */
TEST(too_small_for_a_sentence)
{
    static const struct {
        int columns;
        const char *says;
    } CASES[] = {{39, "continuo needs 40x12, this is 39x4"},
                 {20, "needs 40x12"},
                 {10, "too small"}};
    for (int i = 0; i < 3; i++) {
        auto_scene s;
        scene_init(&s, CASES[i].columns, 4);
        assert_memory_equal(rows_from(&s, 2), CASES[i].says, strlen(CASES[i].says));
    }
}
