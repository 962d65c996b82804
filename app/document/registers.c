/* See registers.h. */
#include "app/document/registers.h"

#include <string.h>

const char REGISTER_NAMES[N_REGISTERS + 1] = "abcdefghijklmnopqrstuvwxyz0123456789";

enum { COPIED = N_LETTERS, TAKEN_FIRST = N_LETTERS + 1, TAKEN_LAST = N_REGISTERS - 1 };

void registers_fini(struct registers *r)
{
    for (int i = 0; i < N_REGISTERS; i++)
        passage_fini(&r->at[i]);
    *r = (struct registers){0};
}

/* -1: there is none. */
static int index_of(const struct registers *r, uint32_t name)
{
    if (name == 0 || name == '"')
        return r->last;
    if (name >= 'A' && name <= 'Z')
        name += 'a' - 'A';
    const char *at = name < 128 ? strchr(REGISTER_NAMES, (int)name) : NULL;
    return at ? (int)(at - REGISTER_NAMES) : -1;
}

const struct passage *registers_get(const struct registers *r, uint32_t name)
{
    int i = index_of(r, name);
    return i < 0 ? NULL : &r->at[i];
}

/* What was taken away before moves on by one, and the oldest is let go. */
static void shift(struct registers *r)
{
    passage_fini(&r->at[TAKEN_LAST]);
    memmove(&r->at[TAKEN_FIRST + 1], &r->at[TAKEN_FIRST],
            (TAKEN_LAST - TAKEN_FIRST) * sizeof r->at[0]);
    r->at[TAKEN_FIRST] = (struct passage){0};
}

static void fill(struct registers *r, int i, struct passage *p)
{
    passage_fini(&r->at[i]);
    r->at[i] = *p;
    r->last = i;
    r->changed = true;
}

bool registers_put(struct registers *r, uint32_t name, const struct passage *p,
                   bool taken_away)
{
    struct passage mine;
    bool is_named = name && name != '"';
    bool adds = name >= 'A' && name <= 'Z';
    int i = is_named ? index_of(r, name) : taken_away ? TAKEN_FIRST : COPIED;
    if (i < 0)
        return false;
    if (!passage_copy(&mine, adds && r->at[i].n ? &r->at[i] : p))
        return false;
    if (adds && r->at[i].n && !passage_append(&mine, p)) {
        passage_fini(&mine);
        return false;
    }
    if (!is_named && taken_away)
        shift(r);
    fill(r, i, &mine);
    return true;
}
