/* Notices that another program has changed a file since it was read or written. Each check is
 * one stat. Only if that shows a change, a thread reads the file and compares its content. */
#ifndef APP_FILE_MONITOR_H
#define APP_FILE_MONITOR_H

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

struct file_monitor;

/* wake_fd (-1: none) is written to when there is news. NULL: out of memory. */
struct file_monitor *file_monitor_create(int wake_fd);
void file_monitor_destroy(struct file_monitor *w); /* NULL is fine */
/* Starts a comparison, unless one is going on. UI thread, as are those below. */
void file_monitor_ask(struct file_monitor *w, const char *path,
                      const struct file_seen *seen);
/* What the last comparison found, once; FILE_SAME: nothing new. *seen is what was asked with;
 * it is updated. */
enum file_news file_monitor_take(struct file_monitor *w, struct file_seen *seen);
/* Drops the comparison that is going on: the file is another, or we have written it. */
void file_monitor_drop(struct file_monitor *w);

#endif
