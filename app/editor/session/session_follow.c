/* What follows when the music has changed, by an edit or by going about in its history: the
 * active track, what is selected, and the takes, which fit the tracks and the time that they
 * were asked for. See session.h. */
#include "app/editor/session/session.h"

/* -- takes -- */

static bool takes_have_place(const struct session *s)
{
    const struct history *h = s->project.history;
    return history_time_put_in(h) == s->time_put_in &&
           history_arrangement(h) == s->arrangement &&
           (int)s->project.score->n_tracks >= s->take_tracks;
}

/* The machine writes another take; two who play do not play it again. */
static bool would_lose_music(const struct session *s)
{
    int at = proposals_find(&s->takes, 'A');
    bool is_of_two = at >= 0 && answer_is_of(&s->answer, &s->takes.list[at]);
    return is_of_two && !takes_have_place(s) &&
           (s->takes.list[at].n_waiting || answer_n_held(&s->answer));
}

static void drop_takes_without_place(struct session *s)
{
    if (!s->has_take || takes_have_place(s))
        return;
    session_drop_take(s);
    s->takes_went = true;
}

/* -- all that follows -- */

/* What was asked for is not where it was. */
static void follow_time(struct session *s)
{
    int64_t now = history_time_put_in(s->project.history);
    if (now == s->time_put_in)
        return;
    s->time_put_in = now;
    s->asked.bars = 0;
}

/* Tracks are gone or elsewhere: what speaks of them by number speaks of others now. */
static void follow_arrangement(struct session *s)
{
    uint64_t now = history_arrangement(s->project.history);
    if (now == s->arrangement)
        return;
    s->arrangement = now;
    s->asked.bars = 0;
    s->drag = DRAG_NONE;
    session_clear_selection(s);
}

static void follow_tracks(struct session *s)
{
    int n_tracks = (int)s->project.score->n_tracks;
    if (s->track >= n_tracks)
        s->track = n_tracks - 1;
    if (s->track < 0 && n_tracks > 0)
        s->track = 0;
    tracks_show_chosen(s);
}

void session_revalidate(struct session *s)
{
    drop_takes_without_place(s);
    follow_arrangement(s);
    follow_tracks(s);
    follow_time(s);
    session_follow_loop(s);
    rewritten_update(&s->rewritten, s->project.score, &s->asked.options);
    proposals_follow(&s->takes, s->project.score);
    select_forget_missing(s);
    if (s->mode == MODE_SELECT)
        select_box(s);
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

bool session_arrive(struct session *s, uint64_t from)
{
    bool stays = would_lose_music(s) && !project_go(&s->project, from);
    session_revalidate(s);
    if (!stays)
        return true;
    answer_stop(s);
    s->mode = MODE_TAKES;
    session_error(s, "two have played on what that takes away: a keeps it first, or x "
                     "drops it");
    return false;
}
