/* Writing a 16-bit stereo WAV file: whole or not at all. */
#ifndef MIDI_WAV_H
#define MIDI_WAV_H

#include "midi/midi.h"

#include <stddef.h>

/* As many frames as every reader takes: a file stays below 2^31 bytes. */
#define WAV_MAX_FRAMES ((size_t)536870800)

struct wav;

/* Writes beside `path`; nothing is there until wav_commit. n_frames is what
 * will be written. Fails with errno set. */
enum midi_status wav_open(struct wav **out, const char *path, int sample_rate,
                          size_t n_frames);
/* Interleaved stereo times `scale`; beyond -1..1 it is clipped. Errors wait
 * until commit. */
void wav_write(struct wav *w, const float *frames, size_t n_frames, float scale);
/* Both free `w`. Commit syncs and renames over `path`. */
enum midi_status wav_commit(struct wav *w);
void wav_abandon(struct wav *w); /* NULL is fine */

#endif
