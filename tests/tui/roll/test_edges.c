/* What lies outside the rows is told at the edges; and what a take replaces is gone from
 * the lane of velocities and from the map, as it is no more than dashes on the roll. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/terminal/frame.h"
#include "tui/view/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100, ROWS = 40, SIXTEENTH = 120 };

struct scene {
    struct score *score;
    struct view view;
    struct theme theme;
    struct cells cells;
    struct layout layout;
    struct ghost ghost;
};

static uint64_t add(struct score *s, int64_t start, int pitch)
{
    struct note n = {
        .start = start, .length = 480, .pitch = (uint8_t)pitch, .velocity = 127};
    uint64_t id = score_add_note(s, 0, n);
    assert_true(id != 0);
    return id;
}

static void scene_init(struct scene *s)
{
    *s = (struct scene){.score = score_create(480)};
    assert_non_null(s->score);
    assert_int_equal(score_add_track(s->score, "", 0, 0), 0);
    assert_true(cells_init(&s->cells, COLUMNS, ROWS));
    s->theme = theme_for(DEPTH_MONO, false, false);
    s->layout = layout_for(COLUMNS, ROWS);
    s->view = (struct view){
        .score = s->score,
        .port = {.ticks_per_column = 60, .top_pitch = 75, .rows_per_pitch = 1},
        .grid.ticks = SIXTEENTH,
        .cursor.tick = 40 * SIXTEENTH,
        .cursor.pitch = 65,
        .version = 1};
}

static void scene_fini(struct scene *s)
{
    cells_fini(&s->cells);
    score_destroy(s->score);
}

/* The text of the keys' last columns in a row, blanks left out. */
static const char *edge(struct scene *s, int row, char *out)
{
    char *text;
    frame_draw(&s->cells, &s->view, &s->theme);
    text = cells_to_text(&s->cells);
    assert_non_null(text);
    const char *line = text;
    while (row-- > 0)
        line = strchr(line, '\n') + 1;
    const char *mark = strstr(line, "▲");
    const char *end = strchr(line, '\n');
    snprintf(out, 16, "%.*s", mark && mark < end ? (int)strcspn(mark, " ") : 0,
             mark ? mark : "");
    free(text);
    return out;
}

static void test_notes_outside_are_counted(void **state)
{
    char text[16];
    struct scene s;
    (void)state;
    scene_init(&s);
    int top = s.layout.roll.row;
    add(s.score, 0, 60);
    assert_string_equal(edge(&s, top, text), "");
    add(s.score, 0, 100);
    add(s.score, 960, 101);
    add(s.score, 400000, 102); /* later than what is shown */
    s.view.version++;
    assert_memory_equal(edge(&s, top, text), "▲2", sizeof "▲2" - 1);
    s.ghost = (struct ghost){.note = {.start = 480, .length = 480, .pitch = 110}};
    s.view.ghosts.notes = &s.ghost;
    s.view.ghosts.n = 1;
    assert_memory_equal(edge(&s, top, text), "▲3", sizeof "▲3" - 1);
    s.view.port.left_tick = 2000;
    assert_string_equal(edge(&s, top, text), "");
    scene_fini(&s);
}

static int filled(struct scene *s, const struct region *r)
{
    int n = 0;
    frame_draw(&s->cells, &s->view, &s->theme);
    for (int row = r->row; row < r->row + r->rows; row++)
        for (int column = r->column; column < r->column + r->columns; column++)
            n += cells_at(&s->cells, column, row)->glyph != ' ';
    return n;
}

static void test_what_goes_is_gone_everywhere(void **state)
{
    struct scene s;
    (void)state;
    scene_init(&s);
    uint64_t goes = add(s.score, 0, 60);
    add(s.score, 9600, 60); /* far from it, and shown by no column of the roll */
    assert_true(s.layout.lane.rows > 0 && s.layout.map.rows > 0);
    int lane = filled(&s, &s.layout.lane), map = filled(&s, &s.layout.map);
    s.view.ghosts.replaced = &goes;
    s.view.ghosts.n_replaced = 1;
    s.view.hole.box = (struct box){0, 960, 0, 127};
    assert_true(filled(&s, &s.layout.lane) < lane);
    assert_true(filled(&s, &s.layout.map) < map);
    scene_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes_outside_are_counted),
        cmocka_unit_test(test_what_goes_is_gone_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
