/* Writing stereo sound to a file, through libsndfile: RIFF WAVE (Microsoft and IBM 1991;
 * float as in the 1994 revision), FLAC (RFC 9639) and Ogg Vorbis (Xiph). Whole or not at
 * all. Any one thread. */
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
    int bits; /* of a sample: 16 or 24; WAV also 32, which is float. Ogg has none */
    int sample_rate; /* Hz */
};

const char *audio_format_name(enum audio_format format); /* "wav" */
/* By such a name, or by how a file's name ends, in any case; a name without a suffix is
 * WAV's. false: it is none of them. */
bool audio_format_find(const char *name, enum audio_format *format);
bool audio_format_of_file(const char *path, enum audio_format *format);
/* Whether there is such a kind of file. */
bool audio_spec_is_possible(const struct audio_spec *spec);
/* As many frames as every reader takes: a WAV file stays below 2^31 bytes. */
size_t audio_max_frames(const struct audio_spec *spec);

struct audio_file;

/* Writes beside `path`; nothing is there until audio_file_commit. Fails with errno set. */
enum midi_status audio_file_open(struct audio_file **out, const char *path,
                                 const struct audio_spec *spec);
/* Interleaved stereo; beyond -1..1 it is clipped, but in float. Errors wait until
 * commit. */
void audio_file_write(struct audio_file *f, const float *frames, size_t n_frames);
/* Both free `f`. Commit syncs and renames over `path`. */
enum midi_status audio_file_commit(struct audio_file *f);
void audio_file_abandon(struct audio_file *f); /* NULL is fine */

/* A file without a name in the folder where it is written, to be written and read. NULL:
 * errno says why. */
FILE *audio_file_scratch(const struct audio_file *f);

#endif
