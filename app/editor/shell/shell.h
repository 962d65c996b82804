/* What the parts of the shell and the program that starts it share: files, preferences,
 * and the tutor. UI thread only. */
#ifndef APP_SHELL_H
#define APP_SHELL_H

#include "app/editor/session/session.h"

struct config;

/* -- files, as `:e` and `:w` open and save them -- */

/* forced: leaves unsaved music, or writes over another file. path NULL: its own. */
bool act_save_as(struct session *s, const char *path, bool forced);
enum { FORCED = 1, QUITS = 2 }; /* act_write_line: as with `!`, and as with `q` */

/* -- the line that is typed at a prompt or in the palette: session.view.prompt.text. The cursor is
 * prompt.after bytes before its end. The keys are those of a shell -- */

enum { INPUT_HISTORY = 100 };

/* Lines typed at prompts, the newest last. Only input.c and tests read the fields. */
struct input_history {
    struct input_line {
        char *text;
        int prompt; /* enum prompt */
    } lines[INPUT_HISTORY];
    int n;
    int at;      /* the shown line; n: the unfinished one */
    char *draft; /* the unfinished line while an older one is shown; owned */
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

/* -- preferences -- */

/* Applies the configuration to the session and takes its keys. Call before a file is opened.
 * From then on, opened files are remembered. */
void preferences_begin(struct session *s, struct config *c);
/* Call after that. Reports errors of the configuration, tells a new user where to begin, or
 * starts the tutor. */
void preferences_greet(struct session *s, const struct config *c, bool with_tutor);

/* -- the tutor -- */

/* The tutor leads from a first note to an accepted continuation in five minutes. Each step says
 * what to do, and ends when the session shows that it is done, by whatever keys. The tutor also
 * works in a piece that has music. */

/* The session when the step began. All zeros: no tutor. Only tests read the fields. */
struct tutor {
    bool is_on;
    int step; /* from 0; the last is only read */
    size_t n_notes;
    struct roll_point cursor;
    uint64_t version;  /* of the project */
    uint64_t state;    /* of its history, at the last look */
    bool has_undone;   /* since the step began */
    uint64_t first_id; /* of a note that is put while it is on */
    char title[48];
};

void tutor_start(struct session *s);
/* Whether the tutor is on and shows its last step. */
bool tutor_at_end(const struct session *s);
/* Goes to the next step, even if this one is not done; stops after the last. */
void tutor_skip(struct session *s);

#endif
