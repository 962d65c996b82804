/* Journals as files: where they are, and whose. A journal that is written to is locked
 * (flock), so that a second program on the same music knows. errno says why what fails
 * does; every call may block for the disk. */
#ifndef APP_JOURNAL_FILE_H
#define APP_JOURNAL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* That of a MIDI file: FILE.mid.continuo-journal, beside the file itself where the path is
 * a link to it: by whatever name it is opened, it is one piece. malloc'd; NULL: out of
 * memory. */
char *journal_file_of(const char *midi_path);
/* The way back: what the name of the piece's file is, or would be of music without one.
 * malloc'd; NULL: out of memory. */
char *journal_file_piece(const char *journal_path);
/* A new one in $XDG_STATE_HOME/continuo, for music without a file. */
char *journal_file_unnamed(void);

/* An existing one, to go on writing; locked. -1: errno is ENOENT when there is none and
 * EWOULDBLOCK when another program has it. */
int journal_file_open(const char *path);
/* By errno: there is none, or what has its name is a folder, a pipe or a link. */
bool journal_file_is_none(int error);
/* A new, empty, locked one. What is there already is put aside, unless it is empty or
 * another program's (EWOULDBLOCK). */
int journal_file_create(const char *path, mode_t mode);

/* All of it from the start, at most JOURNAL_FILE_MAX_BYTES (else EFBIG). */
#define JOURNAL_FILE_MAX_BYTES ((size_t)1 << 30)
bool journal_file_read(int fd, uint8_t **bytes, size_t *n);
bool journal_file_write(int fd, const uint8_t *bytes, size_t n, off_t at);
bool journal_file_copy(int to, int from, size_t n);

/* Under the first free of NAME.1, NAME.2, ..., which goes into `aside` (n_aside bytes). */
bool journal_file_put_aside(const char *path, char *aside, size_t n_aside);

/* The newest journal of music without a file that no program has open: its descriptor,
 * locked, and its path in *path, the caller's. -1: there is none. */
int journal_file_find_unnamed(char **path);

#endif
