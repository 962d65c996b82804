/* A JACK server for the test, with a dummy device, to be ended, killed and stopped. */
#ifndef TESTS_MIDI_JACK_SERVER_H
#define TESTS_MIDI_JACK_SERVER_H

#include "tests/check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char server[64];
static pid_t server_pid;

static inline bool has_jackd(void)
{
    return system("command -v jackd >/dev/null 2>&1") == 0;
}

/* Points all later lookups at this server. */
static inline void name_server(void)
{
    snprintf(server, sizeof server, "continuo-test-%ld", (long)getpid());
    setenv("JACK_DEFAULT_SERVER", server, 1);
    setenv("JACK_NO_START_SERVER", "1", 1);
}

/* The path of its socket. */
static inline const char *server_socket(void)
{
    static char path[128];
    snprintf(path, sizeof path, "/dev/shm/jack_%s_%d_0", server, (int)getuid());
    return path;
}

static inline void start_server(void)
{
    unlink(server_socket()); /* left by a killed one */
    server_pid = fork();
    assert_true(server_pid >= 0);
    if (server_pid)
        return;
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    execlp("jackd", "jackd", "--no-realtime", "-n", server, "-d", "dummy", "-r",
           "44100", "-p", "256", (char *)NULL);
    _exit(127);
}

/* Waits until it listens. */
static inline void wait_for_server(void)
{
    for (int i = 0; i < 300 && access(server_socket(), F_OK); i++)
        usleep(10000);
    usleep(50000);
}

/* Starts one that listens; skips the test if jackd is missing. */
static inline void begin_server(void)
{
    if (!has_jackd())
        skip();
    name_server();
    start_server();
    wait_for_server();
}

/* false: it did not end within a second. */
static inline bool server_ends(int number)
{
    bool has_ended = false;
    kill(server_pid, SIGCONT); /* also if it is stopped */
    kill(server_pid, number);
    for (int i = 0; i < 100 && !has_ended; i++, usleep(10000))
        has_ended = waitpid(server_pid, NULL, WNOHANG) != 0;
    return has_ended;
}

/* A killed server keeps one of JACK's eight places until another of its name ends
 * properly. */
static inline void end_server(int number)
{
    if (server_pid <= 0)
        return;
    if (!server_ends(number) && !server_ends(SIGKILL))
        waitpid(server_pid, NULL, 0);
    server_pid = 0;
}

/* At the end of a test, in any state. */
static inline void clear_server(void)
{
    end_server(SIGKILL);
    if (!*server)
        return;
    start_server();
    wait_for_server();
    if (!server_ends(SIGTERM))
        waitpid(server_pid, NULL, 0);
    server_pid = 0;
    *server = '\0';
}

#endif
