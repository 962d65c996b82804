/* What the player's two sides share: an inner part of midi/transport/player.h. The ui's is player.c,
 * the thread's player_thread.c. */
#ifndef MIDI_PLAYER_STATE_H
#define MIDI_PLAYER_STATE_H

#include "midi/sound/audition.h"
#include "midi/transport/live.h"
#include "midi/transport/player.h"
#include "midi/base/ring.h"
#include "midi/sound/sound.h"
#include "midi/transport/sync_follow.h"
#include "midi/transport/transport.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

/* A version of the music, made and freed by the ui, played by the player. */
struct snapshot {
    struct score *score;
    struct schedule *schedule;
};

struct cue_order {
    bool is_cut; /* of those before; else one more */
    struct cue cue;
};

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
    unsigned
        number; /* of the transport's commands, from 1; 0 for PLAYER_AUDITION, PLAYER_LOOP, PLAYER_FONT */
    int64_t tick, to_tick; /* to_tick: of PLAYER_LOOP */
    int n_bars;            /* of PLAYER_PLAY, counted before it */
    struct audition audition;
    struct font_loader *font; /* the ui's, which waits until it is taken */
};

struct player {
    /* Constant once the thread runs. */
    pthread_t thread;
    struct sound_config config; /* but its soundfont; strings are the player's own */
    char *driver, *file_name;

    /* The two ends belong to the two threads. */
    struct ring *commands; /* ui to player: struct player_command */
    struct ring *returns;  /* player to ui: struct snapshot * */
    struct ring *cues;     /* ui to player: struct cue_order */
    struct live
        *live; /* what is played on keyboards; midi/transport/live.h tells who may */
    struct output *output; /* to an instrument, likewise; */
    struct sync *sync;     /* and clocks */

    /* Ui only. */
    unsigned n_sent;
    bool wanted_playing;
    double wanted_tick;
    int n_dropped;
    char font_path[4096];     /* that is heard, or would be */
    struct font_loader *font; /* being loaded, or taken */
    bool font_is_sent;
    unsigned n_fonts_sent;
    enum font_news font_news;

    /* Shared. */
    sem_t wake;                        /* the ui posts */
    atomic_uint n_fonts_taken;         /* player writes, done with them */
    atomic_bool quit;                  /* the ui sets */
    _Atomic(struct snapshot *) newest; /* ui puts, player takes; NULL: none */
    atomic_bool clicks;                /* as the next, ui writes, player reads */
    atomic_int click_volume;
    _Atomic int64_t hold_tick; /* likewise */
    atomic_int wake_fd;        /* likewise; -1: none */
    atomic_uint n_heard;       /* as all below: player writes, ui reads */
    atomic_bool is_playing, is_held;
    _Atomic double tick, count_in_ms;
    atomic_uint pass;
    atomic_int state;                  /* enum sound_state */
    _Atomic(const char *) driver_name; /* set before state; never freed */

    /* Player's thread only. */
    struct sound *sound;
    char soundfont[4096]; /* config's */
    struct transport transport;
    struct sync_follow follower; /* while a clock is followed */
    unsigned n_clocks_lost;
    unsigned n_greeted;        /* as output_n_opened */
    struct snapshot *snapshot; /* being played */
    struct snapshot *retired;  /* waits for room in `returns` */
    struct auditions auditions;
    double last_ms;   /* of the latest look at the device */
    double moved_ms;  /* when the clock that it plays by was seen to move */
    double looked_ms; /* of the latest try to open one */
    int n_closed;     /* closed in a row, since its clock ran */
};

/* player_font.c, the ui's: what has come of a soundfont that is loaded or taken. */
void player_mind_font(struct player *p);

/* player_follow.c, the thread's. pass: what has come of a clock, and an instrument that has
 * come. The transport goes by a clock if there is one: then place begins at a tick, and is
 * true. refollow: the sound has another clock now. */
void player_follow_pass(struct player *p);
bool player_follow_place(struct player *p, int64_t tick);
void player_refollow(struct player *p);

/* The thread, until `quit`; it opens the sound and closes it. */
void *player_thread(void *player);

#endif
