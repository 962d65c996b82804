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

static void begin_and_draw(const struct pty_start *s)
{
    begin(s);
    draw_notes();
}

static void assert_music_is_there(void)
{
    struct session *s = kept_open("song.mid");
    check_facts(s, "n 3; no clean");
    act_command_line(s, "q!");
    kept_close(s);
}

/* Until the mark of what is not written yet is gone: what a crash must not lose. */
static void wait_until_kept(void)
{
    size_t from;
    do {
        from = pty.n;
        pty_keys(&pty, "\014"); /* Ctrl-L: the whole frame */
        pty_wait_for(&pty, from, "NORMAL");
    } while (pty_said_since(&pty, from, "\u2026"));
}

/* By a signal, with that exit status; nothing is lost, also what was not yet written if
 * the program can end by itself. */
static void end_by(int number, int status)
{
    if (status != 1)
        wait_until_kept();
    kill(pty.program, number);
    assert_int_equal(pty_end_within(&pty, status == 1 ? 3000 : PTY_PATIENCE_MS),
                     status);
    pty_assert_given_back(&pty);
    assert_music_is_there();
}

static void quit(void)
{
    pty_keys(&pty, "ZQ");
    assert_int_equal(pty_end(&pty), 0);
    pty_assert_given_back(&pty);
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

/* For another of the same test. */
static void put_away(void)
{
    pty_close(&pty);
    forget_music(NULL);
}

#define PTY_TEST(name) TEST_IN(name, forget_music, close_pty)

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

/* Nobody sends a signal: it must see for itself that the terminal is gone. */
PTY_TEST(it_is_hung_up_on)
{
    struct pty_start s = calm();
    begin_and_draw(&s);
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

PTY_TEST(it_is_ended_or_crashes)
{
    static const int SIGNALS[] = {SIGTERM, SIGHUP,  SIGINT,  SIGSEGV, SIGABRT,
                                  SIGBUS,  SIGFPE,  SIGILL,  SIGQUIT, SIGTRAP,
                                  SIGSYS,  SIGXCPU, SIGUSR1, SIGALRM};
    enum { N = sizeof SIGNALS / sizeof *SIGNALS, N_ENDING = 3 };
    struct pty_start s = calm();
    leave_crashes_alone("ASAN_OPTIONS");
    leave_crashes_alone("TSAN_OPTIONS");
    for (int i = 0; i < N; i++) {
        begin_and_draw(&s);
        end_by(SIGNALS[i], i < N_ENDING ? 1 : 128 + SIGNALS[i]);
        put_away();
    }
}

/* Closed for it from the start: what it opens next must not be taken for its messages. */
PTY_TEST(its_messages_are_closed)
{
    struct pty_start s = calm();
    s.closed_fd = 2;
    begin_and_draw(&s);
    pty_settle(&pty, 200);
    long before = n_waits(pty.program);
    pty_sleep_ms(400);
    /* It sleeps when nothing happens, so what wakes it is not the log. */
    assert_in_range(n_waits(pty.program) - before, 0, 10);
    end_by(SIGTERM, 1);
}

PTY_TEST(it_has_no_terminal)
{
    for (int fd = 0; fd < 2; fd++) {
        struct pty_start s = calm();
        s.closed_fd = fd;
        pty_open(&pty, &s);
        assert_int_equal(pty_end(&pty), 1);
        assert_true(pty_said_since(&pty, 0, "needs a terminal"));
        pty_assert_given_back(&pty);
        put_away();
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

PTY_TEST(it_is_stopped_and_continued)
{
    struct pty_start s = calm();
    begin_and_draw(&s);
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
    leave_crashes_alone("ASAN_OPTIONS");
    leave_crashes_alone("TSAN_OPTIONS");
    end_by(SIGABRT, 128 + SIGABRT); /* each time it was guarded again, once */
}

/* -- its size -- */

PTY_TEST(sizes_come_in_a_storm)
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
    quit();
}

PTY_TEST(one_cell_is_enough_to_live)
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
    end_by(SIGTERM, 1);
}

/* -- what it can -- */

PTY_TEST(what_cannot_place_a_cursor_gets_a_sentence)
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
        put_away();
    }
}

/* Nothing but ASCII, though the music's name has more. */
PTY_TEST(without_utf_8_there_is_only_ascii)
{
    struct pty_start s = calm();
    s.locale = "C";
    begin_and_draw(&s);
    pty_keys(&pty, "?");
    pty_wait_for(&pty, 0, "every key");
    pty_keys(&pty, "\033:rename Bl\303\244ser\r");
    pty_settle(&pty, 200);
    for (size_t i = 0; i < pty.n; i++)
        assert_true((unsigned char)pty.said[i] < 0x80);
    quit();
}

/* -- nobody reads -- */

static void begin_large(void)
{
    struct pty_start s = calm();
    s.columns = 200;
    s.rows = 50;
    begin(&s);
}

static void fill_the_line(void)
{
    for (int i = 0; i < 60; i++) {
        assert_true(write(pty.outer, "LL\014", 3) == 3);
        pty_sleep_ms(5);
    }
}

/* Seconds without a byte being read: keys are heeded, what was done is journalled, and
 * what is read afterwards is the present, not the frames between. */
PTY_TEST(nobody_reads_what_it_writes)
{
    begin_large();
    pty_settle(&pty, 100);
    fill_the_line();
    assert_true(write(pty.outer, "gg0i\r\r\r\033", 8) == 8);
    pty_sleep_ms(1500);
    kill(pty.program, SIGKILL); /* so that it writes nothing on its way out */
    while (!pty_has_ended(&pty))
        pty_sleep_ms(10);
    size_t before = pty.n;
    assert_int_equal(pty_end(&pty), 128 + SIGKILL);
    assert_true(pty.n - before < 200000);
    assert_music_is_there();
}

PTY_TEST(nobody_reads_and_it_is_ended)
{
    begin_large();
    draw_notes();
    fill_the_line();
    kill(pty.program, SIGTERM);
    double until = clock_now_ms() + PTY_PATIENCE_MS;
    while (!pty_has_ended(&pty) && clock_now_ms() < until)
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
PTY_TEST(noise_is_pasted)
{
    struct pty_start s = calm();
    uint8_t *bytes = noise();
    begin_and_draw(&s);
    pty_keys(&pty, "\033[200~");
    pty_type(&pty, bytes, PASTED);
    pty_keys(&pty, "\033[201~");
    pty_settle(&pty, 200);
    end_by(SIGTERM, 1);
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
PTY_TEST(noise_is_typed)
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
