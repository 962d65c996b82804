/* The workstation's state as what a frame shows of it. Everything is borrowed. */
#include "app/machine.h"
#include "tui/names.h"

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

static void view_machine(struct session *s, struct view *v)
{
    struct generator_progress p;
    generator_progress(s->generator, &p);
    v->ghosts = s->ghosts;
    v->n_ghosts = s->n_ghosts;
    v->replaced = s->rewritten.there;
    v->n_replaced = s->rewritten.n_there;
    v->generating = p.running;
    v->n_ghost_bars = s->asked.bars;
    v->model_name = p.loaded ? p.model_name : NULL;
    const struct continuation_stats *t = &p.takes[0];
    if (t->to_tick > t->from_tick)
        v->generated_share =
            (double)(t->at_tick - t->from_tick) / (double)(t->to_tick - t->from_tick);
    if (p.seconds > 0)
        v->bars_per_second = v->generated_share * s->asked.bars / p.seconds;
    v->has_hole = s->hole_to > s->hole_from && (p.running || s->n_ghosts);
    if (v->has_hole)
        view_hole(s, v);
    if (s->n_ghosts || p.running) {
        snprintf(s->take_label, sizeof s->take_label,
                 "take %d  seed %llu  %.2f nats a token", s->take,
                 (unsigned long long)s->asked.options.sampling.seed,
                 t->n_tokens ? -t->log_prob / t->n_tokens : 0.0);
        v->take_label = s->take_label;
    }
}

static void view_prompt(struct session *s, struct view *v)
{
    static const char *const PROMPTS[] = {
        [PROMPT_COMMAND] = ":",
        [PROMPT_OPEN] = "open: ",
        [PROMPT_SAVE_AS] = "save as: ",
        [PROMPT_TEMPO] = "tempo or meter from this bar: ",
    };
    v->prompt = PROMPTS[s->prompt];
    v->input = s->input;
    v->help_scroll = s->help_scroll;
}

void session_view(struct session *s, struct view *v, int count)
{
    memset(v, 0, sizeof *v);
    v->score = s->project.score;
    v->survey = s->survey;
    v->version = s->project.version;
    v->mode = s->mode;
    v->port = s->port;
    v->cursor_tick = s->cursor_tick;
    v->cursor_pitch = s->cursor_pitch;
    v->grid_ticks = session_grid_ticks(s);
    v->track = s->track;
    v->count = count;
    v->has_selection = s->has_box && (s->mode == MODE_SELECT || s->drag);
    v->selection = s->box;
    v->selected = s->selected;
    v->n_selected = s->n_selected;
    v->playing = player_is_playing(s->player);
    v->playhead_tick = player_tick(s->player);
    v->has_sound = player_has_sound(s->player);
    v->file_name = project_base_name(&s->project);
    v->modified = project_modified(&s->project);
    v->message = s->message[0] ? s->message : NULL;
    v->message_is_error = s->message_is_error;
    view_machine(s, v);
    view_prompt(s, v);
}
