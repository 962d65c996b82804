/* Whole files on disk.
 *
 * A file is replaced whole or not at all: the new bytes go to a draft, which is a file
 * in the same folder; the draft is synced and then renamed over the old file. All
 * functions block, and any thread may call them. On failure errno says why, and the old
 * file is unchanged. */
#ifndef MIDI_FILE_H
#define MIDI_FILE_H

#include "midi/base/midi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

enum { FILE_MAX_BYTES = 256 << 20 }; /* of a file of music */

/* Reads a regular file. MIDI_TOO_BIG: it has more than `most` bytes; none are read.
 * *bytes is malloc'd; the caller frees it. */
enum midi_status file_read(const char *path, size_t most, uint8_t **bytes, size_t *n);
/* Replaces the file that `path` leads to, or creates it. If `source` is not NULL,
 * nobody may open the new file whom the file `source` keeps out. */
enum midi_status file_write(const char *path, const char *source, const void *bytes,
                            size_t n);

/* A draft, for files that are written in pieces: open it, write to `fd`, then commit or
 * discard it. */
struct file_draft {
    int fd;              /* open for reading and writing; the draft closes it */
    char *name, *target; /* paths of the draft and of the file that it will replace */
};

/* Returns the mode for a new file of group `group` that opens it to nobody whom
 * `source` keeps out; `of` is the status of `source`. If the groups differ, the new
 * group gets only what both the old group and all others had. If `source` has an access
 * control list, the mode does not tell who is kept out, so only the owner gets
 * anything. */
mode_t file_mode_within(const char *source, const struct stat *of, gid_t group);
/* Gives an open file the group of `source`, if the system allows it, and the mode that
 * file_mode_within returns. */
bool file_permit_like(int fd, const char *source, const struct stat *of);
/* Sets the umask so that files this process creates from now on open to nobody whom the
 * file `source` keeps out. If there is no such file, the usual umask is restored. Call
 * it from one thread only. */
void file_umask_within(const char *source);

/* Opens a draft for the file that `path` leads to, through symbolic links. The draft
 * gets the permissions of the file that it will replace; a new file gets those of the
 * umask. MIDI_NOT_REGULAR: `path` is a device, a pipe or a folder. MIDI_CANNOT_WRITE:
 * also if the file is write-protected. */
enum midi_status file_draft_open(struct file_draft *d, const char *path);
/* Commit syncs the draft, closes it and renames it over the file; discard removes it.
 * Each draft that was opened needs one of the two. */
enum midi_status file_draft_commit(struct file_draft *d);
void file_draft_discard(struct file_draft *d);
/* Removes the files of all open drafts. For a signal handler that ends the program. */
void file_drafts_remove(void);

/* Creates a file under a new name in the folder of `path`. Returns its descriptor, or
 * -1. *name is malloc'd, and the caller frees it. */
int file_create_beside(const char *path, mode_t mode, char **name);
/* Syncs the folder of `path`, so that a rename in it survives a power cut. Errors are
 * ignored, because not all file systems can do this. */
void file_sync_folder(const char *path);
/* Returns the path at the end of the chain of symbolic links that begins at `path`, or
 * `path` itself if it is not a link. The end need not exist. The result is malloc'd.
 * Returns NULL if the chain cannot be followed; errno says why. */
char *file_resolve(const char *path);

/* Opens a pipe that programs started later do not inherit. `flags` is 0, or O_NONBLOCK
 * for both ends. */
bool file_pipe(int ends[2], int flags);

/* Finds the file of the running program from argv[0], on systems that do not tell it.
 * main calls this before anything else. */
void file_find_program(const char *name);
/* Returns a path by which the running program can be started again, or NULL if it is
 * unknown. */
const char *file_program(void);
/* Writes the path of `name` as seen from the folder of the running program
 * ("../share"). Returns false if the folder is unknown or the path is too long. */
bool file_beside_program(char *path, size_t n_path, const char *name);

#endif
