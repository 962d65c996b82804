/* Everything at once: a session that plays in a loop is edited, recorded into, asked for
 * takes and stopped again, looked into by the inspector and saved, by random keys, while
 * its sound is captured. What a session promises holds after each step (invariants.h,
 * promises.h); the metronome is heard through all of it, evenly; and memory stays as it is
 * from one session to the next. `make stress MINUTES=60`.
 *
 * The music is muted, so that the metronome alone is heard. Where all tracks are, what
 * takes bars of the tracks that are heard (V c) has none and says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/headless.h"
#include "tests/app/by_keys.h"
#include "tests/app/invariants.h"
/* midi/record.h has a struct of the same name. */
#define recording heard
#include "tests/midi/listen.h"
#undef recording
#include "tests/app/in_use.h"
#include "tests/app/promises.h"
#include "tests/app/pulse.h"

#include "midi/live.h"
#include "model/sampler.h"

enum {
    QUARTER = 480,
    BAR = 4 * QUARTER,

    WORK = 1,             /* the track that is changed */
    SECONDS = 4,          /* of make test, */
    SECONDS_A_ROUND = 60, /* and at most of one session */
    STEPS_A_LOOK = 8,
    STEPS_A_SAVE = 150,
    STEPS_A_RECORDING = 4000, /* from one to the next; four steps are some 10 ms */
    MOST_ONSETS = 4 * SECONDS_A_ROUND,

    /* Memory, of rounds after the third, by when all is warm. Each session makes a synth,
     * and libinstpatch, which FluidSynth has for some sound banks, sets its types up anew
     * for each: 1.8 kB that are never freed (heaptrack, 22 sessions). */
    WARM_ROUNDS = 3,
    IN_USE_A_ROUND = 4 << 10,
    IN_USE_SPREAD = 32 << 10, /* of what waits in the allocator's caches */
    RESIDENT_SPREAD = 1 << 20,
};
/* At 120 a minute. */
static const double PULSE_S = 0.5, LATE_S = 0.005, SLACK_S = 0.1;

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static const bool IS_SLOW = true; /* neither times nor memory are the program's */
#else
static const bool IS_SLOW = false;
#endif

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
    long in_use, resident; /* when all was warm */
};

static int below(struct stress *k, int n)
{
    return (int)(rng_next(&k->rng) % (uint32_t)n);
}

/* -- the piece -- */

static void add(struct score *s, int track, int64_t start, int pitch)
{
    struct note n = {.start = start,
                     .length = QUARTER / 4,
                     .pitch = (uint8_t)pitch,
                     .velocity = 100,
                     .off_velocity = 64};
    assert_true(score_add_note(s, track, n) != 0);
}

static void write_piece(void)
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
static void go_to_work(struct stress *k)
{
    struct session *s = k->session;
    press(s, "Esc Esc Esc");
    s->track = WORK;
    s->cursor_tick = (int64_t)below(k, 2) * BAR + below(k, 16) * QUARTER / 4;
    session_show_cursor(s);
}

static void edit(struct stress *k)
{
    static const char *const KEYS[] = {
        "Enter", "x", "}", "{", "]", "[",   "<", ">",   "+",     "-", "D",
        "y p",   "~", "=", "u", "u", "C-r", "s", "g j", "v l j", "V", "3 Enter"};
    press(k->session, KEYS[below(k, (int)(sizeof KEYS / sizeof *KEYS))]);
}

static void ask_or_choose(struct stress *k)
{
    static const char *const KEYS[] = {"c c", "c c", "2 c c", "2 C", "r", "1",
                                       "2",   "0",   "a",     "X",   "T", "C-c"};
    int i = below(k, (int)(sizeof KEYS / sizeof *KEYS));
    k->n_asked += i < 4;
    press(k->session, KEYS[i]);
}

static void inspect(struct stress *k)
{
    static const char *const KEYS[] = {"h", "l", "]", "}", "m", "d",   "n",
                                       "t", "p", "x", "w", "s", "Tab", "f"};
    if (k->session->mode != MODE_INSPECT)
        press(k->session, "I");
    k->n_inspected += k->session->mode == MODE_INSPECT;
    for (int i = 0; i < 3 && k->session->mode == MODE_INSPECT; i++)
        press(k->session, KEYS[below(k, (int)(sizeof KEYS / sizeof *KEYS))]);
}

static void play_a_key(struct stress *k)
{
    const uint8_t message[] = {k->key_is_down ? 0x80 : 0x90, 72, 80};
    k->key_is_down = !k->key_is_down;
    live_feed(player_live(k->session->player), stalls_now_ms(), message);
}

static void record(struct stress *k)
{
    go_to_work(k); /* it goes to the track that is active */
    run(k->session, CMD_RECORD);
    k->n_recorded += k->was_recording;
}

static void save(struct stress *k)
{
    act_command_line(k->session, "w");
    assert_false(k->session->message_is_error);
    check_saved(k->session);
    check_undoes(k->session, &k->start);
    k->n_saved++;
}

static void step(struct stress *k)
{
    const long at = k->n_steps % STEPS_A_RECORDING;
    int which = below(k, 100);
    k->was_recording = k->session->rec.is_on;
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
    k->was_recording |= k->session->rec.is_on; /* its first tick may end it */
}

static void look(struct stress *k)
{
    struct view view;
    struct theme theme = theme_for(DEPTH_TRUE, false, false);
    session_view(k->session, &view, 0);
    frame_draw(&k->cells, &view, &theme);
}

/* -- the sound -- */

static void begin_to_play(struct stress *k)
{
    struct session *s = k->session;
    for (int i = 0; i < 1000 && player_is_opening(s->player); i++)
        nap();
    assert_true(player_has_sound(s->player));
    act_command_line(s, "monitor off");
    for (s->track = 0; s->track <= WORK; s->track++)
        run(s, CMD_MUTE);
    s->track = WORK;
    s->clicks = CLICKS_ALWAYS;
    session_send_clicks(s);
    session_set_loop(s, 0, 2 * BAR);
    k->pulse =
        (struct pulse){.period_s = PULSE_S, .late_s = LATE_S, .slack_s = SLACK_S};
    stalls_begin(&k->pulse.stalls);
    press(s, "g g");
    pulse_begin(&k->pulse);
    press(s, "Space");
    assert_true(player_is_playing(s->player));
}

/* The end of a recording ends playing, too, and so does nothing else. */
static void play_on(struct stress *k)
{
    if (player_is_playing(k->session->player))
        return;
    if (!k->was_recording)
        fail_msg("step %ld: it stands at %.0f: %s", k->n_steps,
                 player_tick(k->session->player), k->session->message);
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
    if (n < (int)(seconds / PULSE_S) - 4)
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
    press(s, "Esc Esc Esc");
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
    assert_int_equal(player_n_dropped(k->session->player), 0);
}

static void run_steps(struct stress *k, double seconds)
{
    const double until = stalls_now_ms() + 1e3 * seconds;
    while (stalls_now_ms() < until) {
        step_and_check(k);
        if (k->n_steps++ % STEPS_A_LOOK == 0)
            look(k);
        play_on(k);
        nap();
    }
}

static struct session *open_with_sound(uint64_t seed)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "file",
                                .model = model,
                                .soundfont = getenv("CONTINUO_TEST_SOUNDFONT"),
                                .n_threads = 2,
                                .seed = seed,
                                .wake_fd = -1,
                                .journals = true};
    assert_non_null(s);
    assert_int_equal(session_init(s, &o), MIDI_OK);
    session_resize(s, 120, 40);
    return s;
}

static void run_round(struct stress *k, double seconds, uint64_t seed)
{
    write_piece();
    unlink("piece.mid.continuo");
    unlink("piece.mid.continuo-journal");
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
    session_fini(k->session);
    free(k->session);
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

static double seconds_asked(void)
{
    const char *text = getenv("CONTINUO_STRESS_SECONDS");
    return text ? atof(text) : SECONDS;
}

static void all_at_once(void **state)
{
    (void)state;
    struct stress k = {0};
    double left = seconds_asked();
    memory_begin();
    rng_seed(&k.rng, 9);
    assert_true(cells_init(&k.cells, 120, 40));
    for (int round = 1; left > 0; left -= SECONDS_A_ROUND, round++) {
        run_round(&k, left < SECONDS_A_ROUND ? left : SECONDS_A_ROUND, (uint64_t)round);
        check_memory(&k, round);
    }
    assert_true(k.n_asked && k.n_inspected && k.n_saved && k.n_steps > 10);
    if (!IS_SLOW)
        assert_int_equal(k.n_off - k.n_stalled, 0);
    cells_fini(&k.cells);
}

static int make_folder(void **state)
{
    if (make_model(state) || chdir(folder))
        return -1;
    setenv("HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_at_once)};
    return cmocka_run_group_tests(tests, make_folder, remove_model);
}
