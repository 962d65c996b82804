/* Each event is sent once, and again after it was taken back. */
#include "midi/transport/scheduled_note.h"

#include "midi/transport/transport_parts.h"

#include <math.h>

#define LEAST_MS 20.0 /* least length of a late note */
#define GAP_MS   0.1  /* between a note's end and the next start */

void scheduled_add(struct scheduled_notes *c, const struct scheduled_note *note)
{
    if (c->n < MAX_SCHEDULED)
        c->at[c->n++] = (struct scheduled_entry){.note = *note};
}

static void send(const struct transport *t, const struct scheduled_entry *c, int status,
                 double ms)
{
    struct message m = {.tick = c->note.start,
                        .status = (uint8_t)(status | (c->note.channel & 15)),
                        .data1 = c->note.pitch,
                        .data2 = status == 0x90 ? c->note.velocity : 64};
    outlet_scheduled_at(&t->out, ms, &m);
}

static void strike(const struct transport *t, struct scheduled_entry *c,
                   const struct scheduled_span *span)
{
    double ms = line_ms_at(t, (double)c->note.start);
    if (c->is_struck || ms > span->until_ms || c->note.start >= span->before)
        return;
    c->is_struck = true;
    c->is_ended = line_ms_at(t, (double)c->note.end) <= span->now_ms; /* never heard */
    c->on_ms = c->off_ms = fmax(ms, span->now_ms);
    if (!c->is_ended)
        send(t, c, 0x90, c->on_ms);
}

static void end(const struct transport *t, struct scheduled_entry *c,
                const struct scheduled_span *span)
{
    double ms = fmax(line_ms_at(t, (double)c->note.end) - GAP_MS, c->on_ms + LEAST_MS);
    bool is_due = ms <= span->until_ms && c->note.end < span->before;
    if (!c->is_struck || c->is_ended || !is_due)
        return;
    c->is_ended = true;
    c->off_ms = fmax(ms, span->now_ms);
    send(t, c, 0x80, c->off_ms);
}

static bool is_over(const struct scheduled_entry *c, double now_ms)
{
    return c->is_struck && c->is_ended && c->off_ms <= now_ms;
}

void scheduled_send(struct transport *t, const struct scheduled_span *span)
{
    struct scheduled_notes *c = &t->scheduled;
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        strike(t, &c->at[i], span);
        end(t, &c->at[i], span);
        if (!is_over(&c->at[i], span->now_ms))
            c->at[n++] = c->at[i];
    }
    c->n = n;
}

void scheduled_take_back(struct scheduled_notes *c, double from_ms)
{
    for (int i = 0; i < c->n; i++) {
        c->at[i].is_struck &= c->at[i].on_ms < from_ms;
        c->at[i].is_ended &= c->at[i].is_struck && c->at[i].off_ms < from_ms;
    }
}

void scheduled_cut(struct transport *t, double ms)
{
    for (int i = 0; i < t->scheduled.n; i++)
        if (t->scheduled.at[i].is_struck && !t->scheduled.at[i].is_ended)
            send(t, &t->scheduled.at[i], 0x80, ms);
    t->scheduled.n = 0;
}

void scheduled_rewind(struct scheduled_notes *c)
{
    for (int i = 0; i < c->n; i++)
        c->at[i].is_struck = c->at[i].is_ended = false;
}
