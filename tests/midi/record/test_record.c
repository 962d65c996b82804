/* Recorded notes and events of a track. */
#include "tests/check.h"
#include "midi/transport/held_keys.h"
#include "midi/record/record.h"
#include "tests/midi/score_of.h"
#include "tests/midi/undo.h"

enum { QUARTER = 480, TRACK = 0, CHANNEL = 3 };

static struct score *score;
static struct history *history;
static struct recording recording;

static int open_score(void **state)
{
    score = score_create(QUARTER);
    history = history_create();
    if (!score || !history || score_add_track(score, "piano", CHANNEL, 0) != TRACK)
        return -1;
    recording_begin(&recording, 480, 240);
    return 0;
}

static int close_score(void **state)
{
    recording_fini(&recording);
    history_destroy(history);
    score_destroy(score);
    return 0;
}

static void play(double tick, unsigned pass, int status, int data1, int data2)
{
    const struct live_event e = {.has_tick = true,
                                 .tick = tick,
                                 .pass = pass,
                                 .status = (uint8_t)status,
                                 .data1 = (uint8_t)data1,
                                 .data2 = (uint8_t)data2};
    recording_feed(&recording, &e, TRACK, CHANNEL);
}

static void take(unsigned pass, enum record_mode mode, int64_t from, int64_t to)
{
    struct record_span span = {.mode = mode, .from = from, .to = to, .tracks = 1};
    struct change *c = record_change(score, &recording, pass, &span, "record");
    assert_non_null(c);
    assert_ok(history_do(history, score, c));
}

/* The track's notes, "start+length:pitch " each. */
static void assert_notes(const char *wanted)
{
    const struct track *t = &score->tracks[TRACK];
    char text[256] = "";
    for (size_t i = 0, n = 0; i < t->n_notes && n < sizeof text - 60; i++) {
        const struct note *x = &t->notes[i];
        n += (size_t)sprintf(text + n, "%lld+%lld:%d ", (long long)x->start,
                             (long long)x->length, x->pitch);
    }
    assert_string_equal(text, wanted);
}

/* The controllers, bends and pressures of its chunk, "tick:status/data/data " each. */
static void assert_events(const char *wanted)
{
    const struct chunk *c = &score->chunks[score->tracks[TRACK].chunk];
    char text[256] = "";
    for (size_t i = 0, n = 0; i < c->n_events && n < sizeof text - 60; i++) {
        const struct event *e = &c->events[i];
        if (e->data[0] >= 0xa0 && e->data[0] < 0xf0 && e->data[0] >> 4 != 0xc)
            n += (size_t)sprintf(text + n, "%lld:%x/%d/%d ", (long long)e->tick,
                                 e->data[0], e->data[1],
                                 e->n_data > 2 ? e->data[2] : -1);
    }
    assert_string_equal(text, wanted);
}

TEST_IN(keys_become_notes, open_score, close_score)
{
    play(500.4, 0, 0x91, 60, 90);
    play(600, 0, 0x90, 64, 80); /* another channel of the keyboard */
    play(700.6, 0, 0x81, 60, 33);
    play(800, 0, 0x90, 64, 0);
    play(810, 0, 0x80, 72, 0); /* pressed before */
    recording_end(&recording, 900, 0);
    take(0, RECORD_MERGE, 480, 900);
    assert_notes("500+201:60 600+200:64 ");
    assert_int_equal(score->tracks[TRACK].notes[0].velocity, 90);
    assert_int_equal(score->tracks[TRACK].notes[0].off_velocity, 33);
    assert_true(history_undo(history, score, NULL));
    assert_notes("");
}

TEST_IN(what_is_held_ends_with_the_recording, open_score, close_score)
{
    play(500, 0, 0x90, 60, 90);
    play(600, 0, 0x90, 60, 91); /* struck again without a release */
    recording_end(&recording, 960, 0);
    take(0, RECORD_MERGE, 480, 960);
    assert_notes("500+100:60 600+360:60 ");
}

/* Slightly early notes are at the beginning, and keep their played time; much
 * earlier ones are dropped. */
TEST_IN(early_notes_begin_with_it, open_score, close_score)
{
    play(200, 0, 0x90, 50, 90);
    play(460, 0, 0x90, 60, 90);
    play(720, 0, 0x80, 60, 0);
    recording_end(&recording, 960, 0);
    take(0, RECORD_MERGE, 480, 960);
    assert_notes("480+240:60 ");
    assert_int_equal(score->tracks[TRACK].notes[0].raw_start, -20);
}

TEST_IN(one_pitch_never_overlaps, open_score, close_score)
{
    /* Struck again in the middle; the played note ends there; struck again as it begins. */
    score_put(score, TRACK, "=480 60:240 =960 60 =1440 60");
    play(600, 0, 0x90, 60, 90);
    play(1000, 0, 0x80, 60, 0);
    play(1440, 0, 0x90, 60, 90);
    play(1500, 0, 0x80, 60, 0);
    take(0, RECORD_MERGE, 480, 1920);
    assert_notes("480+120:60 600+360:60 960+240:60 1440+60:60 ");
    assert_true(history_undo(history, score, NULL));
    assert_notes("480+240:60 960+240:60 1440+240:60 ");
}

TEST_IN(replacing_takes_out_what_begins_there, open_score, close_score)
{
    score_put(score, TRACK, "50:960 =600 60:240 =1000 62"); /* the first stays */
    play(700, 0, 0x90, 64, 90);
    play(800, 0, 0x80, 64, 0);
    take(0, RECORD_REPLACE, 480, 960);
    assert_notes("0+960:50 700+100:64 1000+240:62 ");
}

TEST_IN(punching_leaves_out_what_lies_outside, open_score, close_score)
{
    score_put(score, TRACK, "=600 60:100");
    play(500, 0, 0x90, 70, 90);
    play(560, 0, 0x80, 70, 0);
    play(650, 0, 0x90, 71, 90);
    play(660, 0, 0xb0, 64, 127);
    play(990, 0, 0x80, 71, 0);
    play(995, 0, 0xb0, 64, 0);
    take(0, RECORD_PUNCH, 600, 960);
    assert_notes("650+310:71 ");
    assert_events("660:b3/64/127 960:b3/64/0 "); /* at the mark */
}

TEST_IN(hands_and_feet_are_kept, open_score, close_score)
{
    play(500, 0, 0xb5, 64, 127);
    play(510, 0, 0xe5, 5, 70);
    play(510, 0, 0xd5, 44, 0);
    play(520, 0, 0xa5, 60, 12);
    play(530, 0, 0xb5, 123, 0); /* no music */
    play(900, 0, 0xb5, 64, 0);
    take(0, RECORD_MERGE, 480, 960);
    assert_events("500:b3/64/127 510:e3/5/70 510:d3/44/-1 520:a3/60/12 900:b3/64/0 "
                  "960:e3/0/64 960:d3/0/-1 "); /* left bent and pressed: it ends */
    assert_true(history_undo(history, score, NULL));
    assert_events("");
}

TEST_IN(replacing_takes_out_gestures_and_leaves_what_sets_up, open_score, close_score)
{
    play(500, 0, 0xb0, 64, 127);
    play(510, 0, 0xb0, 7, 100);
    play(520, 0, 0xb0, 64, 0);
    take(0, RECORD_MERGE, 480, 960);
    recording_begin(&recording, 480, 240);
    play(600, 0, 0x90, 60, 90);
    play(700, 0, 0x80, 60, 0);
    take(0, RECORD_REPLACE, 480, 960);
    assert_events("510:b3/7/100 ");
}

/* The loop is 0 to 960; a note held over its end ends there. */
TEST_IN(each_time_round_is_a_pass, open_score, close_score)
{
    recording_set_loop(&recording, 0, 960);
    play(900, 0, 0x90, 60, 90);
    play(100, 1, 0x80, 60, 0);
    play(200, 1, 0x90, 62, 90);
    const struct recorded_note *held = &recording.notes[1];
    assert_int_equal(recorded_end(&recording, held, 300, 1), 300);
    assert_int_equal(recorded_end(&recording, held, 50, 2), 960);
    play(300, 1, 0x80, 62, 0);
    assert_true(recording_has_pass(&recording, 1));
    assert_false(recording_has_pass(&recording, 2));
    assert_int_equal(recording_n_notes(&recording, 0), 1);
    take(0, RECORD_MERGE, 480, 960);
    assert_notes("900+60:60 ");
    assert_true(history_undo(history, score, NULL));
    take(1, RECORD_MERGE, 0, 960);
    assert_notes("200+100:62 ");
}

/* Fifty thousand events at one tick keep their order, and come back after undo. */
TEST_IN(events_of_one_tick_keep_their_order, open_score, close_score)
{
    enum { N = 50000 };
    for (int i = 0; i < N; i++)
        play(500, 0, 0xe0, i & 127, i >> 7 & 127);
    take(0, RECORD_MERGE, 480, 960);
    const struct chunk *c = &score->chunks[score->tracks[TRACK].chunk];
    int n = 0;
    for (size_t i = 0; i < c->n_events; i++)
        if (c->events[i].data[0] == (0xe0 | CHANNEL) && c->events[i].tick == 500) {
            assert_int_equal(c->events[i].data[1] | c->events[i].data[2] << 7,
                             n & 16383);
            n++;
        }
    assert_int_equal(n, N);
    assert_true(history_undo(history, score, NULL));
    assert_events("");
}

TEST_IN(all_that_is_held_can_be_let_go, open_score, close_score)
{
    static const uint8_t DOWN[][3] = {{0x92, 60, 9},   {0x92, 64, 9},  {0xb2, 64, 90},
                                      {0xe2, 0, 65},   {0xd2, 3, 0},   {0x93, 127, 1},
                                      {0xb3, 64, 127}, {0xb3, 64, 63}, {0x82, 60, 0}};
    static const uint8_t UP[][3] = {
        {0x82, 64, 64}, {0xb2, 64, 0}, {0xe2, 0, 64}, {0xd2, 0, 0}, {0x83, 127, 64}};
    struct held_keys h = {0};
    uint8_t message[3];
    for (size_t i = 0; i < sizeof DOWN / sizeof DOWN[0]; i++)
        held_keys_follow(&h, DOWN[i]);
    for (size_t i = 0; i < sizeof UP / sizeof UP[0]; i++) {
        assert_true(held_keys_end(&h, message));
        assert_memory_equal(message, UP[i], 3);
    }
    assert_false(held_keys_end(&h, message));
}
