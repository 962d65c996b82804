/* What the model has proposed: showing it, stopping and dropping it. UI thread only. */
#ifndef APP_TAKES_H
#define APP_TAKES_H

#include "app/editor/session/session.h"

/* Adds what the model has written since the last call to the takes. Returns how many notes. */
size_t takes_collect(struct session *s);
void session_stop_take(struct session *s); /* the notes that came so far wait */
void session_drop_take(struct session *s); /* drops all takes; stops the model, too */
/* Drops the takes if none of them has notes to accept, with the tracks that were added for them.
 * false: some wait. */
bool session_drop_empty(struct session *s);
/* Shows the take at this index of takes.list; -1: the original. While music plays it sounds
 * from the next beat on: then returns true. */
bool session_show_take(struct session *s, int index);
/* Returns whether takes are shown or a part of one is being selected. */
bool session_is_in_takes(const struct session *s);
/* Returns whether the list of takes is on the screen. */
bool session_lists_takes(const struct session *s);
/* Handles a press or a turn of the wheel over the list of takes; false: it was elsewhere. */
bool takes_press(struct session *s, const struct command *c);
/* Moves to the shown take's next ghost, or the one before; false: there is none. */
bool session_step_ghost(struct session *s, bool forwards);
/* Returns a copy of the music as it sounds: with the shown take, without the notes that it
 * replaces. The caller owns it. NULL: out of memory. */
struct score *session_heard(const struct session *s);
/* Gives that copy to the player, unless it has it. */
void session_publish(struct session *s);

#endif
