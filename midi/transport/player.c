/* The ui's side of the player.
 *
 * Between the two threads pass commands in a ring, the newest music in one atomic slot,
 * used music back in another ring, and the transport's state in atomics. There are no
 * locks.
 *
 * A command takes effect a moment after the call. Until then the ui is told what it
 * asked for, so two quick key presses do what they say.
 *
 * Another soundfont is loaded by a thread of its own (midi/sound/font_loader.h), sent
 * to the player when it is loaded, and freed when the player has taken it. */
#include "midi/transport/player_state.h"
#include "midi/base/thread.h"
#include "midi/sound/font_loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_COMMANDS = 256, N_RETURNS = 64, N_SCHEDULED = 512 };

#define DEFAULT_GAIN 0.6

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
    snprintf(p->font_path, sizeof p->font_path, "%s", has_font ? p->soundfont : "");
    p->config =
        (struct sound_config){.soundfont = has_font ? p->soundfont : NULL,
                              .driver = p->driver,
                              .file_name = p->file_name,
                              .gain = config->gain > 0 ? config->gain : DEFAULT_GAIN};
    return true;
}

static void collect_snapshots(struct player *p)
{
    struct snapshot *s;
    while (ring_pop(p->returns, &s))
        free_snapshot(s);
}

static void free_player(struct player *p)
{
    free_snapshot(atomic_load(&p->newest));
    free_snapshot(p->snapshot);
    free_snapshot(p->retired);
    if (p->returns)
        collect_snapshots(p);
    font_loader_destroy(p->font);
    ring_destroy(p->commands);
    ring_destroy(p->returns);
    ring_destroy(p->scheduled);
    live_destroy(p->live);
    output_destroy(p->output);
    sync_destroy(p->sync);
    bell_fini(&p->wake);
    free(p->driver);
    free(p->file_name);
    free(p);
}

struct player *player_create(const struct player_config *config)
{
    struct player *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    setenv("JACK_NO_START_SERVER", "1", 0); /* must not run on a thread */
    bell_init(&p->wake);
    atomic_init(&p->state, SOUND_OPENING);
    atomic_init(&p->driver_name, "");
    atomic_init(&p->wake_fd, -1);
    atomic_init(&p->click_volume, CLICK_VOLUME_DEFAULT);
    p->commands = ring_create(N_COMMANDS, sizeof(struct player_command));
    p->returns = ring_create(N_RETURNS, sizeof(struct snapshot *));
    p->scheduled = ring_create(N_SCHEDULED, sizeof(struct scheduled_order));
    p->live = live_create(&p->wake);
    p->output = output_create(&p->wake);
    p->sync = sync_create(&p->wake);
    p->transport.out.output = p->output;
    if (!p->commands || !p->returns || !p->scheduled || !p->live || !p->output ||
        !p->sync || !copy_config(p, config) ||
        !thread_start(&p->thread, player_thread, p)) {
        free_player(p);
        return NULL;
    }
    return p;
}

void player_set_wake(struct player *p, int fd)
{
    atomic_store(&p->wake_fd, fd);
}

void player_wake_ui(const struct player *p)
{
    int fd = atomic_load(&p->wake_fd);
    if (fd >= 0 && write(fd, "p", 1) < 0)
        return; /* a full pipe wakes as well */
}

void player_destroy(struct player *p)
{
    if (!p)
        return;
    atomic_store(&p->quit, true);
    bell_ring(&p->wake);
    pthread_join(p->thread, NULL);
    free_player(p);
}

/* If memory is out, the new music is not heard; nothing else happens. */
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
    free_snapshot(atomic_exchange(&p->newest, s)); /* the player never saw it */
    bell_ring(&p->wake);
    collect_snapshots(p);
}

void player_collect(struct player *p)
{
    collect_snapshots(p);
    const bool is_loaded = p->font && !p->font_is_sent && font_loader_is_done(p->font);
    if (p->font_is_sent && atomic_exchange(&p->font_is_taken, false)) {
        snprintf(p->font_path, sizeof p->font_path, "%s", font_loader_path(p->font));
        font_loader_destroy(p->font);
        p->font = NULL;
        p->font_is_sent = false;
        p->font_status = FONT_IS_HEARD;
    } else if (is_loaded && font_loader_is_bad(p->font)) {
        font_loader_destroy(p->font);
        p->font = NULL;
        p->font_status = FONT_IS_BAD;
    } else if (is_loaded) {
        const struct player_command c = {.kind = PLAYER_FONT, .font = p->font};
        p->font_is_sent = ring_push(p->commands, &c); /* a full ring has room later */
        bell_ring(&p->wake);
    }
}

static bool send_command(struct player *p, struct player_command c)
{
    bool sent = ring_push(p->commands, &c);
    p->n_dropped += !sent;
    bell_ring(&p->wake);
    return sent;
}

static void send_transport(struct player *p, struct player_command c, bool playing,
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
    send_transport(
        p, (struct player_command){.kind = PLAYER_PLAY, .tick = tick, .n_bars = n_bars},
        true, (double)tick);
}

void player_play(struct player *p, int64_t from_tick)
{
    player_play_after(p, from_tick, 0);
}

void player_set_metronome(struct player *p, bool on)
{
    atomic_store(&p->clicks, on);
    bell_ring(&p->wake);
}

void player_set_click_volume(struct player *p, int volume)
{
    bool is_in_range = volume >= 0 && volume <= CLICK_VOLUME_MOST;
    atomic_store(&p->click_volume, is_in_range ? volume : CLICK_VOLUME_DEFAULT);
}

static bool send_scheduled(struct player *p, struct scheduled_order order)
{
    bool sent = ring_push(p->scheduled, &order);
    bell_ring(&p->wake);
    return sent;
}

bool player_schedule_note(struct player *p, const struct scheduled_note *c)
{
    return send_scheduled(p, (struct scheduled_order){.note = *c});
}

bool player_cut_scheduled(struct player *p)
{
    return send_scheduled(p, (struct scheduled_order){.is_cut = true});
}

void player_hold_at(struct player *p, int64_t tick)
{
    if (atomic_exchange(&p->hold_tick, tick) != tick)
        bell_ring(&p->wake);
}

void player_stop(struct player *p)
{
    send_transport(p, (struct player_command){.kind = PLAYER_STOP}, false,
                   player_tick(p));
}

void player_seek(struct player *p, int64_t to_tick)
{
    int64_t tick = to_tick > 0 ? to_tick : 0;
    send_transport(p, (struct player_command){.kind = PLAYER_SEEK, .tick = tick},
                   player_is_playing(p), (double)tick);
}

void player_set_loop(struct player *p, int64_t from_tick, int64_t to_tick)
{
    send_command(p, (struct player_command){
                        .kind = PLAYER_LOOP, .tick = from_tick, .to_tick = to_tick});
}

void player_audition(struct player *p, int channel, int program, int pitch,
                     int velocity)
{
    struct audition a = {.channel = channel & 15,
                         .program = program & 127,
                         .pitch = pitch & 127,
                         .velocity = velocity & 127};
    send_command(p, (struct player_command){.kind = PLAYER_AUDITION, .audition = a});
}

void player_panic(struct player *p)
{
    send_transport(p, (struct player_command){.kind = PLAYER_PANIC}, false,
                   player_tick(p));
}

/* Whether the last transport command has taken effect. */
static bool is_settled(const struct player *p)
{
    return atomic_load(&p->n_executed) == p->n_sent;
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

bool player_is_held(const struct player *p)
{
    return atomic_load(&p->is_held);
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
    static const char *const SILENT[] = {
        [SOUND_OPENING] = "opening sound",
        [SOUND_OFF] = "sound is off: playing silently",
        [SOUND_NO_FONT] = "no soundfont: playing silently",
        [SOUND_NO_DEVICE] = "no sound device: playing silently"};
    const char *slash = strrchr(p->font_path, '/');
    int state = atomic_load(&p->state);
    if (state == SOUND_ON)
        snprintf(buf, n, "sound: %s, %s", atomic_load(&p->driver_name),
                 slash ? slash + 1 : p->font_path);
    else
        snprintf(buf, n, "%s", SILENT[state]);
    return buf;
}

struct live *player_live(struct player *p)
{
    return p->live;
}

struct output *player_output(struct player *p)
{
    return p->output;
}

struct sync *player_sync(struct player *p)
{
    return p->sync;
}

const char *player_soundfont(const struct player *p)
{
    return p->font_path;
}

bool player_set_soundfont(struct player *p, const char *path)
{
    if (p->font)
        return false;
    p->font = font_loader_start(path);
    return p->font;
}

enum font_status player_font_status(struct player *p)
{
    enum font_status news = p->font_status;
    p->font_status = FONT_NO_CHANGE;
    return news;
}

bool player_is_loading(const struct player *p)
{
    return p->font;
}
