/* Rendering for the verbs: finds the soundfont, and says what goes wrong. */
#ifndef APP_RENDER_FILE_H
#define APP_RENDER_FILE_H

#include "midi/score.h"

/* soundfont NULL: the usual ones are tried. false: said why. */
bool render_file(const struct score *s, const char *path, const char *soundfont);

#endif
