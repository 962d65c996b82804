/* What the status line says when a device fails, in the real program in a terminal (tmux),
 * and how long after: a sound server killed, and one that hangs, while nothing plays and
 * while something does; a keyboard pulled out; one that floods and sends nonsense. Within a
 * second it is on the screen. */
#include "tests/check.h"
#include "midi/base/clock.h"
#include "tests/app/terminal.h"
#include "tests/midi/jack_server.h"

enum {
    A_SECOND_MS = 1000,
    LOOK_MS = 60,   /* and what it mostly takes to ask tmux */
    EARLY_MS = 300, /* before a device is missed, which takes a sound's twice as long */
    N_FLOOD = 10000,
    A_MS = 10, /* of the flood */
};

/* Until the text is there, looked for as often as may be; when it was asked for. */
static double seen_at(const char *text)
{
    for (double from = clock_now_ms(), asked = from; asked < from + 8000;
         asked = clock_now_ms()) {
        if (is_on_screen(text))
            return asked;
        sleep_ms(5);
    }
    tmux("capture-pane -p -t w");
    fail_msg("never saw: %s", text);
    return 0;
}

static void assert_told(const char *what, const char *text, double since)
{
    double after = seen_at(text) - since;
    print_message("%s: told after %.0f ms\n", what, after);
    assert_true(after < A_SECOND_MS + LOOK_MS);
}

/* An idle ui looks for news each second, and else when it is woken. After a key it looks
 * again only a whole second later, too late for what is missed meanwhile: who tells of it in
 * time was woken by it. */
static double have_it_look(void)
{
    double before = clock_now_ms();
    keys("Escape");
    return before;
}

static void assert_idle_is_told(const char *what, const char *text, double since)
{
    sleep_ms(EARLY_MS);
    have_it_look();
    assert_told(what, text, since);
}

static void make_piece(void)
{
    make_dir("truth");
    save_song(make_song(9600));
}

static void begin(const char *options)
{
    make_piece();
    touch("script"); /* no keyboard */
    start_program(options);
}

static void wait_for_sound(void)
{
    for (int i = 0; i < 40 && !is_on_screen("sound: jack"); i++) {
        keys("':sound' Enter");
        sleep_ms(100);
    }
    wait_for("sound: jack");
}

static int end(void **state)
{
    clear_server();
    return end_terminal(state);
}

TEST_IN(a_sound_server_is_killed, NULL, end)
{
    begin_server();
    begin("--audio jack");
    wait_for_sound();
    double killed = clock_now_ms();
    end_server(SIGKILL);
    assert_idle_is_told("killed, idle", "the sound device is gone", killed);
    start_server();
    wait_for("sound: jack");
    keys("':count-in 0' Enter R");
    wait_for("REC bar");
    sleep_ms(300);
    killed = clock_now_ms();
    end_server(SIGKILL);
    assert_told("killed, recording", "the sound device is gone", killed);
    wait_for(" REC"); /* in the top line */
}

TEST_IN(a_sound_server_hangs, NULL, end)
{
    begin_server();
    begin("--audio jack");
    wait_for_sound();
    double hung = clock_now_ms();
    kill(server_pid, SIGSTOP);
    assert_idle_is_told("hung, idle", "the sound device is gone", hung);
    keys("i Enter Escape");
    wait_for("NORMAL");
    keys("C-s");
    wait_for("saved song.mid, 1 note");
    double left = clock_now_ms();
    keys("':q' Enter");
    wait_for("left-with-0");
    assert_true(clock_now_ms() - left < 4000);
}

/* -- keyboards -- */

static void write_script(const char *text)
{
    FILE *f = open_in_dir("script", "w");
    fputs(text, f);
    fclose(f);
}

/* It is missed at once, so the second is that of the look before. */
TEST_IN(a_keyboard_is_pulled_out, NULL, end)
{
    make_piece();
    write_script("name Stand-in Piano\n300 unplug\n");
    start_program("--audio none");
    keys("':input stand-in' Enter");
    wait_for("the keyboard is Stand-in Piano");
    double looked = have_it_look();
    touch("go");
    double told = seen_at("Stand-in Piano was disconnected");
    print_message("pulled out: told after %.0f ms\n",
                  told - keyboard_began_ms() - EARLY_MS);
    assert_true(told < looked + A_SECOND_MS - LOOK_MS);
}

/* What is no message of MIDI 1.0, or none that a keyboard sends: data where a status should
 * be, undefined statuses, sysex that never ends, numbers beyond seven bits. Then ten bends a
 * millisecond for a second, all of which are recorded; and a note that proves that it goes
 * on. */
TEST_IN(a_keyboard_sends_nonsense_and_floods, NULL, end)
{
    char script[4096] = "name Stand-in Piano\n";
    size_t n = strlen(script);
    make_piece();
    for (int status = 0; status < 256; status += status < 128 ? 31 : 1)
        if (status < 128 || status >= 0xF0)
            n += (size_t)snprintf(script + n, sizeof script - n, "%d sys %d 200 255\n",
                                  100 + status, status);
    snprintf(script + n, sizeof script - n,
             "400 sys 240 1 2\n410 on 300 300\n420 off 300\n500 flood %d %d\n"
             "1700 on 64 80\n1750 off 64\n",
             N_FLOOD, A_MS);
    write_script(script);
    start_program("--audio none");
    keys("':input stand-in' Enter");
    wait_for("the keyboard is Stand-in Piano");
    keys("':count-in 0' Enter R");
    wait_for("REC bar");
    touch("go");
    double begun = keyboard_began_ms();
    while (clock_now_ms() < begun + 2000)
        sleep_ms(20);
    keys("Space");
    wait_for("recorded 2 notes");
    keys("C-s");
    wait_for("saved song.mid, 2 notes");
    struct score *s = load_song();
    assert_bends(s, N_FLOOD);
    score_destroy(s);
}
