#include "tui/keys/keymap.h"

#include <stdlib.h>
#include <string.h>

struct binding *keymap_create(void)
{
    struct binding *m = calloc(n_bindings + 1, sizeof *m);
    if (m)
        memcpy(m, bindings, n_bindings * sizeof *m);
    return m;
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

const struct binding *keymap_taken(const struct binding *m, unsigned modes,
                                   const uint32_t keys[2])
{
    for (; m->id; m++)
        if (is_clash(m, modes, keys))
            return m;
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

void keymap_clear(struct binding *m, unsigned modes, enum command_id id)
{
    for (; m->id; m++)
        if (m->id == id && !key_is_mouse(m->keys[0]))
            m->modes &= ~modes;
}

void keymap_free_keys(struct binding *m, unsigned modes, const uint32_t keys[2])
{
    for (; m->id; m++)
        if (is_clash(m, modes, keys))
            m->modes &= ~modes;
}

bool keymap_add(struct binding **m, unsigned modes, const uint32_t keys[2],
                enum command_id id)
{
    const struct binding *told = NULL; /* the last row with help */
    for (size_t i = 0; i < n_bindings && modes; i++) {
        const struct binding *b = &bindings[i];
        told = b->help ? b : told;
        unsigned here = b->id == id ? b->modes & modes : 0;
        if (!here || !told)
            continue;
        /* The key comes behind those of the row with the help. */
        size_t at = 0, n = 1; /* with the row of zeros */
        while ((*m)[n - 1].id)
            n++;
        struct binding *rows = realloc(*m, (n + 1) * sizeof *rows);
        if (!rows)
            return false;
        *m = rows;
        while (rows[at].help != told->help || rows[at].id != told->id)
            at++;
        do
            at++;
        while (rows[at].id && !rows[at].help);
        memmove(rows + at + 1, rows + at, (n - at) * sizeof *rows);
        rows[at] = *told;
        rows[at].modes = here;
        rows[at].keys[0] = keys[0];
        rows[at].keys[1] = keys[1];
        rows[at].help = rows[at].hint = NULL;
        modes &= ~here;
    }
    return true;
}

void keymap_restore(struct binding **m, unsigned modes, enum command_id id)
{
    for (size_t i = 0; i < n_bindings; i++) {
        const struct binding *b = &bindings[i];
        unsigned here = b->id == id ? b->modes & modes : 0;
        if (here && !keymap_taken(*m, here, b->keys))
            keymap_add(m, here, b->keys, id);
    }
}
