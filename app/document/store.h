/* A store: one SQLite database in which continuo keeps a piece (app/document/store.sql has
 * its tables). These functions open it safely and check whether it is still there.
 *
 * The file is not trusted. It must be a complete regular file of this user with one name,
 * of a bounded size, with exactly our tables and nothing else; triggers and views never
 * run. Any other store is refused with a reason.
 *
 * The store of a piece is FILE.mid.continuo, or a file in the state folder. One program at a time
 * has it: the file is locked when the piece is opened, and empty until something is written. On Linux
 * the file itself is locked; on other systems a file in the state folder is, which keeps out only
 * programs with the same state folder. The state folder's own store has no piece. Programs share it.
 *
 * One thread at a time. Functions that open or write block for the disk. */
#ifndef APP_STORE_H
#define APP_STORE_H

#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <cjson/cJSON.h>

enum {
    STORE_APPLICATION = 0x434e544f, /* "CNTO" */
    STORE_NEWEST = 1000,            /* no version is later */
};
#define STORE_MAX_BYTES ((off_t)1 << 30)

struct store {
    char *path;
    sqlite3 *db; /* NULL: the database is not open; the file may be empty */
    int lock;    /* descriptor of the file, which holds the lock; -1: none */
    /* Path and descriptor of the file in the state folder that is locked instead, where the store
     * itself cannot be. */
    char *guard;
    int guard_lock;
    bool is_state;     /* this is the state folder's own store, which has no lock */
    bool is_elsewhere; /* this store of a piece is in the state folder */
    dev_t device;
    ino_t inode;
    off_t n_bytes, n_wal; /* sizes of file and log at the last commit; both only grow */
    sqlite3_file *file,
        *log; /* SQLite's own, for syncing; NULL before the first commit */
};

/* The status of a store: 0 or an errno. These have names. */
enum {
    STORE_OK,
    STORE_EMPTY = ENODATA,     /* nothing is in the store */
    STORE_TAKEN = EWOULDBLOCK, /* another program has the store open */
    STORE_FOREIGN = EEXIST,    /* the file is not ours to open, move or write */
    STORE_DAMAGED =
        EBADMSG, /* the store is damaged, of a later version, or no store of ours */
};
/* Sizes of `why`, a phrase that says why a store was refused, and of the name of a store that was renamed
 * aside. A caller that does not want one gives NULL. */
enum { STORE_WHY_BYTES = 160, STORE_NAME_BYTES = 256 };

/* Returns FILE.mid.continuo, the path of the store beside a piece; links to the piece are followed.
 * malloc'd. NULL: out of memory, or the path cannot be a piece. */
char *store_path_of(const char *midi_path);
/* Returns the path in the state folder of the store of a piece that cannot be stored beside its
 * music. midi_path NULL: a new path, for a piece without a name. malloc'd. */
char *store_path_elsewhere(const char *midi_path);
/* The beginning of the names of stores whose pieces have no name. */
#define STORE_UNNAMED "unnamed-"

/* Locks the store at that path, and makes an empty file if there is none. The caller owns *out, of
 * which nothing has been read. Whoever may not read the music may not read the store. If the status is
 * not OK, `why` has a phrase and *out is NULL. */
int store_lock(struct store **out, const char *path, char why[STORE_WHY_BYTES]);
/* Returns whether the store at that path could be locked now: OK, TAKEN or another status. Takes the
 * path, malloc'd; NULL: ENOMEM. */
int store_try(char *path);
/* Locks an empty store for a piece (NULL: one without a name), beside its music or in the state
 * folder. An older store is renamed aside. NULL: errno is the status. */
struct store *store_begin(const char *midi_path, bool elsewhere);
/* Gives the store of a piece and its log the mode and the group that the music has now. */
void store_follow_music(const struct store *s);
/* Returns the state folder's store, not opened yet. NULL: no folder, or out of memory. */
struct store *store_of_state(void);

/* Opens the database, compares its tables with ours, and brings older tables up to date. EMPTY:
 * nothing was ever written. creates: the tables of an empty store are made. Rows are not trusted. */
int store_open(struct store *s, bool creates, char why[STORE_WHY_BYTES]);
/* Reads all pages. SQLITE_CORRUPT: some are damaged. */
int store_check(struct store *s);
/* Opens a copy of a piece's store as it is now, for reading only. Another program may have the store
 * open. If the status is not OK, *out is NULL. */
int store_open_copy(struct store **out, const char *path, char why[STORE_WHY_BYTES]);

/* Opens the state folder's store for reading, or a copy while another program writes to it. A damaged
 * store is renamed aside. NULL: `why` has a phrase, or is unchanged if there is no store. */
struct store *store_open_state(char why[STORE_WHY_BYTES]);

/* Closes a store and releases its lock; NULL is fine. discard: deletes the store of a piece. Always
 * deletes an empty store. If the store is not there any more (store_is_there), writes nothing and deletes
 * the remaining files. A file that has replaced the store stays. */
void store_close(struct store *s, bool discard);
/* Renames a closed store and its companion files to the first free name of PATH.1, PATH.2, ...; `name`
 * gets the base name. false: errno. */
bool store_put_aside(const char *path, char name[STORE_NAME_BYTES]);
/* Deletes a store that nobody has open, with its companion files. */
void store_remove_files(const char *path);

/* Returns whether the file still has its name and all that was written. */
bool store_is_there(const struct store *s);
void store_remember_size(struct store *s); /* call after a commit */
/* Syncs the log to the disk. whole: also the file, which has what was written before there was a log.
 * Another thread may write to the store meanwhile. Returns an errno, or 0. */
int store_sync(struct store *s, bool whole);

/* Runs the statements of `sql`, each with the n bytes as ?1. Returns SQLite's code. */
int store_run(struct store *s, const char *sql, const void *bytes, size_t n);
/* The same. Takes the text, which sqlite3_mprintf has made; NULL: SQLITE_NOMEM. */
int store_do(struct store *s, char *sql, const void *bytes, size_t n);
int store_exec(struct store *s, const char *sql); /* the same without bytes */
/* Steps to the next row of *st; if that is NULL, prepares it from `sql`. Returns SQLITE_ROW. After the
 * last row returns SQLITE_DONE, on failure an error; then *st is finalised and NULL. A caller that stops
 * earlier finalises it. */
int store_next(sqlite3 *db, sqlite3_stmt **st, const char *sql);
/* Reads the first number that `sql` selects; false: there is none, or an error. */
bool store_number(sqlite3 *db, const char *sql, int64_t *number);
/* Converts SQLite's code to a status. */
int store_errno(const struct store *s, int code);

/* Returns whether a file may be a store of this user. EMPTY: there is no such file. */
int store_judge(const char *path, char why[STORE_WHY_BYTES]);
/* Copies the phrase to `why` (NULL: strerror's) and returns the status. */
int store_refuse(char why[STORE_WHY_BYTES], int status, const char *what);

/* Returns the path in the state folder that stands for that path of a store beside its music. NULL:
 * for a piece without a name that was begun then, in milliseconds since 1970. malloc'd. */
char *store_path_in_state(const char *beside, int64_t begun_ms);

/* The texts of app/document/store.sql and store_versions.sql. */
extern const char STORE_SQL[], STORE_VERSIONS[];
/* Runs the sections of `sql` that follow the database's version, up to version `last` (STORE_NEWEST:
 * all), all or none. Returns SQLite's code. */
int store_migrate(sqlite3 *db, const char *sql, int last);

/* Describes what is in a store, for continuo info. The caller owns the object. NULL: `why` has a
 * phrase. */
cJSON *describe_store(const char *path, char *why, size_t n_why);
void describe_store_print(const cJSON *store); /* as text, on standard output */

#endif
