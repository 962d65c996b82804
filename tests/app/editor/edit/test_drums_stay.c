/* Commands that change pitches leave drums alone, unless only drums are selected; a meter says
 * which bar it cuts; an instrument says which follows; bars of drums are no melody. */
#include "tests/check.h"
#include "tests/app/script.h"

/* A bass and drums, a bar each, on two tracks. */
static int band(void **state)
{
    if (empty_session(state))
        return -1;
    struct session *s = *state;
    struct change *c = change_create("drums");
    return change_add_track(c, s->project.score, "Drums", 9, 0) || !session_do(s, c);
}

#define BOTH "‹track 0›‹put0 0+1q 40, 1q+1q 43›‹put1 0+30 36, 1q+30 38›"

SCRIPT(drums_are_not_transposed, band) = {
    {BOTH "gA:transpose -7\r", "notes0 0+1q 33, 1q+1q 36; notes1 0+30 36, 1q+30 38",
     "2 notes changed; 2 hits of drums stay"},
    {"u", "notes0 0+1q 40, 1q+1q 43"},
    {"gA}", "notes0 0+1q 41, 1q+1q 44; notes1 0+30 36, 1q+30 38", "~drums stay"},
    {"ugAgK", "notes0 0+1q 52, 1q+1q 55; notes1 0+30 36, 1q+30 38", "~drums stay"},
    {"ugA:invert E2\r", "notes0 0+1q 40, 1q+1q 37; notes1 0+30 36, 1q+30 38",
     "~; drums stay"},
    {"u2gt:transpose 2\r", "notes0 0+1q 40, 1q+1q 43; notes1 0+30 38, 1q+30 40"},
};

SCRIPT(drums_are_of_no_scale, band) = {
    {BOTH ":scale G\r‹track 1›gO", "selected 0",
     "the sounds of drums are of no scale: none is selected"},
    {":accompany bass\r", "", "~there is no melody to accompany"},
};

SCRIPT(a_meter_before_another, empty_session) = {
    {":meter 3/4\r4G:meter 3/4\r2G:meter 4/4\r", "bar_length2 1920; bar_length3 960",
     "meter 4/4 from bar 2; the meter of bar 4 cuts bar 3 short"},
    {"2G:meter 6/4\r", "bar_length2 2880", "meter 6/4 from bar 2"},
};
