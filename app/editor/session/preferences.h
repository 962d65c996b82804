/* The user's configuration (from its file and `:set`) and keys. UI thread only. */
#ifndef APP_PREFERENCES_H
#define APP_PREFERENCES_H

#include "app/settings/settings.h"
#include "tui/cells/theme.h"
#include "tui/keys/bindings.h"

#include <stdbool.h>

struct preferences {
    struct settings settings;     /* as the file and `:set` have them */
    char config_path[512];        /* of that file; "": not known */
    struct keymap *keymap;        /* owned; NULL: as built in */
    char theme[THEME_NAME_BYTES]; /* asked for by name; "": not yet */
    bool remembers_files;         /* in the user's state folder */
};

#endif
