/* Opening what somebody else may have put in a file's place: a pipe, whose other end
 * nobody has, would be waited for without end; a device may have no end at all. */
#ifndef APP_REGULAR_FILE_H
#define APP_REGULAR_FILE_H

#include <stdio.h>

/* To be read, as fopen does, and the caller's to close. NULL: errno says why; EINVAL: it
 * is no regular file. Never waits but for the disk. Any thread. */
FILE *regular_file_open(const char *path);

#endif
