/* The transport: play from the cursor, from the start, and silence. */
#include "app/session.h"

void act_play(struct session *s, const struct command *c)
{
    (void)c;
    if (record_stop(s))
        return;
    if (player_is_playing(s->player)) {
        player_stop(s->player);
        return;
    }
    const struct proposal *shown = proposals_shown(&s->takes);
    bool in_take = shown && shown->n_waiting && s->mode == MODE_TAKES;
    session_publish(s);
    player_play(s->player, in_take && s->hole_from > s->cursor_tick ? s->hole_from
                                                                    : s->cursor_tick);
}

void act_play_start(struct session *s, const struct command *c)
{
    (void)c;
    record_stop(s);
    session_publish(s);
    player_play(s->player, 0);
}

void act_panic(struct session *s, const struct command *c)
{
    (void)c;
    record_stop(s);
    player_stop(s->player);
    player_panic(s->player);
    session_say(s, "all sound off");
}
