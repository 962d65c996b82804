/* The mixer: a track's volume, pan and effects, by typed lines and by the columns of
 * the list of tracks. */
#include "app/editor/session/edit.h"
#include "app/editor/edit/tracks.h"
#include "app/base/values.h"
#include "tui/panels/panels.h"

#include <stdio.h>

enum { STEP = 4, TURN_MS = 1500 /* at most, between steps of one turn */ };

/* "track 2: pan -20, as all 2 tracks of channel 1; another from bar 9 on: :lane 10". */
static void say_knob(struct session *s, enum mix_knob k)
{
    const struct score *score = s->project.score;
    const struct mix_knob_about *about = mix_about(k);
    int64_t next = mix_next_tick(score, s->view.track, k);
    char others[64], later[64] = "";
    if (next >= 0)
        snprintf(later, sizeof later, "; another value from bar %lld on: :lane %d",
                 (long long)timeline_bar_at(&score->timeline, next).index + 1,
                 about->control.number);
    session_say(s, "track %d: %s %d%s%s", s->view.track + 1, about->name,
                mix_value(score, s->view.track, k), tracks_sharing(s, others), later);
}

/* There is a track. */
static void set_knob(struct session *s, enum mix_knob k, int value)
{
    struct change *c = change_create(mix_about(k)->label);
    change_mix(c, s->project.score, s->view.track, k, value);
    if (edit_do(s, c))
        say_knob(s, k);
}

void act_knob_line(struct session *s, const char *word, int k)
{
    int value;
    const struct mix_knob_about *about = mix_about((enum mix_knob)k);
    if (!tracks_active(s))
        return;
    if (!*word)
        say_knob(s, (enum mix_knob)k);
    else if (!value_count(word, about->low, about->high, &value))
        session_error(s, "%s must be a whole number from %d to %d", about->name,
                      about->low, about->high);
    else
        set_knob(s, (enum mix_knob)k, value);
}

/* Of the mixer's columns, those that the list has room for. */
static int n_knobs(const struct session *s)
{
    const struct list_box b =
        list_box(&s->layout, LIST_TRACKS, &s->view.lists[LIST_TRACKS]);
    return b.frame.rows ? track_columns_of(&b).n_knobs : 0;
}

enum mix_knob mix_chosen(const struct session *s)
{
    const enum mix_knob knob = s->parts.track_list->knob;
    return (int)knob < n_knobs(s) ? knob : MIX_VOLUME;
}

void act_mix_choose(struct session *s, const struct command *c)
{
    int n = n_knobs(s);
    if (!n) {
        session_say(s, "the list is too narrow for the mixer; use :volume and :pan");
        return;
    }
    s->parts.track_list->knob = (enum mix_knob)(((int)mix_chosen(s) + n + c->by) % n);
    if (tracks_active(s))
        say_knob(s, s->parts.track_list->knob);
}

/* Successive steps are one turn of the knob and one step of undo: each replaces the last. */
static void turn_by(struct session *s, enum mix_knob k, int by)
{
    const struct mix_knob_about *about = mix_about(k);
    struct turned_knob *t = &s->parts.track_list->turned;
    if (!tracks_active(s))
        return;
    int before = mix_value(s->project.score, s->view.track, k), value = before + by;
    value = value < about->low ? about->low : value > about->high ? about->high : value;
    if (value == before) {
        session_say(s, "%s goes from %d to %d", about->name, about->low, about->high);
        return;
    }
    uint64_t last = history_state(s->project.history);
    bool goes_on = t->state && t->state == last && t->track == s->view.track &&
                   t->knob == k && clock_now_ms() - t->ms < TURN_MS &&
                   project_back(&s->project, 1, NULL);
    set_knob(s, k, value);
    uint64_t now = history_state(s->project.history);
    if (goes_on && now == history_at(s->project.history, last)->parent)
        project_go(&s->project, last); /* it was refused */
    *t = (struct turned_knob){k, s->view.track, now, clock_now_ms()};
}

/* 10+ is ten more. */
void act_mix_turn(struct session *s, const struct command *c)
{
    int by = c->count > 0 ? (c->count < 128 ? c->count : 128) : STEP;
    turn_by(s, mix_chosen(s), c->by * by);
}

/* The default. */
void act_mix_reset(struct session *s)
{
    const struct mix_knob_about *about = mix_about(mix_chosen(s));
    int rest = control_rest(about->control) - about->centre;
    if (tracks_active(s) &&
        mix_value(s->project.score, s->view.track, mix_chosen(s)) != rest)
        set_knob(s, mix_chosen(s), rest);
    else if (session_track(s))
        say_knob(s, mix_chosen(s));
}

void mix_touch(struct session *s, enum mix_knob k, int steps)
{
    s->parts.track_list->knob = k;
    if (steps)
        turn_by(s, k, steps * STEP);
    else
        say_knob(s, k);
}
