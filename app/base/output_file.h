/* A file that a verb writes for -o. A regular file is replaced when it is closed, whole or
 * not at all; a pipe or device is written to at once. One thread. */
#ifndef APP_OUTPUT_FILE_H
#define APP_OUTPUT_FILE_H

#include "midi/base/file.h"

#include <stdbool.h>
#include <stdio.h>

struct output_file {
    FILE *stream; /* for the caller to write to; NULL: it is not open */
    struct file_draft draft;
};

/* false: errno says why. */
bool output_file_open(struct output_file *o, const char *path);
/* is_whole: all was written; else the old file stays. false: it is not written, and errno
 * says why. Closing one that is not open returns false. */
bool output_file_close(struct output_file *o, bool is_whole);

#endif
