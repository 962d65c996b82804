/* A sound whose clock the test sets, and which keeps what it is sent, in the place of
 * midi/sound/sound.c. For tests; include it after cmocka. */
#ifndef TESTS_MIDI_FAKE_SOUND_H
#define TESTS_MIDI_FAKE_SOUND_H

#include "midi/sound/sound.h"

#include <math.h>

enum { MOST_SENT = 20000, MOST_CLICKS = 2000 };

static double clock_now;
static struct {
    double ms;
    struct message m;
} sent[MOST_SENT], clicked[MOST_CLICKS], cued[MOST_CLICKS];
static int n_sent, n_clicked, n_cued;

double sound_now(const struct sound *s)
{
    (void)s;
    return clock_now;
}

void sound_send_at(struct sound *s, double ms, const struct message *m)
{
    (void)s;
    assert_true(n_sent < MOST_SENT);
    assert_true(n_sent == 0 || ms >= sent[n_sent - 1].ms - 1e-6);
    assert_true(ms > clock_now - 1e-6); /* in time */
    sent[n_sent].ms = ms;
    sent[n_sent++].m = *m;
}

void sound_click_at(struct sound *s, double ms, const struct message *m)
{
    (void)s;
    assert_true(n_clicked < MOST_CLICKS);
    assert_true(ms > clock_now - 1e-6);
    clicked[n_clicked].ms = ms;
    clicked[n_clicked++].m = *m;
}

/* In the order of calls. */
void sound_cue_at(struct sound *s, double ms, const struct message *m)
{
    (void)s;
    assert_true(n_cued < MOST_CLICKS);
    assert_true(ms > clock_now - 1e-6);
    cued[n_cued].ms = ms;
    cued[n_cued++].m = *m;
}

/* Those that stay, in their order. */
static void take_back_cues(double from)
{
    int n = 0;
    for (int i = 0; i < n_cued; i++)
        if (cued[i].ms < from)
            cued[n++] = cued[i];
    n_cued = n;
}

double sound_take_back(struct sound *s, double ms)
{
    (void)s;
    double from = ceil(ms / 10) * 10 + 0.03;
    while (n_sent > 0 && sent[n_sent - 1].ms >= from)
        n_sent--;
    while (n_clicked > 0 && clicked[n_clicked - 1].ms >= from)
        n_clicked--;
    take_back_cues(from);
    return from;
}

void sound_send(struct sound *s, const struct message *m)
{
    (void)s;
    (void)m;
}

/* What was due is heard; the rest is not. */
void sound_forget(struct sound *s)
{
    (void)s;
    while (n_sent > 0 && sent[n_sent - 1].ms > clock_now)
        n_sent--;
    while (n_clicked > 0 && clicked[n_clicked - 1].ms > clock_now)
        n_clicked--;
    take_back_cues(clock_now);
}

void sound_release(struct sound *s)
{
    (void)s;
}

void sound_silence(struct sound *s)
{
    (void)s;
}

#endif
