/* Measures what was played: reads WAV files back, finds onsets by energy and pitch
 * by phase. All frames are mono, the mean of both sides. */
#ifndef TESTS_MIDI_LISTEN_H
#define TESTS_MIDI_LISTEN_H

#include "tests/auto.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct recording {
    float *x;
    size_t n;
    double rate;
};

static inline void recording_free(struct recording *r)
{
    free(r->x);
}

#define auto_recording __attribute__((cleanup(recording_free))) struct recording

static inline unsigned listen_u32(const uint8_t *at)
{
    return at[0] | (unsigned)at[1] << 8 | (unsigned)at[2] << 16 | (unsigned)at[3] << 24;
}

/* The chunk `id` of a RIFF file; *size is cut to the file. */
static inline const uint8_t *listen_chunk(const uint8_t *file, size_t n, const char *id,
                                          size_t *size)
{
    for (size_t at = 12; at + 8 <= n; at += 8 + *size + *size % 2) {
        *size = listen_u32(file + at + 4);
        if (*size > n - at - 8)
            *size = n - at - 8;
        if (!memcmp(file + at, id, 4))
            return file + at + 8;
    }
    return NULL;
}

/* Reads the whole file, *n bytes, which the caller frees; NULL: cannot be read. */
static inline uint8_t *listen_read(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        return NULL;
    size_t size = (size_t)ftell(f);
    uint8_t *file = malloc(size + 1);
    rewind(f);
    *n = file ? fread(file, 1, size, f) : 0;
    fclose(f);
    return file;
}

/* 16-bit stereo only, else false. The caller frees r->x. */
static inline bool listen_load(struct recording *r, const char *path)
{
    size_t n = 0, n_fmt = 0, n_data = 0;
    auto_free uint8_t *file = listen_read(path, &n);
    const uint8_t *fmt = n > 12 ? listen_chunk(file, n, "fmt ", &n_fmt) : NULL;
    const uint8_t *data = n > 12 ? listen_chunk(file, n, "data", &n_data) : NULL;
    *r = (struct recording){0};
    if (fmt && data && n_fmt >= 16 && fmt[0] == 1 && fmt[2] == 2 && fmt[14] == 16)
        *r = (struct recording){calloc(n_data / 4 + 1, sizeof(float)), n_data / 4,
                                listen_u32(fmt + 4)};
    for (size_t i = 0; r->x && i < r->n; i++) {
        int16_t left = (int16_t)(data[4 * i] | data[4 * i + 1] << 8);
        int16_t right = (int16_t)(data[4 * i + 2] | data[4 * i + 3] << 8);
        r->x[i] = ((float)left + (float)right) / 65536;
    }
    return r->x;
}

static inline double listen_energy(const struct recording *r, double from, double to)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = (size_t)(from * r->rate); i < r->n && (double)i < to * r->rate;
         i++) {
        sum += (double)r->x[i] * r->x[i];
        n++;
    }
    return n ? sum / (double)n : 0;
}

/* Onsets of separate notes, in seconds: where half a millisecond has more than a
 * hundredth of the greatest energy, after 60 ms with far less. */
static inline int listen_onsets(const struct recording *r, double *seconds, int most)
{
    const double step = 0.0005;
    double loudest = 0;
    int n = 0, quiet_steps = 120, n_steps = (int)((double)r->n / r->rate / step);
    for (int i = 0; i < n_steps; i++)
        loudest = fmax(loudest, listen_energy(r, i * step, (i + 1) * step));
    for (int i = 0; i < n_steps; i++) {
        bool is_loud = listen_energy(r, i * step, (i + 1) * step) > loudest * 1e-2;
        if (is_loud && quiet_steps >= 120 && n < most)
            seconds[n++] = i * step;
        quiet_steps = is_loud ? 0 : quiet_steps + 1;
    }
    return n;
}

/* Phase of the partial at `hz` in a Hann window of n frames from `start`. */
static inline double listen_phase(const struct recording *r, size_t start, size_t n,
                                  double hz)
{
    const double pi = acos(-1);
    double re = 0, im = 0;
    for (size_t i = 0; i < n && start + i < r->n; i++) {
        double window = 0.5 - 0.5 * cos(2 * pi * (double)i / (double)n);
        double angle = 2 * pi * hz * (double)(start + i) / r->rate;
        re += window * r->x[start + i] * cos(angle);
        im -= window * r->x[start + i] * sin(angle);
    }
    return atan2(im, re);
}

/* The distance of the note in [from, to) from `key`, in cents, from the drift of the
 * phase between two windows. Another key gives a wrong number, but hardly a small
 * one: see listen_key. */
static inline double listen_cents(const struct recording *r, int key, double from,
                                  double to)
{
    const double pi = acos(-1), hz = 440 * pow(2, (key - 69) / 12.0);
    size_t start = (size_t)(from * r->rate), n = (size_t)((to - from) * r->rate / 2);
    double drift = listen_phase(r, start + n, n, hz) - listen_phase(r, start, n, hz);
    drift = remainder(drift, 2 * pi);
    return 1200 * log2(1 + drift / (2 * pi) / ((double)n / r->rate) / hz);
}

/* The key whose fundamental is strongest, among `low`..`high`. */
static inline int listen_key(const struct recording *r, int low, int high, double from,
                             double to)
{
    int best = low;
    double most = -1;
    const double pi = acos(-1);
    for (int key = low; key <= high; key++) {
        double hz = 440 * pow(2, (key - 69) / 12.0), re = 0, im = 0;
        for (size_t i = (size_t)(from * r->rate); i < r->n && (double)i < to * r->rate;
             i++) {
            double angle = 2 * pi * hz * (double)i / r->rate;
            re += r->x[i] * cos(angle);
            im += r->x[i] * sin(angle);
        }
        if (re * re + im * im > most) {
            most = re * re + im * im;
            best = key;
        }
    }
    return best;
}

#endif
