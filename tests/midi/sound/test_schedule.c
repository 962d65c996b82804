/* The stream of messages that player and renderer read: its order, what it leaves
 * out, and the chased state of channels in the middle of a piece. */
#include "midi/sound/chase.h"

#include "tests/check.h"
#include "tests/midi/music.h"

/* The stream from `tick` as text, "tick:status/data1 ...", without programs. */
static const char *stream(const struct score *score, struct voices *v, int64_t tick,
                          int64_t before)
{
    static char text[4096];
    struct message m;
    size_t n = 0;
    auto_schedule *s = schedule_create(score);
    assert_non_null(s);
    schedule_seek(s, tick);
    text[0] = '\0';
    while (schedule_next(s, v, before, &m) && n < sizeof text - 40)
        if ((m.status & 0xf0) != 0xc0)
            n += (size_t)snprintf(text + n, sizeof text - n, "%lld:%02x/%d ",
                                  (long long)m.tick, m.status, m.data1);
    return text;
}

/* At one tick: offs, then messages, then notes, tracks in order. */
TEST(test_order)
{
    auto_score *s = score_of("480 | t: =100 C#4:50 | t: C4:100 C4:0");
    struct voices v = {0};
    add_message(s, 0, 100, 0xb0, 7, 80);
    add_message(s, 0, 100, 0xb0, 7, 90);
    assert_string_equal(stream(s, &v, 0, 1000),
                        "0:91/60 100:81/60 100:b0/7 100:b0/7 100:90/61 100:91/60 "
                        "100:81/60 150:80/61 ");
    assert_int_equal(v.n, 0);
}

/* Read in pieces it is the same stream; a note-off waits for its time. */
TEST(test_windows)
{
    auto_score *score = score_of("480 | t: =10 C4:20");
    struct voices v = {0};
    struct message m;
    auto_schedule *s = schedule_create(score);
    assert_non_null(s);
    assert_int_equal(schedule_end_tick(s), 4 * 480);
    assert_true(schedule_next(s, &v, 11, &m)); /* the program */
    assert_true(schedule_next(s, &v, 11, &m));
    assert_int_equal(m.status, 0x90);
    assert_false(schedule_next(s, &v, 30, &m));
    assert_true(schedule_next(s, &v, 31, &m));
    assert_int_equal(m.status, 0x80);
    assert_false(schedule_next(s, &v, INT64_MAX, &m));
}

TEST(test_seek_and_silence)
{
    auto_score *s = score_of("480 | t: C4:1000 =500 C#4:10 | t: =500 D4:10");
    struct voices v = {0};
    add_message(s, 0, 5, 0xb0, 64, 127);
    assert_string_equal(stream(s, &v, 400, 1000),
                        "5:b0/64 500:90/61 500:91/62 510:80/61 510:81/62 ");
    s->tracks[0].mute = s->tracks[0].solo = true; /* which outweighs its mute */
    assert_string_equal(stream(s, &v, 400, 1000), "5:b0/64 500:90/61 510:80/61 ");
}

TEST(test_unison)
{
    auto_score *s = score_of("480 | t: C4:100 | t ch0: =50 C4:100");
    struct voices v = {0};
    assert_string_equal(stream(s, &v, 0, 1000), "0:90/60 50:90/60 150:80/60 ");
}

/* Every note-on is ended, however many sound at once. */
TEST(test_too_many_voices)
{
    auto_score *score = score_create(480);
    struct voices v = {0};
    struct message m;
    int n_on = 0, n_off = 0;
    for (int i = 0; i < 16; i++)
        assert_int_equal(score_add_track(score, "t", (uint8_t)i, 0), i);
    for (int i = 0; i < MAX_VOICES + 200; i++)
        add(score, i % 16, i, 10000, i / 16);
    auto_schedule *s = schedule_create(score);
    assert_non_null(s);
    while (schedule_next(s, &v, INT64_MAX, &m)) {
        n_on += (m.status & 0xf0) == 0x90;
        n_off += (m.status & 0xf0) == 0x80;
        assert_true(n_on - n_off <= MAX_VOICES);
    }
    assert_int_equal(n_on, MAX_VOICES + 200);
    assert_int_equal(n_off, n_on);
}

static void feed(struct chase *c, int status, int data1, int data2)
{
    chase_feed(
        c, &(struct message){0, (uint8_t)status, (uint8_t)data1, (uint8_t)data2, 0});
}

/* The index of the message in the list; -1: none. */
static int find(const struct message *list, int n, int status, int data1, int data2)
{
    for (int i = 0; i < n; i++)
        if (list[i].status == status && list[i].data1 == data1 &&
            list[i].data2 == data2)
            return i;
    return -1;
}

TEST(test_chase)
{
    auto_score *score = score_of("480 | t: | t: | t #40:");
    struct message list[MAX_CHASED];
    struct chase c;
    chase_init(&c, score);
    feed(&c, 0xb1, 0, 5);
    feed(&c, 0xc1, 19, 0);
    feed(&c, 0xb1, 64, 127);
    feed(&c, 0xe1, 3, 70);
    feed(&c, 0xb1, 101, 0);
    feed(&c, 0xb1, 100, 0);
    feed(&c, 0xb1, 6, 12);
    int n = chase_messages(&c, 1, list);
    int bank = find(list, n, 0xb1, 0, 5), program = find(list, n, 0xc1, 19, 0);
    assert_int_equal(find(list, n, 0xb1, 121, 0), 0);
    assert_true(bank > 0 && program > bank);
    assert_true(find(list, n, 0xb1, 64, 127) > 0);
    assert_true(find(list, n, 0xb1, 7, 100) > 0);
    assert_true(find(list, n, 0xb1, 6, 12) > find(list, n, 0xb1, 101, 0));
    assert_true(find(list, n, 0xe1, 3, 70) > 0);
    feed(&c, 0xb1, 121, 0); /* a reset lifts the pedal and leaves the program */
    n = chase_messages(&c, 1, list);
    assert_int_equal(find(list, n, 0xb1, 64, 127), -1);
    assert_true(find(list, n, 0xc1, 19, 0) > 0);
    n = chase_messages(&c, 2, list);
    assert_true(find(list, n, 0xc2, 40, 0) > 0); /* from the track */
    for (int i = 0; i < 128; i++)
        feed(&c, 0xb1, i, 1);
    assert_true(chase_messages(&c, 1, list) <= MAX_CHASED);
}

/* Only what an edit changes in a channel's state is sent. */
TEST(test_chase_difference)
{
    auto_score *score = score_of("480 | t: | t:");
    struct chase was, is;
    struct message list[MAX_CHASED];
    chase_init(&was, score);
    feed(&was, 0xb1, 64, 127);
    is = was;
    assert_int_equal(chase_difference(&was, &is, 1, list), 0);
    feed(&is, 0xc1, 42, 0);
    feed(&is, 0xb1, 64, 0);
    assert_int_equal(chase_difference(&was, &is, 0, list), 0);
    int n = chase_difference(&was, &is, 1, list);
    assert_int_equal(n, 2);
    assert_true(find(list, n, 0xb1, 64, 0) == 0 && find(list, n, 0xc1, 42, 0) == 1);
    feed(&is, 0xb1, 0, 5); /* a bank goes before its program */
    n = chase_difference(&was, &is, 1, list);
    assert_int_equal(n, 3);
    assert_true(find(list, n, 0xb1, 0, 5) < 2 && find(list, n, 0xc1, 42, 0) == 2);
    feed(&is, 0xe1, 1, 70);
    feed(&is, 0xd1, 9, 0);
    assert_int_equal(chase_difference(&was, &is, 1, list), 5);
    n = chase_turn(&was, &is, 1, list); /* the pedal is lifted once */
    assert_int_equal(n, 5);
    assert_int_equal(find(list, n, 0xb1, 64, 0), 0);
}

/* A channel of a second port is another one, for notes and for controllers. */
TEST(ports_are_apart)
{
    auto_score *s = score_of("480 | organ ch2 #16: C4 | tuba ch18 #58: C4");
    struct chase chase;
    chase_init(&chase, s);
    assert_int_equal(chase.channel[2].program, 16);
    assert_int_equal(chase.channel[18].program, 58);
    auto_schedule *schedule = schedule_create(s);
    struct voices v = {0};
    struct message m;
    int n_off = 0, ports = 0;
    while (schedule_next(schedule, &v, INT64_MAX, &m)) {
        if (m.status >> 4 == 9)
            ports |= 1 << m.port;
        n_off += m.status >> 4 == 8;
    }
    assert_int_equal(ports, 3);
    assert_int_equal(n_off, 2); /* neither ends the other */
}

/* Ports 0, 1 and 5 are three, and so are 7, 2 and 3; the fifth shares the first's place. */
TEST(ports_are_apart_whatever_their_numbers)
{
    static const int CHANNELS[] = {0x02, 0x12, 0x52, 0x72, 0xe2};
    auto_score *s = score_create(QUARTER);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(score_add_track(s, "part", (uint8_t)CHANNELS[i], (uint8_t)i),
                         i);
        const struct sound_ports ports = sound_ports_of(s);
        for (int k = 0; k <= i; k++)
            assert_int_equal(sound_channel(&ports, CHANNELS[k]), k % 4 << 4 | 2);
    }
}

TEST(held_notes_are_struck_again)
{
    /* C4 ends there and D4 a moment later; E4 begins there. */
    auto_score *s = score_of("480 | organ: A3:4w =0 C4w =0 D4:1w10 =1w E4q"
                             "| drums ch9: 38:4w");
    auto_schedule *schedule = schedule_create(s);
    struct voices v = {0};
    struct message m;
    size_t at[2] = {0};
    schedule_seek(schedule, BAR);
    assert_true(schedule_strike_again(schedule, &v, BAR, at, &m));
    assert_int_equal(m.data1, 57);
    assert_int_equal(m.tick, BAR);
    assert_false(schedule_strike_again(schedule, &v, BAR, at, &m));
    assert_int_equal(v.n, 1);
    while (schedule_next(schedule, &v, INT64_MAX, &m) && m.status >> 4 != 9)
        continue; /* what sets the channels up */
    assert_int_equal(m.data1, 64);
}
