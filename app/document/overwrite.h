/* Whether a verb may write over a file unasked. It refuses what the editor refuses to write
 * without `!`. */
#ifndef APP_OVERWRITE_H
#define APP_OVERWRITE_H

/* Returns why the file at `path` is not to be written over: it has a second name, or a store
 * with unsaved edits, or another program has it open. NULL: it may be, or there is none.
 * Blocks for the disk; any thread. */
const char *overwrite_refusal(const char *path);

#endif
