/* The sidecar's file as bytes: read within a limit, replaced whole, put aside. Each
 * failure gives a plain phrase. For what else is JSON beside a file, too. Any
 * one thread at a time. */
#ifndef APP_SIDECAR_FILE_H
#define APP_SIDECAR_FILE_H

#include "app/sidecar.h"

/* Of the piece of that path. malloc'd; NULL: out of memory. */
char *sidecar_file_path(const char *midi_path);

struct sidecar_bytes {
    char *text; /* n bytes, and a zero after them */
    size_t n;
};

/* FAILED also of what is no regular file or more than SIDECAR_MAX_BYTES. Free in any
 * case. */
enum sidecar_status sidecar_file_read(struct sidecar_bytes *b, const char *path,
                                      char why[SIDECAR_WHY_BYTES]);
void sidecar_bytes_free(struct sidecar_bytes *b);

enum sidecar_status sidecar_file_write(const char *path, const char *text,
                                       char why[SIDECAR_WHY_BYTES]);
/* Renames it to PATH.bad, or the first of PATH.bad-2, ... that is free. */
enum sidecar_status sidecar_file_put_aside(const char *path,
                                           char why[SIDECAR_WHY_BYTES]);

#endif
