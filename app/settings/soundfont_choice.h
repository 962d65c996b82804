/* The soundfont that was chosen in the program, in the state folder, for the next time. UI
 * thread, or before there are others. */
#ifndef APP_SOUNDFONT_CHOICE_H
#define APP_SOUNDFONT_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

bool soundfont_recall(char *path, size_t n_path); /* false: none was chosen */
void soundfont_remember(const char *path);        /* absolute; NULL: no more */

#endif
