/* Gives the configuration to the session, and runs the lines that change settings and keys. */
#include "app/base/paths.h"
#include "app/editor/keep/keep.h"
#include "app/editor/shell/shell.h"
#include "app/editor/takes/machine.h"
#include "app/settings/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void preferences_begin(struct session *s, struct config *c)
{
    const char *theme = getenv("CONTINUO_THEME");
    struct settings *now = &s->preferences.settings;
    *now = c->settings;
    if (theme && theme_is_known(theme))
        snprintf(now->theme, sizeof now->theme, "%s", theme);
    s->preferences.keymap = c->keymap;
    c->keymap = NULL;
    s->preferences.remembers_files = true;
    snprintf(s->preferences.config_path, sizeof s->preferences.config_path, "%.511s",
             c->path);
    settings_apply(now, s);
}

void preferences_greet(struct session *s, const struct config *c, bool with_tutor)
{
    char complaint[sizeof s->view.message.text];
    bool is_new = user_is_new();
    if (with_tutor)
        tutor_start(s);
    if (*config_complaint(c, complaint, sizeof complaint))
        session_error(s, "%s", complaint);
    else if (is_new && !with_tutor && !s->view.message.is_error)
        session_say(
            s,
            "welcome: :tutor is a lesson, ? shows the keys, Ctrl-P finds everything");
}

/* Copies the first word of "name value"; returns the value. */
static const char *take_word(const char *words, char *word, size_t n_word)
{
    size_t n = strcspn(words, " ");
    snprintf(word, n_word, "%.*s", (int)n, words);
    return words + n + strspn(words + n, " ");
}

void act_set_line(struct session *s, const char *words)
{
    char name[64], value[SETTING_BYTES], wants[FIELD_WANTS_BYTES];
    const char *text = take_word(words, name, sizeof name);
    const int i = settings_find(NULL, name);
    if (i < 0) {
        if (*name)
            session_error(s, "there is no setting %s; Tab after :set lists them", name);
        else
            session_error(s, "use :set NAME VALUE; Tab lists the names");
        return;
    }
    /* The other settings come from the session, which may be newer. */
    const struct field *f = settings_field(i), *steered = steer_find(f->name);
    struct settings now = s->preferences.settings;
    settings_take(&now, s);
    if (*text && settings_at_start(i)) {
        session_error(s,
                      "%s is only read when the program starts: :config shows the file",
                      f->name);
        return;
    }
    if (*text &&
        (!settings_set(i, &now, text) || !steer_is_offered(s, &now.steering))) {
        session_error(s, "%s is %s", f->name,
                      steered ? steer_line_wants(s, f, wants)
                              : field_wants(f, NULL, wants));
        return;
    }
    if (*text) {
        settings_set(i, &s->preferences.settings, text); /* for the next pieces */
        settings_apply(&now, s);
    }
    session_say(s, "%s is %s: %s", f->name, settings_get(i, &now, value), f->help);
}

/* The setting that is changed most often has its own line. */
void act_theme_line(struct session *s, const char *name)
{
    char words[SETTING_BYTES];
    snprintf(words, sizeof words, "theme %s", name);
    act_set_line(s, words);
}

void act_map_line(struct session *s, const char *words)
{
    char key[64], command[64], why[KEY_COMPLAINT_BYTES];
    const char *rest = take_word(words, key, sizeof key);
    rest = take_word(rest, command, sizeof command);
    if (*rest) { /* "g z undo": a key of two */
        size_t n = strlen(key);
        snprintf(key + n, sizeof key - n, " %.30s", command);
        take_word(rest, command, sizeof command);
    }
    if (!s->preferences.keymap)
        s->preferences.keymap = keymap_create();
    if (!*command)
        session_error(s, "use :map KEY COMMAND, as in :map C-z undo");
    else if (!s->preferences.keymap)
        session_error(s, "out of memory");
    else if (key_map(&s->preferences.keymap, key, command, why))
        session_say(s, "%s is now %s, until the program ends", key, command);
    else
        session_error(s, "%s", why);
}

void act_config_line(struct session *s)
{
    const char *path = s->preferences.config_path;
    if (!*path)
        session_say(s, "there is no home folder for a configuration file");
    else if (access(path, F_OK) == 0)
        session_say(s, "%s; it is read when the program starts", path);
    else
        session_say(s, "%s does not exist; `continuo config` prints a first version",
                    path);
}
