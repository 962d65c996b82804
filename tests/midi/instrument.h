/* A player, an instrument and a keyboard, on the PortMidi of fake_portmidi.h, and what was
 * sent. Include cmocka.h before it. */
#ifndef TESTS_MIDI_INSTRUMENT_H
#define TESTS_MIDI_INSTRUMENT_H

#include "midi/score/chunk.h"
#include "midi/transport/output.h"
#include "midi/transport/player.h"
#include "midi/ports/ports.h"
#include "midi/transport/sync.h"
#include "tests/midi/fake_portmidi.h"
#include "tests/midi/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUARTER = 480 };

static struct player *player;
static struct ports *ports;

static inline void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static inline void set_tempos(struct score *s, double bpm, int64_t tick,
                              double later_bpm)
{
    struct tempo tempos[] = {{0, 60e6 / bpm, 0}, {tick, 60e6 / later_bpm, 0}};
    timeline_fini(&s->timeline);
    assert_int_equal(
        timeline_init(&s->timeline, s->ticks_per_quarter, tempos, 2, NULL, 0), MIDI_OK);
}

static inline struct score *make_score(void)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "t", 2, 16), 0);
    set_tempos(s, 120, 0, 120);
    return s;
}

static inline uint64_t add(struct score *s, int64_t start, int64_t length, int pitch)
{
    struct note n = {
        .start = start, .length = length, .pitch = (uint8_t)pitch, .velocity = 90};
    uint64_t id = score_add_note(s, 0, n);
    assert_true(id != 0);
    return id;
}

static inline void add_controller(struct score *s, int64_t tick, int number, int value)
{
    uint8_t data[3] = {0xb2, (uint8_t)number, (uint8_t)value};
    struct event e = {.tick = tick, .order = ORDER_LAST, .n_data = 3, .data = data};
    assert_int_equal(chunk_insert_event(&s->chunks[s->tracks[0].chunk], &e), MIDI_OK);
}

static inline void wait_for(enum port_side side, enum port_state state)
{
    struct port_news news;
    for (int i = 0; i < 2000; i++, sleep_ms(2)) {
        ports_news(ports, side, &news);
        if (news.state == state)
            return;
    }
    fail_msg("the port is in state %d, not %d", (int)news.state, (int)state);
}

/* Takes the music; the instrument is open. */
static inline void start(struct score *music)
{
    fake_reset();
    fake_plug(0, "Keys", true);
    fake_plug(1, "Organ", false);
    player = player_create(&(struct player_config){.driver = "none"});
    assert_non_null(player);
    player_set_score(player, music);
    while (player_is_opening(player))
        sleep_ms(2);
    ports = ports_create(player, "keys", "organ");
    assert_non_null(ports);
    wait_for(PORT_OUT, PORT_OPEN);
    wait_for(PORT_IN, PORT_OPEN);
    sleep_ms(30); /* it is greeted */
}

static inline void finish(void)
{
    ports_destroy(ports);
    player_destroy(player);
}

static inline int status_of(const struct fake_sent *s)
{
    return (int)(s->message & 0xff);
}

static inline int data1_of(const struct fake_sent *s)
{
    return (int)(s->message >> 8 & 0xff);
}

static inline int data2_of(const struct fake_sent *s)
{
    return (int)(s->message >> 16 & 0xff);
}

/* The first of that status, and first data byte unless that is -1, from `at` on; -1: there
 * is none. */
static inline int find_sent(int at, int status, int data1)
{
    int n = fake_count_sent();
    for (int i = at; i < n; i++)
        if (status_of(&fake_sent[i]) == status &&
            (data1 < 0 || data1_of(&fake_sent[i]) == data1))
            return i;
    return -1;
}

static inline int count_sent(int at, int status)
{
    int n = 0;
    for (int i = at; (i = find_sent(i, status, -1)) >= 0; i++)
        n++;
    return n;
}

/* What was struck has ended, as often as it was, and the pedals are up. */
static inline void assert_nothing_hangs(void)
{
    static int sounding[16][128];
    int pedal[16] = {0}, n = fake_count_sent();
    memset(sounding, 0, sizeof sounding);
    for (int i = 0; i < n; i++) {
        const struct fake_sent *s = &fake_sent[i];
        int kind = status_of(s) & 0xf0, channel = status_of(s) & 15;
        if (kind == 0x90)
            sounding[channel][data1_of(s)] = 1;
        else if (kind == 0x80)
            sounding[channel][data1_of(s)] = 0;
        else if (kind == 0xb0 && data1_of(s) == 64)
            pedal[channel] = data2_of(s) >= 64;
    }
    for (int channel = 0; channel < 16; channel++) {
        assert_int_equal(pedal[channel], 0);
        for (int key = 0; key < 128; key++)
            assert_int_equal(sounding[channel][key], 0);
    }
}

/* -- times -- */

enum { AGAIN = 3 }; /* that what is late on a busy machine is played */
/* Of what is timed: the rest is what a machine at work does to a thread. */
static const double MOST = 0.9;

static inline int seconds(void)
{
    const char *text = getenv("CONTINUO_PLAY_SECONDS");
    return text ? atoi(text) : 1;
}

/* Sixteenths at 120 a minute, so many seconds of them. */
static inline struct score *make_run(int n_seconds)
{
    struct score *s = make_score();
    for (int i = 0; i < 8 * n_seconds; i++)
        add(s, i * QUARTER / 4, QUARTER / 8, 36 + i % 60);
    return s;
}

#endif
