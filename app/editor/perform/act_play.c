/* The transport: play from the cursor, from the start, the metronome, and silence. */
#include "app/editor/takes/framing.h"
#include "app/editor/perform/answer.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/act.h"
#include "app/editor/session/session.h"

/* What was told of the sound device. */
struct sound_watch {
    bool had_sound, lost_sound; /* at the last look; and had it before */
};

static void act_play(struct session *s, const struct command *c)
{
    (void)c;
    if (record_stop(s))
        return;
    if (player_is_playing(s->player)) {
        player_stop(s->player);
        return;
    }
    int64_t from = framing_play_from(s);
    session_publish(s);
    player_play(s->player, from >= 0 ? from : s->cursor_tick);
}

static void act_play_start(struct session *s, const struct command *c)
{
    (void)c;
    record_stop(s);
    session_publish(s);
    player_play(s->player, 0);
}

static void act_panic(struct session *s, const struct command *c)
{
    (void)c;
    record_stop(s);
    player_stop(s->player);
    player_panic(s->player);
    session_say(s, "all sound off");
}

void session_send_clicks(const struct session *s)
{
    player_set_click_volume(s->player, s->click_volume);
    const bool records = s->parts.rec->is_on || s->plays_together;
    player_set_metronome(s->player, !free_take_is_on(s) &&
                                        (s->clicks == CLICKS_ALWAYS ||
                                         (s->clicks == CLICKS_RECORDING && records)));
}

static void act_metronome(struct session *s, const struct command *c)
{
    static const enum click_wish NEXT[] = {[CLICKS_RECORDING] = CLICKS_ALWAYS,
                                           [CLICKS_ALWAYS] = CLICKS_NEVER,
                                           [CLICKS_NEVER] = CLICKS_RECORDING};
    static const char *const WORDS[] = {
        [CLICKS_RECORDING] = "the metronome is heard while recording",
        [CLICKS_ALWAYS] = "the metronome is on",
        [CLICKS_NEVER] = "the metronome is off, also while recording"};
    (void)c;
    s->clicks = NEXT[s->clicks];
    session_send_clicks(s);
    session_say(s, "%s", WORDS[s->clicks]);
}

static void watch(struct session *s)
{
    char status[sizeof s->status];
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

static void line_sound(struct session *s, const char *rest)
{
    (void)rest;
    session_say(s, "%s", player_status(s->player, s->status, sizeof s->status));
}

static const struct act_row COMMANDS[] = {
    {CMD_PLAY, act_play},
    {CMD_PLAY_START, act_play_start},
    {CMD_PANIC, act_panic},
    {CMD_METRONOME, act_metronome},
    {0},
};

static const struct act_line_row LINES[] = {
    {"sound", line_sound},
    {0},
};

const struct editor_part PLAY_PART = {PART_STATE(sound), .commands = COMMANDS,
                                      .lines = LINES, .tick = watch};
