/* Standard MIDI Files (RP-001 v1.0), formats 0, 1 and 2, to and from a score.
 *
 * Files are hostile. What can be read is read, and a report says what was
 * lost; memory stays within a small multiple of the file's size whatever its
 * headers claim. */
#ifndef MIDI_SMF_H
#define MIDI_SMF_H

#include "midi/score/score.h"

/* What reading gave up or repaired, in plain words, at most a handful. */
struct smf_report {
    int n_warnings;        /* also those that did not fit below */
    char warnings[8][120]; /* safe to print: no bytes from the file */
};

/* `bytes` is borrowed. *out is the caller's on MIDI_OK. report may be NULL. */
enum midi_status smf_read(struct score **out, const uint8_t *bytes, size_t n_bytes,
                          struct smf_report *report);
enum midi_status smf_load(struct score **out, const char *path,
                          struct smf_report *report);

/* *bytes is malloc'd and the caller's. Running status is not used. */
enum midi_status smf_write(const struct score *s, uint8_t **bytes, size_t *n_bytes);

/* Writes beside the target, syncs, renames over it, and keeps the permissions
 * the target had. On any failure the old file is whole and errno is set. */
enum midi_status smf_save(const struct score *s, const char *path);

/* The two halves of loading and saving that are the disk's, of any bytes. *bytes is
 * malloc'd and the caller's on MIDI_OK. */
enum midi_status smf_file_read(const char *path, uint8_t **bytes, size_t *n);
enum midi_status smf_file_write(const char *path, const uint8_t *bytes, size_t n);
/* A new name lasts once the folder it is in is on the disk. Best effort; blocks. */
void smf_file_sync_folder(const char *path);
/* The file that a chain of links leads to, also one that is not there yet; the path itself
 * where it is no link. malloc'd; NULL: errno says why. */
char *smf_file_resolve(const char *path);

#endif
