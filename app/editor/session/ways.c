#include "app/editor/session/ways.h"

#include "app/settings/config.h"
#include "app/editor/shell/input.h"
#include "app/editor/shell/palette.h"
#include "app/base/paths.h"
#include "app/editor/session/session_settings.h"

#include <stdio.h>
#include <stdlib.h>

void ways_init(struct ways *w)
{
    *w = (struct ways){0};
    settings_init(&w->settings);
}

void ways_fini(struct ways *w)
{
    keymap_destroy(w->keymap);
    palette_destroy(w->palette);
    input_forget(&w->history);
}

static void heed_environment(struct settings *s)
{
    const char *theme = getenv("CONTINUO_THEME");
    if (theme && theme_is_known(theme))
        snprintf(s->theme, sizeof s->theme, "%s", theme);
}

void ways_begin(struct session *s, struct config *c)
{
    struct ways *w = &s->ways;
    w->settings = c->settings;
    heed_environment(&w->settings);
    w->keymap = c->keymap;
    c->keymap = NULL;
    w->remembers_files = true;
    snprintf(w->config_path, sizeof w->config_path, "%.511s", c->path);
    settings_apply(&w->settings, s);
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
