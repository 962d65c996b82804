/* Playing a score through FluidSynth's sequencer, on a thread of its own.
 *
 * The player thread owns the transport and sends events a little ahead of the
 * playhead (about 60 ms), from an immutable snapshot of the score. What an edit makes
 * wrong of that is taken back, so that it is heard within half the time. The ui publishes a snapshot; used ones come back
 * and are freed by the ui in player_collect. The audio callback is
 * FluidSynth's own. With no sound device, or no soundfont, the transport runs
 * on the clock and player_status says so.
 *
 * All functions here are for the ui thread; none blocks on sound. */
#ifndef MIDI_PLAYER_H
#define MIDI_PLAYER_H

#include "midi/transport/cue.h"
#include "midi/sound/metronome.h"
#include "midi/score/score.h"

struct live;
struct output;
struct player;
struct sync;

struct player_config {
    const char *soundfont; /* path; NULL: see soundfont_find */
    const char *driver; /* FluidSynth audio.driver; NULL: try its usual ones; "none" */
    const char *file_name; /* for driver "file": where the WAV goes */
    double gain;           /* 0: a sensible default */
};

/* Never fails for want of sound; NULL only when out of memory or threads. */
struct player *player_create(const struct player_config *config);
void player_destroy(struct player *p); /* stops, silences, joins; NULL is fine */

/* Where a byte is written when a device comes or goes; it must not block. -1, as at first:
 * nowhere. */
void player_set_wake(struct player *p, int fd);
void player_wake_ui(const struct player *p); /* any thread: it is written */

/* Publishes a new version of the music; takes `snapshot`. Muted tracks and, if
 * any track is solo, all others, are not heard. */
void player_set_score(struct player *p, struct score *snapshot);
void player_collect(struct player *p); /* frees snapshots no longer in use */

void player_play(struct player *p, int64_t from_tick);
/* The same after so many bars of the metronome, in the meter and the tempo that hold
 * there; the playhead stands until they are over. */
void player_play_after(struct player *p, int64_t from_tick, int n_bars);
void player_stop(struct player *p);
void player_seek(struct player *p, int64_t tick);
/* Ticks [from, to) are played again and again once the playhead comes to `to` from
 * before it, without a gap; empty: no more. It holds until it is set again. */
void player_set_loop(struct player *p, int64_t from_tick, int64_t to_tick);
/* Whether the beats of what plays are clicked; as loud as 0..127, 100 at first. Both are
 * followed at once. Bars that are counted before it are clicked all the same. */
void player_set_metronome(struct player *p, bool on);
void player_set_click_volume(struct player *p, int volume);
/* A note that is heard while it plays without being in the music (midi/transport/cue.h). false: too
 * many at once, ask again. cut: those end, and what of them was to come is not heard. */
bool player_cue(struct player *p, const struct cue *c);
bool player_cut_cues(struct player *p);
/* The playhead waits at that tick, which should be 100 ms away; what sounds goes on. 0: it
 * goes on, and does not wait. */
void player_hold_at(struct player *p, int64_t tick);
bool player_is_held(const struct player *p); /* it waits */
/* Sounds one note at once for a short while, for feedback while editing. */
void player_audition(struct player *p, int channel, int program, int pitch,
                     int velocity);
void player_panic(struct player *p); /* all sound off */

/* Another soundfont, heard as soon as it is loaded; what plays goes on. false: one is being
 * loaded already, or out of memory or threads. */
bool player_set_soundfont(struct player *p, const char *path);
enum font_news { FONT_NO_NEWS, FONT_IS_HEARD, FONT_IS_BAD };
/* How that went, told once, when player_collect has seen it. A bad one changes nothing. */
enum font_news player_font_news(struct player *p);
bool player_is_loading(const struct player *p);

bool player_is_playing(const struct player *p);
double player_tick(const struct player *p); /* the playhead, */
/* and how often the loop was gone round since playing was begun. */
unsigned player_pass(const struct player *p);
/* Milliseconds of the bars counted before it that are left; 0: none. */
double player_count_in_ms(const struct player *p);
bool player_has_sound(const struct player *p);
bool player_is_opening(const struct player *p); /* sound, which may be there soon */
/* "sound: pulseaudio, TimGM6mb.sf2" or "no sound device: playing silently". */
const char *player_status(const struct player *p, char *buf, size_t n);
const char *player_soundfont(const struct player *p); /* its path; "": none */
int player_n_dropped(const struct player *p);         /* commands lost to a full ring */
/* Keyboards play into it (midi/transport/live.h); the player's, as long as that lives. */
struct live *player_live(struct player *p);
/* What instruments are sent (midi/transport/output.h), and clocks (midi/transport/sync.h); likewise. */
struct output *player_output(struct player *p);
struct sync *player_sync(struct player *p);

/* The soundfont to use: `configured` if it can be read; else the environment's
 * CONTINUO_SOUNDFONT; else the system's General MIDI bank; else our own, beside
 * the program or installed. false: none. */
bool soundfont_find(char *path, size_t n_path, const char *configured);

#endif
