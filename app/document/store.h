/* A store: one SQLite database in which continuo keeps a piece (app/document/store.sql has
 * its tables). These functions open it safely and check whether it is still there.
 *
 * The file is not trusted. It must be a complete regular file of this user with one name,
 * of a bounded size, with exactly our tables and nothing else; triggers and views never
 * run. Any other store is refused with a reason.
 *
 * The store of a piece is FILE.mid.continuo, or a file in the state folder. It is held by one
 * program at a time, by a lock from the moment the piece is opened, before anything is written.
 * Until then the file is empty. On Linux the lock is on the file; on other systems it is in the
 * state folder, and keeps out only programs that have the same one. The state folder's own store
 * has no piece, and programs share it.
 *
 * One thread at a time; what opens or writes blocks for the disk. */
#ifndef APP_STORE_H
#define APP_STORE_H

#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <cjson/cJSON.h>

enum { STORE_APPLICATION = 0x434e544f /* "CNTO" */ };
#define STORE_MAX_BYTES ((off_t)1 << 30)

struct store {
    char *path;
    sqlite3 *db; /* NULL: not opened; nothing may be in it yet */
    int lock;    /* descriptor that holds the lock; -1: none */
    /* Where a file of the state folder is locked instead: its path, and its descriptor. */
    char *guard;
    int guard_lock;
    bool is_state;     /* the state folder's own, which has no lock */
    bool is_elsewhere; /* a piece's, but in the state folder */
    dev_t device;
    ino_t inode;
    off_t n_bytes, n_wal;     /* at the last commit: it only grows */
    sqlite3_file *file, *log; /* SQLite's, since the last commit; NULL: none yet */
};

/* What became of a store: 0 or an errno, of which some have a name. */
enum {
    STORE_OK,
    STORE_EMPTY = ENODATA,     /* there is nothing in it */
    STORE_TAKEN = EWOULDBLOCK, /* another program has it open */
    STORE_FOREIGN = EEXIST,    /* that file is not ours to open, move or write */
    STORE_DAMAGED = EBADMSG,   /* or of a later version, or of another program */
};
enum { STORE_WHY_BYTES = 160 };

/* FILE.mid.continuo of that piece, whatever link it was opened by. malloc'd; NULL: out of
 * memory, or the path cannot be a piece. */
char *store_path_of(const char *midi_path);
/* The same in the state folder, for a piece that cannot be kept beside its music. NULL: the path of
 * a piece without a name, which is not there yet. */
char *store_path_elsewhere(const char *midi_path);
/* "unnamed-": what paths of pieces without a name begin with. */
extern const char STORE_UNNAMED[];

/* Locks it; where there is none, an empty one is made. OK: *out is the caller's, it is open
 * to nobody whom the music keeps out, and nothing of it has been read. Else `why` has a
 * phrase. */
int store_lock(struct store **out, const char *path, char why[STORE_WHY_BYTES]);
/* Whether the store at that path could be locked now: OK, TAKEN, or why not. Takes the path. */
int store_try(char *path);
/* Locks an empty one for that piece (NULL: it has no name), beside its music or elsewhere; an older
 * one is renamed aside. NULL: errno; EWOULDBLOCK: another program has it open. */
struct store *store_begin(const char *midi_path, bool elsewhere);
/* Gives a piece's own store, its log too, the mode and the group that its music has now. */
void store_follow_music(const struct store *s);
/* The state folder's, not opened yet. NULL: no folder, or out of memory. */
struct store *store_of_state(void);

/* Opens the database, compares its tables with ours, and brings those of an older version up to
 * date. EMPTY: nothing was ever written; creates: then its tables are made. The rows are not trusted.
 * store_check says whether all pages are whole, which takes as long as reading them;
 * SQLITE_CORRUPT: they are not. */
int store_open(struct store *s, bool creates, char why[STORE_WHY_BYTES]);
int store_check(struct store *s);
/* A copy of a piece's store as it is now, also while another program has it open: for
 * reading only. */
int store_open_copy(struct store **out, const char *path, char why[STORE_WHY_BYTES]);

/* The state folder's, for reading; if another program has locked it, a copy. NULL: there is
 * none yet (*why is empty), or *why says why; a damaged one is renamed aside. */
struct store *store_open_state(char why[STORE_WHY_BYTES]);

/* Closes it and releases the lock; NULL is fine. discard: deletes a piece's store if it is still
 * the opened file, as is one in which nothing is. Writes nothing into a file that is not there any
 * more (store_is_there). */
void store_close(struct store *s, bool discard);
/* Renames it, with its companion files, to the first free of PATH.1, PATH.2, ...; `name`
 * gets the base name. */
bool store_put_aside(const char *path, char *name, size_t n_name);
/* Deletes a store that nobody has open, with its companion files. */
void store_remove_files(const char *path);

/* Whether the file still has that name and all that was written. */
bool store_is_there(const struct store *s);
void store_remember_size(struct store *s); /* after a commit */
/* Syncs the commits to the disk and, if `whole`, also everything written before it had a
 * log. Another thread may write to the store meanwhile. Returns errno, or 0. */
int store_sync(struct store *s, bool whole);

/* Runs the statements of `sql`, each with the n bytes as ?1. SQLITE_OK, or why not. */
int store_run(struct store *s, const char *sql, const void *bytes, size_t n);
/* The same for a text of sqlite3_mprintf, which it takes; NULL: there was no memory for it. */
int store_do(struct store *s, char *sql, const void *bytes, size_t n);
int store_exec(struct store *s, const char *sql); /* without bytes */
/* A code of SQLite as a status. */
int store_errno(const struct store *s, int code);

/* OK; EMPTY: there is no such file; else why it must not be touched. */
int store_judge(const char *path, char why[STORE_WHY_BYTES]);
/* Copies the phrase (NULL: the usual one) and returns the status. */
int store_refuse(char why[STORE_WHY_BYTES], int status, const char *what);

/* The path in the state folder of the store that would be at that path beside music; NULL: of a
 * piece without a name that was begun then, in milliseconds since 1970. malloc'd. */
char *store_path_in_state(const char *beside, int64_t begun_ms);

/* The texts of app/document/store.sql and store_versions.sql. */
extern const char STORE_SQL[], STORE_VERSIONS[];
/* Runs the sections of a text after the database's version. */
int store_migrate(sqlite3 *db, const char *sql);

/* A description of a store, for continuo info: the caller's. NULL: `why` has a phrase. */
cJSON *describe_store(const char *path, char *why, size_t n_why);
void describe_store_print(const cJSON *store); /* as text, on standard output */

#endif
