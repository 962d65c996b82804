/* A session that plays together with a machine that the test writes for, without a screen.
 * The transport runs on the system's clock: a quarter, 480 ticks, is 100 ms.
 *
 * In scripts: "‹begin 1›" turns of so many bars, until the transport has begun; "‹strike 60›",
 * "‹let_go 60›" and "‹touch 60 30›" for so many milliseconds, on a keyboard; "‹asked 1›" waits
 * until so many answers were asked for; "‹answer 1b 1q 72›" and "‹done›" are the machine's.
 * "‹pass 30›" lets milliseconds pass, "‹play_to 1b›" the time until then. Include it once,
 * after tests/check.h. */
#ifndef TESTS_APP_ANSWERING_H
#define TESTS_APP_ANSWERING_H

#include "app/editor/perform/answer.h"
#include "tests/app/editor/perform/fake_generator.h"
#include "tests/app/script.h"

static inline int two_play(void **state)
{
    fake_forget();
    struct session *s = session_with(
        (struct session_options){.journals = getenv("XDG_STATE_HOME") != NULL});
    assert_non_null(s);
    act_command_line(s, "track Piano");
    act_command_line(s, "tempo 600");
    act_command_line(s, "count-in 0");
    *state = s;
    return 0;
}

static inline void play_live(struct session *s, int status, int data1, int data2)
{
    const uint8_t message[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    live_play(player_live(s->player), clock_now_ms(), message);
}

DOES(strike, play_live(s, 0x90, (int)read_ticks(&arguments), 70))

DOES(let_go, play_live(s, 0x80, (int)read_ticks(&arguments), 64))

WORD(control)
{
    int number = (int)read_ticks(&arguments);
    play_live(s, 0xb0, number, (int)read_ticks(&arguments));
}

WORD(touch)
{
    int pitch = (int)read_ticks(&arguments);
    play_live(s, 0x90, pitch, 70);
    pass_ms(s, (double)read_ticks(&arguments));
    play_live(s, 0x80, pitch, 64);
    pass_ms(s, 12);
}

/* At most a second. */
WORD(asked)
{
    int n = (int)read_ticks(&arguments);
    for (int i = 0; i < 1000 && fake.n_started < n; i++)
        pass_ms(s, 1);
    assert_int_equal(fake.n_started, n);
}

WORD(answer)
{
    int64_t start = read_ticks(&arguments), length = read_ticks(&arguments);
    fake_write(start, length, (int)read_ticks(&arguments));
}

DOES(done, fake_end())

WORD(play_to)
{
    int64_t to = read_ticks(&arguments);
    for (int i = 0; i < 20000 && player_tick(s->player) < (double)to; i++)
        pass_ms(s, PASSING_STEP_MS);
    assert_true(player_tick(s->player) >= (double)to);
}

WORD(begin)
{
    run_times(s, CMD_ANSWER, (int)read_ticks(&arguments));
    assert_int_equal(s->parts.answer->turn, ANSWER_LISTENS);
    pass_ms(s, 20);
}

static inline const struct ghost *ghost_of(const struct session *s, int pitch)
{
    for (size_t i = 0; i < n_ghosts(s); i++)
        if (s->takes.list[0].ghosts[i].note.pitch == pitch)
            return &s->takes.list[0].ghosts[i];
    return NULL;
}

NUMBER_FACT(listens, s->parts.answer->turn == ANSWER_LISTENS)
NUMBER_FACT(writes, s->parts.answer->turn == ANSWER_WRITES)
NUMBER_FACT(off, s->parts.answer->turn == ANSWER_OFF)
NUMBER_FACT(turn_to, s->parts.answer->turn_to)
NUMBER_FACT(ghost, ghost_of(s, of) != NULL) /* of that pitch */
NUMBER_FACT(ghost_track, ghost_of(s, of)->track)
NUMBER_FACT(begin, s->parts.answer->begin)
NUMBER_FACT(started, fake.n_started)
NUMBER_FACT(tracks_asked, fake.wanted.tracks)
NUMBER_FACT(begin_asked, fake.wanted.begin_tick)
NUMBER_FACT(end_asked, fake.wanted.end_tick)
NUMBER_FACT(heard_notes, fake.heard ? score_n_notes(fake.heard) : 0)
NUMBER_FACT(read_notes, fake.read ? score_n_notes(fake.read) : 0)
NUMBER_FACT(tick, player_tick(s->player) + 0.5)
NUMBER_FACT(held, player_is_held(s->player))

#endif
