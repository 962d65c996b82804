/* Measures what was played: reads WAV files back, finds onsets by energy and pitch
 * by phase. All frames are mono, the mean of both sides. */
#ifndef TESTS_MIDI_LISTEN_H
#define TESTS_MIDI_LISTEN_H

#include "tests/auto.h"

#include <math.h>
#include <sndfile.h>
#include <stdbool.h>

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

/* 16-bit stereo only, else false. The caller frees r->x. */
static inline bool listen_load(struct recording *r, const char *path)
{
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    bool is_read = file && info.channels == 2 && info.frames > 0 &&
                   (info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_PCM_16;
    *r = (struct recording){0};
    if (is_read)
        *r = (struct recording){calloc((size_t)info.frames, 2 * sizeof(float)),
                                (size_t)info.frames, info.samplerate};
    if (r->x)
        r->n = (size_t)sf_readf_float(file, r->x, info.frames);
    for (size_t i = 0; i < r->n; i++)
        r->x[i] = (r->x[2 * i] + r->x[2 * i + 1]) / 2;
    sf_close(file);
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
