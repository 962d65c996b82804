/* The model's state, the waiting takes and the hole, as a frame shows them. */
#include "app/editor/takes/takes.h"
#include "app/critic/critic.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/machine.h"
#include "app/generation/motif_words.h"

#include <stdio.h>
#include <string.h>

/* Text and lists that the view points at. */
struct takes_view {
    struct displaced displaced; /* by the take that is shown */
    struct take_row rows[PROPOSALS_MAX];
    char why[PROPOSALS_MAX][160]; /* the rows point at */
    char label[160], hole[64], change[160];
    char model[sizeof((struct generator_progress *)0)->model_name];
};

/* A token, as the model alone would have it. */
static double nats(const struct proposal *t)
{
    return t->stats.n_tokens ? -continuation_nats(&t->stats) : 0;
}

static void view_rows(struct session *s, struct view *v)
{
    struct takes_view *w = s->parts.shown;
    for (int i = 0; i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        /* "motif in bar 11, a fourth up; keeps the key" */
        char *why = w->why[i];
        size_t used = strlen(motif_say(&t->stats.motif, session_timeline(s), why));
        if (used && t->stats.verdict.is_judged)
            used += (size_t)snprintf(why + used, sizeof w->why[i] - used, "; ");
        critic_say(&t->stats.verdict, why + used, sizeof w->why[i] - used);
        w->rows[i] = (struct take_row){
            .number = proposal_number(t->letter),
            .liking = t->liking,
            .rank = t->rank,
            .why = why,
            .n_notes = t->n_waiting,
            .nats = nats(t),
            .masked = t->stats.masked,
            .is_drawn = t->stats.n_tokens > 0,
            .seed = t->options.sampling.seed,
            .share = continuation_share(&t->stats),
        };
    }
    v->takes.rows = w->rows;
    v->takes.n = s->takes.n;
    v->takes.shown = s->takes.shown;
    v->takes.figures = s->take_display.figures;
}

/* Where it is in the take: as long as from the first of the motif's notes to its last. */
static void view_motif(const struct session *s, const struct proposal *t,
                       struct view *v)
{
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
    if (!t->stats.motif.kind || to < from)
        return;
    v->ghosts.motif = (struct box){at, at + to - from + 1, 0, 127};
    v->ghosts.motif_tracks = m->tracks;
}

/* The take that is shown, or the original: then nothing goes. */
static void view_shown(struct session *s, struct view *v)
{
    struct takes_view *w = s->parts.shown;
    const struct proposal *t = proposals_shown(&s->takes);
    displaced_fini(&w->displaced);
    displaced_by(&w->displaced, s, s->takes.shown); /* without memory: drawn as it is */
    v->takes.label = w->label;
    v->ghosts.by_probability = s->take_display.shade_by_probability;
    if (!t) {
        snprintf(w->label, sizeof w->label,
                 "the original; %d take%s wait%s: n shows the next", s->takes.n,
                 plural(s->takes.n), s->takes.n == 1 ? "s" : "");
        return;
    }
    v->ghosts.notes = t->ghosts;
    v->ghosts.n = t->n_waiting;
    v->ghosts.replaced = w->displaced.ids;
    v->ghosts.n_replaced = w->displaced.n;
    view_motif(s, t, v);
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
    snprintf(w->label, sizeof w->label, "take %d%s%s%s  seed %llu  %zu note%s%s%s%s",
             proposal_number(t->letter), order, *motif ? "  ═ " : "", motif,
             (unsigned long long)t->options.sampling.seed, t->n_waiting,
             plural(t->n_waiting), kept, stands, worth);
}

static void view(struct session *s, struct view *v)
{
    struct takes_view *w = s->parts.shown;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    /* How far all that is drawn is, shown or not, and when the last is done. */
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
    memcpy(w->model, p.model_name, sizeof w->model);
    v->machine.model_name = p.loaded ? w->model : NULL;
    v->takes.shown = -1;
    /* What would become of the selection: rewritten, or accepted of a take. */
    const bool is_chosen = s->view.mode == MODE_NORMAL && s->selection.n &&
                           !s->has_take; /* without a box */
    if (s->view.mode == MODE_SELECT || is_chosen) {
        v->selection.change_label = w->change;
        (s->has_take ? accept_say_selected : hole_say_selected)(s, w->change,
                                                                sizeof w->change);
    }
    if (!s->takes.n)
        return;
    view_rows(s, v);
    view_shown(s, v);
    v->hole.is_shown = s->request.to > s->request.from;
    if (v->hole.is_shown) {
        v->hole.box = (struct box){s->request.from, s->request.to, 0, 127};
        v->hole.label = w->hole;
        if (hole_is_asked(s)) {
            v->hole.box.pitch_lo = s->request.asked.options.hole.pitch_lo;
            v->hole.box.pitch_hi = s->request.asked.options.hole.pitch_hi;
            v->hole.track_name = hole_track(s, s->request.asked.options.tracks);
            hole_name(s, w->hole);
        } else {
            snprintf(w->hole, sizeof w->hole, "%d bar%s", s->request.asked.bars,
                     plural(s->request.asked.bars));
        }
    }
}

static void fini(struct session *s)
{
    displaced_fini(&s->parts.shown->displaced);
}

const struct editor_part TAKE_VIEW_PART = {PART_STATE(shown), .fini = fini,
                                           .view = view};
