/* What is seen while takes wait: the hole with all its notes, at 80x24 and larger, the list
 * beside them; afterwards the view and the cursor are where they were. Space plays it. */
#include "tests/check.h"
#include "tests/app/asked_takes.h"
#include "tests/app/script.h"
#include "app/editor/shell/shell.h"
#include "app/editor/takes/framing.h"

/* Every ghost that is shown, and every note that would go, from end to end. */
static void assert_all_seen(struct session *s)
{
    const struct view *v = view_of(s);
    const struct region *r = &s->layout.roll;
    const struct viewport *p = &v->port;
    assert_true(layout_column(&s->layout, p, s->request.from) >= r->column);
    assert_true(layout_column(&s->layout, p, s->request.to - 1) <
                r->column + r->columns);
    for (size_t i = 0; i < v->ghosts.n; i++) {
        int pitch = v->ghosts.notes[i].note.pitch,
            row = layout_row(&s->layout, p, pitch);
        assert_in_range(row, r->row + (pitch < 127), r->row + r->rows - 1);
    }
    assert_true(s->cursor.tick >= s->request.from && s->cursor.tick < s->request.to);
}

WORD(all_seen)
{
    assert_all_seen(s);
}

NUMBER_FACT(roll, s->layout.roll.columns)
NUMBER_FACT(list, s->layout.takes.columns)
NUMBER_FACT(listed, view_of(s)->takes.is_listed)
NUMBER_FACT(play_from, framing_play_from(s))
NUMBER_FACT(folds, s->roll.folds_for_take)
NUMBER_FACT(hidden, s->port.hidden.at[0] || s->port.hidden.at[1])

static void assert_same_view(const struct viewport *a, const struct viewport *b)
{
    assert_true(
        a->left_tick == b->left_tick && a->ticks_per_column == b->ticks_per_column &&
        a->top_pitch == b->top_pitch && a->rows_per_pitch == b->rows_per_pitch &&
        a->hidden.at[0] == b->hidden.at[0] && a->hidden.at[1] == b->hidden.at[1]);
}

/* A piece of two hundred bars, which is seen from its beginning. */
TEST_WITH(a_continuation_is_framed_and_left, open_session)
{
    static const char *const SIZES[] = {"‹size 80x24›", "‹size 200x50›",
                                        "‹size 40x12›"};
    keys(s, "‹at 199b›\rgg‹pitch 61›");
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        keys(s, SIZES[i]);
        const struct viewport before = s->port;
        play(s, "4C‹made›", "from 199b..999b", NULL);
        keys(s, "1‹all_seen›2‹all_seen›3‹all_seen›4‹all_seen›0 "); /* and stopped */
        run(s, i % 2 ? CMD_ESCAPE : CMD_REJECT_ALL);
        assert_same_view(&s->port, &before);
        play(s, "", "at 0; pitch 61", NULL);
        if (s->has_take) {
            keys(s, "T‹all_seen›X"); /* it comes back to it */
            assert_same_view(&s->port, &before);
        }
    }
}

TEST_WITH(accepting_goes_back, open_session)
{
    keys(s, "gg");
    const struct viewport before = s->port;
    keys(s, "8C‹made›");
    while (!n_ghosts(s))
        keys(s, "X8C‹made›");
    play(s, "‹all_seen›a", "at 0", NULL);
    assert_same_view(&s->port, &before);
}

SCRIPT(the_list_is_beside_the_hole, open_session) = {
    {"", "roll 74"},
    {"‹ask›", "roll 74"},
    {"T‹all_seen›", "listed; list 31; roll 43"},
    {"v", "list 31"}, /* a part of one, with the list */
    {"\033X", "roll 74"},
};

NUMBER_FACT(kit, view_of(s)->kit.is_shown)

/* Takes of all tracks need the rows of all pitches; a take of drums is among the kit. */
SCRIPT(a_kit_goes_for_takes_of_other_tracks, open_session) = {
    {":track drums\r8\r", "kit"},
    {"2C‹made›T‹tick›", "no kit; mode TAKES"},
    {"\033‹tick›", "kit"},
    {"TXcc‹made›‹tick›", "kit; mode TAKES"},
};

/* Who zooms or scrolls has it so, until more takes are asked for. */
TEST_WITH(the_user_moves_the_view, open_session)
{
    play(s, "‹ask›‹tick›", "zoom 120", NULL);
    run(s, CMD_ZOOM_OUT);
    play(s, "‹tick›", "zoom 240", NULL);
    play(s, "2‹tick›", "zoom 240", NULL);
    play(s, "r‹made›", "zoom 120", NULL);
    s->parts.framing->is_loose = false;
    const struct viewport framed = s->port;
    keys(s, "lw"); /* the cursor goes about in it, and it stays */
    assert_same_view(&s->port, &framed);
}

/* Rows that are folded away come back when the view is moved up or down. */
TEST_WITH(scrolling_unfolds, open_session)
{
    for (int i = 0; i < 20 && !s->roll.folds_for_take; i++) {
        run(s, CMD_REJECT_ALL);
        s->steering.seed += 7;
        keys(s, "16C‹made›");
    }
    play(s, "", "folds; hidden", NULL);
    run(s, CMD_SCROLL_UP);
    play(s, "‹tick›", "no folds; no hidden", NULL);
    int top = s->port.top_pitch;
    run(s, CMD_SCROLL_DOWN);
    session_tick(s);
    assert_int_equal(s->port.top_pitch, top - 3);
}

TEST_WITH(moved_cursors_stay, open_session)
{
    keys(s, "gg4C‹made›");
    assert_int_equal(s->cursor.tick, s->request.from);
    keys(s, "L");
    int64_t there = s->cursor.tick;
    keys(s, "X");
    assert_int_equal(s->cursor.tick, there);
    assert_true(layout_column(&s->layout, &s->port, there) <
                s->layout.roll.column + s->layout.roll.columns);
}

NUMBER_FACT(playhead, player_tick(s->player))

SCRIPT(space_plays_what_is_shown, open_session) = {
    {"‹ask›\033‹at 3b›T", "play_from 1b"}, /* after the hole, */
    {" ", "playhead 1b..2400"},
    {" X", "play_from -1"},
    {"‹ask›\033‹at 0›T", "play_from 1b"}, /* before it, */
    {" ", "playhead 1b..2400"},
    {" X", "play_from -1"},
    {"‹ask›\033‹at 2b3q›T", "play_from 1b"}, /* and at its last beat */
    {" ", "playhead 1b..2400"},
    {" X", "play_from -1"},
    {"‹ask›L", "at 2b; play_from 2b"}, /* from where the cursor was put */
    {"‹at 3b1q›", "play_from 1b"},     /* past the hole there is nothing of it */
};

/* The key that shows a take is its name, wherever it is told. */
TEST_WITH(keys_and_labels_agree, open_session)
{
    char label[16];
    keys(s, "‹ask›r‹made›");
    for (int digit = 1; digit <= 8; digit++) {
        press_code(s, (uint32_t)('0' + digit));
        const struct view *v = view_of(s);
        assert_int_equal(v->takes.rows[v->takes.shown].number, digit);
        snprintf(label, sizeof label, "take %d ", digit);
        assert_memory_equal(v->takes.label, label, strlen(label));
    }
}

/* While the tutor tells what to do, the notes are above it. */
TEST_WITH(the_tutor_covers_no_notes, open_session)
{
    act_command_line(s, "tutor");
    for (int i = 0; i < 9; i++)
        tutor_skip(s);
    ask(s);
    const struct view *v = view_of(s);
    assert_true(v->banner.n > 0 && v->hole.is_shown);
    assert_int_equal(s->roll.rows_covered, v->banner.n + 2);
    int foot = s->layout.roll.row + s->layout.roll.rows - s->roll.rows_covered;
    for (size_t i = 0; i < v->ghosts.n; i++)
        assert_true(layout_row(&s->layout, &v->port, v->ghosts.notes[i].note.pitch) <
                    foot);
}

GROUP(make_model, remove_own_folder)
