/* Rendering for the verbs: finds the soundfont, shows how far it is on a terminal, stops
 * at Ctrl-C, and says what goes wrong. */
#ifndef APP_RENDER_FILE_H
#define APP_RENDER_FILE_H

#include "midi/sound/render.h"

/* What is wanted of a file of sound, as people write it; all zero is by its name. */
struct render_wishes {
    const char *soundfont; /* NULL: the usual ones are tried */
    const char *format;    /* "flac"; NULL: as the file's name ends */
    int sample_rate, bits; /* 0: 44100, 16 */
};

enum { RENDER_WHY_BYTES = 120 };
/* As options for a file of that name, but its soundfont. false: why says what is wrong. */
bool render_choose(struct render_options *o, const char *path,
                   const struct render_wishes *wishes, char why[RENDER_WHY_BYTES]);

/* false: said why, and nothing is at path that was not there. */
bool render_file(const struct score *s, const char *path,
                 const struct render_wishes *wishes);

#endif
