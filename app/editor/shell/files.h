/* Opening and saving, as `:e` and `:w` do. UI thread only. */
#ifndef APP_FILES_H
#define APP_FILES_H

#include <stdbool.h>

struct session;

/* forced: also from unsaved music, and over another file. path NULL: where it came from. */
void act_open_line(struct session *s, const char *path, bool forced);
bool act_save_as(struct session *s, const char *path, bool forced);

#endif
