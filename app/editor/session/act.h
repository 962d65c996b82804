/* The actions, which keys and lines typed after `:` call, and what they share. Each tells the
 * user what it did, or why it did not (session_say). UI thread only. */
#ifndef APP_ACT_H
#define APP_ACT_H

#include "app/editor/session/part.h"
#include "tui/view/view.h"

struct session;

/* Executes one command. */
void act_run(struct session *s, const struct command *c);

/* How often to do it: the count typed before it, else 1. */
static inline int command_times(const struct command *c)
{
    return c->count > 0 ? c->count : 1;
}

/* The plural's ending for n things: "s", or "" for one. */
static inline const char *plural(long long n)
{
    return n == 1 ? "" : "s";
}

/* Flips *which, and tells the user `on` or `off`. */
void act_toggle(struct session *s, bool *which, const char *on, const char *off);

/* Does only what the command's own part does, without what act_run does around a key. For
 * parts that call another part's command. */
void act_call(struct session *s, enum command_id id);

/* A line typed after `:`. */
act_line_fn act_command_line;

/* Runs a line whose word is in no table: steering values. false: no part takes it. */
bool act_other_line(struct session *s, const char *word, const char *rest);
/* Opens the command line with `line` in it, for the user to continue. */
void act_open_command_line(struct session *s, const char *line);

#endif
