/* Turns keys into commands: counts first, then one or two keys looked up in the
 * table. */

#include "tui/keys/keymap.h"

#include <glib.h>

#define MODIFIERS ((uint32_t)(K_WITH_SHIFT | K_WITH_ALT | K_WITH_CTRL))

static bool is_letter(uint32_t code)
{
    return code < 0x80 && (g_ascii_isalnum((char)code) || code == '"');
}

/* The binding of `code`, or of `code` after `first`. first 0: a binding of one key;
 * code 0: any second key. */
static const struct binding *find_binding(const struct keymap_state *s, enum mode mode,
                                          uint32_t first, uint32_t code)
{
    size_t n;
    const struct binding *rows = keymap_rows(s->map, &n);
    for (size_t i = 0; i < n; i++) {
        const uint32_t *keys = rows[i].keys;
        bool match =
            first ? keys[0] == first && (keys[1] == code || (keys[1] && !code) ||
                                         (keys[1] == K_LETTER && is_letter(code)))
                  : keys[0] == code && !keys[1];
        if (match && (rows[i].modes & IN(mode)))
            return &rows[i];
    }
    return NULL;
}

static bool is_printable(uint32_t code)
{
    return (code >= 0x20 && code < 0x7F) || (code >= 0xA0 && code < K_UP);
}

static bool make_command(struct command *out, const struct binding *b,
                         const struct key *key, int count)
{
    *out = (struct command){.id = b->id,
                            .count = commands[b->id].flags & COUNTS ? count : 0,
                            .column = key->column,
                            .row = key->row,
                            .button = key->button,
                            .with_ctrl = key->code & K_WITH_CTRL,
                            .with_shift = key->code & K_WITH_SHIFT,
                            .text = is_printable(key->code) ? key->code : 0};
    return true;
}

static bool feed_digit(struct keymap_state *s, enum mode mode, uint32_t code)
{
    if (s->prefix || code < '0' || code > '9' || (code == '0' && s->count == 0) ||
        (code != '0' && find_binding(s, mode, 0, code)))
        return false;
    s->count = 10 * s->count + (int)(code - '0');
    if (s->count > KEYS_MAX_COUNT)
        s->count = KEYS_MAX_COUNT;
    return true;
}

bool keys_feed(struct keymap_state *s, enum mode mode, const struct key *key,
               struct command *out)
{
    *out = (struct command){.id = CMD_NONE};
    if (key_is_mouse(key->code)) {
        const struct binding *b = find_binding(s, mode, 0, key->code);
        if (!b)
            b = find_binding(s, mode, 0, key->code & ~MODIFIERS);
        return b && make_command(out, b, key, 0);
    }
    if (mode == MODE_PROMPT || mode == MODE_PALETTE) {
        /* Pasted line ends do not submit. */
        const struct binding *b =
            key->pasted ? NULL : find_binding(s, mode, 0, key->code);
        if (b)
            return make_command(out, b, key, 0);
        *out = (struct command){.id = CMD_TEXT, .text = key->code};
        return is_printable(key->code);
    }
    /* In the steering panel digits begin a value, not a count. */
    bool begins_value = key->code == '.' || (key->code >= '1' && key->code <= '9');
    if (!key->pasted && mode == MODE_STEER && begins_value) {
        *out = (struct command){.id = CMD_TEXT, .text = key->code};
        return true;
    }
    s->since_ms = key->ms;
    if (key->pasted || feed_digit(s, mode, key->code))
        return false;
    struct keymap_state before = *s;
    *s = (struct keymap_state){.map = s->map};
    if (key->code == K_ESCAPE && (before.count || before.prefix || before.reg))
        return false; /* Escape only drops a half-typed command */
    const struct binding *b = find_binding(s, mode, before.prefix, key->code);
    if (b && b->id == CMD_REGISTER)
        *s = (struct keymap_state){before.count, 0, key->code, s->map, key->ms};
    else if (b && make_command(out, b, key, before.count))
        out->reg = before.reg;
    else if (!before.prefix && find_binding(s, mode, key->code, 0))
        *s =
            (struct keymap_state){before.count, key->code, before.reg, s->map, key->ms};
    else
        *out = (struct command){.id = CMD_NO_KEY,
                                .keys = {before.prefix ? before.prefix : key->code,
                                         before.prefix ? key->code : 0}};
    return out->id != CMD_NONE;
}
