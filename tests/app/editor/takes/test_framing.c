/* What is seen while takes wait: the hole with all its notes, at 80x24 and larger, the list
 * beside them; afterwards the view and the cursor are where they were. Space plays it. */
#include "tests/check.h"
#include "tests/app/asked_takes.h"
#include "app/editor/takes/framing.h"

/* Every ghost that is shown, and every note that would go, from end to end; while there are rows,
 * each pitch has one of its own. */
static void assert_all_seen(struct session *s)
{
    struct pitch_set pitches = {{0, 0}};
    bool has[CELLS_MAX] = {false};
    int n_rows = 0;
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
        pitch_set_add(&pitches, pitch);
        n_rows += !has[row];
        has[row] = true;
    }
    const int n_pitches =
        __builtin_popcountll(pitches.at[0]) + __builtin_popcountll(pitches.at[1]);
    if (n_pitches < r->rows - s->roll.rows_covered)
        assert_int_equal(n_rows, n_pitches);
    assert_true(BEAT % p->ticks_per_column == 0 || p->ticks_per_column % BEAT == 0);
    assert_true(s->view.cursor.tick >= s->request.from &&
                s->view.cursor.tick < s->request.to);
}

DOES(all_seen, assert_all_seen(s))

NUMBER_FACT(list, s->layout.takes.columns)
NUMBER_FACT(listed, view_of(s)->lists[LIST_TAKES].is_open)
NUMBER_FACT(play_from, framing_play_from(s))
NUMBER_FACT(folds, s->roll.folds_for_take)
NUMBER_FACT(hidden, s->view.port.hidden.at[0] || s->view.port.hidden.at[1])

static struct viewport view_then;

DOES(view, view_then = s->view.port)

static bool is_same_view(const struct viewport *a, const struct viewport *b)
{
    return a->left_tick == b->left_tick && a->ticks_per_column == b->ticks_per_column &&
           a->top_pitch == b->top_pitch && a->rows_per_pitch == b->rows_per_pitch &&
           a->hidden.at[0] == b->hidden.at[0] && a->hidden.at[1] == b->hidden.at[1];
}

NUMBER_FACT(as_viewed, is_same_view(&s->view.port, &view_then))

#define LOOK_AT_ALL "1‹all_seen›2‹all_seen›3‹all_seen›4‹all_seen›0 " /* and stopped */

/* A piece of two hundred bars, which is seen from its beginning. */
SCRIPT(a_continuation_is_framed_and_left, open_session) = {
    {"‹at 199b›\rgg‹pitch 61›‹size 80x24›‹view›4C‹made›", "from 199b..999b"},
    {LOOK_AT_ALL "X", "as_viewed; at 0; pitch 61"},
    {"‹size 200x50›‹view›4C‹made›" LOOK_AT_ALL "\033",
     "as_viewed; at 0; pitch 61; take"},
    {"T‹all_seen›X", "as_viewed"}, /* it comes back to it */
    {"‹size 40x12›‹view›4C‹made›" LOOK_AT_ALL "X", "as_viewed; at 0; pitch 61"},
};

SCRIPT(accepting_goes_back, open_session) = {
    {"gg‹view›8C‹made›‹all_seen›", "ghosts 1..999; no as_viewed"},
    {"a", "at 0; as_viewed"},
};

SCRIPT(the_list_is_beside_the_hole, open_session) = {
    {"", "roll_columns 74"},
    {"‹ask›", "roll_columns 74"},
    {"T‹all_seen›", "listed; list 31; roll_columns 43"},
    {"v", "list 31"}, /* a part of one, with the list */
    {"\033X", "roll_columns 74"},
};

/* Takes of all tracks need the rows of all pitches; a take of drums is among the kit. */
SCRIPT(a_kit_goes_for_takes_of_other_tracks, open_session) = {
    {":track drums\r8\r", "kit"},
    {"2C‹made›T‹tick›", "no kit; mode TAKES"},
    {"\033‹tick›", "kit"},
    {"TXcc‹made›‹tick›", "kit; mode TAKES"},
};

/* Who zooms or scrolls has it so, until more takes are asked for. */
SCRIPT(the_user_moves_the_view, open_session) = {
    {"‹ask›‹tick›", "zoom 120"}, {"zo‹tick›", "zoom 240"},  {"2‹tick›", "zoom 240"},
    {"r‹made›", "zoom 120"},     {"‹view›lw", "as_viewed"}, /* the cursor goes about in it, and it stays */
};

/* Also while a value is typed in the panel over the takes. */
SCRIPT(the_frame_waits_behind_the_panel, open_session) = {
    {"gg8C‹made›‹view›P‹tick›", "mode STEER; as_viewed"},
    {"2‹tick›", "mode COMMAND; as_viewed"},
    {"\033‹tick›P‹tick›", "mode TAKES; as_viewed"},
};

/* Rows that are folded away come back when the view is moved up or down. */
TEST_WITH(scrolling_unfolds, open_session)
{
    for (int i = 0; i < 20 && !s->roll.folds_for_take; i++) {
        run(s, CMD_REJECT_ALL);
        s->steering.seed += 7;
        keys(s, "16C‹made›");
    }
    check_facts(s, "folds; hidden");
    run(s, CMD_SCROLL_UP);
    play(s, "‹tick›", "no folds; no hidden", NULL);
    int top = s->view.port.top_pitch;
    run(s, CMD_SCROLL_DOWN);
    session_tick(s);
    assert_int_equal(s->view.port.top_pitch, top - 3);
}

NUMBER_FACT(column, layout_column(&s->layout, &s->view.port, s->view.cursor.tick))

SCRIPT(moved_cursors_stay, open_session) = {
    {"gg4C‹made›", "at 4b"},
    {"LX", "at 5b; column 6..79"},
};

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

NUMBER_FACT(number, view_of(s)->takes.rows[s->takes.shown].number)
TEXT_FACT(label, view_of(s)->takes.label)

/* The key that shows a take is its name, wherever it is told. */
SCRIPT(keys_and_labels_agree, open_session) = {
    {"‹ask›r‹made›1", "number 1; label ~take 1 "},
    {"5", "number 5; label ~take 5 "},
    {"8", "number 8; label ~take 8 "},
};

static bool are_above_the_banner(struct session *s)
{
    const struct view *v = view_of(s);
    bool are = v->banner.n > 0 && s->roll.rows_covered == v->banner.n + 2;
    for (size_t i = 0; i < v->ghosts.n; i++)
        are &= layout_row(&s->layout, &v->port, v->ghosts.notes[i].note.pitch) <
               s->layout.roll.row + s->layout.roll.rows - s->roll.rows_covered;
    return are;
}

NUMBER_FACT(above_the_banner, are_above_the_banner(s))

#define NEXT_STEPS ":tutor next\r:tutor next\r:tutor next\r"

/* While the tutor tells what to do, the notes are above it. */
SCRIPT(the_tutor_covers_no_notes, open_session) = {
    {":tutor\r" NEXT_STEPS NEXT_STEPS NEXT_STEPS "‹ask›",
     "above_the_banner; ghosts 2..999"},
};

GROUP(make_model, remove_own_folder)
