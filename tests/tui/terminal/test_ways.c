/* What helps one find one's way, on the screen: the box of keys, the palette, the help of
 * a mode and the tutor's banner, against saved screens in tests/tui/golden. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/tui/golden.h"

#include "tui/panels/help.h"
#include "tui/terminal/frame.h"
#include "tui/keys/keymap.h"
#include "tui/keys/key_notation.h"
#include "tui/panels/palette.h"

struct scene {
    struct score *score;
    struct view view;
    struct theme theme;
    struct cells cells;
};

/* A few notes, and the cursor on the first. */
static void scene_init(struct scene *s, int columns, int rows)
{
    *s = (struct scene){.score = score_create(480)};
    assert_non_null(s->score);
    assert_int_equal(score_add_track(s->score, "Soprano", 0, 52), 0);
    for (int i = 0; i < 8; i++)
        score_add_note(s->score, 0,
                       (struct note){.start = 480 * i,
                                     .length = 480,
                                     .pitch = (uint8_t)(60 + 2 * i),
                                     .velocity = 80});
    s->theme = theme_for(DEPTH_TRUE, false, false);
    assert_true(cells_init(&s->cells, columns, rows));
    s->view = (struct view){.score = s->score,
                            .cursor.pitch = 60,
                            .grid.ticks = 120,
                            .grid.name = "1/16",
                            .transport.has_sound = true,
                            .file.name = "tune.mid",
                            .machine.model_name = "chorale"};
    struct layout l = layout_for(columns, rows);
    viewport_fit(&s->view.port, &l, s->score);
}

static void check(struct scene *s, const char *name)
{
    frame_draw(&s->cells, &s->view, &s->theme);
    compare_with_golden(&s->cells, name);
    cells_fini(&s->cells);
    score_destroy(s->score);
}

static void box_after_a_prefix(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.keys.prefix = 'z';
    s.view.keys.which_key = true;
    check(&s, "which-key-80x24");
}

static void box_after_a_count(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.keys.count = 12;
    s.view.keys.which_key = true;
    check(&s, "which-key-count-80x24");
}

/* A screen so small has no room for all of them, and says so. */
static void box_in_a_corner(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 40, 12);
    s.theme = theme_for(DEPTH_MONO, false, true);
    s.view.keys.count = 3;
    s.view.keys.which_key = true;
    check(&s, "which-key-ascii-40x12");
}

/* A changed key is told wherever keys are. */
static void box_of_changed_keys(void **state)
{
    (void)state;
    struct scene s;
    uint32_t keys[2];
    struct keymap *m = keymap_create();
    assert_true(m && key_parse("z u", keys));
    assert_true(keymap_add(m, keymap_modes_of(CMD_UNDO), keys, CMD_UNDO));
    scene_init(&s, 80, 24);
    s.view.keys.map = m;
    s.view.keys.prefix = 'z';
    s.view.keys.which_key = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    char *text = cells_to_text(&s.cells);
    assert_non_null(strstr(text, "u undo"));
    free(text);
    cells_fini(&s.cells);
    score_destroy(s.score);
    keymap_destroy(m);
}

static const struct palette_line LINES[] = {
    {"zoom in on time", "zi", "", 0x63},
    {"go to track 2 \033[2Jzither", "", "track", 0x1C000},
    {"set the tempo at the cursor's bar", ":tempo 96", "", 0},
    {"open /home/x/music/a-very-long-name-for-a-zip-of-a-folder-full-of-music.mid", "",
     "file", 0},
    {"go to лад 音楽", "bar 12", "marker", 0},
};

static void open_palette(struct scene *s, struct palette_view *found)
{
    *found = (struct palette_view){LINES, 5, 0, 5, 1};
    s->view.mode = MODE_PALETTE;
    s->view.palette = found;
    s->view.prompt.input = "zi";
}

static void palette_80x24(void **state)
{
    (void)state;
    struct scene s;
    struct palette_view found;
    scene_init(&s, 80, 24);
    open_palette(&s, &found);
    frame_draw(&s.cells, &s.view, &s.theme);
    struct layout l = layout_for(80, 24);
    struct list_box b = palette_box(&l, 5, 1);
    assert_int_equal(s.cells.cursor_row, b.frame.row + 1);
    assert_int_equal(s.cells.cursor_column, b.frame.column + 4 + 2);
    assert_int_equal(list_box_at(&b, b.items.column + 4, b.items.row + 1), 1);
    assert_int_equal(list_box_at(&b, b.items.column + 4, b.items.row + 5), -1);
    assert_int_equal(list_box_at(&b, b.frame.column, b.items.row + 1), -1);
    check(&s, "palette-80x24");
}

static void palette_40x12(void **state)
{
    (void)state;
    struct scene s;
    struct palette_view found;
    scene_init(&s, 40, 12);
    s.theme = theme_for(DEPTH_MONO, false, true);
    open_palette(&s, &found);
    s.view.prompt.input = "a line longer than there is room for it here";
    s.view.prompt.after = 4;
    check(&s, "palette-ascii-40x12");
}

static void nothing_found(void **state)
{
    (void)state;
    struct scene s;
    struct palette_view found = {0};
    scene_init(&s, 80, 24);
    s.view.mode = MODE_PALETTE;
    s.view.palette = &found;
    s.view.prompt.input = "xyzzy";
    check(&s, "palette-nothing-80x24");
}

static void help_of_takes(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.mode = MODE_HELP;
    s.view.help.mode = MODE_TAKES;
    check(&s, "help-takes-80x24");
}

static void help_of_all(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.mode = MODE_HELP;
    s.view.help.all = true;
    check(&s, "help-all-80x24");
}

/* A mode's own page has no key that does nothing there. */
static void help_of_a_mode_is_its_own(void **state)
{
    (void)state;
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const struct help_page one = {NULL, (enum mode)mode, false},
                               all = {NULL, (enum mode)mode, true};
        assert_true(help_max_scroll(&one, 80, 24) < help_max_scroll(&all, 80, 24));
    }
}

static void set_banner(struct scene *s)
{
    s->view.banner.title = "tutor, 3 of 12; :tutor leaves";
    s->view.banner.lines[0] =
        "Go past the note with l. i is draw mode: there Enter puts a note and";
    s->view.banner.lines[1] =
        "moves on; j and k choose its pitch. Draw three notes or more.";
    s->view.banner.n = 2;
}

static void banner_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    set_banner(&s);
    check(&s, "tutor-80x24");
}

/* Above, it would hide the cursor. */
static void banner_gives_way(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    set_banner(&s);
    s.view.cursor.pitch = s.view.port.top_pitch - 1;
    check(&s, "tutor-below-80x24");
}

static void the_cursor_is_in_the_line(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.mode = MODE_PROMPT;
    s.view.prompt.label = ":";
    s.view.prompt.input = "tempo 音 96";
    for (size_t after = 0; after <= 3; after++) {
        s.view.prompt.after = after;
        frame_draw(&s.cells, &s.view, &s.theme);
        assert_int_equal(s.cells.cursor_column, 1 + 11 - (int)after);
    }
    s.view.prompt.after = 100; /* more than there is */
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(s.cells.cursor_column, 1);
    cells_fini(&s.cells);
    score_destroy(s.score);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_after_a_prefix),
        cmocka_unit_test(box_after_a_count),
        cmocka_unit_test(box_in_a_corner),
        cmocka_unit_test(box_of_changed_keys),
        cmocka_unit_test(palette_80x24),
        cmocka_unit_test(palette_40x12),
        cmocka_unit_test(nothing_found),
        cmocka_unit_test(help_of_takes),
        cmocka_unit_test(help_of_all),
        cmocka_unit_test(help_of_a_mode_is_its_own),
        cmocka_unit_test(banner_80x24),
        cmocka_unit_test(banner_gives_way),
        cmocka_unit_test(the_cursor_is_in_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
