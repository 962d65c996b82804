/* What lies outside the rows is told at the edges; and what a take replaces is gone from
 * the lane of velocities and from the map, as it is no more than dashes on the roll. */

#include "tests/tui/scene.h"

enum { COLUMNS = 100, ROWS = 40 };

static uint64_t add(struct scene *s, int64_t start, int pitch)
{
    return add_note(s->score, 0, start, 480, pitch, 127);
}

static void plain_init(struct scene *s)
{
    scene_open(
        s, make_plain_score(""), COLUMNS, ROWS,
        (struct view){
            .port = {.ticks_per_column = 60, .top_pitch = 75, .rows_per_pitch = 1},
            .grid.ticks = SIXTEENTH,
            .cursor = {40 * SIXTEENTH, 65},
            .version = 1});
    s->theme = theme_for(DEPTH_MONO, false, false);
}

/* The text of the keys' last columns in a row, blanks left out. */
static const char *edge(struct scene *s, int row, char *out)
{
    const char *line = rows_from(s, row);
    const char *mark = strstr(line, "▲");
    const char *end = strchr(line, '\n');
    snprintf(out, 16, "%.*s", mark && mark < end ? (int)strcspn(mark, " ") : 0,
             mark ? mark : "");
    return out;
}

static void test_notes_outside_are_counted(void **state)
{
    char text[16];
    struct scene s;
    (void)state;
    plain_init(&s);
    int top = s.layout.roll.row;
    add(&s, 0, 60);
    assert_string_equal(edge(&s, top, text), "");
    add(&s, 0, 100);
    add(&s, 960, 101);
    add(&s, 400000, 102); /* later than what is shown */
    s.view.version++;
    assert_memory_equal(edge(&s, top, text), "▲2", sizeof "▲2" - 1);
    s.ghosts[0] = (struct ghost){.note = {.start = 480, .length = 480, .pitch = 110}};
    s.view.ghosts.notes = s.ghosts;
    s.view.ghosts.n = 1;
    assert_memory_equal(edge(&s, top, text), "▲3", sizeof "▲3" - 1);
    s.view.port.left_tick = 2000;
    assert_string_equal(edge(&s, top, text), "");
    scene_fini(&s);
}

static int filled(struct scene *s, const struct region *r)
{
    int n = 0;
    draw(s);
    for (int row = r->row; row < r->row + r->rows; row++)
        for (int column = r->column; column < r->column + r->columns; column++)
            n += cells_at(&s->cells, column, row)->glyph != ' ';
    return n;
}

static void test_what_goes_is_gone_everywhere(void **state)
{
    struct scene s;
    (void)state;
    plain_init(&s);
    uint64_t goes = add(&s, 0, 60);
    add(&s, 9600, 60); /* far from it, and shown by no column of the roll */
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
