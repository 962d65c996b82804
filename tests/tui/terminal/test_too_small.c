/* A screen that is too small says so in what room there is. */
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

struct scene {
    struct score *score;
    struct view view;
    struct cells cells;
};

static void scene_init(struct scene *s, int columns, int rows)
{
    *s = (struct scene){.score = score_create(480)};
    assert_non_null(s->score);
    assert_int_equal(score_add_track(s->score, "", 0, 0), 0);
    assert_true(cells_init(&s->cells, columns, rows));
    s->view = (struct view){
        .score = s->score,
        .port = {.ticks_per_column = 60, .top_pitch = 75, .rows_per_pitch = 1},
        .grid.ticks = 120,
        .version = 1};
}

static void scene_fini(struct scene *s)
{
    cells_fini(&s->cells);
    score_destroy(s->score);
}

/* A row's text; the last row is -1. */
static const char *row(struct scene *s, int from_end, char out[512])
{
    struct theme t = theme_for(DEPTH_MONO, false, false);
    frame_draw(&s->cells, &s->view, &t);
    char *text = cells_to_text(&s->cells), *line = text;
    assert_non_null(text);
    for (int i = 0; i < s->cells.rows + from_end; i++)
        line = strchr(line, '\n') + 1;
    snprintf(out, 512, "%.*s", (int)strcspn(line, "\n"), line);
    free(text);
    return out;
}

static void too_small_is_said_in_what_room_there_is(void **state)
{
    (void)state;
    char text[512];
    static const struct {
        int columns;
        const char *says;
    } cases[] = {{39, "continuo needs 40x12, this is 39x4"},
                 {20, "needs 40x12"},
                 {10, "too small"}};
    for (int i = 0; i < 3; i++) {
        struct scene s;
        scene_init(&s, cases[i].columns, 4);
        assert_int_equal(
            strncmp(row(&s, -2, text), cases[i].says, strlen(cases[i].says)), 0);
        scene_fini(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_small_is_said_in_what_room_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
