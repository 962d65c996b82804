/* Recorded notes and events of a track. */
#include "tests/check.h"
#include "midi/transport/held_keys.h"
#include "midi/record/record.h"
#include "tests/midi/score_equal.h"
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

/* What is played, "tick status data data; ", beside what is there; which notes and events
 * then are there. */
static const struct {
    const char *there, *played;
    enum record_mode mode;
    int from, to, end; /* 0: the recording is not ended */
    const char *notes, *events;
} TAKES[] = {
    /* From two channels of the keyboard; a key that was pressed before. */
    {"", "500.4 91 60 90; 600 90 64 80; 700.6 81 60 33; 800 90 64 0; 810 80 72 0;",
     RECORD_MERGE, 480, 900, 900, "500+201:60 600+200:64 "},
    /* Struck again without a release; what is held ends with the recording. */
    {"", "500 90 60 90; 600 90 60 91;", RECORD_MERGE, 480, 960, 960,
     "500+100:60 600+360:60 "},
    /* Slightly early notes are at the beginning; much earlier ones are dropped. */
    {"", "200 90 50 90; 460 90 60 90; 720 80 60 0;", RECORD_MERGE, 480, 960, 960,
     "480+240:60 "},
    /* Struck again in the middle; the played note ends there; struck again as it begins. */
    {"=480 60:240 =960 60 =1440 60",
     "600 90 60 90; 1000 80 60 0; 1440 90 60 90; 1500 80 60 0;", RECORD_MERGE, 480,
     1920, 0, "480+120:60 600+360:60 960+240:60 1440+60:60 "},
    /* What begins there is taken out, and what begins before stays. */
    {"50:960 =600 60:240 =1000 62", "700 90 64 90; 800 80 64 0;", RECORD_REPLACE, 480,
     960, 0, "0+960:50 700+100:64 1000+240:62 "},
    /* A pedal is lifted at the mark. */
    {"=600 60:100",
     "500 90 70 90; 560 80 70 0; 650 90 71 90; 660 b0 64 127; 990 80 71 0; 995 b0 64 "
     "0;",
     RECORD_PUNCH, 600, 960, 0, "650+310:71 ", "660:b3/64/127 960:b3/64/0 "},
    /* Hands and feet are kept, a message of no music is not. Left bent and pressed: it ends. */
    {"",
     "500 b5 64 127; 510 e5 5 70; 510 d5 44 0; 520 a5 60 12; 530 b5 123 0; 900 b5 64 "
     "0;",
     RECORD_MERGE, 480, 960, 0, "",
     "500:b3/64/127 510:e3/5/70 510:d3/44/-1 520:a3/60/12 900:b3/64/0 960:e3/0/64 "
     "960:d3/0/-1 "},
};

TEST(what_is_played_is_taken)
{
    for (size_t i = 0; i < sizeof TAKES / sizeof *TAKES; i++) {
        assert_int_equal(open_score(state), 0);
        score_put(score, TRACK, "%s", TAKES[i].there);
        auto_score *before = score_clone(score);
        double tick;
        int status, data1, data2, used;
        for (const char *at = TAKES[i].played;
             sscanf(at, "%lf %x %d %d;%n", &tick, &status, &data1, &data2, &used) == 4;
             at += used)
            play(tick, 0, status, data1, data2);
        if (TAKES[i].end)
            recording_end(&recording, TAKES[i].end, 0);
        take(0, TAKES[i].mode, TAKES[i].from, TAKES[i].to);
        assert_notes(TAKES[i].notes);
        assert_events(TAKES[i].events ? TAKES[i].events : "");
        const struct note *first = score->tracks[TRACK].notes;
        if (i == 0)
            assert_true(first->velocity == 90 && first->off_velocity == 33);
        if (i == 2)
            assert_int_equal(first->raw_start, -20); /* as it was played */
        assert_true(history_undo(history, score, NULL));
        assert_true(score_equal(score, before));
        close_score(state);
    }
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
