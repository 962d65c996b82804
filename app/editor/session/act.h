/* The actions: what the table in act.c and the lines typed after `:` call, and what
 * actions lend one another. Each says to the user what it did, or why it did not
 * (session_say). UI thread only. */
#ifndef APP_ACT_H
#define APP_ACT_H

#include "app/editor/session/part.h"
#include "tui/view/view.h"

struct session;

/* Executes one command. */
void act_run(struct session *s, const struct command *c);

/* How often: a count stands before some commands. */
static inline int command_times(const struct command *c)
{
    return c->count > 0 ? c->count : 1;
}

/* Only what the command's own part does, without what surrounds a key. For parts that have
 * another do its work. */
void act_call(struct session *s, const struct command *c);

/* A line typed after `:`. */
act_line_fn act_command_line;

/* A line whose word is in no table: steering values. false: no part takes it. */
bool act_other_line(struct session *s, const char *word, const char *rest);
/* Opens the command line with `line` in it, to be gone on with. */
void act_open_command_line(struct session *s, const char *line);

#endif
