/* The workstation's state as what a frame shows of it. Everything is borrowed. */
#include "app/critic/critic.h"
#include "app/editor/edit/lane.h"
#include "app/editor/takes/machine.h"
#include "app/editor/shell/palette.h"
#include "tui/base/names.h"

#include <stdio.h>
#include <string.h>

/* The only one that is asked for, or NULL. */
static const char *hole_track(const struct session *s)
{
    const struct score *score = s->project.score;
    uint64_t tracks = s->asked.options.tracks;
    int t = 0;
    while (t < 63 && !(tracks >> t & 1))
        t++;
    if (tracks != UINT64_C(1) << t || t >= (int)score->n_tracks)
        return NULL;
    const struct track *track = &score->tracks[t];
    return *track->name ? track->name : program_name(track->channel, track->program);
}

static void view_hole(struct session *s, struct view *v)
{
    v->hole = (struct box){s->hole_from, s->hole_to, 0, 127};
    v->hole_label = s->hole_label;
    if (hole_is_asked(s)) {
        v->hole.pitch_lo = s->asked.options.hole.pitch_lo;
        v->hole.pitch_hi = s->asked.options.hole.pitch_hi;
        v->hole_track = hole_track(s);
        hole_name(s, s->hole_label);
    } else {
        snprintf(s->hole_label, sizeof s->hole_label, "%d bar%s", s->asked.bars,
                 s->asked.bars == 1 ? "" : "s");
    }
}

static double share_of(const struct continuation_stats *t)
{
    return t->to_tick > t->from_tick ? (double)(t->at_tick - t->from_tick) /
                                           (double)(t->to_tick - t->from_tick)
                                     : 0;
}

/* Of the takes at work: how far they are on the whole, and when the last is done. */
static void view_progress(const struct session *s, struct view *v,
                          const struct generator_progress *p)
{
    double sum = 0, least = 1;
    for (int i = 0; i < p->n_takes; i++) {
        double share = p->takes[i].is_done ? 1 : share_of(&p->takes[i]);
        sum += share;
        least = share < least ? share : least;
    }
    v->generating = p->running;
    v->n_at_work = p->n_takes;
    v->n_ghost_bars = s->asked.bars;
    v->generated_share = p->n_takes ? sum / p->n_takes : 0;
    v->bars_per_second = p->seconds > 0 ? sum * s->asked.bars / p->seconds : 0;
    v->seconds_left = least > 0.02 ? p->seconds * (1 - least) / least : -1;
}

/* A token, as the model alone would have it. */
static double nats(const struct proposal *t)
{
    return t->stats.n_tokens ? -continuation_nats(&t->stats) : 0;
}

static void view_rows(struct session *s, struct view *v)
{
    for (int i = 0; i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        s->take_rows[i] = (struct take_row){
            .number = proposal_number(t->letter),
            .liking = t->liking,
            .rank = t->rank,
            .why = critic_say(&t->stats.verdict, s->take_why[i], sizeof s->take_why[i]),
            .n_notes = t->n_waiting,
            .nats = nats(t),
            .masked = t->stats.masked,
            .is_drawn = t->stats.n_tokens > 0,
            .seed = t->options.sampling.seed,
            .share = t->stats.is_done ? 1 : share_of(&t->stats),
        };
    }
    v->takes = s->take_rows;
    v->n_takes = s->takes.n;
    v->shown_take = s->takes.shown;
    v->list_takes = session_lists_takes(s);
    v->take_figures = s->take_figures;
}

static void label_take(struct session *s, const struct proposal *t)
{
    char order[24] = "", kept[24] = "", stands[40] = "", worth[40] = "";
    int n_kept = proposals_n_kept(t);
    if (s->takes.n > 1)
        snprintf(order, sizeof order, " of %d, rank %d", s->takes.n, t->rank);
    if (n_kept)
        snprintf(kept, sizeof kept, "  %d kept", n_kept);
    if (t->n_ghosts > t->n_waiting)
        snprintf(stands, sizeof stands, "  %zu accepted", t->n_ghosts - t->n_waiting);
    if (t->stats.n_tokens)
        snprintf(worth, sizeof worth, "  %.2f nats a token", nats(t));
    snprintf(s->take_label, sizeof s->take_label,
             "take %d%s  seed %llu  %zu note%s%s%s%s", proposal_number(t->letter),
             order, (unsigned long long)t->options.sampling.seed, t->n_waiting,
             t->n_waiting == 1 ? "" : "s", kept, stands, worth);
}

/* The take that is shown, or the original: then nothing goes. */
static void view_shown(struct session *s, struct view *v)
{
    const struct proposal *t = proposals_shown(&s->takes);
    displaced_fini(&s->displaced);
    displaced_by(&s->displaced, s, s->takes.shown); /* without memory: drawn as it is */
    v->take_label = s->take_label;
    v->shade_by_probability = s->shade_by_probability;
    if (!t) {
        snprintf(s->take_label, sizeof s->take_label,
                 "the original; %d take%s wait%s: n shows the next", s->takes.n,
                 s->takes.n == 1 ? "" : "s", s->takes.n == 1 ? "s" : "");
        return;
    }
    v->ghosts = t->ghosts;
    v->n_ghosts = t->n_waiting;
    v->replaced = s->displaced.ids;
    v->n_replaced = s->displaced.n;
    v->has_frontier =
        t->slot >= 0 && !t->stats.is_done && t->stats.to_tick > t->stats.from_tick;
    v->frontier_tick = t->stats.at_tick;
    label_take(s, t);
}

static void view_machine(struct session *s, struct view *v)
{
    struct generator_progress p;
    generator_progress(s->generator, &p);
    view_progress(s, v, &p);
    memcpy(s->model_name, p.model_name, sizeof s->model_name);
    v->model_name = p.loaded ? s->model_name : NULL;
    v->shown_take = -1;
    if (!s->takes.n)
        return;
    view_rows(s, v);
    view_shown(s, v);
    v->has_hole = s->hole_to > s->hole_from;
    if (v->has_hole)
        view_hole(s, v);
}

static void view_prompt(struct session *s, struct view *v)
{
    v->prompt = s->prompt_label;
    v->input = s->input;
    v->help_scroll = s->help_scroll;
}

/* Notes on the move are where they would lie; where they are is only outlined. */
static void view_mouse(const struct session *s, struct view *v)
{
    const struct mouse *m = &s->mouse;
    if (!s->drag)
        return;
    v->drafts = m->drafts;
    v->n_drafts = m->n_drafts;
    if (m->n_going) {
        v->replaced = m->going;
        v->n_replaced = m->n_going;
    }
    if (s->drag == DRAG_LANE)
        v->stroke = m->stroke;
}

/* Of the chromatic one there is nothing to see. */
static void view_scale(const struct session *s, struct view *v)
{
    const struct scale *scale = &s->steering.scale;
    if (!scale->letter || scale->kind == SCALE_CHROMATIC)
        return;
    v->scale = scale_mask(scale);
    v->scale_tonic = scale_tonic(scale);
    v->scale_sharps = scale_sharps(scale);
}

static void view_ways(struct session *s, struct view *v)
{
    v->keymap = s->ways.keymap;
    v->input_after = s->ways.input_after;
    v->help_mode = s->mode_before;
    v->help_all = s->ways.help_all;
    palette_show(s, v);
    tutor_show(s, v);
}

/* What would become of it: rewritten, or accepted of a take. */
static void view_selected(struct session *s, struct view *v)
{
    if (s->mode != MODE_SELECT)
        return;
    v->change_label = s->change_label;
    if (s->has_take)
        accept_say_selected(s, s->change_label, sizeof s->change_label);
    else
        hole_say_selected(s, s->change_label, sizeof s->change_label);
}

void session_view(struct session *s, struct view *v, int count)
{
    memset(v, 0, sizeof *v);
    v->score = s->project.score;
    v->survey = s->survey;
    v->version = s->project.version;
    v->mode = s->mode;
    session_fold(s);
    v->port = s->port;
    v->cursor_tick = s->cursor_tick;
    v->cursor_pitch = s->cursor_pitch;
    v->grid_ticks = grid_next(s, s->cursor_tick) - s->cursor_tick;
    v->grid_name = grid_step_format(&s->grid, s->grid_name);
    view_scale(s, v);
    v->track = s->track;
    v->count = count;
    v->has_selection =
        s->has_box && (s->mode == MODE_SELECT ||
                       (s->mode == MODE_STEER && s->steer_from == MODE_SELECT));
    v->selection = s->box;
    v->selected = s->selected;
    v->n_selected = s->n_selected;
    v->n_selected_tracks = s->n_selected_tracks;
    view_selected(s, v);
    v->map = s->map;
    v->has_loop = session_has_loop(s);
    v->loop_on = s->loop.on;
    v->loop_from = s->loop.from;
    v->loop_to = s->loop.to;
    v->playing = player_is_playing(s->player);
    v->playhead_tick = player_tick(s->player);
    v->has_sound = player_has_sound(s->player);
    v->clicks = s->clicks == CLICKS_ALWAYS;
    v->file_name = project_base_name(&s->project);
    v->modified = project_modified(&s->project);
    v->is_unkept = s->project.keep.writer && keeping_error(&s->project.keep);
    v->message = s->message[0] ? s->message : NULL;
    v->message_is_error = s->message_is_error;
    view_machine(s, v);
    render_view(s, v);
    view_prompt(s, v);
    lane_view(s, v);
    recorder_view(s, v);
    answer_view(s, v);
    outward_view(s, v);
    view_mouse(s, v);
    view_ways(s, v);
    steer_view(s, v);
    tracks_view(s, v);
    instrument_view(s, v);
    map_view(s, v);
    find_view(s, v);
    history_view(s, v);
    inspect_show(s, v);
}
