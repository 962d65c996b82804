/* The tutor: from a first note to an accepted continuation in five minutes. Each step says
 * what to do. It looks at the session, not at the keys, and goes on when that is done, by
 * whatever key. It also works in a piece that has music already.
 *
 * UI thread. */
#ifndef APP_TUTOR_H
#define APP_TUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct view;

/* The session when the step began. All zeros: there is no tutor. Tests look into it, others
 * do not. */
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
bool tutor_is_on(const struct session *s);
/* Whether it is on and shows its last step. */
bool tutor_at_end(const struct session *s);
/* Goes to the next step, whether this one is done or not; stops after the last. */
void tutor_skip(struct session *s);

#endif
