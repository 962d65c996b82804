/* Signals to the real program at a terminal: told to end while it still opens its piece, it
 * leaves the terminal as it was; its first thread alone takes them; stopped and continued
 * again and again, it keeps no more of the terminal than it had. */
#include "tests/check.h"
#include "tests/app/terminal.h"

FIXTURE(start)
{
    term_open(80, 24);
    term_run("exec $C --model /none song.mid");
    return 0;
}

/* The screen has been taken, and nothing been drawn on it. */
TEST_IN(ended_while_it_opens_it_gives_the_terminal_back, start, term_close)
{
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

TEST_IN(signals_are_the_first_threads_alone, start, term_close)
{
    int n_others = 0;
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

TEST_IN(continued_it_has_the_terminal_once, start, term_close)
{
    wait_to_hear(0, "NORMAL");
    stop_and_continue();
    int before = count_terminals();
    assert_true(before > 0);
    for (int i = 0; i < 5; i++)
        stop_and_continue();
    assert_int_equal(count_terminals(), before);
}

GROUP(make_own_folder, remove_own_folder)
