/* Writes stereo sound to a file, through libsndfile: RIFF WAVE (Microsoft and IBM 1991;
 * float as in the 1994 revision), FLAC (RFC 9639) and Ogg Vorbis (Xiph). The file is
 * replaced whole, or left as it was. Any one thread. */
#ifndef MIDI_AUDIO_FILE_H
#define MIDI_AUDIO_FILE_H

#include "midi/base/midi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum audio_format { AUDIO_WAV, AUDIO_FLAC, AUDIO_OGG, AUDIO_FORMATS };

enum { AUDIO_LEAST_RATE = 8000, AUDIO_MOST_RATE = 192000 };

struct audio_spec {
    enum audio_format format;
    int bits;        /* of a sample: 16 or 24, WAV also 32 (float); Ogg has none */
    int sample_rate; /* Hz */
};

/* Find a format by its name, such as "wav", or by a file's suffix, in any case. No
 * suffix means WAV. false: unknown. */
bool audio_format_find(const char *name, enum audio_format *format);
bool audio_format_of_file(const char *path, enum audio_format *format);
/* Whether the format can hold samples of these bits at this rate. */
bool audio_spec_is_possible(const struct audio_spec *spec);
/* Returns the most frames that every reader accepts: a WAV file must stay below 2^31
 * bytes. */
size_t audio_max_frames(const struct audio_spec *spec);

struct audio_file;

/* Begins a file; `path` changes only at audio_file_commit. On failure errno is set. */
enum midi_status audio_file_open(struct audio_file **out, const char *path,
                                 const struct audio_spec *spec);
/* Writes interleaved stereo, clipped to -1..1 except in float. An error is reported by
 * commit. */
void audio_file_write(struct audio_file *f, const float *frames, size_t n_frames);
/* Commit replaces the file (midi/base/file.h); abandon leaves it as it was. Both free
 * `f`. */
enum midi_status audio_file_commit(struct audio_file *f);
void audio_file_abandon(struct audio_file *f); /* NULL is fine */

/* Returns a file without a name, in the same folder, for reading and writing. NULL:
 * errno says why. */
FILE *audio_file_scratch(const struct audio_file *f);

#endif
