/* Requests four takes of two bars in a piece of quarters. Include cmocka.h before it. */
#ifndef TESTS_APP_ASKED_TAKES_H
#define TESTS_APP_ASKED_TAKES_H

#include "tests/app/quarters.h"
#include "tests/app/script.h"

/* Polyphony 4: a line would stay one voice, and random takes of it would be nearly empty. */
static inline int open_session(void **state)
{
    int status = open_quarters(state, 4);
    if (!status)
        act_command_line(*state, "polyphony 4");
    return status;
}

static inline bool all_have_notes(const struct session *s)
{
    bool all = s->takes.n == 4;
    for (int i = 0; i < s->takes.n; i++)
        all &= s->takes.list[i].n_waiting > 1;
    return all;
}

/* Requests bars 2 and 3 until every take has notes. */
static inline void ask(struct session *s)
{
    for (int tries = 0; tries < 20; tries++) {
        s->view.cursor.tick = BAR;
        run_times(s, CMD_CHANGE_BARS, 2);
        wait_for_end(s);
        if (all_have_notes(s))
            return;
        session_drop_take(s);
    }
    fail_msg("no luck with the dice");
}

DOES(ask, ask(s))

static inline void show(struct session *s, int digit)
{
    act_run(s, &(struct command){.id = digit ? CMD_TAKE : CMD_TAKE_ORIGINAL,
                                 .text = (uint32_t)('0' + digit)});
}

static inline char shown(const struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    return t ? t->letter : '0';
}

#endif
