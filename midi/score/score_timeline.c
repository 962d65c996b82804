/* The score's tempo and meter events, gathered from every chunk. */
#include "midi/score/chunk.h"

#include <stdlib.h>

enum { SMPTE_BIT = 0x8000 };

struct gathered {
    struct tempo *tempos;
    size_t n_tempos;
    struct meter *meters;
    size_t n_meters;
};

static bool read_tempo(const struct event *e, struct tempo *out)
{
    size_t n;
    const uint8_t *us = event_meta(e, META_TEMPO, &n);
    if (!us || n < 3)
        return false;
    *out = (struct tempo){
        .tick = e->tick,
        .us_per_quarter = us[0] << 16 | us[1] << 8 | us[2],
    };
    return true;
}

static bool read_meter(const struct event *e, struct meter *out)
{
    size_t n;
    const uint8_t *meter = event_meta(e, META_METER, &n);
    if (!meter || n < 2 || meter[1] > 7)
        return false;
    *out = (struct meter){
        .tick = e->tick,
        .numerator = meter[0],
        .denominator = 1 << meter[1],
    };
    return true;
}

/* Into `g` when it has arrays; else only counts. */
static void gather(struct gathered *g, const struct score *s)
{
    g->n_tempos = g->n_meters = 0;
    for (size_t c = 0; c < s->n_chunks; c++)
        for (size_t i = 0; i < s->chunks[c].n_events; i++) {
            struct tempo tempo;
            struct meter meter;
            if (read_tempo(&s->chunks[c].events[i], &tempo)) {
                if (g->tempos)
                    g->tempos[g->n_tempos] = tempo;
                g->n_tempos++;
            } else if (read_meter(&s->chunks[c].events[i], &meter)) {
                if (g->meters)
                    g->meters[g->n_meters] = meter;
                g->n_meters++;
            }
        }
}

/* SMPTE ticks are fractions of a second whatever the tempo events say. The one
 * tempo makes up for ticks_per_quarter being rounded. 29 means 29.97. */
static struct tempo smpte_tempo(const struct score *s)
{
    int frames = -(int8_t)(s->division >> 8);
    double fps = frames == 29 ? 30000.0 / 1001.0 : frames;
    int per_frame = s->division & 0xFF ? s->division & 0xFF : 1;
    return (struct tempo){
        .us_per_quarter = 1e6 * s->ticks_per_quarter / (fps * per_frame),
    };
}

enum midi_status score_update_timeline(struct score *s)
{
    struct gathered g = {0};
    gather(&g, s);
    g.tempos = calloc(g.n_tempos + 1, sizeof *g.tempos);
    g.meters = calloc(g.n_meters + 1, sizeof *g.meters);

    enum midi_status st = MIDI_NO_MEMORY;
    struct timeline fresh;
    if (g.tempos && g.meters) {
        gather(&g, s);
        if (s->division & SMPTE_BIT) {
            g.tempos[0] = smpte_tempo(s);
            g.n_tempos = 1;
        }
        st = timeline_init(&fresh, s->ticks_per_quarter, g.tempos, g.n_tempos, g.meters,
                           g.n_meters);
    }
    free(g.tempos);
    free(g.meters);
    if (st)
        return st;
    timeline_fini(&s->timeline);
    s->timeline = fresh;
    return MIDI_OK;
}
