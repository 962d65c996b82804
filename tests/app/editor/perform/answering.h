/* A session that plays together with a machine that the test writes for, without a screen.
 * The transport runs on the system's clock. Include it once, after cmocka. */
#ifndef TESTS_APP_ANSWERING_H
#define TESTS_APP_ANSWERING_H

#include "app/editor/session/session.h"
#include "midi/transport/live.h"
#include "tests/app/editor/perform/fake_generator.h"
#include "app/editor/perform/answer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUARTER = 480, BAR = 4 * QUARTER }; /* of 100 ms each, at 600 a minute */

static inline int open_session(void **state)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .n_threads = 1,
                                .wake_fd = -1,
                                .journals = getenv("XDG_STATE_HOME") != NULL};
    assert_non_null(s);
    assert_int_equal(session_init(s, &o), MIDI_OK);
    session_resize(s, 80, 24);
    act_command_line(s, "track Piano");
    act_command_line(s, "tempo 600");
    act_command_line(s, "count-in 0");
    *state = s;
    return 0;
}

static inline int close_session(void **state)
{
    session_fini(*state);
    free(*state);
    fake_forget();
    return 0;
}

static inline void run(struct session *s, enum command_id id, int count)
{
    act_run(s, &(struct command){.id = id, .count = count});
}

static inline void strike(struct session *s, int pitch)
{
    const uint8_t message[3] = {0x90, (uint8_t)pitch, 70};
    live_play(player_live(s->player), live_now(), message);
}

static inline void let_go(struct session *s, int pitch)
{
    const uint8_t message[3] = {0x80, (uint8_t)pitch, 64};
    live_play(player_live(s->player), live_now(), message);
}

static inline void wait_ms(struct session *s, double ms)
{
    for (double end = live_now() + ms; live_now() < end;) {
        session_tick(s);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static inline void touch(struct session *s, int pitch, double ms)
{
    strike(s, pitch);
    wait_ms(s, ms);
    let_go(s, pitch);
    wait_ms(s, 12);
}

/* Until so many answers were asked for, at most a second. */
static inline void wait_for_asking(struct session *s, int n)
{
    for (int i = 0; i < 1000 && fake.n_started < n; i++)
        wait_ms(s, 1);
    assert_int_equal(fake.n_started, n);
}

static inline size_t n_ghosts(const struct session *s)
{
    return s->takes.n ? s->takes.list[0].n_waiting : 0;
}

static inline const struct ghost *ghost_of(const struct session *s, int pitch)
{
    for (size_t i = 0; i < n_ghosts(s); i++)
        if (s->takes.list[0].ghosts[i].note.pitch == pitch)
            return &s->takes.list[0].ghosts[i];
    return NULL;
}

/* With turns of so many bars, until the transport has begun. */
static inline void begin(struct session *s, int bars)
{
    run(s, CMD_ANSWER, bars);
    assert_int_equal(s->parts.answer->turn, ANSWER_LISTENS);
    wait_ms(s, 20);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)

#endif
