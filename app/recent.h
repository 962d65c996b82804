/* The files opened and saved lately, newest first, one path a line in
 * $XDG_STATE_HOME/continuo/recent. What cannot be read or written is done without. */
#ifndef APP_RECENT_H
#define APP_RECENT_H

enum { RECENT_MAX = 20 };

struct recent {
    char *paths[RECENT_MAX]; /* absolute */
    int n;
};

void recent_read(struct recent *r);
void recent_forget(struct recent *r);
/* Puts the file first in the list. */
void recent_add(const char *path);

#endif
