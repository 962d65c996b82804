/* The registers as a file that outlives the program: JSON, in $XDG_STATE_HOME/continuo
 * (paths_state). The file is not trusted: what is not wholly right is not used at all,
 * and is put aside before another is written. UI thread only; blocks for the disk. */
#ifndef APP_REGISTERS_FILE_H
#define APP_REGISTERS_FILE_H

#include "app/registers.h"
#include "app/sidecar_file.h"

/* So many notes and controllers are kept in all; longer passages are let go. */
enum { REGISTERS_KEPT_NOTES = 50000 };

/* NONE: there is no such file. FAILED: `why` has a plain phrase without text from the
 * file. *r is empty then, and before. */
enum sidecar_status registers_read(struct registers *r, const char *path,
                                   char why[SIDECAR_WHY_BYTES]);
/* Whole or not at all. NONE: they have not changed. */
enum sidecar_status registers_write(struct registers *r, const char *path,
                                    char why[SIDECAR_WHY_BYTES]);

#endif
