/* A player, an instrument and a keyboard on the PortMidi of fake_portmidi.h, and
 * what was sent. */
#ifndef TESTS_MIDI_INSTRUMENT_H
#define TESTS_MIDI_INSTRUMENT_H

#include "midi/transport/output.h"
#include "midi/ports/ports.h"
#include "midi/transport/sync.h"
#include "tests/midi/fake_portmidi.h"
#include "tests/midi/music.h"
#include "tests/midi/passing.h"

static struct player *player;
static struct ports *ports;

static inline void wait_for(enum port_side side, enum port_state state)
{
    struct port_status news;
    for (int i = 0; i < 2000; i++, sleep_ms(2)) {
        ports_status(ports, side, &news);
        if (news.state == state)
            return;
    }
    fail_msg("the port is in state %d, not %d", (int)news.state, (int)state);
}

/* Time passes at once, a little at a time; the player's thread sees it, and then that of the
 * ports, which reads the keyboard once a turn. */
static inline void pass_ms(double ms)
{
    for (const double end = clock_now_ms() + ms; clock_now_ms() < end;) {
        player_skip_ms(player, fmin(PASSING_STEP_MS, end - clock_now_ms()));
        for (int i = 0; i < 2; i++) {
            const int before = fake_count_reads();
            bell_ring(output_wake(player_output(player)));
            while (fake_count_reads() == before)
                nap_us(20);
        }
    }
}

/* Takes the music; opens the instrument. */
static inline void start(struct score *music)
{
    fake_reset();
    fake_plug(0, "Keys", true);
    fake_plug(1, "Organ", false);
    player = open_player(&(struct player_config){.driver = "none"});
    player_set_score(player, music);
    ports = ports_create(player, "keys", "organ");
    assert_non_null(ports);
    wait_for(PORT_OUT, PORT_OPEN);
    wait_for(PORT_IN, PORT_OPEN);
    pass_ms(30); /* it gets its state */
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

/* Returns the first message from `at` on with that status and first data byte (-1:
 * any); -1: none. */
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

/* Every struck note has ended, and the pedals are up. */
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

/* Sixteenths at 120 a minute for so many seconds. */
static inline struct score *make_run(int n_seconds)
{
    struct score *s = score_of("480 | organ ch2 #16:");
    for (int i = 0; i < 8 * n_seconds; i++)
        add(s, 0, i * QUARTER / 4, QUARTER / 8, 36 + i % 60);
    return s;
}

#endif
