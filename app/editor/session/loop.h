/* The loop: a span of the piece that plays again and again. It belongs to the piece and is
 * saved beside it (app/document/store_session.h). Undo does not change it. UI thread only. */
#ifndef APP_LOOP_H
#define APP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct session;

struct loop_span {
    int64_t from, to; /* ticks; equal: there is none */
    uint64_t state;   /* of the history, in which they are ticks */
    bool on;
    bool waits; /* session_hold_loop */
};

/* Makes [from, to), in either order, the loop and turns it on. An empty span does nothing. */
void session_set_loop(struct session *s, int64_t from, int64_t to);
void session_say_loop(struct session *s);        /* tells the user what it is now */
void session_send_loop(const struct session *s); /* tells the player */
/* Suspends the loop while user and model play together, or a free take is recorded. */
void session_hold_loop(struct session *s, bool waits);
void session_follow_loop(struct session *s); /* after time was put in or taken out */
bool session_has_loop(const struct session *s);

#endif
