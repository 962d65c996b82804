/* What `continuo render` and `:render` share: the options of a sound file, as users write them. */
#ifndef APP_RENDER_FILE_H
#define APP_RENDER_FILE_H

#include "midi/sound/render.h"

#define RENDER_LEAST_DB (-96.0)
#define RENDER_MOST_DB  48.0

enum { RENDER_WHY_BYTES = 120 };
/* Sets the format of the file `path`: that of this name ("flac"; NULL: by the path's ending). Sets
 * rate and bits where they are 0, to 44100 and 16. false: the options are not possible; see
 * `why`. */
bool render_choose(struct render_options *o, const char *path, const char *format,
                   char why[RENDER_WHY_BYTES]);

#endif
