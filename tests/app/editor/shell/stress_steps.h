/* What the stress test does to a session: a piece, and keys by chance that edit it, ask for
 * takes, inspect, record and save. Include driver.h and promises.h before it. */
#ifndef TESTS_APP_STRESS_STEPS_H
#define TESTS_APP_STRESS_STEPS_H

#include "midi/transport/live.h"
#include "model/decoder/sampler.h"
#include "tests/app/pulse.h"
#include "app/editor/perform/recorder.h"

enum {
    QUARTER = 480,
    BAR = 4 * QUARTER,

    WORK = 1, /* the track that is changed */
    STEPS_A_SAVE = 150,
    STEPS_A_RECORDING = 4000, /* from one to the next; four steps are some 10 ms */
};

struct stress {
    struct session *session;
    struct rng rng;
    struct cells cells;
    bool key_is_down;         /* of the keyboard */
    bool was_recording;       /* before this step */
    struct music_bytes start; /* as the piece was opened */
    struct pulse pulse;
    int n_off, n_stalled; /* clicks, of all rounds; see pulse.h */
    long n_steps, n_saved, n_asked, n_filled, n_inspected, n_recorded;

    /* Bytes. */
    long in_use, resident; /* when all rounds that warm up were over */
    long in_use_here;      /* when this session had settled, */
    size_t n_states_here;  /* and how long its history was then; 0: it has not */
};

static inline int below(struct stress *k, int n)
{
    return (int)(rng_next(&k->rng) % (uint32_t)n);
}

/* -- the piece -- */

static inline void add(struct score *s, int track, int64_t start, int pitch)
{
    struct note n = {.start = start,
                     .length = QUARTER / 4,
                     .pitch = (uint8_t)pitch,
                     .velocity = 100,
                     .off_velocity = 64};
    assert_true(score_add_note(s, track, n) != 0);
}

static inline void write_piece(void)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "one", 0, 16), 0);
    assert_int_equal(score_add_track(s, "other", 1, 0), WORK);
    for (int i = 0; i < 16; i++) {
        add(s, 0, (int64_t)i * QUARTER, 60);
        add(s, WORK, (int64_t)i * QUARTER, 55 + i);
    }
    assert_int_equal(smf_save(s, "piece.mid"), MIDI_OK);
    score_destroy(s);
}

/* -- what is done -- */

/* Within a bar of the loop on its own track, wherever the inspector went. */
static inline void go_to_work(struct stress *k)
{
    struct session *s = k->session;
    keys(s, "\033\033\033");
    s->track = WORK;
    s->cursor.tick = (int64_t)below(k, 2) * BAR + below(k, 16) * QUARTER / 4;
    session_show_cursor(s);
}

static inline void edit(struct stress *k)
{
    static const char *const KEYS[] = {"\r",    "x", "}",  "{",   "]", "[",  "<", ">",
                                       "+",     "-", "D",  "yp",  "~", "=",  "u", "u",
                                       "‹C-r›", "s", "gj", "vlj", "V", "3\r"};
    keys(k->session, KEYS[below(k, (int)(sizeof KEYS / sizeof *KEYS))]);
}

static inline void ask_or_choose(struct stress *k)
{
    static const char *const KEYS[] = {"cc", "cc", "2cc", "2C", "r", "1",
                                       "2",  "0",  "a",   "X",  "T", "‹C-c›"};
    int i = below(k, (int)(sizeof KEYS / sizeof *KEYS));
    k->n_asked += i < 4;
    keys(k->session, KEYS[i]);
}

static inline void inspect(struct stress *k)
{
    static const char *const KEYS[] = {"h", "l", "]", "}",  "m", "d", "n", "t", "p",
                                       "x", "w", "s", "\t", "f", "r", "R", "\r"};
    if (k->session->mode != MODE_INSPECT)
        keys(k->session, "I");
    k->n_inspected += k->session->mode == MODE_INSPECT;
    for (int i = 0; i < 3 && k->session->mode == MODE_INSPECT; i++)
        keys(k->session, KEYS[below(k, (int)(sizeof KEYS / sizeof *KEYS))]);
}

static inline void play_a_key(struct stress *k)
{
    const uint8_t message[] = {k->key_is_down ? 0x80 : 0x90, 72, 80};
    k->key_is_down = !k->key_is_down;
    live_feed(player_live(k->session->player), clock_now_ms(), message);
}

static inline void record(struct stress *k)
{
    go_to_work(k); /* it goes to the track that is active */
    run(k->session, CMD_RECORD);
    k->n_recorded += k->was_recording;
}

/* What is written is what is shown; and from here all of it undoes, and is done again. */
static inline void save(struct stress *k)
{
    act_command_line(k->session, "w");
    assert_false(k->session->message.is_error);
    check_saved(k->session);
    check_undoes(k->session, &k->start);
    k->n_saved++;
}

/* One of all that. */
static inline void step(struct stress *k)
{
    const long at = k->n_steps % STEPS_A_RECORDING;
    int which = below(k, 100);
    k->was_recording = k->session->parts.recorder->is_on;
    if (k->session->mode == MODE_INSPECT && below(k, 2)) /* where keys mean others, */
        go_to_work(k);                                   /* and of any track */
    if (at == STEPS_A_RECORDING / 16 || at == STEPS_A_RECORDING / 4)
        record(k);
    else if (at % STEPS_A_SAVE == 0 && !k->was_recording) /* which would end it */
        save(k);
    else if (k->session->mode == MODE_INSPECT)
        inspect(k);
    else if (which < 65)
        edit(k);
    else if (which < 80)
        ask_or_choose(k);
    else if (which < 86)
        inspect(k);
    else if (which < 96)
        play_a_key(k);
    else
        go_to_work(k);
    if (k->session->mode != MODE_INSPECT)
        k->session->track = WORK;
    k->was_recording |=
        k->session->parts.recorder->is_on; /* its first tick may end it */
}

#endif
