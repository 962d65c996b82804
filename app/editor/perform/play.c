/* The transport: play from the cursor, from the start, the metronome, and silence. */
#include "app/editor/takes/framing.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/session.h"

/* What was told of the sound device. */
struct sound_watch {
    bool had_sound, lost_sound; /* at the last look; and had it before */
};

enum { STATUS_BYTES = 160 };

static void act_play(struct session *s)
{
    if (record_stop(s))
        return;
    if (player_is_playing(s->player)) {
        player_stop(s->player);
        return;
    }
    int64_t from = framing_play_from(s);
    session_publish(s);
    player_play(s->player, from >= 0 ? from : s->cursor.tick);
}

static void act_play_start(struct session *s)
{
    record_stop(s);
    session_publish(s);
    player_play(s->player, 0);
}

static void act_panic(struct session *s)
{
    record_stop(s);
    player_stop(s->player);
    player_panic(s->player);
    session_say(s, "all sound off");
}

void session_send_clicks(const struct session *s)
{
    player_set_click_volume(s->player, s->sound.click_volume);
    const bool records = recorder_is_on(s) || s->request.plays_together;
    player_set_metronome(s->player,
                         !free_take_is_on(s) &&
                             (s->sound.clicks == CLICKS_ALWAYS ||
                              (s->sound.clicks == CLICKS_RECORDING && records)));
}

static void act_metronome(struct session *s)
{
    static const enum click_wish NEXT[] = {[CLICKS_RECORDING] = CLICKS_ALWAYS,
                                           [CLICKS_ALWAYS] = CLICKS_NEVER,
                                           [CLICKS_NEVER] = CLICKS_RECORDING};
    static const char *const WORDS[] = {
        [CLICKS_RECORDING] = "the metronome is heard while recording",
        [CLICKS_ALWAYS] = "the metronome is on",
        [CLICKS_NEVER] = "the metronome is off, also while recording"};
    s->sound.clicks = NEXT[s->sound.clicks];
    session_send_clicks(s);
    session_say(s, "%s", WORDS[s->sound.clicks]);
}

static void watch(struct session *s)
{
    char status[STATUS_BYTES];
    bool has = player_has_sound(s->player);
    if (player_is_opening(s->player) || has == s->parts.sound->had_sound)
        return;
    if (!has)
        session_error(s, "the sound device is gone: playing silently until it is back");
    else if (s->parts.sound->lost_sound)
        session_say(s, "%s", player_status(s->player, status, sizeof status));
    s->parts.sound->had_sound = has;
    s->parts.sound->lost_sound = !has;
}

static void act_sound_line(struct session *s)
{
    char status[STATUS_BYTES];
    session_say(s, "%s", player_status(s->player, status, sizeof status));
}

const struct editor_part PLAY_PART = {
    PART_STATE(sound),
    ON_COMMANDS(
        {{CMD_PLAY}, .plain = act_play}, {{CMD_PLAY_START}, .plain = act_play_start},
        {{CMD_PANIC}, .plain = act_panic}, {{CMD_METRONOME}, .plain = act_metronome}),
    ON_LINES({"sound", .plain = act_sound_line}),
    .tick = watch,
};
