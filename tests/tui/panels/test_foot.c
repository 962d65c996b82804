/* The two lines at the bottom: nothing that is said is cut while there is room for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/terminal/frame.h"

#include <stdlib.h>
#include <string.h>

struct foot {
    struct score *score;
    struct view view;
    struct cells cells;
    char *text; /* of the frame that was drawn last */
};

static int open_foot(void **state)
{
    struct foot *f = calloc(1, sizeof *f);
    if (!f || !(f->score = score_create(480)) ||
        score_add_track(f->score, "A", 0, 0) < 0)
        return -1;
    f->view = (struct view){.score = f->score,
                            .grid.ticks = 120,
                            .grid.name = "1/16",
                            .cursor.pitch = 60,
                            .machine.model_name = "continuo.safetensors",
                            .port = {0, 120, 72, 1, {{0}}}};
    *state = f;
    return cells_init(&f->cells, 80, 24) ? 0 : -1;
}

static int close_foot(void **state)
{
    struct foot *f = *state;
    free(f->text);
    cells_fini(&f->cells);
    score_destroy(f->score);
    free(f);
    return 0;
}

/* The last two lines, in one string. */
static const char *draw(struct foot *f)
{
    struct theme t = theme_for(DEPTH_TRUE, false, false);
    frame_draw(&f->cells, &f->view, &t);
    free(f->text);
    f->text = cells_to_text(&f->cells);
    char *at = f->text;
    for (int row = 0; row < f->cells.rows - 2; row++)
        at = strchr(at, '\n') + 1;
    return at;
}

static void the_model_makes_room_for_the_selection(void **state)
{
    struct foot *f = *state;
    static const uint64_t ids[118];
    struct note n = {.length = 480, .pitch = 60, .velocity = 80};
    assert_non_null(strstr(draw(f), "no sound   continuo"));
    assert_null(strstr(draw(f), "safetensors")); /* which all of them are */
    assert_true(score_add_note(f->score, 0, n) != 0);
    f->view.version++;
    f->view.selection.ids = ids;
    f->view.selection.n = 118;
    f->view.selection.n_tracks = 1;
    const char *foot = draw(f);
    assert_non_null(strstr(foot, "118 notes selected"));
    assert_non_null(strstr(foot, "no sound"));
    assert_null(strstr(foot, "sound   continuo"));
}

/* What `c` would rewrite is not cut for what is known anyway. */
static void what_goes_is_said_whole(void **state)
{
    struct foot *f = *state;
    static const uint64_t ids[28];
    f->view.mode = MODE_SELECT;
    f->view.selection.ids = ids;
    f->view.selection.n = 28;
    f->view.selection.n_tracks = 4;
    f->view.selection.change_label = "c rewrites bars 1-2 of 4 tracks";
    const char *foot = draw(f);
    assert_non_null(
        strstr(foot, "28 notes selected   c rewrites bars 1-2 of 4 tracks"));
    assert_non_null(strstr(foot, "no sound"));
    f->view.selection.change_label =
        "c rewrites 2 beats of bar 12 of Soprano, C4 to E4";
    assert_non_null(strstr(draw(f), "of Soprano, C4 to E4"));
}

/* A hundred in a hundred is when all are drawn, shown or not. */
static void what_is_drawn_unseen_is_told(void **state)
{
    struct foot *f = *state;
    f->view.machine.is_generating = true;
    f->view.machine.n_bars = 8;
    f->view.machine.n_at_work = 4;
    f->view.machine.n_draws = 16;
    f->view.machine.share = 2.0 / 16;
    assert_non_null(strstr(draw(f), "composing bar 5 of 8"));
    assert_non_null(strstr(draw(f), "12%"));
    f->view.machine.n_drawn = 8;
    f->view.machine.share = 8.5 / 16;
    assert_non_null(strstr(draw(f), "drawing take 9 of 16"));
    assert_non_null(strstr(draw(f), "53%"));
    f->view.machine.n_drawn = 16;
    assert_non_null(strstr(draw(f), "drawing take 16 of 16"));
}

static void a_long_sentence_has_both_lines(void **state)
{
    struct foot *f = *state;
    f->view.message.text = "short";
    assert_non_null(strstr(draw(f), "? help"));
    f->view.message.text =
        "one two three four five six seven eight nine ten eleven twelve "
        "thirteen fourteen fifteen sixteen";
    const char *foot = draw(f);
    assert_non_null(strstr(foot, "eleven twelve thirteen"));
    assert_non_null(strstr(foot, "\n fourteen fifteen sixteen"));
    assert_null(strstr(foot, "? help"));
    f->view.mode = MODE_PROMPT;
    assert_null(strstr(draw(f), "fifteen"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_foot, close_foot)
        TEST(the_model_makes_room_for_the_selection),
        TEST(what_goes_is_said_whole),
        TEST(what_is_drawn_unseen_is_told),
        TEST(a_long_sentence_has_both_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
