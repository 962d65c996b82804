/* The thread that writes to stores (app/document/store.h), so that the ui thread never waits for the
 * disk. All waiting jobs of a piece run in one transaction, in the order in which they were pushed. Then
 * the session is written, in its own transaction, since it may be large; of several waiting sessions
 * only the last is written. An edit that is pushed meanwhile waits for that transaction: 0.15 s for
 * 8 takes of 10,000 notes.
 *
 * "Written" means committed: the system has the data, and killing the program loses nothing. A second
 * thread syncs the log about once a second while the first goes on writing. So a power cut loses about
 * a second. The second thread also compares the MIDI file; if that file's disk hangs, syncs are late
 * and writes are not. If writing fails, jobs wait in memory until writer_retry. If there is no memory
 * for a job, nothing later is written to the store.
 *
 * Only the ui thread calls these functions. Functions that block say so. */
#ifndef APP_WRITER_H
#define APP_WRITER_H

#include "app/document/store_history.h"

#include <sys/stat.h>

enum job_kind {
    JOB_EDIT, /* an edit, an undo, a save, or the music at the start */
    JOB_SESSION,
    JOB_RECORDING,
    JOB_STATE, /* for the state folder's store, of no piece */
    JOB_CHECK,
    JOB_KINDS,
};

/* Something to write. */
struct job {
    enum job_kind kind;
    bool is_latest; /* the job replaces waiting jobs of its kind that are latest, too */
    /* Returns SQLite's code; may be called again. NULL: the store is only looked at. */
    int (*run)(struct store *s, const struct job *j);
    void *of;               /* what `run` writes; owned by the job */
    size_t as;              /* a number for `run`: how many bytes, or in what form */
    void (*free)(void *of); /* frees `of`; NULL: there is nothing to free */
    /* Set by the writer. */
    struct job *next;
    double pushed_ms; /* of clock_now_ms() */
};

/* The state of a file at some moment. A later comparison tells whether another program has changed the
 * file: if its stat differs, its content is read and compared. Plain data. Any thread; blocks for the
 * disk. */
struct file_seen {
    bool exists;
    struct stat status; /* valid if it exists */
    struct fingerprint content;
};

enum file_news { FILE_SAME, FILE_CHANGED, FILE_GONE };

/* Returns the present state of a file without its content, which the caller fills in. */
struct file_seen file_look(const char *path);
/* Compares a file with its earlier state. FILE_SAME: the content is the same, and *seen becomes the
 * present state. */
enum file_news file_compare(struct file_seen *seen, const char *path);

struct writer;

/* Starts the threads. wake_fd (-1: none) is written to when the awaited jobs are done. NULL: out of
 * memory, or no threads. */
struct writer *writer_create(int wake_fd);
void writer_destroy(struct writer *w); /* blocks until all is written; NULL is fine */

/* Takes the store of a piece (NULL: none). The store before must have been released. */
void writer_begin(struct writer *w, struct store *s);
/* Gives the store back to the caller; NULL: there is none. waits: blocks until all is written and on
 * the disk, but at most for a few seconds. Jobs that still wait are dropped. */
struct store *writer_release(struct writer *w, bool waits);

/* Copies the job, and takes its `of`. job NULL: there was no memory for a job of the piece, so nothing
 * later can be written. Without a store, jobs of a piece are dropped. Never blocks. */
void writer_push(struct writer *w, const struct job *j);
/* Pushes a job that runs the text as store_do does, with a copy of the bytes. Takes the text; NULL:
 * there was no memory for it. */
void writer_do(struct writer *w, enum job_kind kind, char *sql, const void *bytes,
               size_t n);
/* Has the writer check soon whether the store is still there; if not, the error is ESTALE. */
void writer_look(struct writer *w);
/* Starts a comparison of the file with that state, unless one is going on. path NULL: drops the
 * comparison that is going on, because the piece has another file now or was saved. */
void writer_watch(struct writer *w, const char *path, const struct file_seen *seen);
/* Returns the result of the last comparison once, and then FILE_SAME. If the content was the same, *seen
 * becomes the present state. The wake pipe tells of news. */
enum file_news writer_news(struct writer *w, struct file_seen *seen);
/* Returns whether all pushed jobs are written, or cannot be. If not, the wake pipe tells when to
 * ask again. */
bool writer_keeps_up(struct writer *w);
/* Blocks until all pushed jobs are written or cannot be, at most this long. Returns whether they
 * are. */
bool writer_wait(struct writer *w, int most_ms);
/* Checks the store and blocks until all is on the disk, but at most for a few seconds. A failure
 * becomes the writer's error. */
void writer_settle(struct writer *w);

void writer_retry(struct writer *w); /* tries again to write after an error */

struct writer_status {
    int error;         /* an errno: why writing fails; 0: writing works */
    bool is_elsewhere; /* the piece is in the state folder */
    /* Jobs that are pushed and not written yet, by kind, and how long the oldest has waited; 0: none
     * waits, or none can be written. */
    size_t n_late[JOB_KINDS];
    int64_t late_ms;
    uint64_t n_jobs,
        n_syncs; /* jobs written and syncs done since the start, for measuring */
};
struct writer_status writer_status(struct writer *w);

#endif
