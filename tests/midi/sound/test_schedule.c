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

/* Messages "STATUS DATA DATA ...", the status hexadecimal. */
static void feed(struct chase *c, const char *messages)
{
    int status, data1, data2, used;
    for (; sscanf(messages, "%x %d %d%n", &status, &data1, &data2, &used) == 3;
         messages += used)
        chase_feed(c, &(struct message){0, (uint8_t)status, (uint8_t)data1,
                                        (uint8_t)data2, 0});
}

/* As such messages. */
static const char *listed(const struct message *list, int n)
{
    static char text[MAX_CHASED * 12];
    text[0] = '\0';
    for (int i = 0; i < n; i++)
        sprintf(text + strlen(text), "%s%x %d %d", i ? " " : "", list[i].status,
                list[i].data1, list[i].data2);
    return text;
}

/* A bank goes before its program, and RPN 0 before its value. A reset lifts the pedal and leaves
 * the program. */
TEST(test_chase)
{
    auto_score *score = score_of("480 | t: | t: | t #40:");
    struct message list[MAX_CHASED];
    struct chase c;
    chase_init(&c, score);
    feed(&c, "b1 0 5 c1 19 0 b1 64 127 e1 3 70 b1 101 0 b1 100 0 b1 6 12");
    assert_string_equal(
        listed(list, chase_messages(&c, 1, list)),
        "b1 121 0 b1 0 5 b1 7 100 b1 8 64 b1 10 64 b1 11 127 b1 32 0 b1 64 127 b1 70 "
        "64 b1 71 64 b1 72 64 b1 73 64 b1 74 64 b1 75 64 b1 76 64 b1 77 64 b1 78 64 b1 "
        "79 64 b1 91 0 b1 93 0 c1 19 0 b1 101 0 b1 100 0 b1 6 12 b1 38 0 b1 101 0 b1 "
        "100 0 d1 0 0 e1 3 70");
    feed(&c, "b1 121 0");
    const char *text = listed(list, chase_messages(&c, 1, list));
    assert_true(!strstr(text, "b1 64") && strstr(text, "c1 19 0"));
    text = listed(list, chase_messages(&c, 2, list));
    assert_non_null(strstr(text, "c2 40 0")); /* from the track */
    for (int i = 0; i < 128; i++)
        chase_feed(&c, &(struct message){0, 0xb1, (uint8_t)i, 1, 0});
    assert_true(chase_messages(&c, 1, list) <= MAX_CHASED);
}

/* Only what an edit changes in a channel's state is sent; where a loop turns, the pedal is lifted
 * once. */
TEST(test_chase_difference)
{
    auto_score *score = score_of("480 | t: | t:");
    struct chase was, is;
    struct message list[MAX_CHASED];
    chase_init(&was, score);
    feed(&was, "b1 64 127");
    is = was;
    assert_int_equal(chase_difference(&was, &is, 1, list), 0);
    feed(&is, "c1 42 0 b1 64 0");
    assert_int_equal(chase_difference(&was, &is, 0, list), 0);
    assert_string_equal(listed(list, chase_difference(&was, &is, 1, list)),
                        "b1 64 0 c1 42 0");
    feed(&is, "b1 0 5 e1 1 70 d1 9 0");
    assert_string_equal(listed(list, chase_difference(&was, &is, 1, list)),
                        "b1 0 5 b1 64 0 c1 42 0 d1 9 0 e1 1 70");
    assert_string_equal(listed(list, chase_turn(&was, &is, 1, list)),
                        "b1 64 0 b1 0 5 c1 42 0 d1 9 0 e1 1 70");
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
