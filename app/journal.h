/* The journal of the open piece: what is done to it is appended to a file at once, by a
 * thread of its own, so that the ui thread never waits for the disk.
 *
 * What journal_keeps_up says is written has been handed to the system: killing the
 * program loses none of it. A second thread has it put on the disk within about a second,
 * and does not hold up the first: that much a power cut may lose. When writing fails
 * nothing is forgotten: it waits in memory until journal_retry. Only where there is no
 * memory for what waits, the journal ends with what was written before.
 *
 * All functions are the ui thread's; those that block say so. */
#ifndef APP_JOURNAL_H
#define APP_JOURNAL_H

#include "app/journal_records.h"

#include <sys/types.h>

struct journal;

/* wake_fd (-1: none) is written to when what was waited for is done. Threads start. NULL:
 * out of memory, or no threads. */
struct journal *journal_create(int wake_fd);
void journal_destroy(struct journal *j); /* after journal_end; blocks. NULL is fine */

/* A new piece, whose journal will be made at `path` when there is something to write. */
bool journal_begin(struct journal *j, const char *path, mode_t mode);
/* A piece whose journal is open and locked, and whole up to n bytes; takes fd,
 * also on failure: out of memory. */
bool journal_resume(struct journal *j, const char *path, int fd, size_t n);
/* Blocks until all is written, and on the disk unless it is removed, but at most for a few
 * seconds, and closes it. */
void journal_end(struct journal *j, bool remove);
/* The same without closing: the descriptor, which is the caller's, and how much of it
 * there is. -1: it has not been made. */
int journal_release(struct journal *j, size_t *n);

/* Takes the bytes (zeroing *record); never blocks. Without a piece they are dropped. */
void journal_push(struct journal *j, struct bytes_out *record);
/* All that was pushed is written, or cannot be. When it is not, the wake pipe tells when
 * it is time to ask again. */
bool journal_keeps_up(struct journal *j);
/* Blocks until that, at most so long. */
bool journal_wait(struct journal *j, int most_ms);
/* Blocks until it is on the disk, too, but at most for a few seconds: what has failed of
 * that is an error from then on. */
void journal_settle(struct journal *j);

/* Why writing fails, as errno; 0: it does not. EWOULDBLOCK: another program has it. */
int journal_error(struct journal *j);
void journal_retry(struct journal *j);

/* To another path, with all there is in it; blocks. `farewell` (may be empty) is written
 * at the end of the old one, or, if `remove`, that is removed. false: errno says why, and
 * it goes on where it was. */
bool journal_move(struct journal *j, const char *path, mode_t mode,
                  const struct bytes_out *farewell, bool remove);

/* The thread that syncs does this for the ui, as soon as it is free; it may block for the
 * disk. What it works with is that thread's until journal_is_free, which the wake pipe
 * tells of. false: it still has the one before. */
bool journal_lend(struct journal *j, void (*work)(void *), void *with);
bool journal_is_free(struct journal *j);
void journal_wait_until_free(struct journal *j); /* blocks */

/* Counts since it was made, for measuring. */
struct journal_counts {
    uint64_t n_bytes, n_writes, n_syncs;
};
struct journal_counts journal_counts(struct journal *j);

#endif
