/* What the last bars of a piece leave behind does not rule what follows; what is taken out of
 * bars takes its gestures along; bars before a fade-in sound. */
#include "tests/check.h"
#include "midi/edit/apply.h"
#include "midi/edit/held.h"
#include "tests/midi/music.h"
#include "tests/midi/score_equal.h"

enum { N_BARS = 8, END = N_BARS * BAR };

static const struct control VOLUME = {CONTROL_CHANGE, CC_VOLUME};
static const struct control EXPRESSION = {CONTROL_CHANGE, CC_EXPRESSION};
static const struct control PEDAL = {CONTROL_CHANGE, CC_PEDAL};
static const struct control BEND = {CONTROL_BEND, 0};
static const struct control MODULATION = {CONTROL_CHANGE, CC_MODULATION};

/* Eight bars of quarters on channel 3 of its own chunk, 1. */
static struct score *quarters(void)
{
    return score_of("480 | strings ch2 #48: C4*%d", 4 * N_BARS);
}

static void set(struct score *s, int64_t tick, struct control k, int value)
{
    uint8_t data[3];
    const size_t n = control_write(data, 2, k, value);
    add_event(s, 1, tick, ORDER_LAST, data, n);
}

static void set_meta(struct score *s, int64_t tick, const uint8_t *data, size_t n)
{
    add_event(s, 0, tick, ORDER_LAST, data, n);
    assert_ok(score_update_timeline(s));
}

static void set_tempo(struct score *s, int64_t tick, double bpm)
{
    uint8_t data[6];
    set_meta(s, tick, data, event_tempo_write(data, (uint32_t)(60e6 / bpm + 0.5)));
}

static void set_meter(struct score *s, int64_t tick, int numerator, int denominator)
{
    uint8_t data[7];
    set_meta(s, tick, data, event_meter_write(data, numerator, denominator));
}

static int value(const struct score *s, struct control k, int64_t tick)
{
    return held_value(s, 2, k, tick);
}

/* Does it, checks that it undoes to the byte, and leaves it done. */
static void apply(struct score *s, struct change *c, enum midi_status st)
{
    auto_score *before = score_clone(s);
    assert_ok(st);
    assert_ok(change_apply(c, s, true));
    assert_ok(change_apply(c, s, false));
    assert_true(score_equal(before, s));
    assert_ok(change_apply(c, s, true));
    change_destroy(c);
}

static struct held_kinds restore(struct score *s, int64_t from)
{
    struct held_kinds kinds = {0};
    struct change *c = change_create("");
    enum midi_status st = change_restore_meter(c, s, &kinds);
    apply(s, c, st ? st : change_restore(c, s, from, UINT64_MAX, &kinds));
    return kinds;
}

static size_t n_events(const struct score *s)
{
    size_t n = 0;
    for (size_t c = 0; c < s->n_chunks; c++)
        n += s->chunks[c].n_events;
    return n;
}

TEST(a_fade_ends_with_the_music)
{
    auto_score *s = quarters();
    char text[80];
    set(s, 0, VOLUME, 96);
    for (int i = 0; i <= 16; i++) /* the last one is on the bar line */
        set(s, END - 2 * BAR + i * BAR / 8, VOLUME, 96 - 6 * i);
    struct held_kinds kinds = restore(s, END);
    assert_int_equal(value(s, VOLUME, END), 96);
    assert_int_equal(value(s, VOLUME, END - 1), 6);
    assert_string_equal(held_say(&kinds, text, sizeof text), "volume");
    kinds = restore(s, END);
    assert_string_equal(held_say(&kinds, text, sizeof text), "");
}

/* Events after the new notes' beginning stay, and what is usual follows each. */
TEST(what_comes_late_does_not_rule_either)
{
    auto_score *s = quarters();
    set(s, 0, EXPRESSION, 110);
    set(s, END - QUARTER, EXPRESSION, 40);
    set(s, END + 30, EXPRESSION, 20);
    restore(s, END);
    assert_int_equal(value(s, EXPRESSION, END), 110);
    assert_int_equal(value(s, EXPRESSION, END + 30), 110);
    assert_int_equal(value(s, EXPRESSION, END - 1), 40);
}

/* Two levels of half the piece each are both usual; so is a swell in each bar. */
TEST(what_the_music_often_has_stays)
{
    auto_score *s = quarters();
    set(s, 0, EXPRESSION, 110);
    set(s, END / 2, EXPRESSION, 60);
    for (int i = 0; i < 16 * N_BARS; i++)
        set(s, i * QUARTER / 4, MODULATION, 10 + i % 16);
    const size_t n = n_events(s);
    restore(s, END);
    assert_int_equal(value(s, EXPRESSION, END), 60);
    assert_true(n_events(s) <= n + 1); /* a swell's last value may be its highest */
}

TEST(a_bend_and_pedals)
{
    auto_score *s = quarters();
    for (int i = 0; i < N_BARS; i++) {
        set(s, i * BAR + 20, PEDAL, 127);
        if (i < N_BARS - 1)
            set(s, i * BAR + BAR, PEDAL, 0);
    }
    set(s, END - BAR, BEND, 16383);
    struct held_kinds kinds = restore(s, END);
    assert_int_equal(value(s, PEDAL, END), 0);
    assert_int_equal(value(s, PEDAL, END - 1), 127);
    assert_int_equal(value(s, BEND, END), BEND_CENTRE);
    assert_true(kinds.bend && kinds.pedal && !kinds.level && !kinds.tempo);
}

/* An instrument that is out of tune throughout, and a pedal that is never lifted. */
TEST(what_always_holds_is_usual)
{
    auto_score *s = quarters();
    set(s, 0, BEND, 9000);
    set(s, 0, PEDAL, 127);
    const size_t n = n_events(s);
    restore(s, END);
    assert_int_equal(n_events(s), n);
}

TEST(a_reset_at_the_end_is_a_value_too)
{
    auto_score *s = quarters();
    set(s, 0, EXPRESSION, 80);
    set(s, END, (struct control){CONTROL_CHANGE, CC_RESET}, 0);
    assert_int_equal(value(s, EXPRESSION, END), 127);
    restore(s, END);
    assert_int_equal(value(s, EXPRESSION, END), 80);
}

/* Another chunk sets the channel, as conductors of some programs do; another port has a
 * channel of the same number. */
TEST(all_chunks_of_a_channel_and_no_other_port)
{
    static const uint8_t PORT[] = {0xFF, META_PORT, 1, 1};
    auto_score *s = quarters();
    assert_int_equal(score_add_track(s, "other port", 2, 0), 1);
    add_event(s, 2, 0, ORDER_FIRST, PORT, sizeof PORT);
    add_message(s, 0, 0, 0xB2, CC_VOLUME, 90);
    add_message(s, 0, END - BAR, 0xB2, CC_VOLUME, 0);
    add_message(s, 2, END - BAR, 0xB2, CC_VOLUME, 7);
    assert_ok(score_update_timeline(s));
    assert_int_equal(score_channel(s, 1), 18);
    restore(s, END);
    assert_int_equal(held_value(s, 2, VOLUME, END), 90);
    assert_int_equal(held_value(s, 18, VOLUME, END), 7); /* no note of it tells more */
}

TEST(a_ritardando_and_a_short_bar)
{
    auto_score *s = quarters();
    set_tempo(s, 0, 138);
    set_meter(s, END - BAR, 2, 4); /* a half bar, and the rest is another */
    for (int i = 0; i < 8; i++)
        set_tempo(s, END - BAR + i * QUARTER / 2, 138 - 11 * i);
    struct held_kinds kinds = restore(s, END);
    assert_true(kinds.tempo);
    assert_true(fabs(timeline_bpm(&s->timeline, END) - 138) < 0.01);
    assert_true(timeline_bpm(&s->timeline, END - 1) < 62);
}

TEST(a_last_bar_shorter_by_its_pickup)
{
    auto_score *s = score_of("480 1/4 3/4=1q 2/4=22q | fiddle ch2 #40: C4*23 C4:481");
    struct held_kinds kinds = restore(s, 24 * QUARTER);
    assert_true(kinds.meter);
    struct bar bar = timeline_bar_at(&s->timeline, 24 * QUARTER);
    assert_int_equal(bar.start, 24 * QUARTER);
    assert_int_equal(bar.numerator, 3);
    assert_int_equal(timeline_bar_at(&s->timeline, 23 * QUARTER).numerator, 2);
}

/* A pickup of half a bar: the last bar, as long as the pickup, is no more usual for it. */
TEST(a_last_bar_as_long_as_its_pickup)
{
    auto_score *s = score_create(QUARTER);
    assert_int_equal(score_add_track(s, "fiddle", 2, 40), 0);
    set_meter(s, 0, 2, 4);
    set_meter(s, 2 * QUARTER, 4, 4);
    set_meter(s, 30 * QUARTER, 2, 4);
    for (int i = 0; i < 32; i++)
        add(s, 0, i * QUARTER, QUARTER, 60);
    struct held_kinds kinds = restore(s, 32 * QUARTER);
    assert_true(kinds.meter);
    assert_int_equal(timeline_bar_at(&s->timeline, 32 * QUARTER).numerator, 4);
    assert_int_equal(timeline_bar_at(&s->timeline, 31 * QUARTER).numerator, 2);
}

/* Of two parts with a tempo and a level each, the last one's hold again. */
TEST(what_the_last_part_had_follows_its_end)
{
    auto_score *s = quarters();
    set_tempo(s, 0, 132);
    set(s, 0, EXPRESSION, 110);
    set_tempo(s, END / 2, 88);
    set(s, END / 2, EXPRESSION, 80);
    for (int i = 0; i < 8; i++) {
        set_tempo(s, END - BAR + i * QUARTER / 2, 84 - 4 * i);
        set(s, END - BAR + i * QUARTER / 2, EXPRESSION, 70 - 10 * i);
    }
    restore(s, END);
    assert_true(fabs(timeline_bpm(&s->timeline, END) - 88) < 0.01);
    assert_int_equal(value(s, EXPRESSION, END), 80);
}

/* Alternating meters go on as they are. */
TEST(mixed_meters_stay)
{
    auto_score *s = quarters();
    for (int64_t tick = 0, i = 0; tick < END;
         tick += i++ % 2 ? 2 * QUARTER : 3 * QUARTER)
        set_meter(s, tick, i % 2 ? 2 : 3, 4);
    const size_t n = n_events(s);
    restore(s, END);
    assert_int_equal(n_events(s), n);
}

/* -- gestures in a hole -- */

/* Bars 3 and 4 without their notes. */
static struct score *without(const struct score *s, int64_t from, int64_t to)
{
    struct score *stays = score_clone(s);
    struct change *c = change_create("");
    const struct track *t = &s->tracks[0];
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].start >= from && t->notes[i].start < to)
            assert_ok(change_remove_note(c, 0, &t->notes[i]));
    assert_ok(change_apply(c, stays, true));
    change_destroy(c);
    return stays;
}

static void clear(struct score *s, int64_t from, int64_t to, int64_t by)
{
    auto_score *stays = without(s, from, to);
    struct change *c = change_create("");
    apply(s, c,
          by ? change_move_gestures(c, s, stays, 1, from, to, by)
             : change_clear_gestures(c, s, stays, 1, from, to));
}

TEST(a_hole_takes_its_gestures_along)
{
    auto_score *s = quarters();
    set(s, 0, VOLUME, 70);
    set(s, 2 * BAR - 10, BEND, 8192); /* of the bar before */
    for (int i = 8; i < 16; i++) {
        set(s, i * QUARTER + 100, BEND, 12000);
        set(s, i * QUARTER + 50, PEDAL, 127);
    }
    set(s, 2 * BAR + 300, VOLUME, 60); /* sets the track up */
    set(s, 5 * BAR, PEDAL, 0);
    clear(s, 2 * BAR, 4 * BAR, 0);
    for (int64_t tick = 2 * BAR; tick < 4 * BAR; tick += 10) {
        assert_int_equal(value(s, BEND, tick), BEND_CENTRE);
        assert_int_equal(value(s, PEDAL, tick), 0);
    }
    assert_int_equal(value(s, BEND, 4 * BAR), 12000); /* as it was for the next note */
    assert_int_equal(value(s, PEDAL, 4 * BAR), 127);
    assert_int_equal(value(s, VOLUME, 4 * BAR), 60);
}

/* A pedal that comes from before the hole is lifted in it, and down again after it. */
TEST(what_is_held_from_before_is_not_held_in_the_hole)
{
    auto_score *s = quarters();
    set(s, BAR, PEDAL, 127);
    set(s, 5 * BAR, PEDAL, 0);
    clear(s, 2 * BAR, 3 * BAR, 0);
    assert_int_equal(value(s, PEDAL, 2 * BAR - 1), 127);
    assert_int_equal(value(s, PEDAL, 2 * BAR), 0);
    assert_int_equal(value(s, PEDAL, 3 * BAR), 127);
}

/* Another track of the channel plays on in the first of both bars. */
TEST(gestures_of_notes_that_stay_stay)
{
    auto_score *s = quarters();
    assert_int_equal(score_add_track(s, "left hand", 2, 48), 1);
    score_put(s, 1, "=2w E2w");
    set(s, 2 * BAR + 100, PEDAL, 127);
    set(s, 3 * BAR + 100, BEND, 9000);
    clear(s, 2 * BAR, 4 * BAR, 0);
    assert_int_equal(value(s, PEDAL, 2 * BAR + 100), 127);
    assert_int_equal(value(s, PEDAL, 3 * BAR), 0);
    assert_int_equal(value(s, BEND, 3 * BAR + 100), BEND_CENTRE);
}

TEST(gestures_move_with_their_bar)
{
    auto_score *s = quarters();
    for (int i = 0; i < 4 * N_BARS; i++) {
        set(s, i * QUARTER, PEDAL, 127);
        set(s, i * QUARTER + 400, PEDAL, 0);
    }
    clear(s, BAR, 2 * BAR, 120);
    assert_int_equal(value(s, PEDAL, BAR), 0);
    assert_int_equal(value(s, PEDAL, BAR + 120), 127);
    assert_int_equal(value(s, PEDAL, BAR + 520), 0);
    assert_int_equal(value(s, PEDAL, 2 * BAR - 1), 127);
    for (int64_t tick = 2 * BAR; tick < 2 * BAR + 400; tick += 10)
        assert_int_equal(value(s, PEDAL, tick), 127);
}

/* -- bars before the music -- */

TEST(a_lead_in_to_a_fade_in)
{
    auto_score *s = quarters();
    int64_t by = 0;
    struct held_kinds kinds = {0};
    for (int i = 0; i <= 16; i++)
        set(s, i * BAR / 8, EXPRESSION, 7 * i);
    struct change *c = change_create("");
    apply(s, c, change_insert_bars(c, s, 0, 2, &by, &kinds));
    assert_int_equal(by, 2 * BAR);
    assert_int_equal(value(s, EXPRESSION, 0), 112);
    assert_int_equal(value(s, EXPRESSION, by - 1), 112);
    assert_int_equal(value(s, EXPRESSION, by), 0);
    assert_int_equal(value(s, EXPRESSION, by + BAR / 8), 7);
    assert_true(kinds.level);
}

TEST(bars_before_a_pickup_are_whole)
{
    auto_score *s = quarters();
    int64_t by = 0, missing;
    struct held_kinds kinds = {0};
    set_meter(s, 0, 1, 4);
    set_meter(s, QUARTER, 3, 4);
    assert_int_equal(timeline_meter(&s->timeline, 0, &missing).numerator, 3);
    assert_int_equal(missing, 2 * QUARTER);
    assert_int_equal(timeline_meter(&s->timeline, QUARTER, &missing).numerator, 3);
    assert_int_equal(missing, 0);
    struct change *c = change_create("");
    apply(s, c, change_insert_bars(c, s, 0, 2, &by, &kinds));
    const int starts[] = {0, 3, 6, 7, 10};
    for (int i = 0; i < 5; i++)
        assert_int_equal(timeline_bar(&s->timeline, i).start, starts[i] * QUARTER);
}
