/* Everything at once: a session that plays in a loop is edited, recorded into, asked for
 * takes and stopped again, looked into by the inspector and saved, by random keys, while
 * its sound is captured. What a score promises holds after each step; the metronome is
 * heard through all of it, evenly; undone, the music is what it was; and memory stays as it
 * is from one session to the next. `make stress MINUTES=60`.
 *
 * The music is muted, so that the metronome alone is heard. */
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

#include "midi/live.h"
#include "midi/smf.h"
#include "model/sampler.h"

#include <malloc.h>

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
    GROWTH_KB = 8192, /* what the allocator may keep more than after two rounds */
};
/* At 120 a minute; and how far a pulse may be off. */
static const double PULSE_S = 0.5, LATE_S = 0.005;

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static const bool IS_SLOW = true; /* neither times nor memory are the program's */
#else
static const bool IS_SLOW = false;
#endif

struct stress {
    struct session *session;
    struct rng rng;
    struct cells cells;
    bool key_is_down;   /* of the keyboard */
    bool was_recording; /* before this step */
    int n_breaks;       /* in the pulse, since playing was begun again */
    long n_steps, n_saved, n_asked, n_inspected, n_recorded;
};

static int below(struct stress *k, int n)
{
    return (int)(rng_next(&k->rng) % (uint32_t)n);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
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
    live_feed(player_live(k->session->player), now_ms(), message);
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
    press(s, "g g Space");
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
    run(k->session, CMD_PLAY_START);
    k->n_breaks++;
}

/* Pulses that were not half a second after the one before. */
static int check_sound(double seconds)
{
    double onsets[MOST_ONSETS];
    struct heard r;
    int n_off = 0;
    assert_true(listen_load(&r, "fluidsynth.wav"));
    int n = listen_onsets(&r, onsets, MOST_ONSETS);
    for (int i = 1; i < n; i++) {
        double off = onsets[i] - onsets[i - 1] - PULSE_S;
        if (fabs(off) > LATE_S) {
            print_message("at %.3f s a pulse is %.1f ms off\n", onsets[i], 1e3 * off);
            n_off++;
        }
    }
    if (n < (int)(seconds / PULSE_S) - 4)
        fail_msg("%d pulses in %.1f s", n, (double)r.n / r.rate);
    free(r.x);
    unlink("fluidsynth.wav");
    return n_off;
}

/* -- a round -- */

/* All of it undone: the music is as it was opened; and as it was saved last, it opens. */
static void check_undone(struct stress *k, const uint8_t *bytes, size_t n)
{
    struct session *s = k->session;
    struct score *saved;
    uint8_t *now;
    size_t n_now;
    press(s, "Esc Esc Esc");
    run(s, CMD_STOP);
    wait_for_end(s);
    record_stop(s);
    assert_int_equal(history_go(s->project.history, s->project.score, 0), MIDI_OK);
    assert_int_equal(smf_write(s->project.score, &now, &n_now), MIDI_OK);
    assert_int_equal(n_now, n);
    assert_memory_equal(now, bytes, n);
    free(now);
    assert_int_equal(smf_load(&saved, "piece.mid", NULL), MIDI_OK);
    score_destroy(saved);
}

static void run_steps(struct stress *k, double seconds)
{
    const double until = now_ms() + 1e3 * seconds;
    while (now_ms() < until) {
        step(k);
        session_tick(k->session);
        check_invariants(k->session);
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

/* Returns how many pulses were not in time. */
static int run_round(struct stress *k, double seconds, uint64_t seed)
{
    uint8_t *bytes;
    size_t n;
    write_piece();
    unlink("piece.mid.continuo");
    unlink("piece.mid.continuo-journal");
    k->session = open_with_sound(seed);
    assert_true(session_open(k->session, "piece.mid"));
    assert_int_equal(smf_write(k->session->project.score, &bytes, &n), MIDI_OK);
    begin_to_play(k);
    go_to_work(k);
    run_steps(k, seconds);
    run(k->session, CMD_PLAY);
    check_undone(k, bytes, n);
    free(bytes);
    session_fini(k->session);
    free(k->session);
    return check_sound(seconds);
}

/* Resident, in kB, with what is free given back. */
static long resident(void)
{
    long total, pages;
    malloc_trim(0);
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &total, &pages), 2);
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
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
    long warm = 0;
    int n_off = 0, round = 0;
    rng_seed(&k.rng, 9);
    assert_true(cells_init(&k.cells, 120, 40));
    for (; left > 0; left -= SECONDS_A_ROUND, round++) {
        n_off += run_round(&k, left < SECONDS_A_ROUND ? left : SECONDS_A_ROUND,
                           (uint64_t)round);
        warm = round < 2 ? resident() : warm;
        print_message("round %d: %ld steps, %ld asked, %ld inspected, %ld recorded, "
                      "%ld saved, %d pulses off by %d breaks, %ld kB\n",
                      round + 1, k.n_steps, k.n_asked, k.n_inspected, k.n_recorded,
                      k.n_saved, n_off, k.n_breaks, resident());
    }
    assert_true(k.n_asked && k.n_inspected && k.n_steps > 10);
    if (!IS_SLOW) {
        assert_true(n_off <= k.n_breaks);
        assert_true(resident() < warm + GROWTH_KB);
    }
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
