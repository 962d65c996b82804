/* Collects the tempo, meter, port and bank events of all chunks. */
#include "midi/base/array.h"
#include "midi/score/chunk.h"
#include "midi/score/general_midi.h"

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

/* In SMPTE time a tick is a fraction of a second, and tempo events do not matter. One
 * tempo corrects the rounding of ticks_per_quarter. A rate of 29 means 29.97. */
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

/* Returns the channel whose mode a system exclusive message sets, or -1 for another
 * event. GS: "use for rhythm part" (F0 41 dd 42 12 40 1p 15 mm), with parts in the
 * order of channels 10, 1 to 9, 11 to 16. XG: "part mode" (F0 43 1d 4C 08 pp 07 mm). */
static int part_mode_read(const struct event *e, enum part_mode *mode)
{
    if (e->n_data < 10 || e->data[0] != 0xF0 || e->data[1] > 127)
        return -1;
    const uint8_t *d = e->data + 2; /* after F0 and the length */
    const size_t n = e->n_data - 2;
    const uint8_t *gs = d + (d[5] == 0x40); /* some write the address's 40 twice */
    if (n >= 9 && d[0] == 0x41 && d[2] == 0x42 && d[3] == 0x12 && d[4] == 0x40 &&
        gs[5] >> 4 == 1 && gs[6] == 0x15) {
        const int part = gs[5] & 15;
        *mode = gs[7] ? PART_DRUMS : PART_MELODY;
        return part == 0 ? GM_DRUM_CHANNEL : part <= GM_DRUM_CHANNEL ? part - 1 : part;
    }
    if (d[0] == 0x43 && d[1] >> 4 == 1 && d[2] == 0x4C && d[3] == 0x08 && d[4] < 16 &&
        d[5] == 0x07) {
        *mode = d[6] ? PART_DRUMS : PART_MELODY;
        return d[4];
    }
    return -1;
}

/* For each channel the first bank and the first mode count. So goes backwards, and the
 * first is stored last. */
static void update_banks(struct score *s)
{
    uint8_t banks[SCORE_CHANNELS] = {0};
    enum part_mode modes[SCORE_CHANNELS] = {PART_BY_CHANNEL};
    for (size_t c = s->n_chunks; c-- > 0;)
        for (size_t i = s->chunks[c].n_events; i-- > 0;) {
            const struct event *e = &s->chunks[c].events[i];
            enum part_mode mode;
            const int part = part_mode_read(e, &mode);
            if (part >= 0)
                modes[chunk_channel(&s->chunks[c], part)] = mode;
            if (e->n_data == 3 && e->data[0] >> 4 == 0xb && e->data[1] == CC_BANK)
                banks[chunk_channel(&s->chunks[c], e->data[0])] = e->data[2];
        }
    for (size_t t = 0; t < s->n_tracks; t++) {
        uint8_t bank = banks[score_channel(s, (int)t)];
        const bool is_kit = bank == BANK_KITS || bank == BANK_KITS_XG;
        s->tracks[t].mode = modes[score_channel(s, (int)t)] != PART_BY_CHANNEL
                                ? modes[score_channel(s, (int)t)]
                            : is_kit ? PART_DRUMS
                                     : PART_BY_CHANNEL;
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
