/* Terminals that fail the real program: hung up, ended, stopped and continued, crashed,
 * resized in a storm, of one cell, dumb, unknown, without UTF-8, not read, and full of what
 * nobody typed. Each time the terminal has its modes and settings back, and the music is
 * there when the piece is opened again. */
#include "tests/check.h"
#include "midi/base/clock.h"
#include "tests/app/kept.h"
#include "tests/app/editor/shell/pty.h"

static struct pty pty;

static struct pty_start calm(void)
{
    return (struct pty_start){
        .folder = folder,
        .term = "xterm-256color",
        .words = {"--audio", "none", "--model", "/none", "song.mid"},
        .closed_fd = -1,
    };
}

static void begin(const struct pty_start *s)
{
    pty_open(&pty, s);
    pty_wait_for(&pty, 0, "NORMAL");
    assert_true(pty_is_taken(&pty));
    assert_false(pty_has_settings_of_before(&pty));
}

/* Three notes to lose. */
static void draw_notes(void)
{
    size_t from = pty.n;
    pty_keys(&pty, "i\r\r\r");
    pty_wait_for(&pty, from, "DRAW");
    from = pty.n;
    pty_keys(&pty, "\033");
    pty_wait_for(&pty, from, "NORMAL");
}

static void assert_music_is_there(void)
{
    struct session *s = kept_open("song.mid");
    check_facts(s, "n 3; no clean");
    act_command_line(s, "q!");
    kept_close(s);
}

FIXTURE(forget_music)
{
    unlink(in_folder("song.mid"));
    unlink(in_folder("song.mid.continuo"));
    unlink(in_folder("song.mid.continuo"));
    pty = (struct pty){.outer = -1, .inner = -1};
    return 0;
}

FIXTURE(close_pty)
{
    pty_close(&pty);
    return 0;
}

/* How often its ui has gone to sleep so far. */
static long n_waits(pid_t pid)
{
    char path[64], line[256];
    long n = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        sscanf(line, "voluntary_ctxt_switches: %ld", &n);
    fclose(f);
    assert_true(n >= 0);
    return n;
}

/* -- ended -- */

TEST_IN(it_is_ended, forget_music, close_pty)
{
    static const int SIGNALS[] = {SIGTERM, SIGHUP, SIGINT};
    struct pty_start s = calm();
    for (int i = 0; i < 3; i++) {
        begin(&s);
        draw_notes();
        kill(pty.program, SIGNALS[i]);
        assert_int_equal(pty_end_within(&pty, 3000), 1);
        pty_assert_given_back(&pty);
        assert_music_is_there();
        pty_close(&pty);
        forget_music(state);
    }
}

/* Nobody sends a signal: it must see for itself that the terminal is gone. */
TEST_IN(it_is_hung_up_on, forget_music, close_pty)
{
    struct pty_start s = calm();
    begin(&s);
    draw_notes();
    close(pty.inner);
    close(pty.outer);
    pty.outer = pty.inner = -1;
    assert_int_equal(pty_end_within(&pty, 3000), 1);
    assert_music_is_there();
}

/* The sanitizers of a program under test leave crashes to it. */
static void leave_crashes_alone(const char *options)
{
    char all[600];
    const char *before = getenv(options);
    snprintf(all, sizeof all,
             "%s:handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:"
             "handle_sigill=0:handle_sigtrap=0",
             before ? before : "");
    setenv(options, all, 1);
}

TEST_IN(it_crashes, forget_music, close_pty)
{
    static const int SIGNALS[] = {SIGSEGV, SIGABRT, SIGBUS,  SIGFPE,  SIGILL, SIGQUIT,
                                  SIGTRAP, SIGSYS,  SIGXCPU, SIGUSR1, SIGALRM};
    enum { N = sizeof SIGNALS / sizeof *SIGNALS };
    struct pty_start s = calm();
    leave_crashes_alone("ASAN_OPTIONS");
    leave_crashes_alone("TSAN_OPTIONS");
    for (int i = 0; i < N; i++) {
        begin(&s);
        draw_notes();
        kill(pty.program, SIGNALS[i]);
        assert_int_equal(pty_end(&pty), 128 + SIGNALS[i]);
        pty_assert_given_back(&pty);
        assert_music_is_there();
        pty_close(&pty);
        forget_music(state);
    }
}

/* Closed for it from the start: what it opens next must not be taken for its messages. */
TEST_IN(its_messages_are_closed, forget_music, close_pty)
{
    struct pty_start s = calm();
    s.closed_fd = 2;
    begin(&s);
    draw_notes();
    pty_settle(&pty, 200);
    long before = n_waits(pty.program);
    pty_sleep_ms(400);
    /* It sleeps when nothing happens, so what wakes it is not the log. */
    assert_in_range(n_waits(pty.program) - before, 0, 10);
    kill(pty.program, SIGTERM);
    assert_int_equal(pty_end_within(&pty, 3000), 1);
    pty_assert_given_back(&pty);
    assert_music_is_there();
}

TEST_IN(it_has_no_terminal, forget_music, close_pty)
{
    for (int fd = 0; fd < 2; fd++) {
        struct pty_start s = calm();
        s.closed_fd = fd;
        pty_open(&pty, &s);
        assert_int_equal(pty_end(&pty), 1);
        assert_true(pty_said_since(&pty, 0, "needs a terminal"));
        pty_assert_given_back(&pty);
        pty_close(&pty);
        forget_music(state);
    }
}

/* -- stopped -- */

static void continue_it(void)
{
    size_t from = pty.n;
    kill(pty.program, SIGCONT);
    pty_wait_for(&pty, from, "NORMAL"); /* the frame is sent whole */
    assert_true(pty_is_taken(&pty));
    assert_false(pty_has_settings_of_before(&pty));
}

TEST_IN(it_is_stopped_and_continued, forget_music, close_pty)
{
    struct pty_start s = calm();
    begin(&s);
    draw_notes();
    for (int i = 0; i < 3; i++) {
        if (i)
            kill(pty.program, SIGTSTP);
        else
            pty_keys(&pty, "\032"); /* Ctrl-Z */
        pty_wait_for_state(&pty, 'T');
        pty_assert_given_back(&pty);
        continue_it();
    }
    /* SIGSTOP gives no warning, and then the shell has the terminal. */
    kill(pty.program, SIGSTOP);
    pty_wait_for_state(&pty, 'T');
    assert_int_equal(tcsetattr(pty.inner, TCSANOW, &pty.before), 0);
    continue_it();
    pty_keys(&pty, "ZQ");
    assert_int_equal(pty_end(&pty), 0);
    pty_assert_given_back(&pty);
}

/* -- its size -- */

TEST_IN(sizes_come_in_a_storm, forget_music, close_pty)
{
    struct pty_start s = calm();
    unsigned dice = 9;
    begin(&s);
    for (int i = 0; i < 500; i++) {
        dice = dice * 1664525u + 1013904223u;
        pty_resize(&pty, 1 + (int)(dice >> 8) % 300, 1 + (int)(dice >> 20) % 90);
        if (i % 9 == 0)
            pty_keys(&pty, "lkjhzZ\033");
        if (i % 50 == 0)
            pty_listen(&pty, 20);
    }
    pty_resize(&pty, 80, 24);
    pty_settle(&pty, 100);
    draw_notes();
    size_t from = pty.n;
    pty_keys(&pty, "\014");               /* Ctrl-L */
    pty_wait_for(&pty, from, "\033[24;"); /* its last line */
    assert_false(pty_said_since(&pty, from, "\033[25;"));
    pty_keys(&pty, "ZQ");
    assert_int_equal(pty_end(&pty), 0);
    pty_assert_given_back(&pty);
}

TEST_IN(one_cell_is_enough_to_live, forget_music, close_pty)
{
    struct pty_start s = calm();
    s.columns = s.rows = 1;
    pty_open(&pty, &s);
    pty_wait_for(&pty, 0, "\033[?1049h");
    pty_settle(&pty, 200);
    pty_keys(&pty, "i\r\r\r\033");
    pty_settle(&pty, 200);
    assert_true(pty_is_taken(&pty));
    size_t from = pty.n;
    pty_resize(&pty, 80, 24);
    pty_wait_for(&pty, from, "NORMAL");
    pty_resize(&pty, 1, 1);
    pty_settle(&pty, 100);
    kill(pty.program, SIGTERM);
    assert_int_equal(pty_end_within(&pty, 3000), 1);
    pty_assert_given_back(&pty);
    assert_music_is_there();
}

/* -- what it can -- */

TEST_IN(what_cannot_place_a_cursor_gets_a_sentence, forget_music, close_pty)
{
    static const char *const TERMS[] = {"dumb", "no-such-terminal", "",
                                        "../../etc/passwd", NULL};
    for (int i = 0; i < 5; i++) {
        struct pty_start s = calm();
        s.term = TERMS[i];
        pty_open(&pty, &s);
        assert_int_equal(pty_end(&pty), 1);
        assert_true(pty_said_since(&pty, 0, "continuo: this terminal cannot be used"));
        assert_null(memchr(pty.said, '\033', pty.n));
        pty_assert_given_back(&pty);
        pty_close(&pty);
        forget_music(state);
    }
}

/* Nothing but ASCII, though the music's name has more. */
TEST_IN(without_utf_8_there_is_only_ascii, forget_music, close_pty)
{
    struct pty_start s = calm();
    s.locale = "C";
    begin(&s);
    draw_notes();
    pty_keys(&pty, "?");
    pty_wait_for(&pty, 0, "every key");
    pty_keys(&pty, "\033:rename Bl\303\244ser\r");
    pty_settle(&pty, 200);
    for (size_t i = 0; i < pty.n; i++)
        assert_true((unsigned char)pty.said[i] < 0x80);
    pty_keys(&pty, "ZQ");
    assert_int_equal(pty_end(&pty), 0);
    pty_assert_given_back(&pty);
}

/* -- nobody reads -- */

/* Seconds without a byte being read: keys are heeded, what was done is journalled, and
 * what is read afterwards is the present, not the frames between. */
TEST_IN(nobody_reads_what_it_writes, forget_music, close_pty)
{
    struct pty_start s = calm();
    s.columns = 200;
    s.rows = 50;
    begin(&s);
    pty_settle(&pty, 100);
    for (int i = 0; i < 60; i++) { /* fills the line */
        assert_true(write(pty.outer, "LL\014", 3) == 3);
        pty_sleep_ms(5);
    }
    assert_true(write(pty.outer, "gg0i\r\r\r\033", 8) == 8);
    pty_sleep_ms(1500);
    kill(pty.program, SIGKILL); /* so that it writes nothing on its way out */
    while (pty_state(&pty) != 0 && pty_state(&pty) != 'Z')
        pty_sleep_ms(10);
    size_t before = pty.n;
    assert_int_equal(pty_end(&pty), 128 + SIGKILL);
    assert_true(pty.n - before < 200000);
    assert_music_is_there();
}

TEST_IN(nobody_reads_and_it_is_ended, forget_music, close_pty)
{
    struct pty_start s = calm();
    s.columns = 200;
    s.rows = 50;
    begin(&s);
    draw_notes();
    for (int i = 0; i < 60; i++) {
        assert_true(write(pty.outer, "LL\014", 3) == 3);
        pty_sleep_ms(5);
    }
    kill(pty.program, SIGTERM);
    double until = clock_now_ms() + 4000;
    while (pty_state(&pty) != 0 && pty_state(&pty) != 'Z' && clock_now_ms() < until)
        pty_sleep_ms(20); /* unread */
    assert_int_equal(pty_end_within(&pty, 100), 1);
    assert_true(pty_has_settings_of_before(&pty));
    assert_music_is_there();
}

/* -- nobody typed it -- */

enum { PASTED = 1 << 20 };

static uint8_t *noise(void)
{
    uint8_t *bytes = malloc(PASTED);
    uint32_t dice = 7;
    assert_non_null(bytes);
    for (int i = 0; i < PASTED; i++) {
        dice = dice * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(dice >> 24);
    }
    return bytes;
}

/* A megabyte in brackets is not obeyed. */
TEST_IN(noise_is_pasted, forget_music, close_pty)
{
    struct pty_start s = calm();
    uint8_t *bytes = noise();
    begin(&s);
    draw_notes();
    pty_keys(&pty, "\033[200~");
    pty_type(&pty, bytes, PASTED);
    pty_keys(&pty, "\033[201~");
    pty_settle(&pty, 200);
    kill(pty.program, SIGTERM);
    assert_int_equal(pty_end(&pty), 1);
    pty_assert_given_back(&pty);
    assert_music_is_there();
    free(bytes);
}

/* Without brackets each byte is a key. Of those that stop it only the first do: it is
 * continued each time. */
static void type_noise(uint8_t *bytes, size_t n, size_t n_stopping)
{
    enum { AT_ONCE = 256 };
    for (size_t i = n_stopping; i < n; i++)
        bytes[i] = bytes[i] == 032 ? 033 : bytes[i];
    for (size_t i = 0; i < n && !pty_has_ended(&pty); i += AT_ONCE) {
        pty_type(&pty, bytes + i, AT_ONCE);
        pty_settle(&pty, i < n_stopping ? 30 : 0);
        for (; pty_state(&pty) == 'T'; pty_settle(&pty, 10))
            kill(pty.program, SIGCONT);
    }
}

/* What is typed when it has left, or is stopped, is for nobody. */
TEST_IN(noise_is_typed, forget_music, close_pty)
{
    struct pty_start s = calm();
    uint8_t *bytes = noise();
    s.is_deaf = true;
    begin(&s);
    type_noise(bytes, 1 << 16, 1 << 12);
    kill(pty.program, SIGTERM);
    assert_in_range(pty_end(&pty), 0, 1);
    pty_assert_given_back(&pty);
    free(bytes);
}

GROUP(make_own_folder, remove_own_folder)
