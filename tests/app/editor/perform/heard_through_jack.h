/* What a program plays through a JACK server, as a client of that server hears it, and when.
 * The library is looked for at run time; without it, or without a jackd, there is no test.
 * Include cmocka.h before it. */
#ifndef TESTS_APP_HEARD_THROUGH_JACK_H
#define TESTS_APP_HEARD_THROUGH_JACK_H

#include "tests/midi/listen.h"

#if __has_include(<jack/jack.h>)
#define HAS_JACK 1
#include <jack/jack.h>
#else
#define HAS_JACK 0
#endif

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    JACK_RATE = 44100,
    JACK_PERIOD = 256,
    JACK_MOST_SECONDS = 600,
    JACK_MOST_PERIODS = JACK_RATE / JACK_PERIOD * JACK_MOST_SECONDS,
};

static inline double jack_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#if HAS_JACK

/* The process thread writes, and the test reads when that has ended. */
struct jack_ear {
    pid_t server;
    void *library;
    jack_client_t *client;
    jack_port_t *port;
    struct recording heard;
    double *heard_ms; /* of each period of `heard`: when its callback came */

    __typeof__(jack_client_open) *open;
    __typeof__(jack_client_close) *close;
    __typeof__(jack_activate) *activate;
    __typeof__(jack_port_register) *add_port;
    __typeof__(jack_port_get_buffer) *buffer;
    __typeof__(jack_set_process_callback) *set_process;
    __typeof__(jack_get_ports) *ports;
    __typeof__(jack_connect) *connect;
    __typeof__(jack_port_name) *name;
    __typeof__(jack_free) *release;
};

static inline bool jack_ear_find(struct jack_ear *e, const char *name, void *function)
{
    void *found = e->library ? dlsym(e->library, name) : NULL;
    memcpy(function, &found, sizeof found);
    return found;
}

static inline bool jack_ear_find_all(struct jack_ear *e)
{
    e->library = dlopen("libjack.so.0", RTLD_NOW);
    return jack_ear_find(e, "jack_client_open", &e->open) &&
           jack_ear_find(e, "jack_client_close", &e->close) &&
           jack_ear_find(e, "jack_activate", &e->activate) &&
           jack_ear_find(e, "jack_port_register", &e->add_port) &&
           jack_ear_find(e, "jack_port_get_buffer", &e->buffer) &&
           jack_ear_find(e, "jack_set_process_callback", &e->set_process) &&
           jack_ear_find(e, "jack_get_ports", &e->ports) &&
           jack_ear_find(e, "jack_connect", &e->connect) &&
           jack_ear_find(e, "jack_port_name", &e->name) &&
           jack_ear_find(e, "jack_free", &e->release);
}

static inline int jack_ear_process(jack_nframes_t n, void *ear)
{
    struct jack_ear *e = ear;
    const float *in = e->buffer(e->port, n);
    size_t period = e->heard.n / JACK_PERIOD;
    if (n != JACK_PERIOD || period >= JACK_MOST_PERIODS)
        return 0;
    e->heard_ms[period] = jack_now_ms();
    memcpy(e->heard.x + e->heard.n, in, n * sizeof *in);
    e->heard.n += n;
    return 0;
}

static inline void jack_ear_start_server(struct jack_ear *e, const char *name)
{
    char period[16], rate[16];
    snprintf(period, sizeof period, "%d", JACK_PERIOD);
    snprintf(rate, sizeof rate, "%d", JACK_RATE);
    setenv("JACK_NO_START_SERVER", "1", 1);
    setenv("JACK_DEFAULT_SERVER", name, 1);
    e->server = fork();
    if (e->server)
        return;
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    execlp("jackd", "jackd", "--no-realtime", "-n", name, "-d", "dummy", "-r", rate,
           "-p", period, (char *)NULL);
    _exit(127);
}

static inline bool jack_ear_listen(struct jack_ear *e)
{
    jack_status_t status;
    for (int i = 0; i < 100 && !e->client; i++) {
        e->client = e->open("continuo-ear", JackNoStartServer, &status);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    if (!e->client)
        return false;
    e->port = e->add_port(e->client, "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    e->set_process(e->client, jack_ear_process, e);
    return e->port && !e->activate(e->client);
}

/* false: there is nothing to hear with. To be closed in any case. */
static inline bool jack_ear_open(struct jack_ear *e, const char *server)
{
    *e = (struct jack_ear){.heard = {.rate = JACK_RATE}};
    e->heard.x = calloc((size_t)JACK_MOST_PERIODS * JACK_PERIOD, sizeof *e->heard.x);
    e->heard_ms = calloc(JACK_MOST_PERIODS, sizeof *e->heard_ms);
    if (!e->heard.x || !e->heard_ms || !jack_ear_find_all(e) ||
        system("command -v jackd >/dev/null 2>&1") != 0)
        return false;
    jack_ear_start_server(e, server);
    return e->server > 0 && jack_ear_listen(e);
}

static inline bool jack_ear_connect_now(struct jack_ear *e)
{
    const char **from =
        e->ports(e->client, "^continuo:", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput);
    if (!from)
        return false;
    bool is_connected =
        from[0] && e->connect(e->client, from[0], e->name(e->port)) == 0;
    e->release(from);
    return is_connected;
}

/* Waits for a program's output, and hears that. */
static inline bool jack_ear_connect(struct jack_ear *e)
{
    for (int i = 0; i < 200; i++) {
        if (jack_ear_connect_now(e))
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return false;
}

/* When a sample was handed over, with its place in its period: a late callback counts. When
 * the recording is over. */
static inline double jack_ear_ms(const struct jack_ear *e, double seconds)
{
    double at = seconds * JACK_RATE;
    size_t period = (size_t)(at / JACK_PERIOD);
    return e->heard_ms[period] + (at - (double)period * JACK_PERIOD) * 1e3 / JACK_RATE;
}

/* What was heard stays, the caller's. */
static inline void jack_ear_close(struct jack_ear *e)
{
    if (e->client)
        e->close(e->client);
    e->client = NULL;
    if (e->server > 0) {
        kill(e->server, SIGTERM);
        waitpid(e->server, NULL, 0);
    }
    e->server = 0;
}

#endif
#endif
