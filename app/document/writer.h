/* The thread that writes to stores (app/document/store.h), so that the ui thread never
 * waits for the disk. Jobs run in the order they were pushed; all waiting jobs run in one
 * transaction. But the session, which may be large, comes after all other jobs, in a transaction of
 * its own, and is written only as it was pushed last.
 *
 * "Written" in writer_keeps_up means committed: the system has the data, and killing the
 * program loses nothing. A second thread syncs the log about once a second, without holding
 * up the first; a power cut may lose that much. That thread compares the MIDI file, too; a disk
 * that hangs then puts off the sync, but no write. When writing fails, jobs wait in memory until
 * writer_retry. If there is no memory for a job, the store ends with what was written before.
 *
 * All functions are the ui thread's. Those that block say so. */
#ifndef APP_WRITER_H
#define APP_WRITER_H

#include "app/document/store_history.h"

enum job_kind {
    JOB_EDIT, /* or an undo, a save, the music at the start */
    JOB_SESSION,
    JOB_RECORDING,
    JOB_STATE, /* into the state folder, and of no piece */
    JOB_CHECK,
    JOB_KINDS,
};

/* Something to write, made by malloc; its own data follows it. */
struct job {
    struct job *next;
    enum job_kind kind;
    bool is_latest; /* of the jobs of its kind that say so, only the last is needed */
    int64_t pushed_ms;                          /* by the writer; monotonic */
    int (*run)(struct store *s, struct job *j); /* SQLITE_OK, or why not */
    void (*free)(struct job *j); /* frees what it owns; NULL: it owns nothing */
};

/* A job that runs the text as store_do does, with a copy of the bytes. Takes the text. NULL: out of
 * memory. */
struct job *job_do(enum job_kind kind, char *sql, const void *bytes, size_t n);

/* A file at some moment, to notice that another program changes it. Plain data. Each look is one
 * stat. Only if that shows a change, the file is read and its content compared. Any thread; blocks
 * for the disk. */
struct file_seen {
    bool exists;
    uint64_t device, inode;
    int64_t size, seconds, nanoseconds; /* modified */
    struct fingerprint content;
};

enum file_news { FILE_SAME, FILE_CHANGED, FILE_GONE };

/* The file's present state without its content, which the caller fills in. */
struct file_seen file_look(const char *path);
/* When only the rest is other than the content, *seen becomes as it is now. */
enum file_news file_compare(struct file_seen *seen, const char *path);

struct writer;

/* wake_fd (-1: none) is written to when the awaited jobs are done. Starts its threads.
 * NULL: out of memory, or no threads. */
struct writer *writer_create(int wake_fd);
void writer_destroy(struct writer *w); /* blocks; NULL is fine */

/* Takes the store (NULL: none). That of before has been released. */
void writer_begin(struct writer *w, struct store *s);
/* Gives the store back to the caller; NULL: there is none. waits: blocks until all is written and on
 * the disk, but at most for a few seconds. What is not written then is forgotten. */
struct store *writer_release(struct writer *w, bool waits);

/* Takes the job (NULL: there was no memory for it); never blocks. Without a store, jobs of
 * a piece are dropped. */
void writer_push(struct writer *w, struct job *j);
/* Checks whether the store is still there, when there is time; if not, the error is ESTALE. */
void writer_look(struct writer *w);
/* Compares the file with that state, unless it does so already. NULL: drops the comparison
 * that is going on, for the file is another, or we have written it. */
void writer_watch(struct writer *w, const char *path, const struct file_seen *seen);
/* The result of the last comparison, once; FILE_SAME: nothing new. *seen is the state compared
 * with; it is updated. The wake pipe tells of news. */
enum file_news writer_news(struct writer *w, struct file_seen *seen);
/* Whether all pushed jobs are written, or cannot be. If not, the wake pipe tells when to
 * ask again. */
bool writer_keeps_up(struct writer *w);
/* Blocks until then, at most this long. */
bool writer_wait(struct writer *w, int most_ms);
/* Blocks until everything is also on the disk, but at most for a few seconds; a failure is
 * then the writer's error. */
void writer_settle(struct writer *w);

void writer_retry(struct writer *w); /* after an error */

struct writer_status {
    int error;         /* errno: why writing fails; 0: it does not */
    bool is_elsewhere; /* the piece is in the state folder */
    /* What is pushed and not written yet, and for how long the oldest of it has waited; 0: nothing
     * waits, or it cannot be written. */
    size_t n_late[JOB_KINDS];
    int64_t late_ms;
    uint64_t n_jobs, n_syncs; /* since it was made, for measuring */
};
struct writer_status writer_status(struct writer *w);

#endif
