/* `:theme NAME`: other colours at once, until the program ends. */
#include "app/session.h"

#include <stdio.h>
#include <string.h>

static void say_themes(struct session *s, const char *before)
{
    char names[96] = "";
    for (int i = 0; theme_name(i); i++) {
        size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", theme_name(i));
    }
    session_say(s, "%sthemes: %s", before, names);
}

void act_theme_line(struct session *s, const char *name)
{
    if (!*name) {
        say_themes(s, "");
    } else if (!theme_is_known(name)) {
        say_themes(s, "there is no such theme; ");
        s->message_is_error = true;
    } else {
        snprintf(s->theme, sizeof s->theme, "%s", name);
        session_say(s, "theme %s", name);
    }
}
