/* See cue.h. Each event is sent once, and again when it was taken back. */
#include "midi/transport/cue.h"

#include "midi/transport/transport_line.h"

#include <math.h>

#define LEAST_MS 20.0 /* that a note lasts which came too late to last longer */
#define GAP_MS   0.1  /* the end of a note is before the start of the next */

void cues_add(struct cues *c, const struct cue *cue)
{
    if (c->n < MAX_CUES)
        c->at[c->n++] = (struct cued){.cue = *cue};
}

static void send(const struct transport *t, const struct cued *c, int status, double ms)
{
    struct message m = {.tick = c->cue.start,
                        .status = (uint8_t)(status | (c->cue.channel & 15)),
                        .data1 = c->cue.pitch,
                        .data2 = status == 0x90 ? c->cue.velocity : 64};
    outlet_cue_at(&t->out, ms, &m);
}

static void strike(const struct transport *t, struct cued *c,
                   const struct cue_span *span)
{
    double ms = line_ms_at(t, (double)c->cue.start);
    if (c->is_struck || ms > span->until_ms || c->cue.start >= span->before)
        return;
    c->is_struck = true;
    c->is_ended = line_ms_at(t, (double)c->cue.end) <= span->now_ms; /* never heard */
    c->on_ms = c->off_ms = fmax(ms, span->now_ms);
    if (!c->is_ended)
        send(t, c, 0x90, c->on_ms);
}

static void end(const struct transport *t, struct cued *c, const struct cue_span *span)
{
    double ms = fmax(line_ms_at(t, (double)c->cue.end) - GAP_MS, c->on_ms + LEAST_MS);
    bool is_due = ms <= span->until_ms && c->cue.end < span->before;
    if (!c->is_struck || c->is_ended || !is_due)
        return;
    c->is_ended = true;
    c->off_ms = fmax(ms, span->now_ms);
    send(t, c, 0x80, c->off_ms);
}

static bool is_over(const struct cued *c, double now_ms)
{
    return c->is_struck && c->is_ended && c->off_ms <= now_ms;
}

void cues_send(struct transport *t, const struct cue_span *span)
{
    struct cues *c = &t->cues;
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        strike(t, &c->at[i], span);
        end(t, &c->at[i], span);
        if (!is_over(&c->at[i], span->now_ms))
            c->at[n++] = c->at[i];
    }
    c->n = n;
}

void cues_take_back(struct cues *c, double from_ms)
{
    for (int i = 0; i < c->n; i++) {
        c->at[i].is_struck &= c->at[i].on_ms < from_ms;
        c->at[i].is_ended &= c->at[i].is_struck && c->at[i].off_ms < from_ms;
    }
}

void cues_cut(struct transport *t, double ms)
{
    for (int i = 0; i < t->cues.n; i++)
        if (t->cues.at[i].is_struck && !t->cues.at[i].is_ended)
            send(t, &t->cues.at[i], 0x80, ms);
    t->cues.n = 0;
}

void cues_rewind(struct cues *c)
{
    for (int i = 0; i < c->n; i++)
        c->at[i].is_struck = c->at[i].is_ended = false;
}
