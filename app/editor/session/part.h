/* A part of the editor: one file's commands and hooks. The ordered table of all parts
 * is in app/editor/shell/parts.c; the session runs through it and knows no part by
 * name. UI thread only. */
#ifndef APP_PART_H
#define APP_PART_H

#include "tui/keys/command.h"

#include <stddef.h>

struct layout;
struct session;
struct session_options;
struct view;

typedef void act_fn(struct session *s, const struct command *c);
typedef void act_plain_fn(struct session *s);
typedef void act_line_fn(struct session *s, const char *rest);
typedef void act_value_fn(struct session *s, const char *rest, int value);

/* Commands and the function they call, one of two. */
struct act_row {
    enum command_id ids[12]; /* up to the first 0 */
    /* NULL: always. false: the command cannot be done, and the user was told. */
    bool (*needs)(struct session *s);
    act_fn *run;
    act_plain_fn *plain;
};

/* A line typed after `:`, "word rest", and its action: one of the three functions, or that
 * command. */
struct act_line_row {
    const char *word;
    act_line_fn *run;
    act_plain_fn *plain;
    act_value_fn *run_with;
    int value; /* for run_with */
    enum command_id command;
};

enum prompt {
    PROMPT_COMMAND,
    PROMPT_OPEN,
    PROMPT_SAVE_AS,
    PROMPT_TEMPO,
    PROMPT_SCALE,
    PROMPT_QUANTISE,
    PROMPT_MARKER,
    PROMPT_FIND,
    PROMPT_MAP_EDIT,
    PROMPT_MAP_ADD,
    PROMPT_EXPORT,
};

/* Writes into buf[n] and returns buf. */
typedef const char *prompt_text_fn(struct session *s, char *buf, size_t n);

/* A line typed at the foot of the screen. */
struct prompt_row {
    enum prompt prompt;
    enum command_id opened_by;
    const char *label;
    prompt_text_fn *make_label; /* in its place, or NULL */
    prompt_text_fn *begin;      /* its initial text; NULL: none */
    act_line_fn *run;           /* where the line goes */
};

/* NULL: nothing of that kind. */
struct editor_part {
    const struct act_row *commands;
    const struct act_line_row *lines;
    const struct act_line_row *edit_lines; /* change notes: `.` does them again */
    const struct prompt_row *prompts;
    /* A line whose word is in no table; false: it is not for this part. */
    bool (*other_line)(struct session *s, const char *word, const char *rest);

    /* Where the session keeps this part's own state, and its size: PART_STATE. */
    size_t state, state_bytes;
    bool (*init)(struct session *s,
                 const struct session_options *o); /* false: no memory */
    void (*fini)(struct session *s);   /* also where init failed or was not reached */
    void (*reset)(struct session *s);  /* another piece is open: forget the old one */
    void (*opened)(struct session *s); /* after all have forgotten */

    void (*before)(struct session *s, enum command_id id); /* each command, */
    void (*acted)(struct session *s);                      /* and after it */
    void (*edited)(struct session *s);       /* the music has changed: session.seen */
    void (*take_dropped)(struct session *s); /* the takes that waited go */
    void (*model_goes)(struct session *s);   /* whoever reads the model ends now */
    bool (*stop)(struct session *s);         /* Ctrl-C; false: nothing of it runs */
    void (*resizing)(struct session *s);     /* the screen gets another size, */
    void (*resized)(struct session *s);      /* and has it */
    /* Gives its panel a place. */
    void (*lay_out)(const struct session *s, struct layout *l);

    void (*tick)(struct session *s); /* each turn of the loop: news of other threads */
    /* Milliseconds until tick has something to do if nothing happens; -1: nothing */
    int (*timeout_ms)(const struct session *s);
    void (*view)(struct session *s, struct view *v); /* fills its share of a frame */
};

/* Tables of a part: ON_COMMANDS({{CMD_X, CMD_Y}, .run = f}, ...), and likewise. */
#define ROWS(kind, ...)    ((const struct kind[]){__VA_ARGS__, {.run = NULL}})
#define ON_COMMANDS(...)   .commands = ROWS(act_row, __VA_ARGS__)
#define ON_LINES(...)      .lines = ROWS(act_line_row, __VA_ARGS__)
#define ON_EDIT_LINES(...) .edit_lines = ROWS(act_line_row, __VA_ARGS__)
#define ON_PROMPTS(...)    .prompts = ROWS(prompt_row, __VA_ARGS__)

#define PART_STATE(field)                                                              \
    .state = offsetof(struct session_parts, field),                                    \
    .state_bytes = sizeof *((struct session_parts *)0)->field

/* All parts in their order, up to NULL. */
extern const struct editor_part *const EDITOR_PARTS[];

/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* Loops over all parts: EACH_PART(p) (*p)->... */
#define EACH_PART(p) for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
/* Calls the hook of every part that has it. */
#define CALL_PARTS(hook, ...)                                                          \
    EACH_PART (p)                                                                      \
        if ((*p)->hook)                                                                \
    (*p)->hook(__VA_ARGS__)
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
