/* What a session keeps so that one finds one's way in it: the keys in force, the lines
 * typed before, the palette, the tutor. Plain data of the ui thread, all zeros at first. */
#ifndef APP_WAYS_H
#define APP_WAYS_H

#include "app/settings/settings.h"
#include "app/editor/shell/tutor.h"
#include "tui/keys/keymap.h"

enum { INPUT_HISTORY = 100 };

/* Lines typed at prompts, the newest last. */
struct input_history {
    struct input_line {
        char *text;
        int prompt; /* enum prompt */
    } lines[INPUT_HISTORY];
    int n;
    int at;      /* the one that is shown; n: what was typed last, */
    char *draft; /* which is kept here meanwhile */
};

struct ways {
    struct keymap *keymap;   /* NULL: as built in */
    struct palette *palette; /* app/editor/shell/palette.h; NULL: not open yet */
    struct input_history history;
    size_t input_after; /* bytes of the line being typed after the cursor in it */
    bool help_all;
    bool remembers_files; /* in the user's state folder (app/recent.h) */
    struct tutor tutor;
    struct settings settings; /* as the file has them, and `:set` */
    char config_path[512];    /* "": not known */
};
/* The settings are the defaults. */
void ways_init(struct ways *w);

void ways_fini(struct ways *w);

struct config;
/* A session is to be as the configuration says; takes its keys. Before a file is opened.
 * From then on files that are opened are remembered. */
void ways_begin(struct session *s, struct config *c);
/* After that: says what is wrong with the configuration, or where to begin when this
 * user is new here; or begins with the tutor. */
void ways_greet(struct session *s, const struct config *c, bool with_tutor);

#endif
