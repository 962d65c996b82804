/* A transport that plays a score with the test's sound (tests/midi/fake_sound.h). */
#ifndef TESTS_MIDI_FAKE_TRANSPORT_H
#define TESTS_MIDI_FAKE_TRANSPORT_H

#include "midi/transport/transport.h"
#include "tests/midi/fake_sound.h"
#include "tests/midi/music.h"

static struct transport t;
static struct score *played;

static inline int end(void **state)
{
    schedule_destroy(t.schedule);
    score_destroy(played);
    return 0;
}

GROUP(NULL, end)

/* A transport of its own, in place of the last one, not playing yet, at 1000 ms. Takes the
 * score. */
static inline void begin(struct score *score)
{
    end(NULL);
    clock_now = 1000;
    n_sent = n_clicked = n_scheduled = 0;
    played = score;
    t = (struct transport){.schedule = schedule_create(score), .click_volume = 100};
    assert_non_null(t.schedule);
}

/* Plays on with this music. */
static inline void change_music(const struct score *s)
{
    struct schedule *old = t.schedule;
    transport_set_schedule(&t, schedule_create(s));
    schedule_destroy(old);
}

static inline void run_for(double ms)
{
    double until = clock_now + ms;
    for (; clock_now < until; clock_now += 10)
        transport_advance(&t);
    clock_now = until;
}

/* The onsets of a pitch; returns their number, also beyond `most`. */
static inline int onsets(int pitch, double *ms, int most)
{
    int n = 0;
    for (int i = 0; i < n_sent; i++)
        if ((sent[i].m.status & 0xf0) == 0x90 && sent[i].m.data1 == pitch) {
            if (n < most)
                ms[n] = sent[i].ms;
            n++;
        }
    return n;
}

static inline int n_heard(int pitch)
{
    return onsets(pitch, NULL, 0);
}

#endif
