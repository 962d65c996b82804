/* Whose turn it is, as it is shown: the status line, the frame on the roll, and what is
 * held. */
#include "app/editor/perform/answer.h"

#include "app/editor/session/session.h"

#include <math.h>
#include <stdio.h>

static void name_turn(struct session *s)
{
    struct answer *a = s->parts.answer;
    const struct timeline *t = &s->project.score->timeline;
    double ms = player_count_in_ms(s->player);
    int64_t now = (int64_t)player_tick(s->player);
    int64_t beat = timeline_beat_ticks(t, now), left = a->turn_to - now;
    if (ms > 0)
        snprintf(a->label, sizeof a->label, "your turn in %.1f s   & leaves", ms / 1e3);
    else if (a->wish.bars)
        snprintf(a->label, sizeof a->label,
                 "your turn: %d bar%s, %lld beats left   & leaves", a->wish.bars,
                 a->wish.bars == 1 ? "" : "s",
                 (long long)(beat > 0 && left > 0 ? (left + beat - 1) / beat : 0));
    else
        snprintf(a->label, sizeof a->label, "%s   & leaves",
                 a->is_struck ? "your turn: a pause ends it" : "listening");
    snprintf(a->frame, sizeof a->frame, "your turn");
}

static void name_answer(struct session *s)
{
    struct answer *a = s->parts.answer;
    const char *bars = a->bars == 1 ? "" : "s";
    if (player_is_held(s->player))
        snprintf(a->label, sizeof a->label, "waiting for the machine   & leaves");
    else
        snprintf(a->label, sizeof a->label, "answering: %d bar%s   any key takes over",
                 a->bars, bars);
    snprintf(a->frame, sizeof a->frame, "answer, %d bar%s", a->bars, bars);
}

/* A turn with bars has a frame as well as an answer; a free one has no end yet. */
static void view_frame(const struct answer *a, struct view *v)
{
    bool writes = a->turn == ANSWER_WRITES;
    v->hole.box = (struct box){writes ? a->begin : a->turn_from,
                               writes ? a->end : a->turn_to, 0, 127};
    v->hole.is_shown = v->hole.box.to > v->hole.box.from;
    v->hole.label = a->frame;
    v->hole.track_name = NULL;
    v->machine.has_frontier = v->machine.has_frontier && writes;
}

void answer_view(struct session *s, struct view *v)
{
    struct answer *a = s->parts.answer;
    if (!answer_is_on(a))
        return;
    if (a->turn == ANSWER_LISTENS)
        name_turn(s);
    else
        name_answer(s);
    v->record.label = a->label;
    v->record.is_on = a->turn == ANSWER_LISTENS;
    v->machine.is_generating = false;
    view_frame(a, v);
}
