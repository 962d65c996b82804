#include "app/editor/keep/session_settings.h"

#include "app/editor/session/session.h"

#include <stdio.h>
#include <string.h>

void settings_apply_to_piece(const struct settings *settings, struct session *s)
{
    uint64_t seed = s->steering.seed;
    s->steering = settings->steering;
    s->steering.seed = seed;
    s->grid = settings->grid;
    s->groove = settings->groove;
}

void settings_apply(const struct settings *settings, struct session *s)
{
    settings_apply_to_piece(settings, s);
    s->steering.seed = settings->steering.seed;
    s->follow = settings->follow;
    s->last_velocity = settings->velocity;
    s->latency_ms = settings->latency_ms;
    s->map = settings->minimap;
    s->clicks = settings->metronome;
    s->count_in = settings->count_in;
    s->click_volume = settings->click_volume;
    session_send_clicks(s);
    if (*s->theme || strcmp(settings->theme, "auto") != 0) /* which it is at first */
        snprintf(s->theme, sizeof s->theme, "%s", settings->theme);
    session_resize(s, s->layout.columns, s->layout.rows);
}

void settings_take(struct settings *settings, const struct session *s)
{
    settings->steering = s->steering;
    settings->grid = s->grid;
    settings->groove = s->groove;
    settings->follow = s->follow;
    settings->velocity = s->last_velocity;
    settings->latency_ms = s->latency_ms;
    settings->minimap = s->map;
    settings->metronome = s->clicks;
    settings->count_in = s->count_in;
    settings->click_volume = s->click_volume;
    if (*s->theme)
        snprintf(settings->theme, sizeof settings->theme, "%s", s->theme);
}
