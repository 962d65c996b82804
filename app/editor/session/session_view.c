/* The session's own share of a frame; each part fills in its own. Everything is borrowed. */
#include "app/editor/session/session.h"

#include <string.h>

void session_view(struct session *s, struct view *v, int count)
{
    memset(v, 0, sizeof *v);
    v->score = s->project.score;
    v->survey = s->survey;
    v->version = s->project.version;
    v->mode = s->mode;
    session_fold(s);
    v->port = s->port;
    v->cursor.tick = s->cursor_tick;
    v->cursor.pitch = s->cursor_pitch;
    v->grid.ticks = grid_next(s, s->cursor_tick) - s->cursor_tick;
    v->grid.name = grid_step_format(&s->grid, s->grid_name);
    v->track = s->track;
    v->keys.count = count;
    v->keys.map = s->keymap;
    v->selection.has_box =
        s->has_box && (s->mode == MODE_SELECT ||
                       (s->mode == MODE_STEER && s->steer_from == MODE_SELECT));
    v->selection.box = s->box;
    v->selection.ids = s->selected;
    v->selection.n = s->n_selected;
    v->selection.n_tracks = s->n_selected_tracks;
    v->piece_map = s->map;
    v->transport.has_loop = session_has_loop(s);
    v->transport.loop_on = s->loop.on;
    v->transport.loop_from = s->loop.from;
    v->transport.loop_to = s->loop.to;
    v->transport.is_playing = player_is_playing(s->player);
    v->transport.tick = player_tick(s->player);
    v->transport.has_sound = player_has_sound(s->player);
    v->transport.clicks = s->clicks == CLICKS_ALWAYS;
    v->file.name = project_base_name(&s->project);
    v->file.is_modified = project_modified(&s->project);
    v->file.is_unkept = s->project.keep.writer && keeping_error(&s->project.keep);
    v->message.text = s->message[0] ? s->message : NULL;
    v->message.is_error = s->message_is_error;
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->view)
            (*p)->view(s, v);
}
