/* The tutor: from a first note to an accepted continuation in five minutes. Each step
 * tells what to do and goes on by itself when that has been done, by whatever key: it
 * looks at the session, not at the keyboard. Music that is there already is no obstacle.
 *
 * Part of the session's ways; ui thread. */
#ifndef APP_TUTOR_H
#define APP_TUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct view;

/* What the step began with. All zeros: there is no tutor. */
struct tutor {
    bool is_on;
    int step; /* from 0; tutor_n_steps() - 1: the last, which is only read */
    size_t n_notes;
    int64_t cursor_tick;
    int cursor_pitch;
    uint64_t version; /* of the project */
    uint64_t state;   /* of its history, at the last look */
    bool has_undone;  /* since the step began */
    char title[48];
};

int tutor_n_steps(void);
void tutor_start(struct session *s);
void tutor_stop(struct session *s);
/* Whether it is on, and its last step is shown. */
bool tutor_at_end(const struct session *s);
/* To the next step, whether this one is done or not; at the end it stops. */
void tutor_skip(struct session *s);

#endif
