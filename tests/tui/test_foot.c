/* Messages and warnings are read to their end, however narrow the screen is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/frame.h"
#include "tui/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LONG[] = "its journal is damaged; :e opens what it holds: "
                           "a-rather-long-name.mid.continuo-journal.1";

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
        .grid_ticks = 120,
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

static void a_long_message_takes_the_line_of_hints(void **state)
{
    (void)state;
    char text[512];
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.message = LONG;
    s.view.message_is_error = true;
    assert_non_null(strstr(row(&s, -2, text), "what it holds:"));
    assert_null(strstr(text, "a-rather"));
    assert_null(strstr(text, "…"));
    assert_non_null(strstr(row(&s, -1, text), " a-rather-long-name.mid.continuo"));
    assert_null(strstr(text, "help"));
    s.view.message = "saved";
    assert_non_null(strstr(row(&s, -1, text), "? help"));
    s.view.message = LONG; /* what is typed keeps its line */
    s.view.mode = MODE_PROMPT;
    s.view.prompt = ":";
    s.view.input = "what is typed";
    assert_non_null(strstr(row(&s, -1, text), ":what is typed"));
    scene_fini(&s);
}

static void one_that_fits_stays_on_its_line(void **state)
{
    (void)state;
    char text[512], exact[80];
    struct scene s;
    scene_init(&s, 80, 24);
    memset(exact, 'x', 79);
    exact[40] = ' ';
    exact[79] = '\0';
    s.view.message = exact;
    assert_non_null(strstr(row(&s, -2, text), exact));
    assert_non_null(strstr(row(&s, -1, text), "? help"));
    scene_fini(&s);
}

static void what_is_chosen_is_told_before_the_model(void **state)
{
    (void)state;
    char text[512];
    struct scene s;
    scene_init(&s, 60, 24);
    s.view.grid_name = "1/16";
    s.view.model_name = "continuo.safetensors";
    assert_non_null(strstr(row(&s, -2, text), " continuo"));
    assert_null(strstr(text, "safetensors")); /* which all of them are */
    s.view.n_selected = 100000;
    s.view.n_selected_tracks = 16;
    static uint64_t ids[100000];
    s.view.selected = ids;
    assert_non_null(strstr(row(&s, -2, text), "100000 notes of 16 tracks selected"));
    assert_null(strstr(text, "continuo"));
    scene_fini(&s);
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
        cmocka_unit_test(a_long_message_takes_the_line_of_hints),
        cmocka_unit_test(one_that_fits_stays_on_its_line),
        cmocka_unit_test(what_is_chosen_is_told_before_the_model),
        cmocka_unit_test(too_small_is_said_in_what_room_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
