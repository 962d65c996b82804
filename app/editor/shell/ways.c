#include "app/editor/shell/tutor.h"
#include "app/editor/shell/ways.h"

#include "app/settings/config.h"
#include "app/editor/shell/input.h"
#include "app/editor/shell/palette.h"
#include "app/base/user_paths.h"
#include "app/editor/keep/session_settings.h"

#include <stdio.h>
#include <stdlib.h>

static bool init(struct session *s, const struct session_options *o)
{
    (void)o;
    settings_init(&s->settings);
    return true;
}

static void fini(struct session *s)
{
    keymap_destroy(s->keymap);
}

static void heed_environment(struct settings *s)
{
    const char *theme = getenv("CONTINUO_THEME");
    if (theme && theme_is_known(theme))
        snprintf(s->theme, sizeof s->theme, "%s", theme);
}

void ways_begin(struct session *s, struct config *c)
{
    s->settings = c->settings;
    heed_environment(&s->settings);
    s->keymap = c->keymap;
    c->keymap = NULL;
    s->remembers_files = true;
    snprintf(s->config_path, sizeof s->config_path, "%.511s", c->path);
    settings_apply(&s->settings, s);
}

void ways_greet(struct session *s, const struct config *c, bool with_tutor)
{
    char complaint[sizeof s->message];
    bool is_new = user_is_new();
    if (with_tutor)
        tutor_start(s);
    if (*config_complaint(c, complaint, sizeof complaint))
        session_error(s, "%s", complaint);
    else if (is_new && !with_tutor && !s->message_is_error)
        session_say(s, "welcome: :tutor shows the way, ? the keys, Ctrl-P finds "
                       "everything");
}

const struct editor_part CONFIGURED_PART = {.init = init, .fini = fini};
