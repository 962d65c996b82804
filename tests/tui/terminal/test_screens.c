/* The whole screen in its modes, and the main view at many sizes and in every depth of colour. */
#include "tests/tui/scene.h"

SCREEN_WITH(scene_init, help_80x24, s->view.mode = MODE_HELP)
SCREEN_WITH(scene_init, normal_80x24, )

SCREEN(select_mono_80x24)
{
    s->view.mode = MODE_SELECT;
    s->view.selection.has_box = true;
    s->view.selection.box = (struct box){16 * SIXTEENTH, 28 * SIXTEENTH, 66, 76};
    s->selected[0] = s->score->tracks[0].notes[4].id;
    s->view.selection.ids = s->selected;
    s->view.selection.n = 1;
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

enum { STEP = SIXTEENTH, TRACKS = 4 };

static uint64_t put(struct score *s, int track, int step, int length, int pitch)
{
    return add_note(s, track, (int64_t)step * STEP, (int64_t)length * STEP, pitch,
                    40 + 20 * (step % 5));
}

/* Everything that is to be told apart at once: tracks, a muted one, a selection, a hole
 * with ghosts and what they replace, the playhead and the cursor. */
static void full_init(struct scene *s, int columns, int rows)
{
    static const struct take_row TAKE = {
        .number = 1, .rank = 1, .n_notes = 3, .is_drawn = true, .share = 1};
    struct score *score = score_of("480 | : | #8: | #16: | #24:");
    score->tracks[3].mute = true;
    for (int i = 0; i < 12; i++)
        for (int t = 0; t < TRACKS; t++)
            put(score, t, 4 * i, 3 + (i + t) % 2, 72 - 5 * t + (i * 5 + t) % 7);
    uint64_t selected = put(score, 0, 50, 2, 70), replaced = put(score, 0, 20, 2, 64);
    scene_open(s, score, columns, rows,
               (struct view){.version = 1,
                             .mode = MODE_TAKES,
                             .cursor = {8 * STEP, 69},
                             .grid.ticks = STEP,
                             .ghosts = {.notes = s->ghosts,
                                        .n = 3,
                                        .replaced = s->replaced,
                                        .n_replaced = 1},
                             .takes = {.rows = &TAKE, .n = 1, .label = "take 1"},
                             .hole = {true, {16 * STEP, 28 * STEP, 60, 71}, "bar 2", 0},
                             .selection = {.ids = s->selected,
                                           .n = 1,
                                           .has_box = true,
                                           .box = {50 * STEP, 54 * STEP, 68, 72}},
                             .transport = {.is_playing = true, .tick = 12.5 * STEP},
                             .file.name = "depths.mid",
                             .machine.model_name = "model"});
    s->selected[0] = selected;
    s->replaced[0] = replaced;
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){.track = i % 2,
                                      .note = {.start = (18 + 3 * i) * STEP,
                                               .length = 3 * STEP,
                                               .pitch = (uint8_t)(67 - i),
                                               .velocity = 90},
                                      .probability = 0.4f,
                                      .is_kept = i == 2};
}

TEST(sizes_and_depths)
{
    static const char *const NAMES[] = {"depth_mono_40x12",     "depth_mono_200x50",
                                        "depth_ascii_80x24",    "depth_16_80x24",
                                        "depth_256_80x24",      "depth_light_80x24",
                                        "depth_contrast_80x24", NULL};
    check_screens(full_init, NULL, NAMES);
}
