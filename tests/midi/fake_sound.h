/* Replaces midi/sound/sound.c by a sound whose clock the test sets, and which keeps
 * what it is sent. */
#ifndef TESTS_MIDI_FAKE_SOUND_H
#define TESTS_MIDI_FAKE_SOUND_H

#include "tests/check.h"
#include "midi/sound/sound.h"

enum { MOST_SENT = 20000, MOST_CLICKS = 2000 };

static double clock_now;
static struct said {
    double ms;
    struct message m;
} sent[MOST_SENT], clicked[MOST_CLICKS], scheduled[MOST_CLICKS];
static int n_sent, n_clicked, n_scheduled;

double sound_now(const struct sound *s)
{
    return clock_now;
}

/* At the end of a list; what is sent is in time. */
static void keep_said(struct said *list, int *n, int most, double ms,
                      const struct message *m)
{
    assert_true(*n < most && ms > clock_now - 1e-6);
    list[(*n)++] = (struct said){ms, *m};
}

void sound_send_at(struct sound *s, double ms, const struct message *m)
{
    assert_true(n_sent == 0 || ms >= sent[n_sent - 1].ms - 1e-6);
    keep_said(sent, &n_sent, MOST_SENT, ms, m);
}

void sound_click_at(struct sound *s, double ms, const struct message *m)
{
    keep_said(clicked, &n_clicked, MOST_CLICKS, ms, m);
}

/* In the order of calls. */
void sound_scheduled_at(struct sound *s, double ms, const struct message *m)
{
    keep_said(scheduled, &n_scheduled, MOST_CLICKS, ms, m);
}

/* Keeps the earlier ones. */
static void take_back(double from)
{
    int n = 0;
    while (n_sent > 0 && sent[n_sent - 1].ms >= from)
        n_sent--;
    while (n_clicked > 0 && clicked[n_clicked - 1].ms >= from)
        n_clicked--;
    for (int i = 0; i < n_scheduled; i++)
        if (scheduled[i].ms < from)
            scheduled[n++] = scheduled[i];
    n_scheduled = n;
}

double sound_take_back(struct sound *s, double ms)
{
    double from = ceil(ms / 10) * 10 + 0.03;
    take_back(from);
    return from;
}

void sound_send(struct sound *s, const struct message *m)
{
}

/* Keeps what was due; drops the rest. */
void sound_stop(struct sound *s)
{
    take_back(nextafter(clock_now, INFINITY));
}

void sound_silence(struct sound *s)
{
}

#endif
