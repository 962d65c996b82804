/* Everything at once: a session that plays in a loop is edited, recorded into, asked for
 * takes and stopped again, looked into by the inspector and saved, by random keys, while
 * its sound is captured. What a session promises holds after each step (invariants.h,
 * promises.h); the metronome is heard through all of it, evenly; and memory stays as it is
 * from one session to the next. `make stress MINUTES=60`.
 *
 * The music is muted, so that the metronome alone is heard. Where all tracks are, what
 * takes bars of the tracks that are heard (V c) has none and says so. */
#include "tests/check.h"
#include "tests/app/invariants.h"
/* midi/record/record.h has a struct of the same name. */
#define recording heard
#include "tests/midi/listen.h"
#undef recording
#include "tests/midi/in_use.h"
#include "tests/app/promises.h"
#include "tests/app/pulse.h"
#include "tests/midi/score_of.h"
#include "app/editor/perform/recorder.h"
#include "midi/transport/live.h"
#include "midi/transport/player_state.h"

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

static int below(struct stress *k, int n)
{
    return (int)(rng_next(&k->rng) % (uint32_t)n);
}

/* -- the piece -- */

static void write_piece(void)
{
    save_score("piece.mid",
               score_of("480 | one #16: (60s@100 re.)*16 | "
                        "other: 55s@100 re. 56s re. 57s re. 58s re. 59s re. 60s re. "
                        "61s re. 62s re. 63s re. 64s re. 65s re. 66s re. 67s re. "
                        "68s re. 69s re. 70s re."));
}

/* -- what is done -- */

/* Within a bar of the loop on its own track, wherever the inspector went. */
static void go_to_work(struct stress *k)
{
    struct session *s = k->session;
    keys(s, "\033\033\033");
    s->view.track = WORK;
    s->view.cursor.tick = (int64_t)below(k, 2) * BAR + below(k, 16) * QUARTER / 4;
    session_show_cursor(s);
}

static void edit(struct stress *k)
{
    static const char *const KEYS[] = {"\r",    "x", "}",  "{",   "]", "[",  "<", ">",
                                       "+",     "-", "D",  "yp",  "~", "=",  "u", "u",
                                       "‹C-r›", "s", "gj", "vlj", "V", "3\r"};
    keys(k->session, KEYS[below(k, (int)(sizeof KEYS / sizeof *KEYS))]);
}

static void ask_or_choose(struct stress *k)
{
    static const char *const KEYS[] = {"cc", "cc", "2cc", "2C", "r", "1",
                                       "2",  "0",  "a",   "X",  "T", "‹C-c›"};
    int i = below(k, (int)(sizeof KEYS / sizeof *KEYS));
    k->n_asked += i < 4;
    keys(k->session, KEYS[i]);
}

static void inspect(struct stress *k)
{
    static const char *const KEYS[] = {"h", "l", "]", "}",  "m", "d", "n", "t", "p",
                                       "x", "w", "s", "\t", "f", "r", "R", "\r"};
    if (k->session->view.mode != MODE_INSPECT)
        keys(k->session, "I");
    k->n_inspected += k->session->view.mode == MODE_INSPECT;
    for (int i = 0; i < 3 && k->session->view.mode == MODE_INSPECT; i++)
        keys(k->session, KEYS[below(k, (int)(sizeof KEYS / sizeof *KEYS))]);
}

static void play_a_key(struct stress *k)
{
    const uint8_t message[] = {k->key_is_down ? 0x80 : 0x90, 72, 80};
    k->key_is_down = !k->key_is_down;
    live_feed(player_live(k->session->player), clock_now_ms(), message);
}

static void record(struct stress *k)
{
    go_to_work(k); /* it goes to the track that is active */
    run(k->session, CMD_RECORD);
    k->n_recorded += k->was_recording;
}

/* What is written is what is shown; and from here all of it undoes, and is done again. */
static void save(struct stress *k)
{
    act_command_line(k->session, "w");
    assert_false(k->session->view.message.is_error);
    check_saved(k->session);
    check_undoes(k->session, &k->start);
    k->n_saved++;
}

/* One of all that. */
static void step(struct stress *k)
{
    const long at = k->n_steps % STEPS_A_RECORDING;
    int which = below(k, 100);
    k->was_recording = k->session->parts.recorder->is_on;
    if (k->session->view.mode == MODE_INSPECT &&
        below(k, 2))   /* where keys mean others, */
        go_to_work(k); /* and of any track */
    if (at == STEPS_A_RECORDING / 16 || at == STEPS_A_RECORDING / 4)
        record(k);
    else if (at % STEPS_A_SAVE == 0 && !k->was_recording) /* which would end it */
        save(k);
    else if (k->session->view.mode == MODE_INSPECT)
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
    if (k->session->view.mode != MODE_INSPECT)
        k->session->view.track = WORK;
    k->was_recording |=
        k->session->parts.recorder->is_on; /* its first tick may end it */
}

enum {
    SECONDS = 4,          /* of make test, */
    SECONDS_A_ROUND = 60, /* and at most of one session */
    STEPS_A_LOOK = 8,
    MOST_ONSETS = 4 * SECONDS_A_ROUND,

    /* Memory, of rounds after the third, by when all is warm. Each session makes a synth,
     * and libinstpatch, which FluidSynth has for some sound banks, sets its types up anew
     * for each: 1.8 kB that are never freed (heaptrack, 22 sessions). */
    WARM_ROUNDS = 3,
    IN_USE_A_ROUND = 4 << 10,
    IN_USE_SPREAD = 32 << 10, /* of what waits in the allocator's caches */
    RESIDENT_SPREAD = 1 << 20,

    /* And within a session, after so many steps of it: its history grows by a change of a
     * note or of a take's (1.7 kB in the mean), takes come and go. */
    STEPS_TO_SETTLE = 1000,
    IN_USE_A_STATE = 4 << 10,
    IN_USE_OF_TAKES = 6 << 20,
};
/* At 120 a minute. */
static const double PULSE_S = 0.5, LATE_S = 0.005, SLACK_S = 0.25;

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static const bool IS_SLOW = true; /* neither times nor memory are the program's */
#else
static const bool IS_SLOW = false;
#endif

/* -- the sound -- */

static void begin_to_play(struct stress *k)
{
    struct session *s = k->session;
    for (int i = 0; i < 1000 && player_is_opening(s->player); i++)
        nap();
    assert_true(player_has_sound(s->player));
    act_command_line(s, "monitor off");
    for (s->view.track = 0; s->view.track <= WORK; s->view.track++)
        run(s, CMD_MUTE);
    s->view.track = WORK;
    s->sound.clicks = CLICKS_ALWAYS;
    session_send_clicks(s);
    session_set_loop(s, 0, 2 * BAR);
    k->pulse =
        (struct pulse){.period_s = PULSE_S, .late_s = LATE_S, .slack_s = SLACK_S};
    stalls_begin(&k->pulse.stalls);
    keys(s, "gg");
    pulse_begin(&k->pulse);
    keys(s, " ");
    assert_true(player_is_playing(s->player));
}

/* The end of a recording ends playing, too, and so does nothing else. */
static void play_on(struct stress *k)
{
    if (player_is_playing(k->session->player))
        return;
    if (!k->was_recording)
        fail_msg("step %ld: it stands at %.0f: %s", k->n_steps,
                 player_tick(k->session->player), k->session->view.message.text);
    pulse_begin(&k->pulse);
    run(k->session, CMD_PLAY_START);
}

/* The clicks are even, but for the first after each time that playing was begun again,
 * which is not late: the click before it was of where the playhead had been. */
static void check_sound(struct stress *k, double seconds)
{
    double onsets[MOST_ONSETS];
    struct heard r;
    assert_true(listen_load(&r, "fluidsynth.wav"));
    int n = listen_onsets(&r, onsets, MOST_ONSETS);
    if (!IS_SLOW && n < (int)(seconds / PULSE_S) - 4)
        fail_msg("%d clicks in %.1f s", n, (double)r.n / r.rate);
    free(r.x);
    unlink("fluidsynth.wav");
    struct pulse_report heard = pulse_check(&k->pulse, onsets, n);
    k->n_off += heard.n_off;
    k->n_stalled += heard.n_stalled;
    print_message(
        "%d clicks, at most %.1f ms off; begun anew %d times, at most %.1f ms off\n", n,
        heard.worst_ms, k->pulse.n_begun - 1, heard.begins_ms);
}

/* -- a round -- */

/* All has come to rest: a killed program would be here again, and all of it undoes. */
static void check_at_rest(struct stress *k)
{
    struct session *s = k->session;
    keys(s, "\033\033\033");
    run(s, CMD_STOP);
    wait_for_end(s);
    record_stop(s);
    check_invariants(s);
    check_reopens(s, "piece.mid");
    check_undoes(s, &k->start);
}

/* One step, and what holds after it. */
static void step_and_check(struct stress *k)
{
    const struct asked_hole hole = asked_hole(k->session);
    step(k);
    k->n_filled += check_filled(k->session, &hole);
    session_tick(k->session);
    check_invariants(k->session);
    assert_int_equal(count_overlaps(k->session->project.score), 0);
    assert_int_equal(k->session->player->n_dropped, 0);
}

/* What a session holds grows with its history and not with what was done. */
static void check_session_memory(struct stress *k)
{
    size_t n_states = history_n_states(k->session->project.history);
    if (!k->n_states_here) {
        k->in_use_here = memory_in_use();
        k->n_states_here = n_states;
    }
    long most = k->in_use_here + IN_USE_OF_TAKES +
                (long)(n_states - k->n_states_here) * IN_USE_A_STATE;
    assert_true(IS_SLOW || memory_in_use() < most);
}

static void run_steps(struct stress *k, double seconds)
{
    const double until = clock_now_ms() + 1e3 * seconds;
    const long settled = k->n_steps + STEPS_TO_SETTLE;
    k->n_states_here = 0;
    while (clock_now_ms() < until) {
        step_and_check(k);
        if (k->n_steps > settled)
            check_session_memory(k);
        if (k->n_steps++ % STEPS_A_LOOK == 0) {
            paint(k->session, &k->cells);
            check_heard(k->session);
        }
        play_on(k);
        nap();
    }
}

static struct session *open_with_sound(uint64_t seed)
{
    struct session *s = session_with(
        (struct session_options){.driver = "file",
                                 .model = model,
                                 .soundfont = getenv("CONTINUO_TEST_SOUNDFONT"),
                                 .n_threads = 2,
                                 .seed = seed,
                                 .journals = true});
    assert_non_null(s);
    session_resize(s, 120, 40);
    return s;
}

static void run_round(struct stress *k, double seconds, uint64_t seed)
{
    write_piece();
    unlink("piece.mid.continuo");
    unlink("piece.mid.continuo-wal");
    k->session = open_with_sound(seed);
    assert_true(session_open(k->session, "piece.mid"));
    k->start = music_of(k->session);
    begin_to_play(k);
    go_to_work(k);
    run_steps(k, seconds);
    run(k->session, CMD_PLAY);
    stalls_end(&k->pulse.stalls);
    check_at_rest(k);
    free(k->start.at);
    close_session((void **)&k->session);
    check_sound(k, seconds);
}

/* Flat: what is in use grows by less than what is known of, and what is resident by
 * little. */
static void check_memory(struct stress *k, int round)
{
    long in_use = memory_in_use(), resident = memory_resident();
    print_message(
        "round %d: %ld steps, %ld asked, %ld filled, %ld inspected, %ld recorded, "
        "%ld saved, %d clicks off (%d with the machine), %ld kB in use, %ld kB "
        "resident\n",
        round, k->n_steps, k->n_asked, k->n_filled, k->n_inspected, k->n_recorded,
        k->n_saved, k->n_off, k->n_stalled, in_use / 1024, resident / 1024);
    if (round <= WARM_ROUNDS) {
        k->in_use = in_use;
        k->resident = resident;
    }
    if (IS_SLOW)
        return;
    assert_true(in_use <=
                k->in_use + IN_USE_SPREAD + (round - WARM_ROUNDS) * IN_USE_A_ROUND);
    assert_true(resident <=
                k->resident + RESIDENT_SPREAD + (round - WARM_ROUNDS) * IN_USE_A_ROUND);
}

TEST(all_at_once)
{
    struct stress k = {0};
    const double seconds = asked_for("CONTINUO_STRESS_SECONDS", SECONDS);
    const int n_rounds = (int)ceil(seconds / SECONDS_A_ROUND);
    memory_begin();
    rng_seed(&k.rng, 9);
    assert_true(cells_init(&k.cells, 120, 40));
    for (int round = 1; round <= n_rounds; round++) {
        run_round(&k, seconds / n_rounds, (uint64_t)round);
        check_memory(&k, round);
    }
    assert_true(k.n_asked && k.n_inspected && k.n_saved && k.n_steps > 10);
    if (!IS_SLOW)
        assert_int_equal(k.n_off - k.n_stalled, 0);
    cells_fini(&k.cells);
}

FIXTURE(make_folder)
{
    return make_model(state) || live_in_folder();
}

GROUP(make_folder, remove_own_folder)
