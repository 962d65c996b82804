#include "app/settings/config.h"

#include "app/base/say.h"
#include "tui/keys/command.h"
#include "tui/keys/keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void write_settings(FILE *to, const struct config *c)
{
    char value[SETTING_BYTES], usual[SETTING_BYTES], wants[FIELD_WANTS_BYTES];
    const char *section = "";
    struct settings defaults;
    settings_init(&defaults);
    for (int i = 0; i < settings_n(); i++) {
        struct setting_about about = settings_about(i);
        if (strcmp(section, about.section) != 0)
            fprintf(to, "\n\n[%s]\n", about.section);
        section = about.section;
        settings_get(i, &c->settings, value);
        settings_get(i, &defaults, usual);
        fprintf(to, "\n# %s\n# (%s)\n%s%s = %s\n", about.help, settings_wants(i, wants),
                strcmp(value, usual) ? "" : "# ", about.name, value);
    }
}

/* All keys of a command in one mode, as a line has them; "none". */
static const char *keys_of(const struct keymap *m, enum command_id id, int mode,
                           char *out, size_t n_out)
{
    size_t n, used = 0;
    char key[KEY_NOTATION_BYTES];
    const struct binding *rows = keymap_rows(m, &n);
    snprintf(out, n_out, "none");
    for (size_t i = 0; i < n; i++)
        if (rows[i].id == id && (rows[i].modes & IN(mode)) && used < n_out &&
            !key_is_mouse(rows[i].keys[0]))
            used += (size_t)snprintf(out + used, n_out - used, "%s%s", used ? ", " : "",
                                     key_notation(rows[i].keys, key));
    return out;
}

/* One line for all modes, or one for each if their keys differ. */
static void write_command(FILE *to, const struct config *c, enum command_id id)
{
    char keys[256], first[256] = "", usual[256];
    const unsigned modes = keymap_modes_of(id);
    const char *help = NULL;
    bool differ = false, is_done = false;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        if (modes & IN(mode)) {
            keys_of(c->keymap, id, mode, keys, sizeof keys);
            differ |= *first && strcmp(first, keys) != 0;
            snprintf(first, sizeof first, "%s", keys);
        }
    for (size_t i = 0; !help && i < n_bindings; i++)
        help = bindings[i].id == id ? bindings[i].help : NULL;
    fprintf(to, "\n# %s\n", help ? help : "");
    for (int mode = 0; mode < MODE_COUNT && !is_done; mode++) {
        if (!(modes & IN(mode)))
            continue;
        keys_of(c->keymap, id, mode, keys, sizeof keys);
        keys_of(NULL, id, mode, usual, sizeof usual);
        fputs(strcmp(keys, usual) ? "" : "# ", to);
        for (const char *m = mode_name((enum mode)mode); differ && *m; m++)
            fputc(tolower((unsigned char)*m), to);
        fprintf(to, "%s%s = %s\n", differ ? "." : "", commands[id].name, keys);
        is_done = !differ;
    }
}

void config_write(FILE *to, const struct config *c)
{
    fputs("# Settings of continuo, to be kept in\n# ", to);
    say_safe(to, *c->path ? c->path : "$XDG_CONFIG_HOME/continuo/continuo.conf");
    fputc('\n', to);
    fputs("# Lines that begin with # are comments; below they show the defaults.\n"
          "# The command line overrides this file; verbs do not read it.\n",
          to);
    write_settings(to, c);
    fputs("\n"
          "\n"
          "[keys]\n"
          "# COMMAND = KEY, KEY ... in every mode that has the command, or\n"
          "# MODE.COMMAND = KEY ... in that mode. \"none\" removes its keys. Keys are\n"
          "# written x, gg or g g, C-p (with Ctrl), S-Left (with Shift), F1, Space,\n"
          "# Enter, Tab, Comma, Semicolon. A key of another command is refused unless\n"
          "# that command gets another key here.\n",
          to);
    for (int id = CMD_NONE + 1; id < CMD_COUNT; id++)
        if (*commands[id].name && keymap_modes_of((enum command_id)id))
            write_command(to, c, (enum command_id)id);
}
