/* Rendering a score to a WAV file, faster than real time and the same bytes
 * every time: FluidSynth is asked for its blocks of 64 frames one by one, and
 * every event is sent before the block nearest to it, so onsets are within a
 * millisecond. Any one thread; blocks until done.
 *
 * What is rendered is the score from its first tick to its last note's end, and the
 * tail. The level is set so that it never clips. */
#ifndef MIDI_RENDER_H
#define MIDI_RENDER_H

#include "midi/score.h"

struct render_options {
    const char *soundfont; /* path, required */
    int sample_rate;       /* 8000..96000 Hz; 0 and others: 44100 */
    double gain;           /* FluidSynth's, lowered where it would clip; 0: the
                            * loudest sample comes to -1 dB of full scale */
    double tail_seconds;   /* after the last note's end; 0: 2 s */
    bool dry;              /* no reverb and chorus */
};

/* Interleaved stereo, 16-bit. On failure nothing is left at path, or what was
 * there. MIDI_NO_SOUND: no soundfont, or none FluidSynth reads. MIDI_TOO_LONG:
 * more than a WAV file holds, about three hours. */
enum midi_status render_wav(const struct score *s, const char *path,
                            const struct render_options *options);
/* The same into memory: *frames is malloc'd, n_frames stereo pairs. */
enum midi_status render_samples(const struct score *s,
                                const struct render_options *options, float **frames,
                                size_t *n_frames);

#endif
