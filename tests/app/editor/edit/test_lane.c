/* The lane by keys, lines and the mouse: every edit is one step. */
#include "tests/check.h"
#include "app/editor/edit/lane.h"
#include "tests/app/editor/edit/pointer.h"

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
NUMBER_FACT(number, s->parts.lane->shown.number)
NUMBER_FACT(kind, s->parts.lane->shown.kind)

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
