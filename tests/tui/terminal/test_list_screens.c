/* The lists over the roll: takes, states, wishes and tracks; what is chosen is in sight and
 * told apart, with colours and without. */
#include "tests/tui/scene.h"
#include "tui/panels/panels.h"

/* It stands beside the notes. */
SCREEN(list_80x24)
{
    add_takes(s);
    add_list(s);
    s->view.transport.is_playing = false;
}

/* 1 2 3 in a row, 4 5 below 1, 6 below 0; 4 is the present state. */
static const struct history_row HISTORY[] = {
    {.state = 6, .label = "continue 4 bars", .when = "14:05:00", .is_saved = true},
    {.state = 5,
     .label = "add a note",
     .when = "14:04:09",
     .lane = 1,
     .passing = 1,
     .is_on_way = true},
    {.state = 4,
     .label = "move \033[31mnotes up",
     .when = "14:03:22",
     .lane = 1,
     .passing = 1,
     .is_present = true,
     .is_on_way = true},
    {.state = 3, .label = "add a note", .when = "14:03:07", .lane = 2, .passing = 3},
    {.state = 2, .label = "add a note", .when = "21 Nov", .lane = 2, .passing = 3},
    {.state = 1,
     .label = "add a note",
     .when = "21 Nov",
     .lane = 1,
     .passing = 1,
     .joining = 4,
     .is_on_way = true},
    {.state = 0, .label = "as it was opened", .joining = 2, .is_on_way = true},
};

static void open_history(struct scene *s)
{
    s->view.mode = MODE_HISTORY;
    s->view.history.rows = HISTORY;
    s->view.history.n = sizeof HISTORY / sizeof HISTORY[0];
    s->view.history.chosen = 2;
}

SCREEN_WITH(scene_init, steer_80x24, open_panel(s, 3))

/* The chosen line stays in sight, and no slider has room. */
SCREEN_WITH(scene_init, steer_40x12, open_panel(s, 6))

/* The second of four is chosen; the others have marks, the third a colour of its own and no
 * notes on the roll, one plays drums. */
static void add_track_list(struct scene *s)
{
    assert_int_equal(score_add_track(s->score, "", 9, 40), 3);
    struct track *tracks = s->score->tracks;
    tracks[0].mute = tracks[0].arm = true;
    tracks[2].hide = true;
    tracks[2].colour = 6;
    s->view.mode = MODE_TRACKS;
    s->view.tracks.is_listed = true;
    s->view.track = 1;
}

SCREEN(tracks_80x24)
{
    add_track_list(s);
    s->view.transport.is_playing = true;
    s->view.transport.tick = 26.2 * SIXTEENTH;
}

SCREEN(tracks_200x50)
{
    static const uint8_t FOUND[] = {4, 5, 2};
    add_track_list(s);
    s->view.mode = MODE_PROMPT;
    s->view.prompt.label = ":";
    s->view.prompt.input = "instrument epia";
    s->view.instruments.programs = FOUND;
    s->view.instruments.n = 3;
    s->view.instruments.chosen = 1;
}

/* More than there is room for, on the smallest screen. */
SCREEN(tracks_40x12)
{
    add_track_list(s);
    for (int i = 4; i < 40; i++)
        assert_int_equal(score_add_track(s->score, "More", 5, 0), i);
    s->view.track = 20;
    s->view.tracks.first = track_list_reveal(&s->layout, 40, 0, 20);
}

/* Without more colours the chosen row is still told apart. */
SCREEN_WITH(scene_init, history_16_80x24, open_history(s))
