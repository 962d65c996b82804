/* The two lines at the bottom: nothing that is said is cut while there is room for it. */

#include "tests/tui/scene.h"

static void foot_init(struct scene *s, int columns, int rows)
{
    scene_open(s, make_plain_score("A"), columns, rows,
               (struct view){.grid = {120, "1/16"},
                             .cursor.pitch = 60,
                             .machine.model_name = "continuo.safetensors",
                             .port = {0, 120, 72, 1, {{0}}}});
}

/* The last two lines, in one string. */
static const char *foot_text(struct scene *s)
{
    return rows_from(s, s->cells.rows - 2);
}

SCENE_OF(foot_init, the_model_makes_room_for_the_selection, 80, 24)
{
    static const uint64_t ids[118];
    assert_non_null(strstr(foot_text(s), "no sound   continuo"));
    assert_null(strstr(foot_text(s), "safetensors")); /* which all of them are */
    add_note(s->score, 0, 0, 480, 60, 80);
    s->view.version++;
    s->view.selection.ids = ids;
    s->view.selection.n = 118;
    s->view.selection.n_tracks = 1;
    const char *foot = foot_text(s);
    assert_non_null(strstr(foot, "118 notes selected"));
    assert_non_null(strstr(foot, "no sound"));
    assert_null(strstr(foot, "sound   continuo"));
}

/* What `c` would rewrite is not cut for what is known anyway. */
SCENE_OF(foot_init, what_goes_is_said_whole, 80, 24)
{
    static const uint64_t ids[28];
    s->view.mode = MODE_SELECT;
    s->view.selection.ids = ids;
    s->view.selection.n = 28;
    s->view.selection.n_tracks = 4;
    s->view.selection.change_label = "c rewrites bars 1-2 of 4 tracks";
    const char *foot = foot_text(s);
    assert_non_null(
        strstr(foot, "28 notes selected   c rewrites bars 1-2 of 4 tracks"));
    assert_non_null(strstr(foot, "no sound"));
    s->view.selection.change_label =
        "c rewrites 2 beats of bar 12 of Soprano, C4 to E4";
    assert_non_null(strstr(foot_text(s), "of Soprano, C4 to E4"));
}

/* A hundred in a hundred is when all are drawn, shown or not. */
SCENE_OF(foot_init, what_is_drawn_unseen_is_told, 80, 24)
{
    s->view.machine.is_generating = true;
    s->view.machine.n_bars = 8;
    s->view.machine.n_at_work = 4;
    s->view.machine.n_draws = 16;
    s->view.machine.share = 2.0 / 16;
    assert_non_null(strstr(foot_text(s), "composing bar 5 of 8"));
    assert_non_null(strstr(foot_text(s), "12%"));
    s->view.machine.n_drawn = 8;
    s->view.machine.share = 8.5 / 16;
    assert_non_null(strstr(foot_text(s), "drawing take 9 of 16"));
    assert_non_null(strstr(foot_text(s), "53%"));
    s->view.machine.n_drawn = 16;
    assert_non_null(strstr(foot_text(s), "drawing take 16 of 16"));
}

SCENE_OF(foot_init, a_long_sentence_has_both_lines, 80, 24)
{
    s->view.message.text = "short";
    assert_non_null(strstr(foot_text(s), "? help"));
    s->view.message.text =
        "one two three four five six seven eight nine ten eleven twelve "
        "thirteen fourteen fifteen sixteen";
    const char *foot = foot_text(s);
    assert_non_null(strstr(foot, "eleven twelve thirteen"));
    assert_non_null(strstr(foot, "\n fourteen fifteen sixteen"));
    assert_null(strstr(foot, "? help"));
    s->view.mode = MODE_PROMPT;
    assert_null(strstr(foot_text(s), "fifteen"));
}
