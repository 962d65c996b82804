/* Standard MIDI Files (RP-001 v1.0), formats 0, 1 and 2, read into a score and written
 * from one.
 *
 * Files are not trusted. What can be read is read, and a report says what was lost.
 * Memory stays within a small multiple of the file's size, whatever its headers
 * claim. */
#ifndef MIDI_SMF_H
#define MIDI_SMF_H

#include "midi/score/score.h"

/* What reading dropped or repaired, in plain words. */
struct smf_report {
    int n_warnings;        /* counts also those without room in warnings[] */
    char warnings[8][120]; /* safe to print: no bytes of the file; the worst first */
    bool is_partial;       /* bytes were dropped, so saving over the file loses them */
};

/* `bytes` is borrowed. On MIDI_OK *out is the caller's. `report` may be NULL. */
enum midi_status smf_read(struct score **out, const uint8_t *bytes, size_t n_bytes,
                          struct smf_report *report);
enum midi_status smf_load(struct score **out, const char *path,
                          struct smf_report *report);

/* *bytes is malloc'd and the caller's. Running status is not used. */
enum midi_status smf_write(const struct score *s, uint8_t **bytes, size_t *n_bytes);

/* Replaces the file whole, or leaves it as it was (midi/base/file.h). */
enum midi_status smf_save(const struct score *s, const char *path);

#endif
