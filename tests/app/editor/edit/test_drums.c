/* A drum track shows the kit: its rows, hits by keys and mouse, and the piano's rows again on
 * other tracks. Commands that change pitches leave drums alone, unless only drums are selected. */
#include "app/editor/session/edit.h"
#include "tests/check.h"
#include "tests/app/editor/edit/pointer.h"
#include "tests/app/script.h"

enum { KICK = 36, SNARE = 38, HAT = 42, RIDE = 51, COWBELL = 56 };

NUMBER_FACT(rows, 128 - __builtin_popcountll(view_of(s)->port.hidden.at[0]) -
                      __builtin_popcountll(view_of(s)->port.hidden.at[1]))
NUMBER_FACT(row, !pitch_set_has(&view_of(s)->port.hidden, of))
NUMBER_FACT(roll_column, (view_of(s), s->layout.roll.column))
NUMBER_FACT(letter, view_of(s)->kit.letters ? view_of(s)->kit.letters[of] : 0)

/* A melody, and a track of drums, which is active. */
static int open_drums(void **state)
{
    if (tall_session(state))
        return -1;
    keys(*state, ":grid 1/16\r");
    put_note(*state, 0, 0, 480, 72, 80);
    keys(*state, ":track Drums\r");
    return 0;
}

static int open_small(void **state)
{
    if (open_drums(state))
        return -1;
    session_resize(*state, 80, 24);
    return 0;
}

SCRIPT(the_kit_is_shown_while_its_track_is_active, open_small) = {
    {"",
     "kit; rows 12; pitch 36; roll_column 16; row36; row38; row42; row51; no row60"},
    {"k", "pitch 37"},
    {"kkkk", "pitch 43"},
    {"K", "pitch 51"}, /* about an octave up there is nothing else */
    {"4J", "pitch 36"},
    {"j", "pitch 36"},
    {"\t", "no kit; rows 128; roll_column 6; track 0; pitch 60"},
    {"‹pitch 38›\t", "kit; pitch 38"},
    {"\t‹pitch 64›\t", "kit; pitch 36"}, /* which is no sound of the kit */
    {"\t", "pitch 64"},
};

SCRIPT(rows_are_the_sounds_in_use_and_the_common_ones, open_small) = {
    {"‹put 0+1s 56, 0+1s 35, 0+1s 40›‹pitch 35›",
     "rows 13; row56; row35; no row36; row40; no row38"},
    {"‹put 0+1s 36›", "rows 14; row36; row35"},
    {"zf", "rows 47", "all sounds of a kit"},
    {"zf", "rows 14", "only used and common sounds"},
    /* more than have room beside the common ones: these go */
    {"‹put 1q+1s 60, 1q+1s 61, 1q+1s 62, 1q+1s 63, 1q+1s 64, 1q+1s 65, 1q+1s 66, 1q+1s "
     "67›",
     "rows 20; row60; row67; no row37"},
};

SCRIPT(rows_have_two_lines_where_there_is_room, open_drums) = {
    {"‹size 80x24›", "kit; rows 12"},
    {"‹size 200x50›", "kit; roll_column 16"},
    {"‹size 50x20›", "kit; roll_column 10"},
};

SCRIPT(enter_hits_and_moves_on, open_drums) = {
    {"\r", "notes 0+1s 36; at 1s"},
    {"l\r", "notes 0+1s 36, 2s+1s 36; at 3s"},
    {"hh\r", "notes 0+1s 36, 1s+1s 36, 2s+1s 36; at 2s"},
    {"\r", "notes 0+1s 36, 1s+1s 36; at 2s"}, /* one that is there goes */
    {"u", "n1 3"},
    {"0kk8\r", "n1 11; at 8s"},
    {"u", "n1 3"},
    {"08\r", "n1 11"}, /* fills what is free */
};

/* The length of a hit means nothing: what sounds is cut, and is in nobody's way. */
SCRIPT(a_hit_ends_the_one_before, open_drums) = {
    {"‹put 0+4q 36›‹at 1q›", "n1 1"},
    {"\r", "notes 0+1q 36, 1q+1s 36"},
    {"u", "notes 0+4q 36"},
    {"‹at 1q›3\r", "notes 0+1q 36, 1q+1s 36, 5s+1s 36, 6s+1s 36"},
    {"uu‹put 0+4q 36, 6q+1q 36›‹at 6q›<", "n1 2; notes 0+4q 36, 23s+1q 36"},
    {"12<", "notes 0+11s 36, 11s+1q 36; at 11s"},
};

SCRIPT(hits_move_from_row_to_row, open_drums) = {
    {"‹put 0+1s 36, 1s+1s 38›‹pitch 36›‹at 0›}", "notes 0+1s 37, 1s+1s 38; pitch 37"},
    {"Vl}", "notes 0+1s 38, 1s+1s 39"},
    {"{{{", "notes 0+1s 36, 1s+1s 37", "cannot move any further"},
};

SCRIPT(boxes_are_of_rows, open_drums) = {
    {"8\r0kk8\r0kkk8\r", "n1 24"},
    {"‹pitch 36›‹at 0›vkkl", "selected 4; box_low 36; box_high 38"},
    {"x", "n1 20"},
};

SCRIPT(the_mouse_hits, open_drums) = {
    {"‹click 4s 38›", "notes 4s+1s 38; at 4s; pitch 38"},
    {"‹press 8s 42›‹drag 10s 42›", "drafts 3"}, /* one a grid step */
    {"‹release 10s 42›", "notes 4s+1s 38, 8s+1s 42, 9s+1s 42, 10s+1s 42"},
    {"u‹click 8s 42›‹swipe 8s 42 9s 46›", "notes 4s+1s 38, 9s+1s 46"},
    {"‹put 0+1q 36›‹click2 2s 36›", "n1 3"}, /* where it sounds is nothing to see, */
    {"‹click2 0 36›", "n1 2"},               /* it is drawn where it begins */
    /* the melody is not there */
    {"‹put0 0+1q 38›‹click2 1s 38›", "n0 2; track 1"},
    {"‹click2 0 38›", "n0 2; track 1"},
};

/* From the piano's rows to a drum: the rows change when the button is let go. */
SCRIPT(rows_stay_under_the_mouse, open_drums) = {
    {"‹put 0+1s 60›\t‹pitch 60›", "no kit; track 0"},
    {"‹press 0 60›", "no kit; track 1"},
    {"‹release 0 60›", "kit; pitch 60; notes1 0+1s 60"},
};

SCRIPT(letters_strike_the_kit, open_drums) = {
    {"", "letter36 0"},
    {"Q", "letter36 122; letter38 120; letter42 99; letter37 115"},
    {"‹pass 20›z‹pass 250›x‹pass 250›", "notes 0+1s 36, 1s+1s 38; at 2s"},
    {"q‹pass 250›", "notes 0+1s 36, 1s+1s 38, 2s+1s 36"}, /* the upper row, too */
    {"\033‹put 0+1s 35›u", "letter36 0"},
};

SCRIPT(scales_leave_drums_alone, open_drums) = {
    {":scale C major\rzs‹pitch 36›k", "pitch 37"},
    {"\r", "notes 0+1s 37"},
};

/* A bass and drums, a bar each, on two tracks. */
static int band(void **state)
{
    if (empty_session(state))
        return -1;
    struct session *s = *state;
    struct change *c = change_create("drums");
    return change_add_track(c, s->project.score, "Drums", 9, 0) || !edit_do(s, c);
}

#define BOTH "‹track 0›‹put0 0+1q 40, 1q+1q 43›‹put1 0+30 36, 1q+30 38›"

SCRIPT(drums_are_not_transposed, band) = {
    {BOTH "gA:transpose -7\r", "notes0 0+1q 33, 1q+1q 36; notes1 0+30 36, 1q+30 38",
     "transpose 2 notes; 2 hits of drums stay"},
    {"u", "notes0 0+1q 40, 1q+1q 43"},
    {"gA}", "notes0 0+1q 41, 1q+1q 44; notes1 0+30 36, 1q+30 38", "~drums stay"},
    {"ugAgK", "notes0 0+1q 52, 1q+1q 55; notes1 0+30 36, 1q+30 38", "~drums stay"},
    {"ugA:invert E2\r", "notes0 0+1q 40, 1q+1q 37; notes1 0+30 36, 1q+30 38",
     "invert 2 notes at E2; 2 hits of drums stay"},
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

GROUP(NULL, NULL)
