/* The line typed at the foot of the screen, and the help. UI thread only. */
#ifndef APP_PROMPT_H
#define APP_PROMPT_H

#include "app/editor/session/part.h"

#include <stdbool.h>

/* The line being typed at a prompt or in the palette. */
struct prompt_line {
    enum prompt kind;
    char label[80];   /* what it asks */
    char text[512];   /* UTF-8 */
    char preset[512]; /* what the next line begins with */
    size_t n;         /* bytes of text, */
    size_t after;     /* and of those after the cursor */
};

struct help_state {
    int scroll; /* lines */
    bool all;   /* of all modes */
};

#endif
