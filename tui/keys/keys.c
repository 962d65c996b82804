/* Turns keys into commands: counts first, then one or two keys looked up in the
 * table. */

#include "tui/keys/keymap.h"

#include <glib.h>

/* The binding of `code`, or of `code` after `first`. first 0: a binding of one key;
 * code 0: any second key. */
static const struct binding *find_binding(const struct keymap_state *s, enum mode mode,
                                          uint32_t first, uint32_t code)
{
    const bool is_letter = code < 0x80 && (g_ascii_isalnum((char)code) || code == '"');
    for (const struct binding *b = keymap_rows(s->map); b->id; b++) {
        const uint32_t *keys = b->keys;
        bool match = first
                         ? keys[0] == first && (keys[1] == code || (keys[1] && !code) ||
                                                (keys[1] == K_LETTER && is_letter))
                         : keys[0] == code && !keys[1];
        if (match && (b->modes & IN(mode)))
            return b;
    }
    return NULL;
}

static bool is_printable(uint32_t code)
{
    return (code >= 0x20 && code < 0x7F) || (code >= 0xA0 && code < K_UP);
}

bool keys_feed(struct keymap_state *s, enum mode mode, const struct key *key,
               struct command *out)
{
    const struct keymap_state before = *s;
    const struct binding *b;
    int count = 0;
    uint32_t reg = 0;
    /* In the steering panel digits begin a value, not a count. */
    const bool begins_value =
        mode == MODE_STEER && !key->pasted &&
        (key->code == '.' || (key->code >= '1' && key->code <= '9'));
    *out = (struct command){.id = CMD_NONE};
    if (key_is_mouse(key->code)) {
        b = find_binding(s, mode, 0, key->code);
        if (!b)
            b = find_binding(s, mode, 0, key->code & ~K_MODIFIERS);
        if (!b)
            return false;
    } else if (mode == MODE_PROMPT || mode == MODE_PALETTE || begins_value) {
        /* Pasted line ends do not submit. */
        b = key->pasted || begins_value ? NULL : find_binding(s, mode, 0, key->code);
        if (!b) {
            *out = (struct command){.id = CMD_TEXT, .text = key->code};
            return is_printable(key->code);
        }
    } else {
        s->since_ms = key->ms;
        const uint32_t digit = key->code - '0';
        const bool is_counted =
            !s->prefix && digit <= 9 &&
            (digit ? !find_binding(s, mode, 0, key->code) : s->count);
        if (is_counted && !key->pasted)
            s->count = MIN(10 * s->count + (int)digit, KEYS_MAX_COUNT);
        if (is_counted || key->pasted)
            return false;
        *s = (struct keymap_state){.map = s->map};
        if (key->code == K_ESCAPE && (before.count || before.prefix || before.reg))
            return false; /* Escape only drops a half-typed command */
        b = find_binding(s, mode, before.prefix, key->code);
        count = before.count;
        reg = before.reg;
        const bool begins = !b && !before.prefix && find_binding(s, mode, key->code, 0);
        if (begins || (b && b->id == CMD_REGISTER)) {
            *s = (struct keymap_state){count, begins ? key->code : 0,
                                       begins ? reg : key->code, s->map, key->ms};
            return false;
        }
        if (!b) {
            *out = (struct command){.id = CMD_NO_KEY,
                                    .keys = {before.prefix ? before.prefix : key->code,
                                             before.prefix ? key->code : 0}};
            return true;
        }
    }
    *out = (struct command){.id = b->id,
                            .count = commands[b->id].flags & COUNTS ? count : 0,
                            .column = key->column,
                            .row = key->row,
                            .button = key->button,
                            .with_ctrl = key->code & K_WITH_CTRL,
                            .with_shift = key->code & K_WITH_SHIFT,
                            .text = is_printable(key->code) ? key->code : 0,
                            .reg = reg};
    return true;
}
