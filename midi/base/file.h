/* Files on disk, of any bytes. A file is replaced whole or not at all: the new bytes go
 * to a draft, a file beside it, which is synced and renamed over it. All functions block
 * and may be called on any thread. On failure errno says why, and the old file is as it
 * was. */
#ifndef MIDI_FILE_H
#define MIDI_FILE_H

#include "midi/base/midi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Reads a regular file of at most 256 MB; *bytes is malloc'd. */
enum midi_status file_read(const char *path, uint8_t **bytes, size_t *n);
/* Replaces the file that `path` leads to, or creates it. The file is then open to nobody
 * whom the file `source` (NULL: none) keeps out. */
enum midi_status file_write(const char *path, const char *source, const void *bytes,
                            size_t n);

/* The same in steps, for files written in pieces. */
struct file_draft {
    int fd;              /* for reading and writing; the draft closes it */
    char *name, *target; /* the draft's path, and that of the file to replace */
};

/* The mode of a file of that group that is open to nobody whom `source` keeps out, whose
 * status is `of`. Where the group differs it grants only what both the group and all others
 * have; beside an access control list, which a mode does not tell, only what the owner has. */
mode_t file_mode_within(const char *source, const struct stat *of, gid_t group);
/* Gives an open file the group of `source`, if that is allowed, and that mode. */
bool file_permit_like(int fd, const char *source, const struct stat *of);
/* Files that this process creates from now on, until it is called for another source, are
 * open to nobody whom that file, if there is one, keeps out. One thread. */
void file_umask_within(const char *source);

/* Follows symbolic links. The draft has the permissions of the file it replaces; those of
 * a new file follow the umask. MIDI_NOT_REGULAR: `path` is a device, a pipe or a folder.
 * MIDI_CANNOT_WRITE also for a file that is write-protected. */
enum midi_status file_draft_open(struct file_draft *d, const char *path);
/* Syncs, closes and renames. Every draft that was opened ends with one of these two. */
enum midi_status file_draft_commit(struct file_draft *d);
void file_draft_discard(struct file_draft *d);
/* Removes the files of all drafts, for a signal's handler that then ends the program. */
void file_drafts_remove(void);

/* Creates a file with a new name in the folder of `path`. Returns its descriptor, -1 on
 * failure; *name is malloc'd and the caller's. */
int file_create_beside(const char *path, mode_t mode, char **name);
/* Makes a rename in the folder of `path` last through a power cut, as far as possible. */
void file_sync_folder(const char *path);
/* Returns the path that a chain of symbolic links leads to, which need not exist; `path`
 * itself if it is no link. malloc'd; NULL: errno says why. */
char *file_resolve(const char *path);

/* A pipe whose ends are not passed to programs that are started. flags: 0, or O_NONBLOCK for
 * both ends. */
bool file_pipe(int ends[2], int flags);

/* Finds the running program by the name it was called by, argv[0], where the system does not
 * tell. main calls it before anything else. */
void file_find_program(const char *name);
/* A path by which the running program can be started again; NULL: unknown. */
const char *file_program(void);
/* The path of the running program's folder and, after it, `name`: "../share". false: the
 * folder is unknown, or the path too long. */
bool file_beside_program(char *path, size_t n_path, const char *name);

#endif
