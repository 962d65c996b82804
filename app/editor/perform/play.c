/* The transport: playing from the cursor or from the start, the metronome, silence. And the
 * sound device and the soundfont, which may change during playback; later runs use the chosen
 * soundfont, too, unless the command line names one. */
#include "app/editor/takes/takes.h"
#include "app/editor/takes/framing.h"
#include "app/editor/perform/recorder.h"
#include "app/base/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the user was told about the sound device, and the choice of a soundfont. */
struct sound_watch {
    bool had_sound,
        lost_sound;     /* there was sound at the last look; it was lost since */
    bool is_usual;      /* the soundfont that is being loaded was not named */
    char damaged[4096]; /* a soundfont that is not used; "": none */
    bool is_told;       /* of the damaged one */
};

enum { STATUS_BYTES = 160 };

void act_play(struct session *s)
{
    if (record_stop(s))
        return;
    if (player_is_playing(s->player)) {
        player_stop(s->player);
        return;
    }
    int64_t from = framing_play_from(s);
    session_publish(s);
    player_play(s->player, from >= 0 ? from : s->view.cursor.tick);
}

void act_play_start(struct session *s)
{
    record_stop(s);
    session_publish(s);
    player_play(s->player, 0);
}

void act_panic(struct session *s)
{
    record_stop(s);
    player_stop(s->player);
    player_panic(s->player);
    session_say(s, "all sound off");
}

void session_send_clicks(const struct session *s)
{
    player_set_click_volume(s->player, s->sound.click_volume);
    const bool records = recorder_is_on(s) || proposals_are_played(&s->takes);
    player_set_metronome(s->player,
                         !free_take_is_on(s) &&
                             (s->sound.clicks == CLICKS_ALWAYS ||
                              (s->sound.clicks == CLICKS_RECORDING && records)));
}

void act_metronome(struct session *s)
{
    static const char *const WORDS[] = {
        [CLICKS_RECORDING] = "the metronome is on while recording",
        [CLICKS_ALWAYS] = "the metronome is on",
        [CLICKS_NEVER] = "the metronome is off, also while recording"};
    s->sound.clicks = (s->sound.clicks + 1) % (CLICKS_NEVER + 1);
    session_send_clicks(s);
    session_say(s, "%s", WORDS[s->sound.clicks]);
}

void act_sound_line(struct session *s)
{
    char status[STATUS_BYTES];
    const char *damaged = s->parts.sound->damaged;
    session_say(s, "%s%s%s%s", player_status(s->player, status, sizeof status),
                *damaged ? "; " : "", damaged, *damaged ? " is damaged" : "");
}

static void load(struct session *s, const char *path)
{
    if (player_is_loading(s->player))
        session_error(s, "another soundfont is already being loaded");
    else if (!player_set_soundfont(s->player, path))
        session_error(s, "out of memory: not loaded");
    else
        session_say(s, "loading %s", file_base_name(path));
}

void act_soundfont_line(struct session *s, const char *word)
{
    char path[4096], found[4096];
    const char *now = player_soundfont(s->player);
    if (!*word) {
        session_say(s, "%s; :soundfont PATH uses another, :soundfont usual the default",
                    *now ? now : "no soundfont");
    } else if (!strcmp(word, "usual")) {
        s->parts.sound->is_usual =
            soundfont_find(path, sizeof path, s->preferences.settings.soundfont);
        if (s->parts.sound->is_usual)
            load(s, path);
        else
            session_error(s, "no soundfont was found; :soundfont PATH names one");
    } else if (!file_expand(path, sizeof path, word)) {
        session_error(s, "that name is too long");
    } else if (access(path, R_OK)) {
        session_error(s, "%s cannot be read: %s", word, strerror(errno));
    } else if (!soundfont_find(found, sizeof found, path) || strcmp(found, path) != 0) {
        session_error(s, "%s is damaged or not a soundfont", word);
    } else {
        s->parts.sound->is_usual = false;
        load(s, path);
    }
}

static void watch(struct session *s)
{
    struct sound_watch *w = s->parts.sound;
    char status[STATUS_BYTES];
    const bool has = player_has_sound(s->player);
    const char *path = player_soundfont(s->player);
    if (!player_is_opening(s->player) && has != w->had_sound) {
        if (!has)
            session_error(s, "the sound device is gone: silent until it is back");
        else if (w->lost_sound)
            session_say(s, "%s", player_status(s->player, status, sizeof status));
        w->had_sound = has;
        w->lost_sound = !has;
    }
    const enum font_status news = player_font_status(s->player);
    if (news == FONT_IS_BAD)
        session_error(s, "that soundfont cannot be loaded; the old one stays");
    if (news == FONT_IS_HEARD) {
        char *full = realpath(path, NULL);
        if (s->preferences.remembers_files)
            paths_remember("soundfont", w->is_usual ? NULL : full);
        free(full);
        player_status(s->player, status, sizeof status);
        if (player_has_sound(s->player))
            session_say(s, "%s", status);
        else
            session_say(s, "%s is loaded; %s", file_base_name(path), status);
    }
    /* A damaged soundfont is reported once nothing worse is. */
    if (w->is_told || !*w->damaged || s->view.message.is_error)
        return;
    w->is_told = true;
    session_error(s, "%s is damaged: %s is used", w->damaged,
                  *path ? file_base_name(path) : "none");
}

static bool init(struct session *s, const struct session_options *o)
{
    struct sound_watch *w = s->parts.sound;
    if (!soundfont_find_damaged(w->damaged, sizeof w->damaged, o->soundfont))
        w->damaged[0] = '\0';
    return true;
}

const struct editor_part PLAY_PART = {
    PART_STATE(sound),
    .init = init,
    .tick = watch,
};
