/* The waiting takes: which one is shown, which notes of it are kept, which takes go; and how a
 * frame shows them. */
#include "app/editor/takes/takes.h"
#include "app/editor/session/list.h"
#include "app/editor/takes/machine.h"
#include "app/editor/takes/hearing.h"
#include "app/critic/critic.h"
#include "app/generation/steer.h"

#include <stdio.h>
#include <string.h>

/* Returns whether a take waits; if none does, tells the user. */
bool need_takes(struct session *s)
{
    if (!s->has_take)
        session_say(s, "no take waits");
    return s->has_take;
}

static void show(struct session *s, int index)
{
    if (session_show_take(s, index))
        session_say(s, "from the next beat on: %s",
                    index < 0 ? "the original" : "this take");
}

/* `T` enters TAKES; in TAKES it toggles the list. */
void act_takes(struct session *s)
{
    if (s->view.mode == MODE_TAKES)
        s->take_display.list = session_lists_takes(s) ? LIST_HIDDEN : LIST_SHOWN;
    s->view.mode = MODE_TAKES;
}

/* Also plays from where Space would, unless music plays already. */
static void show_and_play(struct session *s, int index)
{
    show(s, index);
    if (!player_is_playing(s->player))
        act_call(s, CMD_PLAY);
}

void act_take_original(struct session *s)
{
    show_and_play(s, -1);
}

void act_take(struct session *s, const struct command *c)
{
    char letter = (char)('A' + (c->text >= '1' && c->text <= '8' ? c->text - '1' : 0));
    int index = proposals_find(&s->takes, letter);
    if (index >= 0)
        show_and_play(s, index);
    else
        session_say(s,
                    letter < 'A' + s->takes.n_letters
                        ? "take %d was rejected"
                        : "there is no take %d: r makes more",
                    proposal_number(letter));
}

/* Compares by time, and then by pitch, from the lowest up. */
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
    session_go_to_place(s, next->start, next->pitch);
    return true;
}

void act_keep(struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    int64_t from = s->view.cursor.tick, to = grid_next(s, from);
    const struct ghost *here = NULL;
    for (size_t i = 0; t && i < t->n_waiting; i++) {
        const struct note *n = &t->ghosts[i].note;
        if (n->pitch == s->view.cursor.pitch && n->start < to &&
            n->start + n->length > from)
            here = &t->ghosts[i];
    }
    if (!here) {
        session_say(s, "no hatched note here: k keeps the one under the cursor");
        return;
    }
    bool is_kept = !here->is_kept;
    proposals_keep(&s->takes, here->note.id, is_kept);
    session_say(s, is_kept ? "kept: every new take has this note" : "no longer kept");
}

/* The same key again makes the take neutral. */
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

static void fill_list(struct session *s, struct list_view *l)
{
    l->n = s->takes.n;
    l->point = s->takes.shown;
}

/* The wheel steps through the takes, from the original to the last. */
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

/* -- a frame: the takes, the state of the model, and the hole -- */

/* Lists that the view points at. */
struct takes_view {
    struct displaced displaced; /* notes that the shown take displaces */
    struct take_row rows[PROPOSALS_MAX];
};

/* Returns nats per token, by the model alone; 0: it wrote none. */
static double nats(const struct proposal *t)
{
    return t->stats.n_tokens ? -continuation_nats(&t->stats) : 0;
}

/* Fills the ghosts and the text of the shown take, or of the original, which displaces nothing. */
static void view_shown(struct session *s, struct view *v)
{
    struct takes_view *w = s->parts.shown;
    const struct proposal *t = proposals_shown(&s->takes);
    displaced_fini(&w->displaced);
    /* Without memory none is painted dashed. */
    displaced_by(&w->displaced, s, s->takes.shown);
    v->ghosts.by_probability = s->take_display.shade_by_probability;
    if (!t) {
        snprintf(v->takes.label, sizeof v->takes.label,
                 "the original; %d take%s wait%s: n shows the next", s->takes.n,
                 plural(s->takes.n), s->takes.n == 1 ? "s" : "");
        return;
    }
    v->ghosts.notes = t->ghosts;
    v->ghosts.n = t->n_waiting;
    v->ghosts.replaced = w->displaced.ids;
    v->ghosts.n_replaced = w->displaced.n;
    /* Frames the motif in the take, from its first note to its last. */
    const struct continuation_motif *m = &t->options.motif;
    const struct score *score = s->project.score;
    const int64_t at = t->stats.motif.tick;
    int64_t from = INT64_MAX, to = 0;
    for (int k = 0; k < (int)score->n_tracks && k < 64; k++)
        for (size_t i = score_first_note_at(score, k, m->from_tick);
             m->tracks >> k & 1 && i < score->tracks[k].n_notes; i++) {
            const struct note *n = &score->tracks[k].notes[i];
            if (n->start >= m->to_tick)
                break;
            if (n->pitch < m->pitch_lo || n->pitch > m->pitch_hi)
                continue;
            from = n->start < from ? n->start : from;
            to = n->start > to ? n->start : to;
        }
    if (t->stats.motif.kind && to >= from) {
        v->ghosts.motif = (struct box){at, at + to - from + 1, 0, 127};
        v->ghosts.motif_tracks = m->tracks;
    }
    v->machine.has_frontier =
        t->slot >= 0 && !t->stats.is_done && t->stats.to_tick > t->stats.from_tick;
    v->machine.frontier_tick = t->stats.at_tick;
    char order[24] = "", kept[24] = "", stands[40] = "", worth[40] = "";
    char motif[MOTIF_TEXT];
    int n_kept = proposals_n_kept(t);
    if (s->takes.n > 1)
        snprintf(order, sizeof order, " of %d, rank %d", s->takes.n, t->rank);
    if (n_kept)
        snprintf(kept, sizeof kept, "  %d kept", n_kept);
    if (t->n_ghosts > t->n_waiting)
        snprintf(stands, sizeof stands, "  %zu accepted", t->n_ghosts - t->n_waiting);
    if (t->stats.n_tokens)
        snprintf(worth, sizeof worth, "  %.2f nats per token", nats(t));
    motif_say(&t->stats.motif, session_timeline(s), motif);
    snprintf(v->takes.label, sizeof v->takes.label,
             "take %d%s%s%s  seed %llu  %zu note%s%s%s%s", proposal_number(t->letter),
             order, *motif ? "  ═ " : "", motif,
             (unsigned long long)t->options.sampling.seed, t->n_waiting,
             plural(t->n_waiting), kept, stands, worth);
}

static void view(struct session *s, struct view *v)
{
    struct takes_view *w = s->parts.shown;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    /* How far all sampled takes are, shown or not, and when the last one is done. */
    struct machine_view *m = &v->machine;
    m->is_generating = p.running;
    m->n_at_work = p.n_takes;
    m->n_draws = p.n_draws;
    m->n_drawn = (int)p.drawn;
    m->n_bars = s->request.asked.bars;
    m->share = p.n_draws ? p.drawn / p.n_draws : 0;
    m->bars_per_second =
        p.seconds > 0 ? p.drawn * s->request.asked.bars / p.seconds : 0;
    m->seconds_left = m->share > 0.02 ? p.seconds * (1 - m->share) / m->share : -1;
    if (p.loaded)
        memcpy(m->model_name, p.model_name, sizeof m->model_name);
    v->takes.shown = -1;
    /* The text says what a command would do with the selection: rewrite it, or accept it of a
     * take. */
    const bool has_no_box =
        s->view.mode == MODE_NORMAL && s->selection.n && !s->has_take;
    if (s->view.mode == MODE_SELECT || has_no_box)
        (s->has_take ? accept_say_selected : hole_say_selected)(
            s, v->selection.change_label, sizeof v->selection.change_label);
    if (!s->takes.n)
        return;
    for (int i = 0; i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        struct take_row *row = &w->rows[i];
        *row = (struct take_row){
            .number = proposal_number(t->letter),
            .liking = t->liking,
            .rank = t->rank,
            .n_notes = t->n_waiting,
            .nats = nats(t),
            .masked = t->stats.masked,
            .is_drawn = t->stats.n_tokens > 0,
            .seed = t->options.sampling.seed,
            .share = continuation_share(&t->stats),
        };
        /* "motif in bar 11, a fourth up; keeps the key" */
        size_t used = strlen(motif_say(&t->stats.motif, session_timeline(s), row->why));
        if (used && t->stats.verdict.is_judged)
            used += (size_t)snprintf(row->why + used, sizeof row->why - used, "; ");
        critic_say(&t->stats.verdict, row->why + used, sizeof row->why - used);
    }
    v->takes.rows = w->rows;
    v->takes.n = s->takes.n;
    v->takes.shown = s->takes.shown;
    v->takes.figures = s->take_display.figures;
    view_shown(s, v);
    v->hole.is_shown = s->request.to > s->request.from;
    if (v->hole.is_shown) {
        v->hole.box = (struct box){s->request.from, s->request.to, 0, 127};
        if (hole_is_asked(s)) {
            v->hole.box.pitch_lo = s->request.asked.options.hole.pitch_lo;
            v->hole.box.pitch_hi = s->request.asked.options.hole.pitch_hi;
            v->hole.track_name = hole_track(s, s->request.asked.options.tracks);
            hole_name(s, v->hole.label);
        } else {
            snprintf(v->hole.label, sizeof v->hole.label, "%d bar%s",
                     s->request.asked.bars, plural(s->request.asked.bars));
        }
    }
}

static bool escape(struct session *s)
{
    const bool is_here = s->view.mode == MODE_TAKES;
    if (is_here)
        s->view.mode = MODE_NORMAL;
    return is_here;
}

static void fini(struct session *s)
{
    displaced_fini(&s->parts.shown->displaced);
}

const struct editor_part TAKE_VIEW_PART = {
    PART_STATE(shown),   .fini = fini,     .view = view,
    .list = &TAKES_LIST, .escape = escape,
};
