/* The player's thread and what passes between it and the ui: commands in a
 * ring, the newest music in one atomic slot, used music back in another ring,
 * and the state of the transport in atomics. No locks.
 *
 * A command takes effect a moment after the call. Until it has, the ui is told
 * what it asked for rather than what still is, so that two quick key presses
 * do what they say. */
#include "midi/player.h"
#include "midi/audition.h"
#include "midi/live.h"
#include "midi/ring.h"
#include "midi/sound.h"
#include "midi/transport.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    N_COMMANDS = 256,
    N_RETURNS = 64,
    WAKE_BUSY_MS = 10,    /* while something plays */
    WAKE_IDLE_MS = 100,   /* else: only to see that the device lives */
    MAX_REOPENS = 3,      /* in a row, of a device whose clock never ran */
    STANDSTILL_MS = 3000, /* at most is made up for when another clock takes over */
    RETRY_MS = 2000,      /* between looks for a device that was not there */
};

#define DEFAULT_GAIN 0.6

/* A version of the music, made and freed by the ui, played by the player. */
struct snapshot {
    struct score *score;
    struct schedule *schedule;
};

struct command {
    enum { PLAY, STOP, SEEK, LOOP, AUDITION, PANIC } kind;
    unsigned number; /* of the transport's commands, from 1; 0 for AUDITION, LOOP */
    int64_t tick, to_tick; /* to_tick: of LOOP */
    int n_bars;            /* of PLAY, counted before it */
    struct audition audition;
};

struct player {
    /* Constant once the thread runs. */
    pthread_t thread;
    struct sound_config config; /* strings are the player's own */
    char soundfont[4096];
    char *driver, *file_name;

    /* The two ends belong to the two threads. */
    struct ring *commands; /* ui to player: struct command */
    struct ring *returns;  /* player to ui: struct snapshot * */
    struct live *live;     /* what is played on keyboards; midi/live.h tells who may */

    /* Ui only. */
    unsigned n_sent;
    bool wanted_playing;
    double wanted_tick;
    int n_dropped;

    /* Shared. */
    sem_t wake;                        /* the ui posts */
    atomic_bool quit;                  /* the ui sets */
    _Atomic(struct snapshot *) newest; /* ui puts, player takes; NULL: none */
    atomic_bool clicks;                /* as the next, ui writes, player reads */
    atomic_int click_volume;
    atomic_uint n_heard; /* as all below: player writes, ui reads */
    atomic_bool is_playing;
    _Atomic double tick, count_in_ms;
    atomic_uint pass;
    atomic_int state;                  /* enum sound_state */
    _Atomic(const char *) driver_name; /* set before state; never freed */

    /* Player's thread only. */
    struct sound *sound;
    struct transport transport;
    struct snapshot *snapshot; /* being played */
    struct snapshot *retired;  /* waits for room in `returns` */
    struct auditions auditions;
    double last_ms;   /* of the latest look at the device */
    double moved_ms;  /* when the clock that it plays by was seen to move */
    double looked_ms; /* of the latest try to open one */
    int n_reopened;
};

static double clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* What the ui is told of the sound. */
static void tell_sound(struct player *p)
{
    atomic_store(&p->driver_name, sound_driver(p->sound));
    atomic_store(&p->state, (int)sound_state(p->sound));
}

/* false: out of memory. */
static bool open_sound(struct player *p)
{
    p->sound = sound_open(&p->config);
    if (!p->sound)
        return false;
    transport_set_sound(&p->transport, p->sound, 0);
    live_begin(p->live, p->sound);
    p->last_ms = p->moved_ms = p->looked_ms = clock_ms();
    tell_sound(p);
    return true;
}

/* Plays on by another clock: the device's, or without one the system's. */
static void change_clock(struct player *p)
{
    double lost = fmin(clock_ms() - p->moved_ms, STANDSTILL_MS);
    transport_set_sound(&p->transport, p->sound, lost);
    live_change_clock(p->live);
    tell_sound(p);
    p->last_ms = p->moved_ms = clock_ms();
}

static bool open_device(struct player *p)
{
    bool is_there = sound_open_device(p->sound, p->config.driver);
    p->looked_ms = clock_ms();
    return is_there;
}

/* Perhaps a device was plugged in, or a server started, since. One whose clock never ran
 * is given up until somebody wants to play. */
static void look_for_device(struct player *p, bool is_wanted)
{
    bool is_time = clock_ms() - p->looked_ms > RETRY_MS;
    bool is_missing = atomic_load(&p->state) == SOUND_NO_DEVICE;
    bool may_run = is_wanted || p->n_reopened < MAX_REOPENS;
    if (is_missing && is_time && may_run && open_device(p))
        change_clock(p);
}

/* A device whose clock stands still is opened anew; without one the transport goes on by
 * the system's clock. */
static void check_sound(struct player *p)
{
    double now = clock_ms();
    /* However long the whole process was stopped, the device was too. */
    double elapsed = fmin(now - p->last_ms, 2 * WAKE_IDLE_MS);
    p->last_ms = now;
    if (sound_is_alive(p->sound, elapsed)) {
        if (sound_still_ms(p->sound) == 0)
            p->moved_ms = now;
        if (sound_has_run(p->sound))
            p->n_reopened = 0;
        look_for_device(p, false);
        return;
    }
    atomic_store(&p->state, SOUND_OPENING);
    sound_close_device(p->sound);
    if (p->n_reopened++ < MAX_REOPENS)
        open_device(p);
    change_clock(p);
}

/* false: the ui is not collecting; wait before taking more. */
static bool retire(struct player *p)
{
    if (p->retired && !ring_push(p->returns, &p->retired))
        return false;
    p->retired = NULL;
    return true;
}

static void adopt_newest(struct player *p)
{
    struct snapshot *s = retire(p) ? atomic_exchange(&p->newest, NULL) : NULL;
    if (!s)
        return;
    transport_set_schedule(&p->transport, s->schedule);
    p->retired = p->snapshot;
    p->snapshot = s;
    retire(p);
}

static void obey(struct player *p, const struct command *c)
{
    switch (c->kind) {
    case PLAY:
        look_for_device(p, true);
        transport_play_after(&p->transport, c->tick, c->n_bars);
        break;
    case STOP:
        transport_stop(&p->transport);
        break;
    case SEEK:
        transport_seek(&p->transport, c->tick);
        break;
    case LOOP:
        transport_set_loop(&p->transport, c->tick, c->to_tick);
        break;
    case AUDITION:
        auditions_begin(&p->auditions, p->sound, &c->audition, clock_ms());
        break;
    case PANIC:
        transport_panic(&p->transport);
        p->auditions = (struct auditions){0};
        live_forget_held(p->live);
        break;
    }
}

/* n_heard last: whoever sees it sees what the command did. */
static void tell(struct player *p, unsigned n_heard)
{
    atomic_store(&p->is_playing, p->transport.is_playing);
    atomic_store(&p->tick, p->transport.tick);
    atomic_store(&p->pass, p->transport.pass);
    atomic_store(&p->count_in_ms, transport_count_in_ms(&p->transport));
    if (n_heard)
        atomic_store(&p->n_heard, n_heard);
}

/* Music first: a command is about what was published before it. */
static void obey_all(struct player *p)
{
    struct command c;
    while (ring_pop(p->commands, &c)) {
        adopt_newest(p);
        obey(p, &c);
        tell(p, c.number);
    }
    adopt_newest(p);
}

static void wait_ms(struct player *p, int ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long ns = until.tv_nsec + ms * 1000000L;
    until.tv_sec += ns / 1000000000L;
    until.tv_nsec = ns % 1000000000L;
    if (sem_clockwait(&p->wake, CLOCK_MONOTONIC, &until))
        return;
    while (!sem_trywait(&p->wake)) /* one look serves all that posted */
        continue;
}

static void *run(void *player)
{
    struct player *p = player;
    bool ok = open_sound(p);
    while (ok && !atomic_load(&p->quit)) {
        live_pass(p->live, p->sound, &p->transport);
        p->transport.click_volume = atomic_load(&p->click_volume);
        transport_set_clicks(&p->transport, atomic_load(&p->clicks));
        obey_all(p);
        transport_advance(&p->transport);
        bool any_audition = auditions_end_due(&p->auditions, p->sound, clock_ms());
        bool is_busy = any_audition || p->transport.is_playing;
        tell(p, 0);
        check_sound(p);
        wait_ms(p, is_busy ? WAKE_BUSY_MS : WAKE_IDLE_MS);
    }
    if (ok)
        transport_panic(&p->transport);
    sound_close(p->sound);
    return NULL;
}

static void free_snapshot(struct snapshot *s)
{
    if (!s)
        return;
    schedule_destroy(s->schedule);
    score_destroy(s->score);
    free(s);
}

static bool copy_config(struct player *p, const struct player_config *config)
{
    if (config->driver && !(p->driver = strdup(config->driver)))
        return false;
    if (config->file_name && !(p->file_name = strdup(config->file_name)))
        return false;
    bool has_font =
        soundfont_find(p->soundfont, sizeof p->soundfont, config->soundfont);
    p->config =
        (struct sound_config){.soundfont = has_font ? p->soundfont : NULL,
                              .driver = p->driver,
                              .file_name = p->file_name,
                              .gain = config->gain > 0 ? config->gain : DEFAULT_GAIN};
    return true;
}

static void free_player(struct player *p)
{
    free_snapshot(atomic_load(&p->newest));
    free_snapshot(p->snapshot);
    free_snapshot(p->retired);
    if (p->returns)
        player_collect(p);
    ring_destroy(p->commands);
    ring_destroy(p->returns);
    live_destroy(p->live);
    sem_destroy(&p->wake);
    free(p->driver);
    free(p->file_name);
    free(p);
}

/* Signals are the ui's, except those a thread sends itself by crashing. The
 * driver's threads inherit this. */
static int start_thread(struct player *p)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    int error = pthread_create(&p->thread, NULL, run, p);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

struct player *player_create(const struct player_config *config)
{
    struct player *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    setenv("JACK_NO_START_SERVER", "1", 0); /* not from a thread */
    sem_init(&p->wake, 0, 0);
    atomic_init(&p->state, SOUND_OPENING);
    atomic_init(&p->driver_name, "");
    atomic_init(&p->click_volume, CLICK_VOLUME_DEFAULT);
    p->commands = ring_create(N_COMMANDS, sizeof(struct command));
    p->returns = ring_create(N_RETURNS, sizeof(struct snapshot *));
    p->live = live_create(&p->wake);
    if (!p->commands || !p->returns || !p->live || !copy_config(p, config) ||
        start_thread(p)) {
        free_player(p);
        return NULL;
    }
    return p;
}

void player_destroy(struct player *p)
{
    if (!p)
        return;
    atomic_store(&p->quit, true);
    sem_post(&p->wake);
    pthread_join(p->thread, NULL);
    free_player(p);
}

/* Out of memory keeps the music from being heard, and nothing else. */
void player_set_score(struct player *p, struct score *snapshot)
{
    struct snapshot *s = calloc(1, sizeof *s);
    struct schedule *schedule = s ? schedule_create(snapshot) : NULL;
    if (!schedule) {
        free(s);
        score_destroy(snapshot);
        return;
    }
    *s = (struct snapshot){snapshot, schedule};
    free_snapshot(atomic_exchange(&p->newest, s)); /* never seen by the player */
    sem_post(&p->wake);
    player_collect(p);
}

void player_collect(struct player *p)
{
    struct snapshot *s;
    while (ring_pop(p->returns, &s))
        free_snapshot(s);
}

static bool send_command(struct player *p, struct command c)
{
    bool sent = ring_push(p->commands, &c);
    p->n_dropped += !sent;
    sem_post(&p->wake);
    return sent;
}

static void send_transport(struct player *p, struct command c, bool playing,
                           double tick)
{
    c.number = p->n_sent + 1 ? p->n_sent + 1 : 1;
    if (!send_command(p, c))
        return;
    p->n_sent = c.number;
    p->wanted_playing = playing;
    p->wanted_tick = tick;
}

void player_play_after(struct player *p, int64_t from_tick, int n_bars)
{
    int64_t tick = from_tick > 0 ? from_tick : 0;
    send_transport(p, (struct command){.kind = PLAY, .tick = tick, .n_bars = n_bars},
                   true, (double)tick);
}

void player_play(struct player *p, int64_t from_tick)
{
    player_play_after(p, from_tick, 0);
}

void player_set_metronome(struct player *p, bool on)
{
    atomic_store(&p->clicks, on);
    sem_post(&p->wake);
}

void player_set_click_volume(struct player *p, int volume)
{
    bool is_in_range = volume >= 0 && volume <= CLICK_VOLUME_MOST;
    atomic_store(&p->click_volume, is_in_range ? volume : CLICK_VOLUME_DEFAULT);
}

void player_stop(struct player *p)
{
    send_transport(p, (struct command){.kind = STOP}, false, player_tick(p));
}

void player_seek(struct player *p, int64_t to_tick)
{
    int64_t tick = to_tick > 0 ? to_tick : 0;
    send_transport(p, (struct command){.kind = SEEK, .tick = tick},
                   player_is_playing(p), (double)tick);
}

void player_set_loop(struct player *p, int64_t from_tick, int64_t to_tick)
{
    send_command(p,
                 (struct command){.kind = LOOP, .tick = from_tick, .to_tick = to_tick});
}

void player_audition(struct player *p, int channel, int program, int pitch,
                     int velocity)
{
    struct audition a = {.channel = channel & 15,
                         .program = program & 127,
                         .pitch = pitch & 127,
                         .velocity = velocity & 127};
    send_command(p, (struct command){.kind = AUDITION, .audition = a});
}

void player_panic(struct player *p)
{
    send_transport(p, (struct command){.kind = PANIC}, false, player_tick(p));
}

/* The last command has taken effect. */
static bool is_settled(const struct player *p)
{
    return atomic_load(&p->n_heard) == p->n_sent;
}

bool player_is_playing(const struct player *p)
{
    return is_settled(p) ? atomic_load(&p->is_playing) : p->wanted_playing;
}

double player_tick(const struct player *p)
{
    return is_settled(p) ? atomic_load(&p->tick) : p->wanted_tick;
}

unsigned player_pass(const struct player *p)
{
    return is_settled(p) ? atomic_load(&p->pass) : 0;
}

double player_count_in_ms(const struct player *p)
{
    return is_settled(p) ? atomic_load(&p->count_in_ms) : 0;
}

bool player_has_sound(const struct player *p)
{
    return atomic_load(&p->state) == SOUND_ON;
}

bool player_is_opening(const struct player *p)
{
    return atomic_load(&p->state) == SOUND_OPENING;
}

const char *player_status(const struct player *p, char *buf, size_t n)
{
    const char *slash = strrchr(p->soundfont, '/');
    switch (atomic_load(&p->state)) {
    case SOUND_OPENING:
        snprintf(buf, n, "opening sound");
        break;
    case SOUND_ON:
        snprintf(buf, n, "sound: %s, %s", atomic_load(&p->driver_name),
                 slash ? slash + 1 : p->soundfont);
        break;
    case SOUND_NO_FONT:
        snprintf(buf, n, "no soundfont: playing silently");
        break;
    case SOUND_OFF:
        snprintf(buf, n, "sound is off: playing silently");
        break;
    default:
        snprintf(buf, n, "no sound device: playing silently");
        break;
    }
    return buf;
}

struct live *player_live(struct player *p)
{
    return p->live;
}

const char *player_soundfont(const struct player *p)
{
    return p->config.soundfont ? p->soundfont : "";
}

int player_n_dropped(const struct player *p)
{
    return p->n_dropped;
}
