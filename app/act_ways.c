/* The lines that help one find one's way: the tutor, settings, keys. */
#include "app/config_keys.h"
#include "app/session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void act_tutor_line(struct session *s, const char *word)
{
    if (!strcmp(word, "next") && s->ways.tutor.is_on)
        tutor_skip(s);
    else if (s->ways.tutor.is_on)
        tutor_stop(s);
    else
        tutor_start(s);
}

/* "name value": the name, cut off; the value is returned. */
static const char *take_word(const char *words, char *word, size_t n_word)
{
    size_t n = strcspn(words, " ");
    snprintf(word, n_word, "%.*s", (int)n, words);
    return words + n + strspn(words + n, " ");
}

/* What the session has may be newer than what was set. */
static void take_values(struct session *s)
{
    s->ways.settings.steering = s->steering;
    s->ways.settings.follow = s->follow;
    s->ways.settings.velocity = s->last_velocity;
}

void act_set_line(struct session *s, const char *words)
{
    char name[64], value[SETTING_BYTES], wants[SETTING_WANTS_BYTES];
    const char *text = take_word(words, name, sizeof name);
    int i = settings_find(NULL, name);
    take_values(s);
    if (i < 0)
        session_error(s,
                      *name ? "there is no setting %s; Tab after :set lists them"
                            : "set what? :set NAME VALUE; Tab lists the names%s",
                      name);
    else if (!*text)
        session_say(s, "%s is %s: %s", name, settings_get(i, &s->ways.settings, value),
                    settings_about(i).help);
    else if (settings_about(i).at_start)
        session_error(s, "%s is looked at when the program starts: :config says where",
                      name);
    else if (!settings_set(i, &s->ways.settings, text))
        session_error(s, "%s is %s", name, settings_wants(i, wants));
    else {
        settings_apply(&s->ways.settings, s);
        session_say(s, "%s is %s", name, settings_get(i, &s->ways.settings, value));
    }
}

/* The setting that is changed most often has a line of its own. */
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
    if (!s->ways.keymap)
        s->ways.keymap = keymap_create();
    if (!*command)
        session_error(s, "map what? :map KEY COMMAND, as in :map C-z undo");
    else if (!s->ways.keymap)
        session_error(s, "there is no memory left for that");
    else if (key_map(s->ways.keymap, key, command, why))
        session_say(s, "%s is %s now, until the program ends", key, command);
    else
        session_error(s, "%s", why);
}

void act_config_line(struct session *s, const char *word)
{
    (void)word;
    const char *path = s->ways.config_path;
    if (!*path)
        session_say(s, "there is no home folder for a configuration file");
    else if (access(path, F_OK) == 0)
        session_say(s, "%s; it is read when the program starts", path);
    else
        session_say(s, "%s would be read; `continuo config` writes one to begin with",
                    path);
}
