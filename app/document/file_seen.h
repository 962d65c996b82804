/* Notices that another program has changed a file since it was read or written. Each look is
 * one stat. Only if that shows a change, the file is read and its content compared. Any
 * thread; blocks for the disk. */
#ifndef APP_FILE_SEEN_H
#define APP_FILE_SEEN_H

#include "app/document/store_history.h"

/* A file at some moment. Plain data. */
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

#endif
