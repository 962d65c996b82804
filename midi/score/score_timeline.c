/* Collects the tempo, meter and bank events of all chunks. */
#include "midi/base/array.h"
#include "midi/score/chunk.h"

#include <stdlib.h>

struct gathered {
    struct tempo *tempos;
    struct meter *meters;
    size_t n_tempos, cap_tempos, n_meters, cap_meters;
};

static bool add_tempo(struct gathered *g, struct tempo t)
{
    return array_add(&g->tempos, &g->n_tempos, &g->cap_tempos, &t, sizeof t);
}

/* SMPTE ticks are fractions of a second; tempo events do not matter. One tempo
 * corrects the rounding of ticks_per_quarter. 29 means 29.97. */
static struct tempo smpte_tempo(const struct score *s)
{
    int frames = -(int8_t)(s->division >> 8);
    double fps = frames == 29 ? 30000.0 / 1001.0 : frames;
    int per_frame = s->division & 0xFF ? s->division & 0xFF : 1;
    return (struct tempo){
        .us_per_quarter = 1e6 * s->ticks_per_quarter / (fps * per_frame),
    };
}

/* false: out of memory. */
static bool gather(struct gathered *g, const struct score *s)
{
    bool ok = true, is_smpte = s->division & SMPTE_BIT;
    if (is_smpte)
        ok = add_tempo(g, smpte_tempo(s));
    for (size_t c = 0; c < s->n_chunks; c++)
        for (size_t i = 0; ok && i < s->chunks[c].n_events; i++) {
            const struct event *e = &s->chunks[c].events[i];
            struct meter m = {.tick = e->tick};
            int us;
            if (!is_smpte && event_tempo_read(e, &us))
                ok =
                    add_tempo(g, (struct tempo){.tick = e->tick, .us_per_quarter = us});
            else if (event_meter_read(e, &m.numerator, &m.denominator))
                ok = array_add(&g->meters, &g->n_meters, &g->cap_meters, &m, sizeof m);
        }
    return ok;
}

static void update_ports(struct score *s)
{
    for (size_t c = 0; c < s->n_chunks; c++) {
        struct chunk *chunk = &s->chunks[c];
        chunk->port = 0;
        for (size_t i = chunk->n_events; i-- > 0;) {
            size_t n;
            const uint8_t *port = event_meta(&chunk->events[i], META_PORT, &n);
            if (port && n)
                chunk->port = *port;
        }
    }
}

/* The first bank of each channel in any chunk counts. */
static void update_banks(struct score *s)
{
    uint8_t banks[SCORE_CHANNELS] = {0};
    for (size_t c = s->n_chunks; c-- > 0;)
        for (size_t i = s->chunks[c].n_events; i-- > 0;) {
            const struct event *e = &s->chunks[c].events[i];
            if (e->n_data == 3 && e->data[0] >> 4 == 0xb && e->data[1] == CC_BANK)
                banks[chunk_channel(&s->chunks[c], e->data[0])] = e->data[2];
        }
    for (size_t t = 0; t < s->n_tracks; t++) {
        uint8_t bank = banks[score_channel(s, (int)t)];
        s->tracks[t].has_kit_bank = bank == BANK_KITS || bank == BANK_KITS_XG;
    }
}

enum midi_status score_update_timeline(struct score *s)
{
    struct gathered g = {0};
    struct timeline fresh;
    enum midi_status st = gather(&g, s)
                              ? timeline_init(&fresh, s->ticks_per_quarter, g.tempos,
                                              g.n_tempos, g.meters, g.n_meters)
                              : MIDI_NO_MEMORY;
    free(g.tempos);
    free(g.meters);
    if (st)
        return st;
    timeline_fini(&s->timeline);
    s->timeline = fresh;
    update_ports(s);
    update_banks(s);
    return MIDI_OK;
}
