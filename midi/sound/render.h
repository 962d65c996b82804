/* Rendering a score to sound, faster than real time and the same samples every time:
 * FluidSynth is asked for its blocks of 64 frames, and every event is sent before the
 * block nearest to it, so onsets are within a millisecond. Any one thread; blocks until
 * done.
 *
 * What is rendered is the score from its first tick to its last note's end, and the
 * tail. The level is set so that it never clips. */
#ifndef MIDI_RENDER_H
#define MIDI_RENDER_H

#include "midi/sound/audio_file.h"
#include "midi/score/score.h"

struct render_options {
    const char *soundfont; /* path, required */
    int sample_rate;       /* as audio_file.h has them; 0 and others: 44100 */
    enum audio_format format;
    int bits;            /* of a file's samples; 0: 16 */
    double gain;         /* FluidSynth's, lowered where it would clip; 0: the
                            * loudest sample comes to -1 dB of full scale */
    double tail_seconds; /* after the last note's end; 0: 2 s */
    bool dry;            /* no reverb and chorus */

    /* Called now and then with the share that is done, 0..1; false: stop. May be NULL. */
    bool (*go_on)(void *context, double share);
    void *context;
};

/* Interleaved stereo. On failure nothing is left at path, or what was there.
 * MIDI_NO_SOUND: no soundfont, or none FluidSynth reads. MIDI_TOO_LONG: more than a file
 * holds, about three hours. MIDI_STOPPED: go_on said so. An Ogg file's samples are the
 * same every time, though its serial number is not. */
enum midi_status render_to_file(const struct score *s, const char *path,
                                const struct render_options *options);
/* The same into memory, at most at 96000 Hz: *frames is malloc'd, n_frames stereo
 * pairs. */
enum midi_status render_samples(const struct score *s,
                                const struct render_options *options, float **frames,
                                size_t *n_frames);

#endif
