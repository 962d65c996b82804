/* The line that is typed, at a prompt and in the palette: session.input, with the cursor
 * ways.input_after bytes before its end. Its keys are those of a shell. */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "app/editor/session/session.h"

enum { INPUT_HISTORY = 100 };

/* Lines typed at prompts, the newest last. */
struct input_history {
    struct input_line {
        char *text;
        int prompt; /* enum prompt */
    } lines[INPUT_HISTORY];
    int n;
    int at;      /* the one that is shown; n: what was typed last, */
    char *draft; /* which is kept here meanwhile */
};

/* Before a line is typed. */
void input_begin(struct session *s);
/* Puts text in at the cursor, if there is room for all of it. */
void input_insert(struct session *s, const char *text, size_t n);
/* In place of the whole line; the cursor at its end. */
void input_set(struct session *s, const char *text);
size_t input_cursor(const struct session *s); /* bytes before it */

void input_remember(struct input_history *h, int prompt, const char *line);
void input_forget(struct input_history *h);

#endif
