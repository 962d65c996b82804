/* Each event is sent once, and once more if it was taken back. */
#include "midi/transport/scheduled_note.h"

#include "midi/transport/transport_parts.h"

#include <math.h>

#define LEAST_MS 20.0 /* least length of a late note */
#define GAP_MS   0.1  /* between a note's end and the next start */

static void send(const struct transport *t, const struct scheduled_entry *c, int status,
                 double ms)
{
    struct message m = {.tick = c->note.start,
                        .status = (uint8_t)(status | (c->note.channel & 15)),
                        .data1 = c->note.pitch,
                        .data2 = status == 0x90 ? c->note.velocity : 64};
    send_at(t, ms, &m, true);
}

static void strike(const struct transport *t, struct scheduled_entry *c, double now_ms,
                   double at_ms)
{
    c->is_struck = true;
    c->is_ended = line_ms_at(t, (double)c->note.end) <= now_ms; /* never heard */
    c->on_ms = c->off_ms = fmax(at_ms, now_ms);
    if (!c->is_ended)
        send(t, c, 0x90, c->on_ms);
}

void scheduled_send(struct transport *t, double now_ms, double until_ms, int64_t before)
{
    int n = 0;
    for (int i = 0; i < t->scheduled.n; i++) {
        struct scheduled_entry *c = &t->scheduled.at[i];
        double on = line_ms_at(t, (double)c->note.start);
        if (!c->is_struck && on <= until_ms && c->note.start < before)
            strike(t, c, now_ms, on);
        double off =
            fmax(line_ms_at(t, (double)c->note.end) - GAP_MS, c->on_ms + LEAST_MS);
        if (c->is_struck && !c->is_ended && off <= until_ms && c->note.end < before) {
            c->is_ended = true;
            c->off_ms = fmax(off, now_ms);
            send(t, c, 0x80, c->off_ms);
        }
        if (!c->is_ended || c->off_ms > now_ms)
            t->scheduled.at[n++] = *c;
    }
    t->scheduled.n = n;
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
