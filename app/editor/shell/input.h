/* The line that is typed, at a prompt and in the palette: session.prompt.text, with the
 * cursor prompt.after bytes before its end. Its keys are those of a shell. */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "app/editor/session/session.h"

enum { INPUT_HISTORY = 100 };

/* Lines typed at prompts, the newest last. Tests look into it, others do not. */
struct input_history {
    struct input_line {
        char *text;
        int prompt; /* enum prompt */
    } lines[INPUT_HISTORY];
    int n;
    int at;      /* the line shown; n: the unfinished line, */
    char *draft; /* which is kept here while an older one is shown */
};

/* Call before a line is typed. */
void input_begin(struct session *s);
/* Inserts text at the cursor, if there is room for all of it. */
void input_insert(struct session *s, const char *text, size_t n);
/* Replaces the whole line; the cursor goes to its end. */
void input_set(struct session *s, const char *text);
size_t input_cursor(const struct session *s); /* bytes before it */

/* Adds a line that was typed at that prompt (enum prompt) to the history. */
void input_remember(struct session *s, int prompt, const char *line);

#endif
