/* Renders a score to sound, faster than real time and with the same samples every time.
 * FluidSynth is asked for blocks of 64 frames, and each event is sent before the
 * nearest block, so onsets are within a millisecond. Any one thread; blocks until done.
 *
 * Renders from the first tick to the end of the last note, and the tail. The gain is
 * set so that nothing clips, unless it is given. */
#ifndef MIDI_RENDER_H
#define MIDI_RENDER_H

#include "midi/sound/audio_file.h"
#include "midi/score/score.h"

/* The level of a file that was rendered. */
struct render_level {
    double gain_db; /* files of parts rendered with it are in balance */
    double peak_db; /* of full scale; above 0 it clips, except in float */
    bool is_silent; /* then gain_db and peak_db mean nothing */
};

struct render_options {
    const char *soundfont; /* path; required */
    int sample_rate;       /* as audio_file.h allows; 0: 44100 */
    enum audio_format format;
    int bits; /* of a sample; 0: 16 */
    /* If has_gain, the gain is gain_db above the synth's own level. Else it is the
     * gain, in tenths of a decibel, that brings the peak to -1 dB of full scale. */
    bool has_gain;
    double gain_db;
    struct render_level *level; /* filled in at the end; may be NULL */
    double tail_seconds;        /* after the last note's end; 0: 2 s */
    bool dry;                   /* no reverb, no chorus */

    /* Called now and then with the share that is done, 0..1. false stops. May be
     * NULL. */
    bool (*go_on)(void *context, double share);
    void *context;
};

/* On failure the file at `path` is unchanged. MIDI_NO_SOUND: there is no soundfont, or
 * FluidSynth cannot read it. MIDI_TOO_LONG: no file holds as much; a WAV file of 16
 * bits at 44.1 kHz holds about three hours. MIDI_STOPPED: go_on returned false. The
 * samples of an Ogg file are reproducible; its serial number is not. */
enum midi_status render_to_file(const struct score *s, const char *path,
                                const struct render_options *options);

#endif
