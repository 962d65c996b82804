#include "app/editor/perform/recorder.h"
#include "app/editor/keep/keep.h"

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
    s->roll.follow = settings->follow;
    s->new_note.velocity = settings->velocity;
    s->view.piece_map = settings->minimap;
    s->sound = settings->sound;
    session_send_clicks(s);
    /* The theme is "auto" until one is chosen. */
    if (*s->preferences.theme || strcmp(settings->theme, "auto") != 0)
        snprintf(s->preferences.theme, sizeof s->preferences.theme, "%s",
                 settings->theme);
    session_resize(s, s->layout.columns, s->layout.rows);
}

void settings_take(struct settings *settings, const struct session *s)
{
    settings->steering = s->steering;
    settings->grid = s->grid;
    settings->groove = s->groove;
    settings->follow = s->roll.follow;
    settings->velocity = s->new_note.velocity;
    settings->minimap = s->view.piece_map;
    settings->sound = s->sound;
    if (*s->preferences.theme)
        snprintf(settings->theme, sizeof settings->theme, "%s", s->preferences.theme);
}
