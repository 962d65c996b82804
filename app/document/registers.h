/* Copied music, by letter and number, as in vim: a to z are the composer's (a capital
 * letter adds to what is there), 0 is what was copied last, 1 to 9 what was taken away,
 * the latest first, and `"` is whichever was filled last.
 * Plain data, one owner. */
#ifndef APP_REGISTERS_H
#define APP_REGISTERS_H

#include "app/document/passage.h"

enum { N_LETTERS = 26, N_NUMBERS = 10, N_REGISTERS = N_LETTERS + N_NUMBERS };

struct registers {
    struct passage at[N_REGISTERS]; /* a to z, 0 to 9 */
    int last;                       /* filled; what `"` names */
    bool changed;                   /* since they were read or written */
};

void registers_fini(struct registers *r);
/* By its name, in lower case; names[i]: its name. */
extern const char REGISTER_NAMES[N_REGISTERS + 1];
/* What is in it; NULL: there is none of that name. It may be empty. name 0 is `"`. */
const struct passage *registers_get(const struct registers *r, uint32_t name);
/* A copy of what was copied, or was taken away, goes in: by name, or where there is none
 * (0 or `"`) into 0 or 1. false: no memory, or too long, and nothing changed. */
bool registers_put(struct registers *r, uint32_t name, const struct passage *p,
                   bool taken_away);

#endif
