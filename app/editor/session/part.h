/* A part of the editor: one file's commands, and what it does at fixed moments. The one
 * ordered table of all parts is app/editor/shell/parts.c; the session runs through it and
 * knows no part by name. UI thread only. */
#ifndef APP_PART_H
#define APP_PART_H

#include "tui/keys/command.h"

struct session;

typedef void act_fn(struct session *s, const struct command *c);
typedef void act_line_fn(struct session *s, const char *rest);

struct act_row { /* a table of them ends with {0} */
    enum command_id id;
    act_fn *run;
};

/* A line typed after `:`, "word rest". */
struct act_line_row { /* a table of them ends with {0} */
    const char *word;
    act_line_fn *run;
};

/* NULL: nothing of that kind. */
struct editor_part {
    const struct act_row *commands;
    const struct act_line_row *lines;
    const struct act_line_row *edit_lines; /* change notes: `.` does them again */
    void (*acted)(struct session *s);      /* after each command, of whatever part */
};

/* All parts in their order, up to NULL. */
extern const struct editor_part *const EDITOR_PARTS[];

#endif
