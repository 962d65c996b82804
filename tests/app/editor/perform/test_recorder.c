/* Playing into the piece by keys and by a keyboard that is fed by hand, without a screen or
 * sound: the transport runs on the clock. */
#include "tests/check.h"
#include "tests/app/editor/perform/played.h"

static int recording_session(void **state)
{
    if (empty_session(state))
        return -1;
    act_command_line(*state, "count-in 0");
    return 0;
}

NUMBER_FACT(target, recorder_target(s, of)) /* the track of a channel */

SCRIPT(a_note_is_recorded_and_undone, recording_session) = {
    {"R‹pass 100›‹on 67 77›‹pass 60›",
     "records; label ~REC bar 1.1  1 note; drafts 1; draft_length 21..999"}, /* grows */
    {"‹off 67›‹pass 40› ", "no plays; no records; notes 60..400+40..400 67@77",
     "~recorded 1 note; u takes it back"}, /* 96 is 100 ms */
    {"u", "n 0"},
};

SCRIPT(nothing_played_changes_nothing, recording_session) = {
    {"R‹pass 30›R", "clean", "~nothing was played"},
};

SCRIPT(bars_are_counted_first, recording_session) = {
    {":count-in 1\r:tempo 240\rR‹pass 60›", "label ~REC in 4"},
    {"‹play 60 30›‹pass 1200›", "label ~REC bar 1."}, /* long before it begins */
    {"R", "", "~nothing was played"},
};

SCRIPT(channels_go_to_the_armed_tracks, recording_session) = {
    {":track two\r:channel 5\rBa\033:track three\r:channel 6\rBa\033",
     "target4 1; target5 2; target0 2"},      /* the active one is armed */
    {"‹S-Tab›‹S-Tab›", "track 0; target0 1"}, /* the first that is */
    {"R‹pass 40›‹play4 60 30›‹play5 64 30›R", "n0 0; n1 1; n2 1"},
    {"u", "n 0"},
};

SCRIPT(merging_replacing_punching, recording_session) = {
    {"ggR‹pass 60›‹play 60 60›RggR‹pass 60›‹play 64 60›R", "n 2"},
    {":record replace\rggR‹pass 60›‹play 67 60›R", "notes 0..999+1..999 67"},
    {":record punch\rR", "", "~punch needs a span"},
    {"ggL1\\\\ggR‹pass 60›‹play 69 60›R", "n 1", /* bar 2, which is not gone round */
     "~nothing was played within the span"},
    {":record other\r", "", "!"},
};

/* To the next time round. */
WORD(go_round)
{
    unsigned pass = player_pass(s->player);
    for (int i = 0; i < 1000 && player_pass(s->player) == pass; i++)
        pass_ms(s, PASSING_STEP_MS);
}

SCRIPT(passes_of_a_loop_stand_one_at_a_time, recording_session) = {
    /* A bar at 999 a minute is 240 ms. */
    {":tempo 999\rgg1\\R‹pass 60›‹play 60 40›‹go_round›‹pass 60›‹play 61 40›‹go_round›"
     "‹pass 60›‹play 62 40›‹go_round›R",
     "notes 0..9999+1..9999 62", "~3 passes; the last is used"},
    {":pass 1\r", "notes 0..9999+1..9999 60", "~pass 1 of 3"},
    {":pass 2\r", "notes 0..9999+1..9999 61"},
    {"u", "n 0"},
    {":pass 4\r", "", "~passes 1 to 3"},
    {":latency -5\r", "", "~recorded 5 ms later"},
};

TEST_WITH(the_latency_is_taken_off, recording_session)
{
    int64_t starts[2];
    for (int i = 0; i < 2; i++) {
        keys(s, i ? ":latency 200\rR" : "R");
        pass_ms(s, 300);
        int64_t now = (int64_t)player_tick(s->player);
        keys(s, i ? "‹play 61 30›R" : "‹play 60 30›R");
        starts[i] = note_of(s, 0, 0)->start - now;
    }
    assert_in_range(starts[0] + 100, 80, 200); /* 0.96 ticks are a millisecond */
    assert_in_range(starts[1] + 300, 80, 200);
}

SCRIPT(steps_are_put_one_after_another, recording_session) = {
    {"Q", "mode STEP"},
    {"‹pass 20›‹on 60 90›‹on 64 91›‹pass 30›", "n 0"}, /* until they are let go */
    {"‹off 60›‹pass 30›", "n 0"},
    {"‹off 64›‹pass 30›", "notes 0+1s 60@90, 0+1s 64@91; at 1s"},
    {" ", "at 2s"},
    {"q‹pass 250›", /* the computer's keys do as well */
     "notes 0+1s 60, 0+1s 64, 2s+1s 72"},
    {"\b", "n 2; at 2s"}, /* the note, */
    {"\b", "n 2"},        /* the rest, */
    {"\b", "n 0; at 0"},  /* and the chord */
    {"\033", "mode NORMAL"},
};

/* A note is cut where the next of its pitch begins. */
SCRIPT(a_step_that_was_cut_is_taken_back, recording_session) = {
    {":grid 1/8\rl\r:grid 1/4\rggQ‹play 60 30›‹pass 30›", "n 2; at 480"},
    {"\b", "n 1; at 0"},
};

/* The loop comes late: nothing looks at the keys meanwhile. */
WORD(late)
{
    clock_skip_ms((double)read_ticks(&arguments));
}

/* What tells a chord from a melody is when its keys were struck, not how long the notes
 * last, nor when the loop finds the time to end them. */
SCRIPT(fast_keys_are_a_melody_in_steps, recording_session) = {
    {"Qzxc‹pass 300›", "notes 0+1s 60, 0+1s 62, 0+1s 64; at 1s"},
    {"v‹pass 90›b‹pass 90›n‹pass 300›", "n 6; at 4s"},
    {"z‹late 100›x‹late 400›c‹pass 300›", "n 9; at 7s"},
    {"z‹late 30›z‹late 30›z‹pass 300›", "n 10; at 8s"}, /* it is held */
};

/* The next key came so long ago. */
DOES(came, next_ms = clock_now_ms() - (double)read_ticks(&arguments))

/* Nor when they are read: on a busy machine, both at once. */
SCRIPT(keys_that_are_read_at_once_are_told_apart_in_steps, recording_session) = {
    {"Q‹came 400›z‹came 250›x‹came 100›c‹pass 300›",
     "notes 0+1s 60, 1s+1s 62, 2s+1s 64; at 3s"},
    {"‹came 400›v‹came 390›b‹came 240›n‹pass 300›",
     "notes 0+1s 60, 1s+1s 62, 2s+1s 64, 3s+1s 65, 3s+1s 67, 4s+1s 69; at 5s"},
};

/* What is pressed at once after a note comes after it. */
SCRIPT(a_note_is_where_its_key_was_pressed, recording_session) = {
    {"Qz x\033‹pass 300›", "notes 0+1s 60, 2s+1s 62; at 3s; mode NORMAL"},
    {"Q‹came 400›z‹came 200›x‹came 50›cH\033‹pass 300›",
     "notes 0+1s 60, 2s+1s 62, 3s+1s 60, 4s+1s 62, 5s+1s 64; at 0"},
};

/* One key lasts a step; one that repeats is held. */
SCRIPT(computer_keys_last_a_step_or_as_long_as_they_repeat, recording_session) = {
    {":grid 1/8\rqR", "mode PLAY"}, /* 250 ms */
    {"‹pass 40›z‹pass 400›x‹pass 35›x‹pass 35›x‹pass 35›x‹pass 35›x‹pass 35›x‹pass 35›"
     "x‹pass 35›x‹pass 35›x‹pass 35›x‹pass 35›x‹pass 35›x‹pass 285›<v‹pass 40›R",
     /* 240 is 250 ms; some 570 ms are 547 */
     "notes 0..999+220..330 60, 0..9999+450..720 62, 0..9999+1..999 53",
     "~recorded 3 notes"},
};

SCRIPT(leaving_keeps_what_was_played, recording_session) = {
    {"R‹pass 40›‹play 60 30›:q\r", "no quit; n 1", "~unsaved changes"},
};

SCRIPT(without_a_track_there_is_nothing_to_record_onto, recording_session) = {
    {"BX\033R", "tracks 0", "~no tracks"},
    {"qz", "", "~no tracks"},
};
