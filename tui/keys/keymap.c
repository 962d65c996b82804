#include "tui/keys/keymap.h"

#include <stdlib.h>
#include <string.h>

struct keymap {
    struct binding *rows; /* n, and one of zeros */
    size_t n;
};

static bool make_room(struct keymap *m, size_t n)
{
    struct binding *grown = realloc(m->rows, n * sizeof *grown);
    if (grown)
        m->rows = grown;
    return grown;
}

struct keymap *keymap_create(void)
{
    struct keymap *m = calloc(1, sizeof *m);
    if (!m || !make_room(m, n_bindings + 1)) {
        free(m);
        return NULL;
    }
    m->n = n_bindings;
    memcpy(m->rows, bindings, (m->n + 1) * sizeof *bindings);
    return m;
}

void keymap_destroy(struct keymap *m)
{
    if (m)
        free(m->rows);
    free(m);
}

const struct binding *keymap_rows(const struct keymap *m, size_t *n)
{
    *n = m ? m->n : n_bindings;
    return m ? m->rows : bindings;
}

const struct binding *binding_about(const struct binding *b, unsigned modes)
{
    const struct binding *first = b;
    if (!(b->modes & modes))
        return NULL;
    while (!first->help)
        if ((--first)->modes & modes)
            return NULL;
    return first;
}

static bool is_clash(const struct binding *b, unsigned modes, const uint32_t keys[2])
{
    return (b->modes & modes) && b->keys[0] == keys[0] &&
           (b->keys[1] == keys[1] || !b->keys[1] || !keys[1]);
}

const struct binding *keymap_taken(const struct keymap *m, unsigned modes,
                                   const uint32_t keys[2])
{
    size_t n;
    const struct binding *rows = keymap_rows(m, &n);
    for (size_t i = 0; i < n; i++)
        if (is_clash(&rows[i], modes, keys))
            return &rows[i];
    return NULL;
}

unsigned keymap_modes_of(enum command_id id)
{
    unsigned modes = 0;
    for (size_t i = 0; i < n_bindings; i++)
        if (bindings[i].id == id)
            modes |= bindings[i].modes;
    return modes;
}

bool key_is_mouse(uint32_t code)
{
    code &= ~(uint32_t)(K_WITH_SHIFT | K_WITH_ALT | K_WITH_CTRL);
    return code >= K_PRESS && code <= K_WHEEL_RIGHT;
}

void keymap_clear(struct keymap *m, unsigned modes, enum command_id id)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->rows[i].id == id && !key_is_mouse(m->rows[i].keys[0]))
            m->rows[i].modes &= ~modes;
}

void keymap_free_keys(struct keymap *m, unsigned modes, const uint32_t keys[2])
{
    for (size_t i = 0; i < m->n; i++)
        if (is_clash(&m->rows[i], modes, keys))
            m->rows[i].modes &= ~modes;
}

/* Adds a key behind those of a row of the built-in table that has help. */
static bool add_row(struct keymap *m, const struct binding *like, unsigned modes,
                    const uint32_t keys[2])
{
    struct binding row = *like;
    size_t at = 0;
    if (!make_room(m, m->n + 2))
        return false;
    row.modes = modes;
    row.keys[0] = keys[0];
    row.keys[1] = keys[1];
    row.help = row.hint = NULL;
    while (m->rows[at].help != like->help || m->rows[at].id != like->id)
        at++;
    do
        at++;
    while (at < m->n && !m->rows[at].help);
    memmove(m->rows + at + 1, m->rows + at, (m->n + 1 - at) * sizeof *m->rows);
    m->rows[at] = row;
    m->n++;
    return true;
}

bool keymap_add(struct keymap *m, unsigned modes, const uint32_t keys[2],
                enum command_id id)
{
    const struct binding *told = NULL; /* the last row with help */
    for (size_t i = 0; i < n_bindings && modes; i++) {
        const struct binding *b = &bindings[i];
        told = b->help ? b : told;
        unsigned here = b->id == id ? b->modes & modes : 0;
        if (here && told && !add_row(m, told, here, keys))
            return false;
        modes &= ~here;
    }
    return true;
}

void keymap_restore(struct keymap *m, unsigned modes, enum command_id id)
{
    for (size_t i = 0; i < n_bindings; i++) {
        const struct binding *b = &bindings[i];
        unsigned here = b->id == id ? b->modes & modes : 0;
        if (here && !keymap_taken(m, here, b->keys))
            keymap_add(m, here, b->keys, id);
    }
}
