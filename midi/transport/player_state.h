/* The player's state, shared by player.c (ui thread) and player_thread.c (player's
 * thread). */
#ifndef MIDI_PLAYER_STATE_H
#define MIDI_PLAYER_STATE_H

#include "midi/transport/live.h"
#include "midi/transport/player.h"
#include "midi/base/ring.h"
#include "midi/sound/sound.h"
#include "midi/transport/sync_follow.h"
#include "midi/transport/transport.h"

#include <pthread.h>
#include <stdatomic.h>

/* A version of the music. The ui makes and frees it; the player plays it. */
struct snapshot {
    struct score *score;
    struct schedule *schedule;
};

struct scheduled_order {
    bool is_cut; /* ends all notes so far, instead of adding one */
    struct scheduled_note note;
};

/* A single note that sounds for a moment while editing. Such notes have channels of
 * their own, so that they do not disturb the music. */
struct audition {
    bool is_on;
    uint8_t channel, program, pitch, velocity;
    double end_ms;
};

enum { N_AUDITIONS = 16 };

struct player_command {
    enum {
        PLAYER_PLAY,
        PLAYER_STOP,
        PLAYER_SEEK,
        PLAYER_LOOP,
        PLAYER_AUDITION,
        PLAYER_PANIC,
        PLAYER_FONT
    } kind;
    /* Counts transport commands from 1. It is 0 for PLAYER_AUDITION, PLAYER_LOOP and
     * PLAYER_FONT. */
    unsigned number;
    int64_t tick, to_tick; /* to_tick: for PLAYER_LOOP */
    int n_bars;            /* PLAYER_PLAY: count-in */
    struct audition audition;
    struct font_loader *font; /* the ui's, which keeps it until it is taken */
};

struct player {
    /* Constant once the thread runs: */
    pthread_t thread;
    struct sound_config config; /* except for its soundfont */
    char *driver, *file_name;

    /* One thread writes and one reads: */
    struct ring *commands;  /* ui to player: struct player_command */
    struct ring *returns;   /* player to ui: struct snapshot * */
    struct ring *scheduled; /* ui to player: struct scheduled_order */
    struct live *live;      /* parts that both threads use */
    struct output *output;
    struct sync *sync;

    /* For the ui thread only: */
    unsigned n_sent;
    bool wanted_playing;
    double wanted_tick;
    int n_dropped;            /* commands that a full ring dropped */
    char font_path[4096];     /* path of the font that is heard, or would be */
    struct font_loader *font; /* that is being loaded or taken */
    bool font_is_sent;
    enum font_status font_status;

    /* Shared: */
    struct bell wake;                  /* the ui rings it */
    atomic_bool font_is_taken;         /* the player has taken the font it was sent */
    atomic_bool quit;                  /* the ui sets */
    _Atomic(struct snapshot *) newest; /* the ui puts, the player takes; NULL: none */
    atomic_bool clicks;                /* ui writes, player reads, as the next three */
    atomic_int click_volume;
    _Atomic int64_t hold_tick; /* 0: none */
    atomic_int wake_fd;        /* -1: none */
    atomic_uint n_executed;    /* this and all below: player writes, ui reads */
    atomic_bool is_playing, is_held;
    _Atomic double tick, count_in_ms;
    atomic_uint n_rounds;              /* finished rounds of the loop; for tests */
    atomic_uint pass;                  /* of the loop that is being played */
    atomic_int state;                  /* enum sound_state */
    _Atomic(const char *) driver_name; /* set before `state`; never freed */

    /* For the player's thread only: */
    struct sound *sound;
    char soundfont[4096]; /* path of the font in `config` */
    struct transport transport;
    struct sync_follow follower; /* in use while a clock is followed */
    unsigned n_clocks_lost;
    unsigned n_greeted;        /* value of output_n_opened at the last greeting */
    struct snapshot *snapshot; /* the one that is played */
    struct snapshot *retired;  /* waits for room in `returns` */
    struct audition auditions[N_AUDITIONS];
    double last_ms;   /* last look at the device */
    double moved_ms;  /* when the device's clock last moved */
    double looked_ms; /* last attempt to open a device */
    int n_closed;     /* devices closed in a row whose clock never moved */
};

/* A part of each round of the thread: handles clocks and a new instrument. */
void player_follow_pass(struct player *p);
/* The thread. Runs until `quit`; opens and closes the sound. */
void *player_thread(void *player);

#endif
