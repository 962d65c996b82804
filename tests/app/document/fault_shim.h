/* Surroundings that fail when they are told to, and that write down what they were asked:
 * the program's own calls of the system come here, since in copies of its objects they have the
 * wrappers' names (the Makefile lists which), in every flavour, sanitizers included. SQLite's VFS
 * makes its calls here, too (fault_vfs_install). What other libraries call is theirs.
 *
 * All threads' calls count and fail; those of a thread that has said fault_spare do
 * neither. */
#ifndef TESTS_APP_FAULT_SHIM_H
#define TESTS_APP_FAULT_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_kind {
    FAULT_WRITE, /* write, pwrite */
    FAULT_SYNC,  /* fsync, fdatasync */
    FAULT_RENAME,
    FAULT_OPEN, /* open, fopen */
    FAULT_MAP,
    FAULT_TRUNCATE,
    FAULT_CLOSE, /* the descriptor is closed all the same, as Linux does */
    FAULT_MEMORY,
    FAULT_KINDS,
};

struct fault {
    enum fault_kind kind;
    long at;           /* which call fails, from 0 */
    void *caller;      /* of FAULT_MEMORY: counted are those from there; NULL: all */
    int error;         /* errno; 0: a write of half of what was asked, without any */
    bool goes_on;      /* and all after it */
    const char *where; /* only on files whose path has this; NULL: on all */
};

extern const char *const FAULT_NAMES[FAULT_KINDS];

/* And counts from 0; NULL: none fails. Threads may be calling, but not while one fails. */
void fault_arm(const struct fault *f);
bool fault_happened(void);
long fault_count(enum fault_kind kind);
void fault_spare(bool spared); /* this thread, from now on */
/* From now on what SQLite asks of the system and of memory fails, too. Before its first
 * use. */
void fault_vfs_install(void);

/* The places memory was asked for since fault_arm, and how often from each; for a count
 * beforehand. Owned here. */
struct fault_caller {
    void *caller;
    long n;
};
size_t fault_callers(const struct fault_caller **list);

/* -- what was done to the files of a folder -- */

enum op_kind {
    OP_CREATE,
    OP_WRITE,
    OP_TRUNCATE,
    OP_SYNC,
    OP_RENAME,
    OP_UNLINK,
    OP_SYNC_FOLDER,
    OP_MARK,
};

/* Plain data. Names are without the folder. */
struct op {
    enum op_kind kind;
    uint64_t inode; /* of CREATE, WRITE, TRUNCATE, SYNC */
    char name[120], to[120];
    uint64_t
        at; /* CREATE: its mode; WRITE: where; TRUNCATE: to how many; MARK: what it was told */
    size_t n;
    uint8_t *bytes; /* of WRITE; kept until op_record */
};

/* From now on, of files directly in `folder` (no slash at its end). */
void op_record(const char *folder);
void op_mark(uint64_t what);
size_t op_stop(const struct op **list);

#endif
