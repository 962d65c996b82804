/* Whether a file is still as it was read or written: another program may have changed it.
 * A glance is one stat; only when that tells of a change is the file read and its content
 * compared, by a thread of its own. */
#ifndef APP_WATCH_H
#define APP_WATCH_H

#include "app/document/store_history.h"

/* A file at some moment. Plain data. */
struct file_seen {
    bool exists;
    uint64_t device, inode;
    int64_t size, seconds, nanoseconds; /* modified */
    struct fingerprint content;
};

enum file_news { FILE_SAME, FILE_CHANGED, FILE_GONE };

/* As it is now, but for its content, which is to be filled in. Blocks. */
struct file_seen file_look(const char *path);
/* Blocks. When only the rest is other than the content, *seen becomes as it is now. */
enum file_news file_compare(struct file_seen *seen, const char *path);

struct watch;

/* wake_fd (-1: none) is written to when there is news. NULL: out of memory. */
struct watch *watch_create(int wake_fd);
void watch_destroy(struct watch *w); /* NULL is fine */
/* Asks for a comparison, unless one is at work. UI thread. */
void watch_ask(struct watch *w, const char *path, const struct file_seen *seen);
/* What the last one found, once; FILE_SAME: nothing new. *seen, which is what was asked
 * with, is brought up to date. */
enum file_news watch_take(struct watch *w, struct file_seen *seen);
/* What is being found out is of no interest: another file, or written by ourselves. */
void watch_drop(struct watch *w);

#endif
