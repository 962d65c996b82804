/* See config.h. Keys are applied once all lines are read. */
#include "app/settings/config.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "tui/base/text.h"
#include "tui/keys/command.h"
#include "tui/keys/keys.h"

#include <ctype.h>
#include <errno.h>
#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { KEY_REQUESTS_MAX = 512, KEYS_MAX_EACH = 8 };
#define EVERY_MODE (IN(MODE_COUNT) - 1)

/* One line of [keys]. */
struct key_request {
    int line;
    unsigned modes;
    enum command_id id;
    uint32_t keys[KEYS_MAX_EACH][2];
    int n_keys; /* 0: the command loses its keys */
};

/* The state of reading. */
struct reading {
    struct config *config;
    int line;                          /* number of the line, from 1 */
    char section[CONFIG_MAX_LINE + 1]; /* "": there was none yet */
    struct key_request keys[KEY_REQUESTS_MAX];
    size_t n_keys;
};

void config_init(struct config *c)
{
    *c = (struct config){0};
    settings_init(&c->settings);
}

void config_fini(struct config *c)
{
    free(c->keymap);
    c->keymap = NULL;
}

/* Adds an error, in the order of lines. */
__attribute__((format(printf, 3, 4))) static void
config_error(struct config *c, int line, const char *format, ...)
{
    va_list args;
    int n = c->n_errors < CONFIG_MAX_ERRORS ? c->n_errors : CONFIG_MAX_ERRORS, at = n;
    c->n_errors++;
    while (at > 0 && c->errors[at - 1].line > line)
        at--;
    if (at == CONFIG_MAX_ERRORS)
        return;
    int after = n < CONFIG_MAX_ERRORS ? n - at : n - at - 1;
    memmove(&c->errors[at + 1], &c->errors[at], (size_t)after * sizeof c->errors[0]);
    c->errors[at].line = line;
    va_start(args, format);
    vsnprintf(c->errors[at].text, sizeof c->errors[at].text, format, args);
    va_end(args);
}

const char *config_complaint(const struct config *c, char *buf, size_t n)
{
    char more[32] = "", place[16] = "";
    *buf = '\0';
    if (!c->n_errors)
        return buf;
    if (c->n_errors > 1)
        snprintf(more, sizeof more, " (and %d more)", c->n_errors - 1);
    if (c->errors[0].line)
        snprintf(place, sizeof place, ":%d", c->errors[0].line);
    snprintf(buf, n, "%s%s: %s%s", file_base_name(c->path), place, c->errors[0].text,
             more);
    return buf;
}

/* -- [keys] -- */

/* Reads "normal.undo": the modes and the command. */
static bool parse_name(const char *name, unsigned *modes, enum command_id *id,
                       char why[KEY_COMPLAINT_BYTES])
{
    const char *dot = strchr(name, '.'), *command = dot ? dot + 1 : name;
    *modes = dot ? 0 : EVERY_MODE;
    for (int mode = 0; dot && mode < MODE_COUNT; mode++) {
        const char *known = mode_name((enum mode)mode);
        size_t n = strlen(known);
        if (name + n == dot && !strncasecmp(known, name, n))
            *modes = IN(mode);
    }
    *id = command_find(command);
    if (!*modes)
        snprintf(why, KEY_COMPLAINT_BYTES, "there is no mode called %.*s",
                 (int)(dot - name < 60 ? dot - name : 60), name);
    else if (!*id)
        snprintf(why, KEY_COMPLAINT_BYTES,
                 "there is no command called %.60s; `continuo config` lists them",
                 command);
    else if (!(*modes &= keymap_modes_of(*id)))
        snprintf(why, KEY_COMPLAINT_BYTES, "%.60s is not a command of that mode",
                 command);
    return *modes && *id;
}

static bool parse_key(const char *text, uint32_t keys[2], char why[KEY_COMPLAINT_BYTES])
{
    if (!key_parse(text, keys))
        snprintf(why, KEY_COMPLAINT_BYTES,
                 "%.40s is not a key; write x, gg, C-p, S-Left, F1, Space, Comma",
                 text);
    else if (keys[0] >= '1' && keys[0] <= '9') /* no count begins with 0 */
        snprintf(why, KEY_COMPLAINT_BYTES, "%.40s cannot be a key: digits are counts",
                 text);
    else
        return true;
    return false;
}

/* Reads a line, "normal.undo" and "U, C-z". Overwrites the value. false: invalid, and `why` says why. */
static bool parse_request(struct key_request *r, const char *name, char *value,
                          char why[KEY_COMPLAINT_BYTES])
{
    r->n_keys = 0;
    if (!parse_name(name, &r->modes, &r->id, why))
        return false;
    if (!strcasecmp(value, "none"))
        return true;
    char *rest = NULL, *word = strtok_r(value, ",", &rest);
    for (; word; word = strtok_r(NULL, ",", &rest)) {
        if (r->n_keys == KEYS_MAX_EACH) {
            snprintf(why, KEY_COMPLAINT_BYTES, "a command has %d keys at most",
                     KEYS_MAX_EACH);
            return false;
        }
        if (!parse_key(g_strstrip(word), r->keys[r->n_keys], why))
            return false;
        r->n_keys++;
    }
    if (!r->n_keys)
        snprintf(why, KEY_COMPLAINT_BYTES, "a key is missing; none removes all keys");
    return r->n_keys > 0;
}

/* Gives a command its keys. false: one is refused, `why` says why, and the command has none. */
static bool apply(struct binding **m, const struct key_request *r,
                  char why[KEY_COMPLAINT_BYTES])
{
    for (int i = 0; i < r->n_keys; i++) {
        const struct binding *by = keymap_taken(*m, r->modes, r->keys[i]);
        char key[KEYS_NAME_BYTES];
        int mode = 0; /* the first mode in which the key is taken */
        if (by ? by->id == r->id : keymap_add(m, r->modes, r->keys[i], r->id))
            continue; /* the key is new, or given twice */
        while (by && mode < MODE_COUNT - 1 && !(r->modes & by->modes & IN(mode)))
            mode++;
        snprintf(why, KEY_COMPLAINT_BYTES, "out of memory for that key");
        if (by)
            snprintf(why, KEY_COMPLAINT_BYTES,
                     "%s is already %s in %s; give that another key, or none",
                     key_notation(r->keys[i], key),
                     *commands[by->id].name ? commands[by->id].name
                     : by->help             ? by->help
                                            : "taken",
                     mode_name((enum mode)mode));
        keymap_clear(*m, r->modes, r->id);
        return false;
    }
    return true;
}

/* Applies all lines of [keys]. One that is refused is an error, and its command keeps its old keys. */
static void apply_requests(struct config *c, const struct key_request *requests,
                           size_t n)
{
    char why[KEY_COMPLAINT_BYTES];
    bool is_refused[KEY_REQUESTS_MAX] = {false};
    c->keymap = keymap_create();
    if (!c->keymap) {
        config_error(c, 0, "out of memory for its keys");
        return;
    }
    for (size_t i = 0; i < n; i++)
        keymap_clear(c->keymap, requests[i].modes, requests[i].id);
    for (size_t i = 0; i < n; i++)
        if (!apply(&c->keymap, &requests[i], why)) {
            is_refused[i] = true;
            config_error(c, requests[i].line, "%s", why);
        }
    for (size_t i = 0; i < n; i++)
        if (is_refused[i])
            keymap_restore(&c->keymap, requests[i].modes, requests[i].id);
}

bool key_map(struct binding **m, const char *key, const char *command,
             char why[KEY_COMPLAINT_BYTES])
{
    uint32_t keys[2];
    unsigned modes = EVERY_MODE & ~IN(MODE_PROMPT) & ~IN(MODE_PALETTE);
    enum command_id id = CMD_NONE;
    bool is_none = !strcasecmp(command, "none");
    if (!parse_key(key, keys, why) ||
        (!is_none && !parse_name(command, &modes, &id, why)))
        return false;
    keymap_free_keys(*m, modes, keys);
    return is_none || keymap_add(m, modes, keys, id);
}

/* -- reading -- */

/* Sets a value, or stores a request for keys. The value may be overwritten. */
static void set_value(struct reading *r, const char *name, char *value)
{
    struct config *c = r->config;
    const char *section = r->section;
    char why[KEY_COMPLAINT_BYTES], wants[FIELD_WANTS_BYTES];
    const bool is_key = !strcmp(section, "keys");
    const int i = is_key ? -1 : settings_find(section, name);
    const int elsewhere = is_key ? -1 : settings_find(NULL, name);
    if (!*section)
        config_error(c, r->line,
                     "%.60s is in no section; put it after [keys], [sound], [machine], "
                     "[view] or [edit]",
                     name);
    else if (!is_key && settings_find(section, NULL) < 0)
        config_error(c, r->line,
                     "there is no section [%.40s]; there are [keys], [sound], "
                     "[machine], [view] and [edit]",
                     section);
    else if (is_key && r->n_keys == KEY_REQUESTS_MAX)
        config_error(c, r->line, "these are too many keys");
    else if (is_key && !parse_request(&r->keys[r->n_keys], name, value, why))
        config_error(c, r->line, "%s", why);
    else if (is_key)
        r->keys[r->n_keys++].line = r->line;
    else if (i < 0)
        config_error(c, r->line, "there is no setting %.60s in [%.40s]%s%s%s", name,
                     section, elsewhere < 0 ? "" : ", but in [",
                     elsewhere < 0 ? "" : settings_section(elsewhere),
                     elsewhere < 0 ? "; `continuo config` lists them" : "]");
    else if (!settings_set(i, &c->settings, value))
        config_error(c, r->line, "%s is %s, not %.60s", name,
                     field_wants(settings_field(i), NULL, wants), value);
}

/* Reads a line of n bytes. A line that begins with # or ; is a comment, and so is the rest of a line after
 * a blank and ;. */
static void read_line(struct reading *r, const char *line, size_t n)
{
    char text[CONFIG_MAX_LINE + 1];
    while (n && (line[n - 1] == '\r' || line[n - 1] == ' ' || line[n - 1] == '\t'))
        n--;
    for (; n && (*line == ' ' || *line == '\t'); n--)
        line++;
    const char *wrong = n > CONFIG_MAX_LINE ? "the line is longer than a setting can be"
                        : n && *line == '[' && !memchr(line, ']', n)
                            ? "the section's ] is missing"
                            : NULL;
    for (size_t at = 0, used; at < n && n <= CONFIG_MAX_LINE; at += used) {
        uint32_t code;
        used = text_decode(line + at, n - at, &code);
        if (!used ||
            (used == 1 && (code == TEXT_REPLACEMENT || (code < ' ' && code != '\t')))) {
            wrong = "the line is not plain UTF-8 text";
            break;
        }
    }
    if (wrong) {
        config_error(r->config, r->line, "%s", wrong);
        return;
    }
    memcpy(text, line, n);
    text[n] = '\0';
    if (*text == '[')
        snprintf(r->section, sizeof r->section, "%.*s", (int)strcspn(text + 1, "]"),
                 text + 1);
    if (strchr("[#;", *text)) /* an empty line, too */
        return;
    for (char *c = text; *c; c++)
        if ((c[0] == ' ' || c[0] == '\t') && c[1] == ';')
            c[1] = '\0'; /* a comment begins */
    char *value = strpbrk(text, "=:");
    if (!value) {
        config_error(r->config, r->line,
                     "this is not [section], name = value or a # comment");
        return;
    }
    *value = '\0';
    set_value(r, g_strchomp(text), g_strstrip(value + 1));
}

void config_read_bytes(struct config *c, const char *path, const char *bytes, size_t n)
{
    struct reading *r = calloc(1, sizeof *r);
    snprintf(c->path, sizeof c->path, "%s", path);
    c->is_there = true;
    if (!r) {
        config_error(c, 0, "out of memory");
        return;
    }
    r->config = c;
    const char *end = bytes + n, *at = bytes, *stop;
    if (n >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3))
        at += 3; /* a byte order mark */
    for (; at < end; at = stop + (stop < end)) {
        stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        r->line++;
        read_line(r, at, (size_t)(stop - at));
    }
    if (r->n_keys)
        apply_requests(c, r->keys, r->n_keys);
    free(r);
}

void config_read(struct config *c)
{
    char path[sizeof c->path];
    uint8_t *bytes;
    size_t n;
    if (!user_config_file(path, sizeof path))
        return;
    snprintf(c->path, sizeof c->path, "%s", path);
    const enum midi_status st = file_read(path, CONFIG_MAX_BYTES, &bytes, &n);
    c->is_there = st != MIDI_NO_FILE || (errno != ENOENT && errno != ENOTDIR);
    if (st == MIDI_TOO_BIG)
        config_error(c, 0, "it is too large and was not read");
    else if (!st)
        config_read_bytes(c, path, (const char *)bytes, n);
    else if (st == MIDI_NOT_REGULAR)
        config_error(c, 0, "it is not a file of settings");
    else if (c->is_there)
        config_error(c, 0, "it cannot be read: %s",
                     st == MIDI_NO_FILE ? strerror(errno) : midi_strerror(st));
    free(bytes);
}

/* -- writing -- */

/* Returns all keys of a command in one mode as a line has them, in `out`, or "none". */
static const char *keys_of(const struct binding *m, enum command_id id, int mode,
                           char *out, size_t n_out)
{
    char key[KEYS_NAME_BYTES];
    *out = '\0';
    for (const struct binding *b = keymap_rows(m); b->id; b++)
        if (b->id == id && (b->modes & IN(mode)) && !key_is_mouse(b->keys[0]))
            text_append(out, n_out, "%s%s", *out ? ", " : "",
                        key_notation(b->keys, key));
    return *out ? out : "none";
}

/* Writes a command in one line for all modes, or in one for each if their keys differ. */
static void write_command(FILE *to, const struct config *c, enum command_id id)
{
    char keys[256], first[256] = "", usual[256];
    const unsigned modes = keymap_modes_of(id);
    const char *help = NULL;
    bool differ = false, is_done = false;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        if (modes & IN(mode)) {
            const char *all = keys_of(c->keymap, id, mode, keys, sizeof keys);
            differ |= *first && strcmp(first, all) != 0;
            snprintf(first, sizeof first, "%s", all);
        }
    for (size_t i = 0; !help && i < n_bindings; i++)
        help = bindings[i].id == id ? bindings[i].help : NULL;
    fprintf(to, "\n# %s\n", help ? help : "");
    for (int mode = 0; mode < MODE_COUNT && !is_done; mode++) {
        if (!(modes & IN(mode)))
            continue;
        const char *all = keys_of(c->keymap, id, mode, keys, sizeof keys);
        fputs(strcmp(all, keys_of(NULL, id, mode, usual, sizeof usual)) ? "" : "# ",
              to);
        for (const char *m = mode_name((enum mode)mode); differ && *m; m++)
            fputc(tolower((unsigned char)*m), to);
        fprintf(to, "%s%s = %s\n", differ ? "." : "", commands[id].name, all);
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
    char value[SETTING_BYTES], usual[SETTING_BYTES], wants[FIELD_WANTS_BYTES];
    const char *section = "";
    struct settings defaults;
    settings_init(&defaults);
    const struct field *f;
    for (int i = 0; (f = settings_field(i)) != NULL; i++) {
        if (strcmp(section, settings_section(i)) != 0)
            fprintf(to, "\n\n[%s]\n", settings_section(i));
        section = settings_section(i);
        settings_get(i, &c->settings, value);
        settings_get(i, &defaults, usual);
        fprintf(to, "\n# %s\n# (%s)\n%s%s = %s\n", f->help, field_wants(f, NULL, wants),
                strcmp(value, usual) ? "" : "# ", f->name, value);
    }
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
