/* The lane by keys, lines and the mouse: every edit is one step. A track's volume, pan and
 * effects, and the metronome. */
#include "tests/check.h"
#include "app/editor/edit/lane.h"
#include "tests/app/editor/edit/pointer.h"
#include "app/editor/edit/tracks.h"
#include "tests/app/editor/events.h"
#include "tui/panels/panels.h"

enum { STEP = 120, BAR = 1920 };

static bool add_note(struct session *s, int64_t start, int64_t length, int pitch,
                     int velocity)
{
    s->project.version++;
    return score_add_note(s->project.score, 0,
                          edit_new_note(start, length, pitch, velocity)) != 0;
}

/* Eight notes, a sixteenth each beat, velocities 40, 50 ... 110: as if they had been read. */
static int piece(void **state)
{
    bool ok = !tall_session(state);
    for (int i = 0; ok && i < 8; i++)
        ok = add_note(*state, i * 4 * STEP, STEP, 60, 40 + 10 * i);
    return ok ? 0 : -1;
}

/* "tick=value ..." of the lane's own points. */
static const char *points(const struct session *s)
{
    static char text[1024];
    size_t n = 0, length = 0;
    const struct control_point *own = lane_own(s, &n);
    text[0] = '\0';
    for (size_t i = 0; i < n && length < sizeof text - 40; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld=%d",
                                   i ? " " : "", (long long)own[i].tick, own[i].value);
    return text;
}

/* The velocities of all notes. */
static const char *velocities(const struct session *s)
{
    static char text[128];
    size_t length = 0;
    for (size_t i = 0; i < track(s, 0)->n_notes && length < sizeof text - 8; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d",
                                   i ? " " : "", note_of(s, 0, i)->velocity);
    return text;
}

TEXT_FACT(points, points(s))
TEXT_FACT(velocities, velocities(s))
NUMBER_FACT(rows, s->layout.lane.rows)
NUMBER_FACT(number, s->view.lane.control.number)
NUMBER_FACT(kind, s->view.lane.control.kind)

SCRIPT(e_enters_and_leaves, piece) = {
    {"‹size 80x24›", "rows 0; roll_rows 20"},
    {"E", "mode LANE; rows 5; roll_rows 15"},
    {":", "rows 5"}, /* behind a prompt, too */
    {"\033", "mode LANE"},
    {"v\033", "mode LANE"}, /* first the span goes */
    {"\033", "mode NORMAL; rows 0"},
    {"EE", "mode NORMAL"},
};

SCRIPT(velocities_change_by_keys, piece) = {
    {"Ek", "velocities 41 50 60 70 80 90 100 110"},
    {"5k-K", "velocities 61 50 60 70 80 90 100 110"},
    {"w", "at 4s"},
    {"J90\r", "velocities 61 90 60 70 80 90 100 110"},
    {"w.", "velocities 61 90 90 70 80 90 100 110"},
    {"99J", "velocities 61 90 1 70 80 90 100 110"},
    {"bb", "at 0"},
    {"lk", "", "no note begins here"},
    {"x", "n 8"},
    {"u", "velocities 61 90 90 70 80 90 100 110"},
    {"9u", "velocities 40 50 60 70 80 90 100 110; clean"},
};

SCRIPT(a_span_of_velocities, piece) = {
    {"Ev2w10k", "velocities 50 60 70 70 80 90 100 110"},
    {"u", "velocities 40 50 60 70 80 90 100 110"},
    /* to the fifth, as loud as can be */
    {"2w90k", "velocities 127 127 127 127 127 90 100 110"},
    {"u0‹at 16s›r", "velocities 40 50 60 70 80 90 100 110"},
    {"\033v4b:value 64\r", "velocities 64 64 64 64 64 90 100 110"},
    {"u", "clean"},
};

DOES(add, assert_true(add_note(s, 0, 60, 72, 80)))

/* Of notes in that time the chosen ones, if any is. */
SCRIPT(what_is_selected_is_meant, piece) = {
    {"‹add›‹pitch 72›v\033vE", "selected 1"}, /* of the first v nothing stays chosen */
    {"\033k", "velocities 40 81 50 60 70 80 90 100 110"},
    /* one that a click has chosen is not all that a span means */
    {"v4lK", "velocities 56 97 66 60 70 80 90 100 110"},
};

SCRIPT(a_controller_by_keys, piece) = {
    {":lane volume\rE", "points "},
    {"k", "points 0=101"}, /* beside what holds: 100 */
    {"4l50\r", "points 0=101 480=50"},
    {"4l\r", "points 0=101 480=50 960=50"}, /* as it is */
    {"J", "points 0=101 480=50 960=34"},
    {"bx", "points 0=101 960=34"},
    {"u0v8l2j", "points 0=99 480=48 960=32"},
    {"x", "points "},
    {"u\033w", "at 8s"},
    {"9u", "points ; clean"},
};

SCRIPT(a_ramp_goes_by_the_grid, piece) = {
    {":lane 11\rE20\r4l100\r‹at 0›v4lr", "points 0=20 120=40 240=60 360=80 480=100"},
    {"u", "points 0=20 480=100"},
};

SCRIPT(pedals_come_in_pairs, piece) = {
    {":lane pedal\rE\r", "points 0=127 1920=0"},
    {"8l\r", "points 0=127 960=0"}, /* lifted here instead */
    {"2l3\r", "points 0=127 960=0 1200=127 1560=0"},
    {"h\r",
     "points 0=127 960=0 1080=127 1200=127 1560=0"}, /* up before it is pressed */
    {"ub", "at 8s"},
    {"‹at 10s›\r", "points 0=127 960=0"}, /* where it is pressed: not pressed */
    {"0x", "points 960=0"},
};

SCRIPT(lanes_are_stepped_through, piece) = {
    {"", "kind 0"}, /* CONTROL_VELOCITY */
    {"gE", "number 64"},
    {"gE", "kind 2"}, /* CONTROL_BEND */
    {"gE", "kind 5"}, /* CONTROL_PROGRAM: a new track has one */
    {"Ek", "clean"},  /* which is only shown */
    {"gEgege", "kind 2"},
    {":lane 22\r5\rgE:lane bend\rge", "number 22"},
    {":lane expr\r", "number 11"},
    {":lane 127\r", "number 127"},
    {":lane 0\r", "kind 1; number 0"},
    {":lane vel\r", "kind 0"},
    {":lane key\r", "kind 4"}, /* CONTROL_KEY_PRESSURE */
    {"‹refused lane nothing|lane 128|lane -1›", "kind 4"},
};

SCRIPT(bends_by_line_and_key, piece) = {
    {":lane bend\rE:value -300\r", "points 0=7892"}, /* the centre is 8192 */
    {"k", "points 0=8020"},
    {":value 8192\r", "", "!"},
    {":value 8191\rK", "points 0=16383"},
};

/* -- by the mouse -- */

/* A stroke through places of the lane, "tick row, ...", rows from its top: pressed at the first
 * and held. */
WORD(hold)
{
    for (int motion = 0; *arguments; motion = MOTION) {
        int64_t tick = read_ticks(&arguments);
        int row = (int)read_ticks(&arguments);
        report(s, motion, column_of(s, tick), s->layout.lane.row + row, 'M');
        arguments += strspn(arguments, ", ");
    }
}

/* And let go at the last of them. */
WORD(stroke)
{
    const char *last = strrchr(arguments, ',');
    word_hold(s, on, arguments);
    last = last ? last + 1 : arguments;
    int64_t tick = read_ticks(&last);
    report(s, 0, column_of(s, tick), s->layout.lane.row + (int)read_ticks(&last), 'm');
}

NUMBER_FACT(stroke, view_of(s)->lane.stroke != NULL)
NUMBER_FACT(velocity, note_of(s, 0, (size_t)of)->velocity)

/* Through five notes, the columns between, too; in one step. */
SCRIPT(a_stroke_is_one_step, piece) = {
    {"E‹hold 0 6, 8s 3, 16s 0›", "stroke; velocity0 40"},
    {"\033‹up 16 30›", "clean; mode LANE"},
    {"‹stroke 0 6, 8s 3, 16s 0›", "velocities 9 36 64 91 118 90 100 110"},
    {"u", "clean"},
};

/* Past the lane's edges are the least and the most; a level is told once. */
SCRIPT(a_curve_is_drawn, piece) = {
    {":lane pan\rE‹stroke 0 0, 0 7, 10s -1›",
     "points 0=0 120=12 240=25 360=38 480=50 600=63 720=76 840=88 960=101 1080=114 "
     "1200=127"},
    {"‹stroke 3s 3, 7s 3›",
     "points 0=0 120=12 240=25 360=64 960=101 1080=114 1200=127"},
    {"uu", "clean"},
    {":lane 64\r‹stroke 0 1›", "points 0=127"},
};

/* What the track's own events say of a controller at that tick; -1: nothing. */
static int said(const struct session *s, int track, int number, int64_t tick)
{
    const struct track *t = &s->project.score->tracks[track];
    const struct chunk *c = &s->project.score->chunks[t->chunk];
    const struct control k = {CONTROL_CHANGE, (uint8_t)number};
    int found = -1;
    for (size_t i = 0; i < c->n_events; i++)
        if (c->events[i].tick == tick &&
            control_value(&c->events[i], t->channel, k) >= 0)
            found = control_value(&c->events[i], t->channel, k);
    return found;
}

/* Of the active track, at its start and later. */
NUMBER_FACT(cc, said(s, s->view.track, of, 0))
NUMBER_FACT(volume_at, said(s, s->view.track, CC_VOLUME, of))
NUMBER_FACT(clicks, s->sound.clicks)
NUMBER_FACT(count_in, s->sound.count_in)
NUMBER_FACT(click_volume, s->sound.click_volume)
NUMBER_FACT(knob, mix_chosen(s))
NUMBER_FACT(knob_shown, view_of(s)->tracks.knob)

SCRIPT(they_are_set_and_undone, empty_session) = {
    {":volume 90\r:pan -20\r:reverb 40\r:chorus 7\r",
     "cc7 90; cc10 44; cc91 40; cc93 7", "track 1: chorus 7"},
    {":pan\r", "", "track 1: pan -20"},
    {"uuu", "cc10 -1; cc7 90"},
    {":pan\r", "", "track 1: pan 0"},
};

SCRIPT(wrong_values_are_refused, empty_session) = {
    {"‹refused volume 128|volume -1|pan 64|pan -65|reverb x|chorus 1.5›",
     "cc7 -1; clean"},
};

/* What the file said before its first note gives way; what it says later stays, and is
 * told. */
SCRIPT(only_the_start_changes, empty_session) = {
    {"‹put 480+480 60›‹set 7 100 33 7 480 44 7 4000 55›:volume 100\r",
     "volume_at0 100; volume_at100 -1; volume_at480 -1; volume_at4000 55",
     "track 1: volume 100; another value from bar 3 on: :lane 7"},
};

SCRIPT(a_dot_does_it_to_the_next_track, empty_session) = {
    {":track two\r\033gt:volume 70\r", "track 1"},
    {"\t.", "track 0; cc7 70"},
};

SCRIPT(the_metronome_goes_round, empty_session) = {
    {"", "clicks 0"},  /* CLICKS_RECORDING */
    {"#", "clicks 1"}, /* ALWAYS */
    {"#", "clicks 2"}, /* NEVER */
    {"#", "clicks 0"},
    {":set metronome always\r:set count-in 2\r:set click-volume 50\r",
     "clicks 1; count_in 2; click_volume 50"},
    {":set count-in 3\r", "", "!"},
};

/* Chosen while the program runs; what is no soundfont is refused, and the old one stays. */
TEST_WITH(another_soundfont, empty_session)
{
    const char *font = getenv("CONTINUO_TEST_SOUNDFONT");
    if (!font)
        fail_msg("CONTINUO_TEST_SOUNDFONT is not set: run through make test");
    keys(s, ":soundfont ");
    keys(s, font);
    keys(s, "\r");
    WAIT_FOR(s, !player_is_loading(s->player));
    assert_false(s->view.message.is_error);
    assert_string_equal(player_soundfont(s->player), font);
    play(s, ":soundfont /dev/null\r", "error", NULL);
    play(s, ":soundfont /nowhere/x.sf2\r", "error", "~cannot be read");
    assert_string_equal(player_soundfont(s->player), font);
}

/* In the list of tracks: arrows choose a column, + and - turn it, 0 puts it back. */
SCRIPT(they_are_turned_in_the_list, empty_session) = {
    {"‹size 200x50›B+", "cc7 104"},
    {"10+20-", "cc7 94"},
    {"‹Right›", "knob 1; knob_shown 1", "track 1: pan 0"}, /* MIX_PAN */
    {"-", "cc10 60"},
    {"127-", "", "track 1: pan -64"},
    {"-", "", "pan goes from -64 to 63"},
    {"0", "cc10 64"},
    {"‹Left›‹Left›", "", "track 1: chorus 0"},
    {"u", "cc10 0"},
    {"u", "cc10 -1; cc7 94"}, /* steps that follow each other are one */
    {"u", "cc7 -1"},
};

/* A narrow list has no effects: the arrows pass them over. */
SCRIPT(what_is_not_seen_is_not_turned, empty_session) = {
    {"‹size 200x50›B‹Left›", "knob 3"}, /* MIX_CHORUS */
    {"‹size 80x24›", "knob 0"},         /* MIX_VOLUME */
    {"‹Left›", "knob 1"},
    {"‹size 40x12›‹Left›", "", "~too narrow"},
};

/* In the list: "more 1 0" is the wheel on the first column of the second row. */
static void turn(struct session *s, uint32_t code, const char *at)
{
    const struct list_box b = box_of(s, LIST_TRACKS);
    const struct track_columns list = track_columns_of(&b);
    int row = (int)read_ticks(&at), column = (int)read_ticks(&at);
    point(s, code, column < 0 ? list.name : list.knobs + 1 + 6 * column,
          b.items.row + row);
}

DOES(choose, turn(s, K_PRESS, arguments))

DOES(more, turn(s, K_WHEEL_UP, arguments))

DOES(less, turn(s, K_WHEEL_DOWN, arguments))

SCRIPT(they_are_turned_by_the_mouse, empty_session) = {
    {"‹size 200x50›:track two\rB‹choose 0 1›", "track 0; knob 1"}, /* MIX_PAN */
    {"‹more 1 0›", "track 1; cc7 104"},
    {"‹less 1 0›", "cc7 100"},
    {"‹more 0 0›u", "cc7 -1"}, /* another track's: another step */
    {"‹track 1›", "cc7 100"},
    {"u‹track 1›", "cc7 -1"},
    {"‹less 0 -1›‹track 0›", "cc7 -1"},
};
