/* Plays a score through FluidSynth's sequencer, on a thread of its own.
 *
 * The player's thread owns the transport. It sends events about 60 ms ahead of the
 * playhead, from an immutable snapshot of the score. If an edit changes them, they are
 * taken back, so an edit is heard within half that time. The ui publishes snapshots;
 * used ones come back, and player_collect frees them. Without a sound device or a
 * soundfont the transport runs on the system's clock, and player_status says so.
 *
 * All functions are for the ui thread, unless they say otherwise. None blocks on
 * sound. */
#ifndef MIDI_PLAYER_H
#define MIDI_PLAYER_H

#include "midi/transport/scheduled_note.h"
#include "midi/sound/metronome.h"
#include "midi/score/score.h"

struct live;
struct output;
struct player;
struct sync;

struct player_config {
    const char *soundfont; /* path; NULL: see soundfont_find */
    const char *driver;    /* FluidSynth's audio.driver; NULL: the usual ones; "none" */
    const char *file_name; /* for driver "file": path of the WAV file */
    double gain;           /* 0: the default */
};

/* Succeeds also without sound. NULL: out of memory or threads. */
struct player *player_create(const struct player_config *config);
void player_destroy(struct player *p); /* stops, silences and joins; NULL is fine */

/* Sets the descriptor to which a byte is written when a device comes or goes. It must
 * not block. -1, the default: none. */
void player_set_wake(struct player *p, int fd);
void player_wake_ui(const struct player *p); /* any thread: writes that byte */

/* Publishes a new version of the music, and takes `snapshot`. Only audible tracks sound
 * (track_is_audible). */
void player_set_score(struct player *p, struct score *snapshot);
void player_collect(struct player *p); /* frees what the player has finished with */

void player_play(struct player *p, int64_t from_tick);
/* Plays after n_bars bars of metronome, in the meter and tempo at from_tick. The
 * playhead waits meanwhile. */
void player_play_after(struct player *p, int64_t from_tick, int n_bars);
void player_stop(struct player *p);
void player_seek(struct player *p, int64_t tick);
/* Repeats ticks [from, to) without a gap, once the playhead reaches `to` from before
 * it. An empty span means no loop. */
void player_set_loop(struct player *p, int64_t from_tick, int64_t to_tick);
/* Whether beats are clicked while the piece plays, and how loud: 0..127, at first 100.
 * Both take effect at once. Bars of a count-in are always clicked. */
void player_set_metronome(struct player *p, bool on);
void player_set_click_volume(struct player *p, int volume);
/* Plays a note that is not in the music (midi/transport/scheduled_note.h); cut ends
 * such notes and drops those to come. false: there were too many at once; try later. */
bool player_schedule_note(struct player *p, const struct scheduled_note *c);
bool player_cut_scheduled(struct player *p);
/* Makes the playhead wait at that tick, which should be 100 ms ahead. Notes sound on
 * meanwhile. 0 lets it go on. */
void player_hold_at(struct player *p, int64_t tick);
bool player_is_held(const struct player *p); /* it waits now */
/* Sounds one note at once for a moment, while editing. */
void player_audition(struct player *p, int channel, int program, int pitch,
                     int velocity);
void player_panic(struct player *p); /* all sound off */

/* Begins to load another soundfont. Playing goes on, and the font is heard once it is
 * loaded. Returns false if one is being loaded already, or if memory or threads are
 * out. */
bool player_set_soundfont(struct player *p, const char *path);
enum font_status { FONT_NO_CHANGE, FONT_IS_HEARD, FONT_IS_BAD };
/* Returns the result of loading once, after player_collect has seen it. A bad font
 * changes nothing. */
enum font_status player_font_status(struct player *p);
bool player_is_loading(const struct player *p);

bool player_is_playing(const struct player *p);
double player_tick(const struct player *p); /* the playhead */
/* Returns the turns of the loop since playing began. */
unsigned player_pass(const struct player *p);
/* Returns the milliseconds left of the count-in; 0: there is none. */
double player_count_in_ms(const struct player *p);
bool player_has_sound(const struct player *p);
bool player_is_opening(const struct player *p); /* there may be sound soon */
/* Returns buf with "sound: pulseaudio, TimGM6mb.sf2" or "no sound device: playing
 * silently". */
const char *player_status(const struct player *p, char *buf, size_t n);
const char *player_soundfont(const struct player *p); /* its path; "": none */
/* The live input (midi/transport/live.h), which lives as long as the player. */
struct live *player_live(struct player *p);
/* The external output (midi/transport/output.h) and the clocks (midi/transport/sync.h);
 * likewise. */
struct output *player_output(struct player *p);
struct sync *player_sync(struct player *p);

/* Finds the soundfont to use: `configured` if it can be read; else that of the
 * environment's CONTINUO_SOUNDFONT; else the system's General MIDI bank; else our own,
 * beside the program or installed. false: there is none. */
bool soundfont_find(char *path, size_t n_path, const char *configured);
/* Finds the first of these that is cut short, and therefore not used. false: none
 * is. */
bool soundfont_find_damaged(char *path, size_t n_path, const char *configured);
/* Finds the system's bank below `root`, which ends in a slash. That is its default, or
 * a better one if the default is TimGM6mb (6 MB). `damaged` asks for damaged files
 * instead of whole ones. false: there is none. */
bool soundfont_find_system(char *path, size_t n_path, const char *root, bool damaged);
bool soundfont_is_small(const char *path); /* it is TimGM6mb, or a link to that */

#endif
