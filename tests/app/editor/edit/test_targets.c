/* Edits that act on notes of several tracks: one step, each track asked for itself. */
#include "tests/check.h"
#include "tests/app/script.h"

/* Two tracks of two notes, and a third that is nobody's and active. */
static int two_of_three_tracks(void **state)
{
    if (empty_session(state))
        return -1;
    keys(*state, ":track Second\r:track Third\r"
                 "‹put1 480+240 50›" /* ids do not follow tracks */
                 "‹put0 0+240 60›‹put1 0+240 50›‹put0 480+240 62›");
    return 0;
}

/* Notes by their ids, which stand in order. */
WORD(choose)
{
    free(s->selection.ids);
    s->selection.ids = calloc(4, sizeof *s->selection.ids);
    s->selection.cap = 4;
    for (s->selection.n = 0; *arguments; arguments += strspn(arguments, " "))
        s->selection.ids[s->selection.n++] = (uint64_t)read_ticks(&arguments);
    select_forget_missing(s);
}

SCRIPT(one_step_of_all_tracks, two_of_three_tracks) = {
    {"‹choose 1 2 3 4›", "selected 4; of 2; n 4"},
    {"2}", "notes0 0+240 62, 480+240 64; notes1 0+240 52, 480+240 52; selected 4"},
    {"u", "notes0 0+240 60, 480+240 62; notes1 0+240 50, 480+240 50"},
    {"x", "n 0"},
    {"u", "n 4"},
};

/* Other tracks' notes of the same pitch are in nobody's way, the own are. */
SCRIPT(each_track_is_asked_for_itself, two_of_three_tracks) = {
    {"‹put2 0+960 50›‹choose 2 3›]", /* 60 at 0, of the first; 50 at 0, of the second */
     "notes0 0+360 60, 480+240 62; notes1 0+360 50, 480+240 50"},
    {"2]", "notes0 0+360 60, 480+240 62; notes1 0+360 50, 480+240 50",
     "~cannot lengthen: it would overlap"}, /* it would meet 50 at 480 */
};
