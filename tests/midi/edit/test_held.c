/* What the last bars of a piece leave behind does not rule what follows; what is taken out of
 * bars takes its gestures along; bars before a fade-in sound. */
#include "tests/check.h"
#include "midi/edit/held.h"
#include "tests/midi/music.h"
#include "tests/midi/score_equal.h"

enum { N_BARS = 8, END = N_BARS * BAR };

static const struct control VOLUME = {CONTROL_CHANGE, CC_VOLUME};

/* Eight bars of quarters on channel 3 of its own chunk, 1. */
#define QUARTERS "480 | strings ch2 #48: C4*32"

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

/* Sums of bars, quarters, eighths, sixteenths and ticks: "7b7e", "8b-1". */
static int64_t read_time(const char **at)
{
    static const char UNITS[] = "bqes";
    static const int64_t TICKS[] = {BAR, QUARTER, QUARTER / 2, QUARTER / 4};
    int64_t sum = 0;
    do {
        const int64_t n = strtoll(*at, (char **)at, 10);
        const char *unit = **at ? strchr(UNITS, **at) : NULL;
        sum += unit ? n * TICKS[unit - UNITS] : n;
        *at += unit != NULL;
    } while (isdigit((unsigned char)**at) || **at == '-');
    return sum;
}

/* Puts an event on that tick, or requires the value there. */
static void put_or_check(struct score *s, char kind, int64_t tick, int to, bool checks)
{
    static const char KINDS[] = "VEPBMR";
    static const struct control CONTROLS[] = {
        {CONTROL_CHANGE, CC_VOLUME},     {CONTROL_CHANGE, CC_EXPRESSION},
        {CONTROL_CHANGE, CC_PEDAL},      {CONTROL_BEND, 0},
        {CONTROL_CHANGE, CC_MODULATION}, {CONTROL_CHANGE, CC_RESET}};
    if (kind == 'T' && checks)
        assert_float_equal(timeline_bpm(&s->timeline, tick), to, 0.01);
    else if (kind == 'T')
        set_tempo(s, tick, to);
    else if (kind == 'N' && checks)
        assert_int_equal(timeline_bar_at(&s->timeline, tick).numerator, to);
    else if (kind == 'N')
        set_meter(s, tick, to, 4);
    else if (checks)
        assert_int_equal(value(s, CONTROLS[strchr(KINDS, kind) - KINDS], tick), to);
    else
        set(s, tick, CONTROLS[strchr(KINDS, kind) - KINDS], to);
}

/* "V@0=96 E@6b..8b/16=96..0 P@20=127*8": volume, expression, pedal, bend, modulation, reset,
 * tempo and numerator (of quarters) at a time; in so many even steps; again in each bar. */
static void put_all(struct score *s, const char *at, bool checks)
{
    for (; *at; at += *at == ' ') {
        int steps = 1, times = 1;
        const char kind = *at;
        at += 2;
        const int64_t from = read_time(&at);
        int64_t to = from;
        if (*at == '.') {
            at += 2;
            to = read_time(&at);
            steps = (int)strtol(at + 1, (char **)&at, 10);
        }
        const int first = (int)strtol(at + 1, (char **)&at, 10);
        const int last = *at == '.' ? (int)strtol(at + 2, (char **)&at, 10) : first;
        if (*at == '*')
            times = (int)strtol(at + 1, (char **)&at, 10);
        for (int bar = 0; bar < times; bar++)
            for (int i = 0; i <= (to > from ? steps : 0); i++)
                put_or_check(s, kind, bar * BAR + from + i * (to - from) / steps,
                             first + i * (last - first) / steps, checks);
    }
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

static const struct {
    const char *events, *then;
    const char *says;  /* what is restored */
    const char *music; /* NULL: QUARTERS */
    int64_t from;      /* 0: END */
    size_t most_more;  /* events; 0: any number, ONE_MORE or NONE */
} RESTORED[] = {
    /* A fade ends with the music; its last event is on the bar line. */
    {"V@0=96 V@6b..8b/16=96..0", "V@8b=96 V@8b-1=6", "volume"},
    /* Events after the new notes' beginning stay, and what is usual follows each. */
    {"E@0=110 E@7b3q=40 E@8b30=20", "E@8b=110 E@8b30=110 E@8b-1=40", "volume"},
    /* Two levels of half the piece each are both usual; so is a swell in each bar. */
    {"E@0=110 E@4b=60 M@0..15s/15=10..25*8", "E@8b=60", NULL, .most_more = 2},
    {"P@20=127*8 P@1b=0*7 B@7b=16383", "P@8b=0 P@8b-1=127 B@8b=8192", "bend and pedal"},
    /* An instrument that is out of tune throughout, and a pedal that is never lifted. */
    {"B@0=9000 P@0=127", "B@8b=9000 P@8b=127", "", .most_more = 1},
    {"E@0=80 R@8b=0", "E@8b=80", "volume"}, /* a reset is a value, too */
    /* A ritardando, and a half bar of which the rest is another. */
    {"T@0=138 N@7b=2 T@7b..7b7e/7=138..61", "T@8b=138 T@8b-1=61", "tempo"},
    /* A last bar that is shorter by its pickup, and one as long as its pickup. */
    {"", "N@24q=3 N@24q-1=2", "meter",
     "480 1/4 3/4=1q 2/4=22q | fiddle ch2 #40: C4*23 C4:481", 24 * QUARTER},
    {"", "N@32q=4 N@31q=2", "meter", "480 2/4 4/4=2q 2/4=30q | fiddle ch2 #40: C4*32"},
    /* Of two parts with a tempo and a level each, the last one's hold again. */
    {"T@0=132 E@0=110 T@4b=88 E@4b=80 T@7b..7b7e/7=84..56 E@7b..7b7e/7=70..0",
     "T@8b=88 E@8b=80"},
    /* Alternating meters go on as they are. */
    {"", "N@8b=3", "",
     "480 3/4 2/4=3q 3/4=5q 2/4=8q 3/4=10q 2/4=13q 3/4=15q 2/4=18q 3/4=20q 2/4=23q "
     "3/4=25q 2/4=28q 3/4=30q | strings ch2: C4*32",
     .most_more = 1},
};

TEST(what_the_end_leaves_behind_is_restored)
{
    for (size_t i = 0; i < sizeof RESTORED / sizeof *RESTORED; i++) {
        const int64_t from = RESTORED[i].from ? RESTORED[i].from : END;
        auto_score *s =
            score_of("%s", RESTORED[i].music ? RESTORED[i].music : QUARTERS);
        char text[80];
        put_all(s, RESTORED[i].events, false);
        const size_t n = n_events(s);
        struct held_kinds kinds = restore(s, from);
        put_all(s, RESTORED[i].then, true);
        if (RESTORED[i].says)
            assert_string_equal(held_say(&kinds, text, sizeof text), RESTORED[i].says);
        if (RESTORED[i].most_more)
            assert_true(n_events(s) < n + RESTORED[i].most_more);
        kinds = restore(s, from); /* once is enough */
        if (RESTORED[i].says && !RESTORED[i].most_more)
            assert_string_equal(held_say(&kinds, text, sizeof text), "");
    }
}

/* Another chunk sets the channel, as conductors of some programs do; another port has a
 * channel of the same number. */
TEST(all_chunks_of_a_channel_and_no_other_port)
{
    static const uint8_t PORT[] = {0xFF, META_PORT, 1, 1};
    auto_score *s = score_of(QUARTERS);
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

static const struct {
    const char *events, *then;
    int64_t from, to, by; /* 0: they are cleared, not moved */
    const char *left_hand;
} CLEARED[] = {
    /* A value of the bar before, and a volume that sets the track up. Both gestures are as
     * they were for the next note. */
    {"V@0=70 B@2b-10=8192 B@8q100..15q100/7=12000 P@8q50..15q50/7=127 V@2b300=60 "
     "P@5b=0",
     "B@2b..4b-10/383=8192 P@2b..4b-10/383=0 B@4b=12000 P@4b=127 V@4b=60", 2 * BAR,
     4 * BAR},
    /* A pedal that comes from before the hole is lifted in it, and down again after it. */
    {"P@1b=127 P@5b=0", "P@2b-1=127 P@2b=0 P@3b=127", 2 * BAR, 3 * BAR},
    /* Another track of the channel plays on in the first of both bars. */
    {"P@2b100=127 B@3b100=9000", "P@2b100=127 P@3b=0 B@3b100=8192", 2 * BAR, 4 * BAR, 0,
     "=2w E2w"},
    {"P@0..31q/31=127 P@400..31q400/31=0",
     "P@1b=0 P@1b120=127 P@1b520=0 P@2b-1=127 P@2b..2b390/39=127", BAR, 2 * BAR, 120},
};

TEST(gestures_go_with_their_notes)
{
    for (size_t i = 0; i < sizeof CLEARED / sizeof *CLEARED; i++) {
        const int64_t from = CLEARED[i].from, to = CLEARED[i].to, by = CLEARED[i].by;
        auto_score *s = score_of(QUARTERS);
        if (CLEARED[i].left_hand) {
            assert_int_equal(score_add_track(s, "left hand", 2, 48), 1);
            score_put(s, 1, "%s", CLEARED[i].left_hand);
        }
        put_all(s, CLEARED[i].events, false);
        auto_score *stays = without(s, from, to);
        struct change *c = change_create("");
        apply(s, c, change_move_gestures(c, s, stays, 1, from, to, by));
        put_all(s, CLEARED[i].then, true);
    }
}

/* -- bars before the music -- */

TEST(a_lead_in_to_a_fade_in)
{
    auto_score *s = score_of(QUARTERS);
    int64_t by = 0;
    struct held_kinds kinds = {0};
    const size_t n_meters = s->timeline.n_meters;
    put_all(s, "E@0..2b/16=0..112", false);
    struct change *c = change_create("");
    apply(s, c, change_insert_bars(c, s, 0, 2, &by, &kinds));
    assert_int_equal(by, 2 * BAR);
    put_all(s, "E@0=112 E@2b-1=112 E@2b=0 E@2b1e=7", true);
    assert_int_equal(s->timeline.n_meters, n_meters); /* the bar is whole */
    assert_true(kinds.level);
}

TEST(bars_before_a_pickup_are_whole)
{
    auto_score *s = score_of(QUARTERS);
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
