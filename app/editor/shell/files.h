/* Opens and saves files, as `:e` and `:w` do. UI thread only. */
#ifndef APP_FILES_H
#define APP_FILES_H

#include <stdbool.h>

struct session;

/* forced: leaves unsaved music, or writes over another file. path NULL: the piece's own. */
void act_open_line(struct session *s, const char *path, bool forced);
bool act_save_as(struct session *s, const char *path, bool forced);

#endif
