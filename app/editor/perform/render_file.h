/* Renders for the verbs: finds the soundfont, shows progress on a terminal, stops at
 * Ctrl-C, and prints errors. */
#ifndef APP_RENDER_FILE_H
#define APP_RENDER_FILE_H

#include "midi/sound/render.h"

/* A request for a sound file, as users write it. All zero: by the file's name. */
struct render_request {
    const char *soundfont; /* NULL: the usual ones are tried */
    const char *format;    /* "flac"; NULL: as the file's name ends */
    int sample_rate, bits; /* 0: 44100, 16 */
    bool has_gain;         /* else the peak is set to -1 dB */
    double gain_db;        /* -96 to 48 (midi/sound/render.h) */
};

#define RENDER_LEAST_DB (-96.0)
#define RENDER_MOST_DB  48.0

enum { RENDER_WHY_BYTES = 120 };
/* Makes options for the file `path`, without a soundfont. false: see `why`. */
bool render_choose(struct render_options *o, const char *path,
                   const struct render_request *request, char why[RENDER_WHY_BYTES]);

/* Fills *level, which may be NULL. false: it printed why, and left no new file at path. */
bool render_file(const struct score *s, const char *path,
                 const struct render_request *request, struct render_level *level);

/* render_line.c: whether a file is being rendered while the user works. */
struct session;
bool render_is_at_work(const struct session *s);

#endif
