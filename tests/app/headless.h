/* A session without a screen or sound, with the model of model_folder.h, and what one
 * does with it: commands, and waiting for the machine. Include cmocka.h before it. */
#ifndef TESTS_APP_HEADLESS_H
#define TESTS_APP_HEADLESS_H

#include "app/editor/session/session.h"
#include "tests/app/model_folder.h"

#include <time.h>

static inline void run(struct session *s, enum command_id id)
{
    act_run(s, &(struct command){.id = id});
}

static inline void run_times(struct session *s, enum command_id id, int count)
{
    act_run(s, &(struct command){.id = id, .count = count});
}

/* Of the take that is shown. */
static inline size_t n_ghosts(const struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    return t ? t->n_waiting : 0;
}

static inline const struct ghost *ghosts(const struct session *s)
{
    return proposals_shown(&s->takes)->ghosts;
}

/* One take at a time. NULL: it could not be. */
static inline struct session *headless_open(void)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .model = model,
                                .n_threads = 1,
                                .seed = 5,
                                .wake_fd = -1,
                                .journals = true};
    if (!s || session_init(s, &o)) {
        free(s);
        return NULL;
    }
    session_resize(s, 80, 24);
    act_command_line(s, "style any");
    act_command_line(s, "takes 1");
    return s;
}

static inline int close_session(void **state)
{
    session_fini(*state);
    free(*state);
    return 0;
}

static inline void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* Two minutes of naps; TSan makes a model's steps dozens of times as slow. */
#ifdef __SANITIZE_THREAD__
enum { MOST_NAPS = 300000 };
#else
enum { MOST_NAPS = 60000 };
#endif

/* Until the machine is done. */
static inline void wait_for_end(struct session *s)
{
    for (int i = 0; i < MOST_NAPS; i++) {
        session_tick(s);
        if (!s->was_running)
            break;
        nap();
    }
    assert_false(s->was_running);
}

#endif
