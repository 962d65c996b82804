/* What the status line says when a device fails, in the real program at a terminal,
 * and how long after: a sound server killed, and one that hangs, while nothing plays and
 * while something does; a keyboard pulled out; one that floods and sends nonsense. Within a
 * second it is on the screen. */
#include "tests/check.h"
#include "tests/app/editor/perform/at_keyboard.h"
#include "tests/midi/jack_server.h"

enum {
    A_SECOND_MS = 1000,
    LOOK_MS = 60,   /* and what it mostly takes to look */
    EARLY_MS = 300, /* before a device is missed, which takes a sound's twice as long */
    N_FLOOD = 10000,
    A_MS = 10, /* of the flood */
};

/* Until the text is there, looked for as often as may be; when it was asked for. */
static double seen_at(const char *text)
{
    for (double from = clock_now_ms(), asked = from; asked < from + 8000;
         asked = clock_now_ms()) {
        term_listen(5);
        if (is_on_screen(text))
            return asked;
    }
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
    type("\033");
    return before;
}

static void assert_idle_is_told(const char *what, const char *text, double since)
{
    term_listen_until(clock_now_ms() + EARLY_MS);
    have_it_look();
    assert_told(what, text, since);
}

FIXTURE(make_piece)
{
    if (make_own_folder(state))
        return -1;
    save_score("song.mid", score_of("%d | organ #16:", 9600));
    return 0;
}

static void wait_for_sound(void)
{
    for (int i = 0; i < 40 && !is_on_screen("sound: jack"); i++) {
        type(":sound\r");
        term_listen_until(clock_now_ms() + 100);
    }
    wait_to_see("sound: jack");
}

static int end(void **state)
{
    clear_server();
    term_close(state);
    return remove_own_folder(state);
}

TEST_IN(a_sound_server_is_killed, make_piece, end)
{
    begin_server();
    start_program("--audio jack");
    wait_for_sound();
    double killed = clock_now_ms();
    end_server(SIGKILL);
    assert_idle_is_told("killed, idle", "the sound device is gone", killed);
    start_server();
    wait_to_see("sound: jack");
    type(":count-in 0\rR");
    wait_to_see("REC bar");
    term_listen_until(clock_now_ms() + 300);
    killed = clock_now_ms();
    end_server(SIGKILL);
    assert_told("killed, recording", "the sound device is gone", killed);
    wait_to_see(" REC"); /* in the top line */
}

TEST_IN(a_sound_server_hangs, make_piece, end)
{
    begin_server();
    start_program("--audio jack");
    wait_for_sound();
    double hung = clock_now_ms();
    kill(server_pid, SIGSTOP);
    assert_idle_is_told("hung, idle", "the sound device is gone", hung);
    type("i\r\033");
    wait_to_see("NORMAL");
    type("\023"); /* Ctrl-S */
    wait_to_see("saved song.mid, 1 note");
    double left = clock_now_ms();
    quit(":q\r");
    assert_true(clock_now_ms() - left < 4000);
}

/* -- keyboards -- */

/* It is missed at once, so the second is that of the look before. */
TEST_IN(a_keyboard_is_pulled_out, make_piece, end)
{
    put_text("script", "name Stand-in Piano\n300 unplug\n");
    start_program("--audio none");
    plug_keyboard();
    double looked = have_it_look();
    put_text("go", "");
    double told = seen_at("Stand-in Piano was disconnected");
    print_message("pulled out: told after %.0f ms\n",
                  told - keyboard_began_ms() - EARLY_MS);
    assert_true(told < looked + A_SECOND_MS - LOOK_MS);
}

/* What is no message of MIDI 1.0, or none that a keyboard sends: data where a status should
 * be, undefined statuses, sysex that never ends, numbers beyond seven bits. Then ten bends a
 * millisecond for a second, all of which are recorded; and a note that proves that it goes
 * on. */
TEST_IN(a_keyboard_sends_nonsense_and_floods, make_piece, end)
{
    char script[4096] = "name Stand-in Piano\n";
    size_t n = strlen(script);
    for (int status = 0; status < 256; status += status < 128 ? 31 : 1)
        if (status < 128 || status >= 0xF0)
            n += (size_t)snprintf(script + n, sizeof script - n, "%d sys %d 200 255\n",
                                  100 + status, status);
    snprintf(script + n, sizeof script - n,
             "400 sys 240 1 2\n410 on 300 300\n420 off 300\n500 flood %d %d\n"
             "1700 on 64 80\n1750 off 64\n",
             N_FLOOD, A_MS);
    put_text("script", script);
    start_program("--audio none");
    plug_keyboard();
    type(":count-in 0\rR");
    wait_to_see("REC bar");
    put_text("go", "");
    term_listen_until(keyboard_began_ms() + 2000);
    type(" ");
    wait_to_see("recorded 2 notes");
    type("\023"); /* Ctrl-S */
    wait_to_see("saved song.mid, 2 notes");
    struct score *s = load_score("song.mid");
    assert_bends(s, N_FLOOD);
    score_destroy(s);
}
