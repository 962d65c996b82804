/* Running commands, which keys and lines typed after `:` call (act.c). UI thread only. */
#ifndef APP_ACT_H
#define APP_ACT_H

#include "app/editor/session/part.h"

void act_run(struct session *s, const struct command *c);

/* The count typed before a command, else 1; and the command's own step times that count. */
static inline int command_times(const struct command *c)
{
    return c->count > 0 ? c->count : 1;
}
static inline int command_steps(const struct command *c)
{
    return c->by * command_times(c);
}

/* The steps as a distance of pitches or velocities: at most 127 either way. */
static inline int command_small_steps(const struct command *c)
{
    const int by = command_steps(c);
    return by < -127 ? -127 : by > 127 ? 127 : by;
}

/* Returns the ending of a plural for n things: "s", or "" for one. */
static inline const char *plural(long long n)
{
    return n == 1 ? "" : "s";
}

/* Flips *which, and tells the user `on` or `off`. */
void act_toggle(struct session *s, bool *which, const char *on, const char *off);

/* Runs only the command's own function, without the work that act_run does around a key. For
 * parts that call another part's command. */
void act_call(struct session *s, enum command_id id);

/* Returns the row of the first word of a line such as "tempo 96", or NULL. */
const struct act_line_row *act_line_of(const char *line);
/* Returns the text that is typed after `word` at the command line, or NULL if that is not the
 * typed line. */
const char *act_typed_after(const struct session *s, const char *word);
/* Runs a line whose word is in no table, such as a steering value. false: no part knows the
 * word. */
bool act_other_line(struct session *s, const char *word, const char *rest);
/* Opens the command line with `line` in it, for the user to continue. */
void act_open_command_line(struct session *s, const char *line);

#endif
