/* Signals to the real program in a terminal: told to end while it still opens its piece, it
 * leaves the terminal as it was; its first thread alone takes them; stopped and continued
 * again and again, it keeps no more of the terminal than it had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 18, PATIENCE_MS = 20000 };

static char folder[] = "/tmp/continuo-early-XXXXXX";

/* A program, and all that it has written to its terminal. */
static struct {
    int fd;
    pid_t pid;
    size_t n;
    char bytes[MOST_BYTES];
} program;

static void become_program(void)
{
    const char *bin = getenv("CONTINUO_BIN");
    char home[64];
    snprintf(home, sizeof home, "%s", folder);
    setenv("HOME", home, 1);
    setenv("XDG_STATE_HOME", home, 1);
    setenv("XDG_CONFIG_HOME", home, 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (bin && chdir(folder) == 0)
        execl(bin, bin, "--model", "/none", "song.mid", (char *)NULL);
    _exit(127);
}

static int start(void **state)
{
    (void)state;
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    program.n = 0;
    program.pid = forkpty(&program.fd, NULL, NULL, &size);
    if (program.pid == 0)
        become_program();
    return program.pid < 0 ? -1 : 0;
}

static int stop(void **state)
{
    (void)state;
    if (program.pid > 0) {
        kill(program.pid, SIGKILL);
        waitpid(program.pid, NULL, 0);
    }
    close(program.fd);
    return 0;
}

static bool has_written(const char *text)
{
    return memmem(program.bytes, program.n, text, strlen(text)) != NULL;
}

/* false: it has ended, or nothing came. */
static bool read_more(void)
{
    struct pollfd p = {program.fd, POLLIN, 0};
    if (poll(&p, 1, PATIENCE_MS) <= 0 || program.n == MOST_BYTES)
        return false;
    ssize_t n = read(program.fd, program.bytes + program.n, MOST_BYTES - program.n);
    program.n += n > 0 ? (size_t)n : 0;
    return n > 0;
}

static void wait_for(const char *text)
{
    while (!has_written(text))
        if (!read_more())
            fail_msg("never written: %s", text);
}

static int wait_for_end(void)
{
    int status;
    while (read_more())
        continue;
    assert_int_equal(waitpid(program.pid, &status, 0), program.pid);
    program.pid = 0;
    return status;
}

/* The screen has been taken, and nothing been drawn on it. */
static void ended_while_it_opens_it_gives_the_terminal_back(void **state)
{
    (void)state;
    struct termios t;
    wait_for("\033[?2004h");
    kill(program.pid, SIGTERM);
    int status = wait_for_end();
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_true(has_written("\033[?2004l"));
    assert_int_equal(tcgetattr(program.fd, &t), 0);
    assert_true((t.c_lflag & ECHO) && (t.c_lflag & ICANON));
}

/* Of one thread: those that it does not take, as bits; the first is of signal 1. */
static unsigned long long blocked(const char *task)
{
    char path[128], line[256];
    unsigned long long mask = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", (int)program.pid, task);
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

static void signals_are_the_first_threads_alone(void **state)
{
    (void)state;
    char tasks[64];
    int n_others = 0;
    wait_for("NORMAL");
    snprintf(tasks, sizeof tasks, "/proc/%d/task", (int)program.pid);
    DIR *d = opendir(tasks);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        bool is_first = atoi(e->d_name) == (int)program.pid;
        if (atoi(e->d_name) == 0)
            continue;
        n_others += !is_first;
        assert_int_equal(takes(e->d_name, SIGTERM), is_first);
        assert_int_equal(takes(e->d_name, SIGWINCH), is_first);
    }
    closedir(d);
    assert_true(n_others >= 5); /* journal, watch, player, ports, model */
}

/* Its descriptors that are a terminal. */
static int count_terminals(void)
{
    char files[64], to[64];
    int n = 0;
    snprintf(files, sizeof files, "/proc/%d/fd", (int)program.pid);
    DIR *d = opendir(files);
    assert_non_null(d);
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
    program.n = 0;
    kill(program.pid, SIGSTOP);
    kill(program.pid, SIGCONT);
    wait_for("\033[?2004h");
    wait_for("NORMAL");
}

static void continued_it_has_the_terminal_once(void **state)
{
    (void)state;
    wait_for("NORMAL");
    stop_and_continue();
    int before = count_terminals();
    assert_true(before > 0);
    for (int i = 0; i < 5; i++)
        stop_and_continue();
    assert_int_equal(count_terminals(), before);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char line[64];
    (void)state;
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ended_while_it_opens_it_gives_the_terminal_back,
                                        start, stop),
        cmocka_unit_test_setup_teardown(signals_are_the_first_threads_alone, start,
                                        stop),
        cmocka_unit_test_setup_teardown(continued_it_has_the_terminal_once, start,
                                        stop),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
