/* Terminals that fail the real program: hung up, ended, stopped and continued, crashed,
 * resized in a storm, of one cell, dumb, unknown, without UTF-8, not read, and full of what
 * nobody typed. Each time the terminal has its modes and settings back, and the music is
 * there when the piece is opened again. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/terminal.h"

#define SONG "$C --audio none --model /none song.mid"

static void begin_at(int columns, int rows)
{
    term_open(columns, rows);
    term_run("exec " SONG);
    wait_to_hear(0, "NORMAL");
    assert_taken();
}

/* Three notes to lose. */
static void draw_notes(void)
{
    size_t from = term.n;
    type("i\r\r\r");
    wait_to_hear(from, "DRAW");
    from = term.n;
    type("\033");
    wait_to_hear(from, "NORMAL");
}

static void begin_and_draw(void)
{
    begin_at(80, 24);
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
        from = term.n;
        type("\014"); /* Ctrl-L: the whole frame */
        wait_to_hear(from, "NORMAL");
    } while (said_since(from, "\u2026"));
}

/* By a signal, with that exit status; nothing is lost, also what was not yet written if
 * the program can end by itself. */
static void end_by(int number, int status)
{
    if (status != 1)
        wait_until_kept();
    kill(term.program, number);
    assert_int_equal(end_within(status == 1 ? 3000 : PATIENCE_MS), status);
    assert_given_back();
    assert_music_is_there();
}

static void quit(void)
{
    type("ZQ");
    assert_ends_with(0);
    assert_given_back();
}

FIXTURE(forget_music)
{
    term_close(NULL);
    empty_folder();
    return 0;
}

#define PTY_TEST(name) TEST_IN(name, forget_music, term_close)

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
    begin_and_draw();
    close(term.inner);
    close(term.outer);
    term.outer = term.inner = -1;
    assert_int_equal(end_within(3000), 1);
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
    leave_crashes_alone("ASAN_OPTIONS");
    leave_crashes_alone("TSAN_OPTIONS");
    for (int i = 0; i < N; i++) {
        begin_and_draw();
        end_by(SIGNALS[i], i < N_ENDING ? 1 : 128 + SIGNALS[i]);
        forget_music(NULL);
    }
}

/* Closed for it from the start: what it opens next must not be taken for its messages. */
PTY_TEST(its_messages_are_closed)
{
    term_open(80, 24);
    term_run("exec " SONG " 2>&-");
    wait_to_hear(0, "NORMAL");
    draw_notes();
    term_settle(200);
    long before = n_waits(term.program);
    sleep_ms(400);
    /* It sleeps when nothing happens, so what wakes it is not the log. */
    assert_in_range(n_waits(term.program) - before, 0, 10);
    end_by(SIGTERM, 1);
}

PTY_TEST(it_has_no_terminal)
{
    for (int fd = 0; fd < 2; fd++) {
        term_open(80, 24);
        term_run(fd ? "exec " SONG " >&-" : "exec " SONG " <&-");
        assert_ends_with(1);
        assert_true(said_since(0, "needs a terminal"));
        assert_given_back();
        forget_music(NULL);
    }
}

/* -- stopped -- */

static void continue_it(void)
{
    size_t from = term.n;
    kill(term.program, SIGCONT);
    wait_to_hear(from, "NORMAL"); /* the frame is sent whole */
    assert_true(n_taken() == 5);
    assert_false(has_settings_of_before());
}

PTY_TEST(it_is_stopped_and_continued)
{
    begin_and_draw();
    for (int i = 0; i < 3; i++) {
        if (i)
            kill(term.program, SIGTSTP);
        else
            type("\032"); /* Ctrl-Z */
        term_wait_for_state('T');
        assert_given_back();
        continue_it();
    }
    /* SIGSTOP gives no warning, and then the shell has the terminal. */
    kill(term.program, SIGSTOP);
    term_wait_for_state('T');
    assert_int_equal(tcsetattr(term.inner, TCSANOW, &term.before), 0);
    continue_it();
    leave_crashes_alone("ASAN_OPTIONS");
    leave_crashes_alone("TSAN_OPTIONS");
    end_by(SIGABRT, 128 + SIGABRT); /* each time it was guarded again, once */
}

/* -- its threads and descriptors -- */

static void start(void)
{
    term_open(80, 24);
    term_run("exec " SONG);
}

/* The screen has been taken, and nothing been drawn on it. */
PTY_TEST(ended_while_it_opens_it_gives_the_terminal_back)
{
    start();
    wait_to_hear(0, "\033[?2004h");
    kill(term.program, SIGTERM);
    assert_ends_with(1);
    assert_given_back();
}

/* Of one thread: those that it does not take, as bits; the first is of signal 1. */
static unsigned long long blocked(const char *task)
{
    char path[128], line[256];
    unsigned long long mask = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", (int)term.program, task);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "SigBlk: %llx", &mask) == 1)
            break;
    if (f)
        fclose(f);
    return mask;
}

static bool takes(const char *task, int signal_number)
{
    return !(blocked(task) >> (signal_number - 1) & 1);
}

static DIR *open_of_program(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)term.program, name);
    DIR *d = opendir(path);
    assert_non_null(d);
    return d;
}

PTY_TEST(signals_are_the_first_threads_alone)
{
    int n_others = 0;
    start();
    wait_to_hear(0, "NORMAL");
    DIR *d = open_of_program("task");
    for (struct dirent *e; (e = readdir(d));) {
        bool is_first = atoi(e->d_name) == (int)term.program;
        if (atoi(e->d_name) == 0)
            continue;
        n_others += !is_first;
        assert_int_equal(takes(e->d_name, SIGTERM), is_first);
        assert_int_equal(takes(e->d_name, SIGWINCH), is_first);
    }
    closedir(d);
    assert_true(n_others >= 5); /* writer, monitor, player, ports, model */
}

/* Its descriptors that are a terminal. */
static int count_terminals(void)
{
    char to[64];
    int n = 0;
    DIR *d = open_of_program("fd");
    for (struct dirent *e; (e = readdir(d));) {
        ssize_t length = readlinkat(dirfd(d), e->d_name, to, sizeof to - 1);
        to[length > 0 ? length : 0] = '\0';
        n += !strncmp(to, "/dev/pts/", 9) || !strcmp(to, "/dev/tty");
    }
    closedir(d);
    return n;
}

/* By SIGSTOP, of which it hears only when it goes on, and takes the screen anew. */
static void stop_and_continue(void)
{
    size_t from = term.n;
    kill(term.program, SIGSTOP);
    kill(term.program, SIGCONT);
    wait_to_hear(from, "\033[?2004h");
    wait_to_hear(from, "NORMAL");
}

PTY_TEST(continued_it_has_the_terminal_once)
{
    start();
    wait_to_hear(0, "NORMAL");
    stop_and_continue();
    int before = count_terminals();
    assert_true(before > 0);
    for (int i = 0; i < 5; i++)
        stop_and_continue();
    assert_int_equal(count_terminals(), before);
}

/* -- its size -- */

PTY_TEST(sizes_come_in_a_storm)
{
    unsigned dice = 9;
    begin_at(80, 24);
    for (int i = 0; i < 500; i++) {
        dice = dice * 1664525u + 1013904223u;
        term_resize(1 + (int)(dice >> 8) % 300, 1 + (int)(dice >> 20) % 90);
        if (i % 9 == 0)
            type("lkjhzZ\033");
        if (i % 50 == 0)
            term_listen(20);
    }
    term_resize(80, 24);
    term_settle(100);
    draw_notes();
    size_t from = term.n;
    type("\014");                   /* Ctrl-L */
    wait_to_hear(from, "\033[24;"); /* its last line */
    assert_false(said_since(from, "\033[25;"));
    term_settle(100);
    from = term.n;
    type("l"); /* only what changes is sent */
    wait_to_hear(from, "\033[");
    term_settle(100);
    assert_false(said_since(from, "NORMAL"));
    quit();
}

PTY_TEST(one_cell_is_enough_to_live)
{
    term_open(1, 1);
    term_run("exec " SONG);
    wait_to_hear(0, "\033[?1049h");
    term_settle(200);
    type("i\r\r\r\033");
    term_settle(200);
    assert_true(n_taken() == 5);
    size_t from = term.n;
    term_resize(80, 24);
    wait_to_hear(from, "NORMAL");
    term_resize(1, 1);
    term_settle(100);
    end_by(SIGTERM, 1);
}

/* -- what it can -- */

PTY_TEST(what_cannot_place_a_cursor_gets_a_sentence)
{
    static const char *const TERMS[] = {"TERM=dumb", "TERM=no-such-terminal",
                                        "TERM=", "TERM=../../etc/passwd", "-u TERM"};
    for (int i = 0; i < 5; i++) {
        term_open(80, 24);
        term_run(formatted("exec env %s " SONG, TERMS[i]));
        assert_ends_with(1);
        assert_true(said_since(0, "continuo: this terminal cannot be used"));
        assert_null(memchr(term.said, '\033', term.n));
        assert_given_back();
        forget_music(NULL);
    }
}

/* Nothing but ASCII, though the music's name has more. */
PTY_TEST(without_utf_8_there_is_only_ascii)
{
    term_open(80, 24);
    term_run("LC_ALL=C exec " SONG);
    wait_to_hear(0, "NORMAL");
    type("?");
    wait_to_see("the keys in NORMAL");
    type("\033:rename Bl\303\244ser\r");
    term_settle(200);
    for (size_t i = 0; i < term.n; i++)
        assert_true((unsigned char)term.said[i] < 0x80);
    quit();
}

/* -- nobody reads -- */

static void fill_the_line(void)
{
    for (int i = 0; i < 60; i++) {
        assert_true(write(term.outer, "LL\014", 3) == 3);
        sleep_ms(5);
    }
}

/* Seconds without a byte being read: keys are heeded, what was done is journalled, and
 * what is read afterwards is the present, not the frames between. */
PTY_TEST(nobody_reads_what_it_writes)
{
    begin_at(200, 50);
    term_settle(100);
    fill_the_line();
    assert_true(write(term.outer, "gg0i\r\r\r\033", 8) == 8);
    sleep_ms(1500);
    kill(term.program, SIGKILL); /* so that it writes nothing on its way out */
    while (!term_has_ended())
        sleep_ms(10);
    size_t before = term.n;
    assert_ends_with(128 + SIGKILL);
    assert_true(term.n - before < 200000);
    assert_music_is_there();
}

PTY_TEST(nobody_reads_and_it_is_ended)
{
    begin_at(200, 50);
    draw_notes();
    fill_the_line();
    kill(term.program, SIGTERM);
    double until = clock_now_ms() + PATIENCE_MS;
    while (!term_has_ended() && clock_now_ms() < until)
        sleep_ms(20); /* unread */
    assert_int_equal(end_within(100), 1);
    assert_true(has_settings_of_before());
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
    uint8_t *bytes = noise();
    begin_and_draw();
    type("\033[200~");
    type_bytes(bytes, PASTED);
    type("\033[201~");
    term_settle(200);
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
    for (size_t i = 0; i < n && !term_has_ended(); i += AT_ONCE) {
        type_bytes(bytes + i, AT_ONCE);
        term_settle(i < n_stopping ? 30 : 0);
        for (; term_state() == 'T'; term_settle(10))
            kill(term.program, SIGCONT);
    }
}

/* What is typed when it has left, or is stopped, is for nobody. */
PTY_TEST(noise_is_typed)
{
    uint8_t *bytes = noise();
    term_open(80, 24);
    term.before.c_lflag &=
        ~(tcflag_t)ISIG; /* no key of its own is a signal, or holds it */
    term.before.c_iflag &= ~(tcflag_t)IXON;
    assert_ok(tcsetattr(term.inner, TCSANOW, &term.before));
    term_run("exec " SONG);
    wait_to_hear(0, "NORMAL");
    type_noise(bytes, 1 << 16, 1 << 12);
    kill(term.program, SIGTERM);
    assert_in_range(end_within(PATIENCE_MS), 0, 1);
    assert_given_back();
    free(bytes);
}

GROUP(make_own_folder, remove_own_folder)
