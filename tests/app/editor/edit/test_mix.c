/* A track's volume, pan and effects by typed lines, and the metronome's key. */
#include "tests/check.h"
#include "app/editor/edit/tracks.h"
#include "tests/app/editor/events.h"
#include "tui/panels/panels.h"

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
NUMBER_FACT(cc, said(s, s->track, of, 0))
NUMBER_FACT(volume_at, said(s, s->track, CC_VOLUME, of))
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
    assert_false(s->message.is_error);
    assert_string_equal(player_soundfont(s->player), font);
    play(s, ":soundfont /dev/null\r", "error", NULL);
    play(s, ":soundfont /nowhere/x.sf2\r", "error", NULL);
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
    struct track_list list = track_list_for(&s->layout, 2, 0);
    int row = (int)read_ticks(&at), column = (int)read_ticks(&at);
    point(s, code, column < 0 ? list.name : list.knobs + 1 + 6 * column,
          list.box.items.row + row);
}

DOES(click, turn(s, K_PRESS, arguments))

DOES(more, turn(s, K_WHEEL_UP, arguments))

DOES(less, turn(s, K_WHEEL_DOWN, arguments))

SCRIPT(they_are_turned_by_the_mouse, empty_session) = {
    {"‹size 200x50›:track two\rB‹click 0 1›", "track 0; knob 1"}, /* MIX_PAN */
    {"‹more 1 0›", "track 1; cc7 104"},
    {"‹less 1 0›", "cc7 100"},
    {"‹more 0 0›u", "cc7 -1"}, /* another track's: another step */
    {"‹track 1›", "cc7 100"},
    {"u‹track 1›", "cc7 -1"},
    {"‹less 0 -1›‹track 0›", "cc7 -1"},
};
