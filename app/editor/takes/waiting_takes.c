/* The waiting takes: which one is shown, which notes of it are kept, which takes go. */
#include "app/editor/takes/takes.h"
#include "app/editor/session/list.h"
#include "app/editor/takes/machine.h"
#include "app/editor/takes/hearing.h"

/* Says so when none waits. */
bool need_takes(struct session *s)
{
    if (!s->has_take)
        session_say(s, "no take waits");
    return s->has_take;
}

static void show(struct session *s, int index)
{
    session_show_take(s, index);
    if (hearing_is_switching(s))
        session_say(s, "from the next beat on: %s",
                    index < 0 ? "the original" : "this take");
}

/* T enters, then toggles the list. */
void act_takes(struct session *s)
{
    if (s->view.mode == MODE_TAKES)
        s->take_display.list = session_lists_takes(s) ? LIST_HIDDEN : LIST_SHOWN;
    s->view.mode = MODE_TAKES;
}

/* From where Space would play. */
static void play_if_stopped(struct session *s)
{
    if (!player_is_playing(s->player))
        act_call(s, CMD_PLAY);
}

void act_take_original(struct session *s)
{
    show(s, -1);
    play_if_stopped(s);
}

void act_take(struct session *s, const struct command *c)
{
    char letter = (char)('A' + (c->text >= '1' && c->text <= '8' ? c->text - '1' : 0));
    int index = proposals_find(&s->takes, letter);
    if (index >= 0) {
        show(s, index);
        play_if_stopped(s);
    } else
        session_say(s,
                    letter < 'A' + s->takes.n_letters ? "take %d was rejected"
                                                      : "there is no take %d: r makes "
                                                        "more",
                    proposal_number(letter));
}

/* In time, and from the lowest up. */
static bool is_earlier(int64_t tick, int pitch, const struct note *than)
{
    return tick < than->start || (tick == than->start && pitch < than->pitch);
}

bool session_step_ghost(struct session *s, bool forwards)
{
    const struct proposal *t = proposals_shown(&s->takes);
    const struct note *next = NULL;
    for (size_t i = 0; t && i < t->n_waiting; i++) {
        const struct note *n = &t->ghosts[i].note;
        bool is_here =
            n->start == s->view.cursor.tick && n->pitch == s->view.cursor.pitch;
        bool is_after = is_earlier(s->view.cursor.tick, s->view.cursor.pitch, n);
        bool is_nearer = !next || is_earlier(n->start, n->pitch, next) == forwards;
        if (!is_here && is_after == forwards && is_nearer)
            next = n;
    }
    if (!next)
        return false;
    s->view.cursor.pitch = next->pitch;
    session_go_to(s, next->start);
    return true;
}

void act_keep(struct session *s)
{
    /* The shown take's, or NULL. */
    const struct proposal *t = proposals_shown(&s->takes);
    int64_t from = s->view.cursor.tick, to = grid_next(s, from);
    const struct ghost *found = NULL;
    for (size_t i = 0; t && i < t->n_waiting; i++) {
        const struct note *n = &t->ghosts[i].note;
        if (n->pitch == s->view.cursor.pitch && n->start < to &&
            n->start + n->length > from)
            found = &t->ghosts[i];
    }
    const struct ghost *g = found;
    if (!g) {
        session_say(s, "no hatched note here: k keeps the one under the cursor");
        return;
    }
    bool is_kept = !g->is_kept;
    proposals_keep(&s->takes, g->note.id, is_kept);
    session_say(s, is_kept ? "kept: every new take has this note" : "no longer kept");
}

/* The same key again takes it back. */
void act_like(struct session *s, const struct command *c)
{
    int index = s->takes.shown, liking = c->by;
    if (index < 0) {
        session_say(s, "this is the original: 1 shows a take");
        return;
    }
    struct proposal *t = &s->takes.list[index];
    t->liking = t->liking == liking ? 0 : liking;
    if (t->liking)
        session_say(s, "%s like take %d: r makes them", liking > 0 ? "more" : "less",
                    proposal_number(t->letter));
    else
        session_say(s, "take %d is neither liked nor disliked",
                    proposal_number(t->letter));
}

void act_shade(struct session *s)
{
    act_toggle(s, &s->take_display.shade_by_probability,
               "notes are denser the more certain the machine was",
               "all notes of a take look the same");
}

void act_take_figures(struct session *s)
{
    s->take_display.list = LIST_SHOWN;
    act_toggle(s, &s->take_display.figures,
               "figures: nats per token (lower is likelier), share forced by the "
               "rules; f: words",
               "the list shows reasons for the ranks");
}

void act_reject(struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    if (!t) {
        session_say(s, "this is the original: X rejects all takes");
        return;
    }
    char letter = t->letter;
    proposals_remove(&s->takes, s->takes.shown);
    hearing_changed_now(s);
    if (s->request.is_running && !proposals_any_at_work(&s->takes))
        session_stop_take(s);
    if (s->takes.n) {
        session_say(s, "rejected take %d; %d left", proposal_number(letter),
                    s->takes.n);
        return;
    }
    session_drop_take(s);
    band_take_away(s);
    session_say(s, "rejected; nothing was changed");
}

void act_reject_all(struct session *s)
{
    session_drop_take(s);
    band_take_away(s);
    session_say(s, "all takes rejected; accepted parts stay");
}

static void lay_out(const struct session *s, struct layout *l)
{
    if (!session_is_inspecting(s) && session_lists_takes(s))
        layout_list_takes(l);
}

static void fill_list(struct session *s, struct list_view *l)
{
    l->n = s->takes.n;
    l->point = s->takes.shown;
}

/* The wheel goes from one to the next, from the original to the last. */
static bool touch(struct session *s, const struct list_box *b, int line,
                  const struct command *c)
{
    const int to = s->takes.shown + (c->by < 0 ? -1 : 1);
    (void)b;
    if (line < 0 || !c->by)
        return false;
    if (to >= -1 && to < s->takes.n)
        show(s, to);
    return true;
}

static const struct list_owner TAKES_LIST = {.id = LIST_TAKES,
                                             .mode = MODE_TAKES,
                                             .is_ring = true,
                                             .is_open = session_lists_takes,
                                             .fill = fill_list,
                                             .choose = show,
                                             .touch = touch};

bool takes_press(struct session *s, const struct command *c)
{
    return session_lists_takes(s) && list_press(s, &TAKES_LIST, c);
}

const struct editor_part WAITING_TAKES_PART = {
    .lay_out = lay_out,
    .list = &TAKES_LIST,
};
