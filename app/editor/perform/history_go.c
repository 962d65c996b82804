#include "app/editor/perform/history_go.h"

#include "app/editor/perform/answer.h"
#include "app/editor/takes/played_take.h"

/* Whether a take would be lost that cannot be requested again: one that was played
 * together. */
static bool would_lose_music(const struct session *s)
{
    const struct history *h = s->project.history;
    int at = proposals_find(&s->takes, 'A');
    bool has_place = history_now(h)->inserted_ticks == s->seen.inserted_ticks &&
                     history_now(h)->arrangement == s->seen.arrangement &&
                     (int)s->project.score->n_tracks >= s->request.n_tracks;
    return at >= 0 && !has_place && played_take_is(s, &s->takes.list[at]) &&
           (s->takes.list[at].n_waiting || answer_n_held(s));
}

bool history_arrive(struct session *s, uint64_t from)
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
