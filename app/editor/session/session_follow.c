/* What follows when the music has changed, by an edit or by going about in its history: the
 * active track, what is selected, and the takes, which fit the tracks and the time that they
 * were asked for. See session.h. */
#include "app/editor/session/session.h"

/* -- all that follows -- */

/* A track is active where there is one. */
static void follow_tracks(struct session *s)
{
    int n_tracks = (int)s->project.score->n_tracks;
    if (s->track >= n_tracks)
        s->track = n_tracks - 1;
    if (s->track < 0 && n_tracks > 0)
        s->track = 0;
}

void session_revalidate(struct session *s)
{
    const struct history *h = s->project.history;
    unsigned what = 0;
    if (history_arrangement(h) != s->arrangement)
        what |= EDITED_ARRANGEMENT;
    if (history_time_put_in(h) != s->time_put_in)
        what |= EDITED_TIME;
    s->arrangement = history_arrangement(h);
    s->time_put_in = history_time_put_in(h);
    follow_tracks(s);
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->edited)
            (*p)->edited(s, what);
}

bool session_do(struct session *s, struct change *c)
{
    enum midi_status st = project_do(&s->project, c);
    if (st)
        session_error(s, "that could not be done: %s", midi_strerror(st));
    if (s->mode == MODE_SELECT) { /* the notes stay chosen, wherever they went */
        s->mode = select_mode_after(s);
        s->has_box = false;
    }
    session_revalidate(s);
    return st == MIDI_OK;
}
