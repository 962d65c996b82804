/* Free playing: recorded without a click, tapped, laid on the grid, undone and kept. A
 * session without a screen or sound; the transport runs on the clock. */
#include "tests/check.h"
#include "tests/app/editor/perform/played.h"
#include "tests/app/heard.h"
#include "tests/app/kept.h"
#include "midi/score/score.h"

static const struct taps *taps(const struct session *s)
{
    return &s->project.score->taps;
}

/* How many events of that kind have these bytes at the start. */
static int n_at_start(const struct score *s, int status, int data1, int data2)
{
    const struct chunk *c = &s->chunks[s->tracks[0].chunk];
    int n = 0;
    for (size_t i = 0; i < c->n_events; i++)
        n += c->events[i].data[0] == status && c->events[i].data[1] == data1 &&
             c->events[i].data[2] == data2 && c->events[i].tick == 0;
    return n;
}

NUMBER_FACT(taps, taps(s)->n)
NUMBER_FACT(bar_at, taps_has(taps(s), (struct tap){of, TAP_BAR}))
NUMBER_FACT(begin_at, taps_has(taps(s), (struct tap){of, TAP_BEGIN}))
NUMBER_FACT(pedals, n_at_start(s->project.score, 0xb0, 64, 127))
NUMBER_FACT(recorder, s->parts.recorder->is_on)
NUMBER_FACT(cursor_ms,
            1e3 * timeline_seconds(&s->project.score->timeline, s->view.cursor.tick))
NUMBER_FACT(ms, 1e3 * timeline_seconds(&s->project.score->timeline, of) + 0.5)

/* Marks a bar line at each tick. */
WORD(tap)
{
    for (; *arguments; arguments += strspn(arguments, " ")) {
        s->view.cursor.tick = read_ticks(&arguments);
        keys(s, "|");
    }
}

/* It waits for the first note, which is at the cursor, however long that takes. */
TEST_WITH(it_begins_with_the_first_note, empty_session)
{
    play(s, ":record free\rR", NULL, "~with the first note");
    keys(s, "‹pass 80›‹control 64 127›‹pass 60›"); /* the pedal, before it */
    check_facts(s, "no plays; records; label ~REC waits for the first note");
    double first = clock_now_ms();
    play(s, "‹on 60›‹pass 120›", "plays", NULL);
    keys(s, "‹off 60›");
    double second = clock_now_ms();
    play(s, "‹on 64›‹pass 60›‹off 64›‹pass 20›R", NULL, "~recorded 2 notes and");
    int64_t ticks = (int64_t)((second - first) * 0.96); /* at 120 */
    assert_int_equal(note_of(s, 0, 0)->start, 0);
    assert_in_range(note_of(s, 0, 1)->start, ticks - 1, ticks + 2);
    assert_in_range(note_of(s, 0, 0)->length, ticks - 1, ticks + 2);
    check_facts(s, "taps 1; begin_at0; pedals 1");
    play(s, "u", "n 0; taps 0", NULL);
}

SCRIPT(nothing_is_left_of_waiting, empty_session) = {
    {":record free\rR‹pass 30›R", "no recorder; clean", "~nothing was played"},
};

SCRIPT(lines_are_marked_and_unmarked, empty_session) = {
    {"llll|", "bar_at480", "~bar line marked at bar 1, beat 2"},
    {"LL|", "", "~2 bar lines marked"},
    {"|", "taps 1", "~bar line at bar 3 unmarked"},
    {"uuu", "taps 0"},
    {"||‹C-r›|:lay none\r", "taps 0"},
    {"u", "taps 1"},
};

/* Taps while it plays are where the playhead is, less the latency. */
TEST_WITH(lines_are_tapped, empty_session)
{
    keys(s, "‹put 0+4b 60›:latency 100\rgg ‹pass 300›|");
    int64_t at = (int64_t)player_tick(s->player);
    keys(s, "‹pass 100›| ");
    assert_int_equal(taps(s)->n, 2);
    assert_in_range(at - taps(s)->list[0].tick, 86, 116); /* 96 are 100 ms */
    assert_in_range(taps(s)->list[1].tick - taps(s)->list[0].tick, 70, 180);
}

/* Bars of three seconds and of two come to stand on lines, as one step; the cursor stays at
 * its moment, of four seconds. */
SCRIPT(it_is_laid_and_undone, empty_session) = {
    {"‹put 6q+1q 64, 6q+240 67›‹tap 0 6q 2b›",
     "taps 3; state 5"}, /* the first at 3 s */
    {":lay 3/4\r",
     "notes 3q+720 64, 3q+360 67; taps 0; ms1440 3000; cursor_ms 3800..4200",
     "~2 bars of 3/4 fitted, 60 to 180 per minute; u undoes this"},
    {"u", "notes 6q+1q 64, 6q+240 67; taps 3"},
    {"uuu", "state 2"},
};

SCRIPT(what_is_in_the_way_is_said, empty_session) = {
    {":lay\r", "", "~at least two bar lines"},
    {":lay polka\r", "", "~lay: use"},
    {"‹tap 0 1b 2b›:track other\r‹put1 0+1q 40›\033B\tk\033‹track 0›:lay\r", "",
     "!track 2 has notes there"},
    {":lay all\r", "", "~2 bars of 4/4 fitted"},
    {"u‹track 1›gg5L:tempo 90\r:lay\r", "", "~tempo or meter at bar 6"},
};

/* What is before free playing began stays; `from bar` says another place. */
SCRIPT(it_is_laid_from_a_bar_on, empty_session) = {
    {"‹put 1q+1q 60, 4b1q+1q 62›‹tap 8160 10080 12000›:lay from bar 5\r", /* a quarter */
     "notes 1q+1q 60, 4b1q+1q 62; bar_length5 480",
     "~2 bars of 4/4 fitted, 120 to 120"},
};

/* Beats of 144 a minute. */
WORD(put_beats)
{
    for (int i = 0; i < 32; i++)
        put_note(s, 0, i * 400, i % 4 ? 350 : 700, i % 4 ? 64 + i % 4 : 40, 80);
}

SCRIPT(they_are_guessed, empty_session) = {
    {":lay guess\r", NULL, "~too few"},
    {"‹put_beats›‹at 50›|:lay guess\r",
     "bar_at0; bar_at1600; bar_at3200; bar_at4800; bar_at6400; bar_at8000; bar_at9600; "
     "bar_at11200",
     "~8 bar lines guessed"},
    {":lay\r", NULL, "~7 bars of 4/4 fitted, 144 to 144"},
    {"uu", "taps 1"},
};

/* Quarters of 98 a minute in a file of 120, 0.31 s late, in two tracks. */
WORD(play_elsewhere)
{
    keys(s, ":track other\r‹track 0›");
    for (int i = 0; i < 32; i++) {
        put_note(s, 0, 298 + i * 588 + i % 3 * 4, 400, 60 + i % 4, 80);
        if (i % 4 == 0)
            put_note(s, 1, 298 + i * 588, 900, 40, 80);
    }
}

NUMBER_FACT(off_grid, score_is_off_grid(s->project.score))
NUMBER_FACT(last_ms, 1e3 * timeline_seconds(&s->project.score->timeline,
                                            note_of(s, 1, 7)->start))

SCRIPT(one_key_lays_all, empty_session) = {
    {"gL", NULL, "~the notes lie on the grid"},
    {"‹play_elsewhere›‹remember›", "off_grid; last_ms 17460"},
    {"gL", "taps 0; no off_grid; last_ms 17450..17470", "~7 bars of 4/4 fitted, 97"},
    {"gL", NULL, "~the notes lie on the grid"},
    {"u", "taps 0; as_remembered"}, /* one step, with the guessed bar lines */
};

SCRIPT(it_is_noticed_when_opened, empty_session) = {
    {"‹play_elsewhere›‹file w! elsewhere.mid›‹open_here elsewhere.mid›", NULL,
     "~off the grid: gL lays"},
    {"gL‹file w! laid.mid›‹open_here laid.mid›", NULL, "~tracks; C continues"},
};

SCRIPT(they_come_back_with_the_file, empty_session) = {
    {"‹tap 0 1b 2b›‹file w! taps.mid›:lay none\r", "taps 0"},
    {"‹open_here taps.mid›", "taps 3; bar_at3840"},
};

GROUP(make_own_folder, remove_own_folder)
