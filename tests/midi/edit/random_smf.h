/* Random MIDI files as bytes, written without any of midi/: every kind of
 * event, crowded ticks, overlapping and hanging notes. The same events are
 * spelled twice, with running status and without. */
#ifndef TESTS_MIDI_RANDOM_SMF_H
#define TESTS_MIDI_RANDOM_SMF_H

#include "tests/midi/random_piece.h"

enum { RANDOM_SMF_BYTES = 1 << 14 };

struct random_smf {
    uint8_t running[RANDOM_SMF_BYTES], plain[RANDOM_SMF_BYTES];
    size_t n_running, n_plain;
    uint64_t seed;
    uint8_t status; /* the last one spelled */
};

static inline void random_smf_put(struct random_smf *f, uint8_t byte)
{
    f->running[f->n_running++] = byte;
    f->plain[f->n_plain++] = byte;
}

static inline void random_smf_delta(struct random_smf *f)
{
    int kind = random_below(&f->seed, 8);
    if (kind == 0) {
        random_smf_put(f, (uint8_t)(0x81 + random_below(&f->seed, 0x7F)));
        random_smf_put(f, (uint8_t)(0x80 + random_below(&f->seed, 0x80)));
    }
    random_smf_put(f, (uint8_t)(kind < 4 ? 0 : random_below(&f->seed, 128)));
}

static inline void random_smf_message(struct random_smf *f)
{
    static const uint8_t KINDS[] = {0x80, 0x90, 0x90, 0x90, 0xA0,
                                    0xB0, 0xC0, 0xD0, 0xE0};
    uint8_t status = KINDS[random_below(&f->seed, sizeof KINDS)];
    status |= (uint8_t)random_below(&f->seed, 3);
    f->plain[f->n_plain++] = status;
    if (status != f->status || random_below(&f->seed, 4) == 0)
        f->running[f->n_running++] = status;
    f->status = status;
    random_smf_put(f, (uint8_t)(60 + random_below(&f->seed, 4)));
    if (status < 0xC0 || status >= 0xE0)
        random_smf_put(f, (uint8_t)(random_below(&f->seed, 3) * 40));
}

/* Sysex in either form, or a meta of any type but End of Track. */
static inline void random_smf_long_event(struct random_smf *f)
{
    int kind = random_below(&f->seed, 4);
    random_smf_put(f, kind == 0 ? 0xF0 : kind == 1 ? 0xF7 : 0xFF);
    if (kind > 1) {
        int type = random_below(&f->seed, 128);
        random_smf_put(f, (uint8_t)(type == 0x2F ? 0x51 : type));
    }
    int n = random_below(&f->seed, 12);
    random_smf_put(f, (uint8_t)n);
    while (n-- > 0)
        random_smf_put(f, (uint8_t)random_below(&f->seed, 256));
}

static inline void random_smf_length(uint8_t *bytes, size_t from, size_t to)
{
    bytes[from - 2] = (uint8_t)((to - from) >> 8);
    bytes[from - 1] = (uint8_t)(to - from);
}

static inline void random_smf_chunk(struct random_smf *f, const char *type)
{
    for (int i = 0; i < 8; i++)
        random_smf_put(f, (uint8_t)(i < 4 ? type[i] : 0));
}

static inline void random_smf_track(struct random_smf *f)
{
    random_smf_chunk(f, "MTrk");
    size_t running = f->n_running, plain = f->n_plain;
    f->status = 0;
    for (int n = random_below(&f->seed, 200); n > 0; n--) {
        random_smf_delta(f);
        if (random_below(&f->seed, 6))
            random_smf_message(f);
        else
            random_smf_long_event(f);
    }
    random_smf_delta(f);
    for (int i = 0; i < 3; i++)
        random_smf_put(f, (uint8_t[]){0xFF, 0x2F, 0}[i]);
    random_smf_length(f->running, running, f->n_running);
    random_smf_length(f->plain, plain, f->n_plain);
}

static inline void random_smf(struct random_smf *f, uint64_t seed)
{
    *f = (struct random_smf){.seed = seed};
    int n_tracks = 1 + random_below(&f->seed, 4);
    random_smf_chunk(f, "MThd");
    f->running[7] = f->plain[7] = 6;
    const uint8_t head[6] = {0, n_tracks > 1, 0, (uint8_t)n_tracks, 1, 0xE0};
    for (int i = 0; i < 6; i++)
        random_smf_put(f, head[i]);
    while (n_tracks-- > 0)
        random_smf_track(f);
}

#endif
