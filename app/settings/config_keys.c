#include "app/settings/config.h"

#include "tui/keys/command.h"
#include "tui/keys/keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define EVERY_MODE (IN(MODE_COUNT) - 1)

/* "normal.undo": where, and which. */
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

/* The next of "U, C-z", without spaces around it; false: the end. */
static bool next_word(const char **list, char word[64])
{
    const char *start = *list + strspn(*list, " \t");
    size_t n = strcspn(start, ",");
    if (!*start)
        return false;
    *list = start + n + (start[n] == ',');
    while (n > 0 && (start[n - 1] == ' ' || start[n - 1] == '\t'))
        n--;
    snprintf(word, 64, "%.*s", (int)n, start);
    return true;
}

bool key_request_parse(struct key_request *r, const char *name, const char *value,
                       char why[KEY_COMPLAINT_BYTES])
{
    char word[64];
    r->n_keys = 0;
    if (!parse_name(name, &r->modes, &r->id, why))
        return false;
    if (!strcasecmp(value, "none"))
        return true;
    while (next_word(&value, word)) {
        if (r->n_keys == KEYS_MAX_EACH) {
            snprintf(why, KEY_COMPLAINT_BYTES, "a command has %d keys at most",
                     KEYS_MAX_EACH);
            return false;
        }
        if (!parse_key(word, r->keys[r->n_keys], why))
            return false;
        r->n_keys++;
    }
    if (!r->n_keys)
        snprintf(why, KEY_COMPLAINT_BYTES, "a key is missing; none removes all keys");
    return r->n_keys > 0;
}

/* false: refused, and the map has none of its keys. */
static bool apply(struct keymap *m, const struct key_request *r,
                  char why[KEY_COMPLAINT_BYTES])
{
    for (int i = 0; i < r->n_keys; i++) {
        const struct binding *by = keymap_taken(m, r->modes, r->keys[i]);
        char key[KEY_NOTATION_BYTES];
        int mode = 0; /* the first of theirs */
        if (by ? by->id == r->id : keymap_add(m, r->modes, r->keys[i], r->id))
            continue; /* or it is given twice */
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
        keymap_clear(m, r->modes, r->id);
        return false;
    }
    return true;
}

void key_requests_apply(struct config *c, const struct key_request *requests, size_t n)
{
    char why[KEY_COMPLAINT_BYTES];
    bool is_refused[KEY_REQUESTS_MAX] = {false};
    struct keymap *m = c->keymap = keymap_create();
    if (!m) {
        config_error(c, 0, "out of memory for its keys");
        return;
    }
    for (size_t i = 0; i < n; i++)
        keymap_clear(m, requests[i].modes, requests[i].id);
    for (size_t i = 0; i < n; i++)
        if (!apply(m, &requests[i], why)) {
            is_refused[i] = true;
            config_error(c, requests[i].line, "%s", why);
        }
    for (size_t i = 0; i < n; i++)
        if (is_refused[i])
            keymap_restore(m, requests[i].modes, requests[i].id);
}

bool key_map(struct keymap *m, const char *key, const char *command,
             char why[KEY_COMPLAINT_BYTES])
{
    uint32_t keys[2];
    unsigned modes = EVERY_MODE & ~IN(MODE_PROMPT) & ~IN(MODE_PALETTE);
    enum command_id id = CMD_NONE;
    bool is_none = !strcasecmp(command, "none");
    if (!parse_key(key, keys, why) ||
        (!is_none && !parse_name(command, &modes, &id, why)))
        return false;
    keymap_free_keys(m, modes, keys);
    return is_none || keymap_add(m, modes, keys, id);
}
