#include "midi/transport/transport_clicks.h"

#include "midi/transport/transport_line.h"

enum { CLOSE_MS = 40 }; /* clicks that would follow each other faster are left out */

void clicks_send(struct transport *t, int64_t before)
{
    struct click c = click_at(line_timeline(t), t->sent_tick);
    for (; t->clicks && c.tick < before; c = click_at(line_timeline(t), c.tick + 1)) {
        double ms = line_ms_at(t, (double)c.tick);
        struct message m = click_message(c.strength, t->click_volume);
        if (ms - t->clicked_ms < CLOSE_MS)
            continue;
        outlet_click_at(&t->out, ms, &m);
        t->clicked_ms = ms;
    }
}

void clicks_count_in(struct transport *t, double until_ms)
{
    double ms;
    enum click_strength strength;
    while (count_in_next(&t->count_in, until_ms, &ms, &strength)) {
        struct message m = click_message(strength, t->click_volume);
        outlet_click_at(&t->out, ms, &m);
    }
}
