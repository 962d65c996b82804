/* Rendering a score to a WAV file, faster than real time and the same bytes
 * every time: FluidSynth is asked for samples block by block, and every event
 * is sent at its own sample. Any one thread; blocks until done. */
#ifndef MIDI_RENDER_H
#define MIDI_RENDER_H

#include "midi/score.h"

struct render_options {
    const char *soundfont; /* path, required */
    int sample_rate;       /* Hz; 0: 44100 */
    double gain;           /* 0: a sensible default */
    double tail_seconds;   /* after the last event; 0: 2 s */
    bool dry;              /* no reverb and chorus */
};

/* Frames of interleaved stereo, 16-bit WAV. On failure nothing is left at path. */
enum midi_status render_wav(const struct score *s, const char *path,
                            const struct render_options *options);
/* The same into memory: *frames is malloc'd, n_frames stereo pairs. */
enum midi_status render_samples(const struct score *s, const struct render_options *options,
                                float **frames, size_t *n_frames);

#endif
