/* Moves in the lane: enters and leaves it, chooses the controller, goes from value to
 * value, and selects a span. */
#include "app/editor/edit/lane.h"
#include "midi/base/array.h"
#include "tui/base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lane_fit(struct session *s)
{
    bool tall = session_mode_behind(s) == MODE_LANE, was_tall = s->parts.lane->is_tall;
    s->parts.lane->is_tall = tall;
    layout_grow_lane(&s->layout, tall);
    if (tall != was_tall)
        session_show_cursor(s);
}

static void say_lane(struct session *s)
{
    char name[CONTROL_NAME_BYTES];
    size_t n;
    control_name(lane_shown(s), name);
    if (session_is_inspecting(s))
        session_say(s, "lane: %s, which is under the roll when Esc has closed this",
                    name);
    else if (lane_is_of_notes(s))
        session_say(s, "lane: %s", name);
    else if (lane_own(s, &n), n > 0)
        session_say(s, "lane: %s, %zu value%s on this track", name, n, plural(n));
    else
        session_say(s, "lane: %s, nothing on this track yet%s", name,
                    s->view.mode == MODE_LANE ? "" : "; E edits it");
}

/* A selected box becomes the span. */
void act_lane(struct session *s)
{
    struct lane *l = s->parts.lane;
    if (s->view.mode == MODE_LANE) {
        session_close_mode(s);
        return;
    }
    l->has_anchor = s->view.mode == MODE_SELECT && s->selection.has_box;
    if (l->has_anchor) {
        l->anchor = grid_floor(s, s->selection.box.from);
        s->view.cursor.tick = grid_previous(s, s->selection.box.to);
    }
    s->selection.has_box = false;
    session_open_mode(s, MODE_LANE);
    say_lane(s);
}

/* First the span goes, then the mode. */
bool lane_escape(struct session *s)
{
    if (s->view.mode != MODE_LANE)
        return false;
    if (!s->parts.lane->has_anchor)
        session_close_mode(s);
    s->parts.lane->has_anchor = false;
    s->view.message.text[0] = '\0';
    return true;
}

enum { N_LANES = 128 + CONTROL_KINDS };

/* All there could be, the most used first, as far as the track has them; velocity,
 * pedal and bend are always there. */
static int lanes_of(const struct session *s, struct control out[N_LANES])
{
    static const uint8_t FIRST[] = {CC_PEDAL, CC_MODULATION, CC_VOLUME, CC_PAN,
                                    CC_EXPRESSION};
    struct control_set set = {.has[CONTROL_VELOCITY] = true};
    int n = 0;
    if (session_track(s))
        controls_of_track(s->project.score, s->view.track, &set);
    set.has[CONTROL_BEND] = set.has_change[CC_PEDAL] = true;
    out[n++] = (struct control){CONTROL_VELOCITY, 0};
    for (size_t i = 0; i < sizeof FIRST; i++)
        if (set.has_change[FIRST[i]])
            out[n++] = (struct control){CONTROL_CHANGE, FIRST[i]};
    for (int i = 0; i < 128; i++)
        if (set.has_change[i] && !memchr(FIRST, i, sizeof FIRST))
            out[n++] = (struct control){CONTROL_CHANGE, (uint8_t)i};
    for (int kind = CONTROL_BEND; kind < CONTROL_KINDS; kind++)
        if (set.has[kind])
            out[n++] = (struct control){(enum control_kind)kind, 0};
    return n;
}

void act_lane_choose(struct session *s, const struct command *c)
{
    struct control lanes[N_LANES];
    int n = lanes_of(s, lanes), at = 0;
    while (at < n && !control_equal(lanes[at], lane_shown(s)))
        at++;
    at %= n; /* a lane chosen by name may not be among them */
    s->parts.lane->shown = lanes[(at + n + command_steps(c) % n) % n];
    say_lane(s);
}

void act_lane_line(struct session *s, const char *word)
{
    if (control_find(word, &s->parts.lane->shown))
        say_lane(s);
    else
        session_error(s, "lane: use velocity, pedal, bend, volume, pan, ... or the "
                         "number of a controller");
}

/* To the next value or the previous one. */
void act_lane_step(struct session *s, const struct command *c)
{
    const bool forwards = c->by > 0;
    const struct track *t = session_track(s);
    for (int k = 0; t && k < command_times(c); k++) {
        const int64_t tick = s->view.cursor.tick,
                      from = forwards ? grid_next(s, tick) : tick;
        size_t n, i;
        const struct control_point *own = lane_own(s, &n);
        if (lane_is_of_notes(s)) {
            n = t->n_notes;
            i = score_first_note_at(s->project.score, s->view.track, from) - !forwards;
        } else {
            i = ARRAY_FIRST_AT(own, n, from) - !forwards; /* before the first: none */
        }
        if (i >= n)
            break;
        s->view.cursor.tick =
            grid_floor(s, lane_is_of_notes(s) ? t->notes[i].start : own[i].tick);
    }
    session_show_cursor(s);
}

void act_lane_span(struct session *s)
{
    struct lane *l = s->parts.lane;
    l->has_anchor = !l->has_anchor;
    l->anchor = s->view.cursor.tick;
}

/* The cursor's column shows the value at the end of its cell. */
static void lane_view(struct session *s, struct view *v)
{
    bool is_span;
    struct lane *l = s->parts.lane;
    struct edit_span t = lane_time(s, &is_span);
    int64_t at = lane_is_of_notes(s) ? t.from : t.to - 1;
    int value = lane_held(s, is_span || at < 0 ? s->view.cursor.tick : at);
    v->lane.control = lane_shown(s);
    v->lane.points = l->points;
    v->lane.is_tall = l->is_tall;
    v->lane.has_value = value >= 0;
    v->lane.value = value;
    if (is_span) {
        v->lane.from = t.from;
        v->lane.to = t.to;
    }
    if (s->view.mode != MODE_LANE)
        return;
    if (is_span) {
        struct control_point *points = NULL;
        char name[CONTROL_NAME_BYTES], lo[CONTROL_NAME_BYTES], hi[CONTROL_NAME_BYTES];
        size_t n = 0;
        int least = control_most(lane_shown(s)), most = 0;
        if (lane_read(s, t, &points, &n))
            for (size_t i = 0; i < n; i++) {
                least = points[i].value < least ? points[i].value : least;
                most = points[i].value > most ? points[i].value : most;
            }
        free(points);
        control_name(lane_shown(s), name);
        if (n == 0)
            snprintf(l->label, sizeof l->label, "%s: nothing selected here", name);
        else
            snprintf(l->label, sizeof l->label, "%s: %zu value%s, %s to %s", name, n,
                     plural(n), control_value_name(l->shown, least, lo),
                     control_value_name(l->shown, most, hi));
    } else {
        char name[CONTROL_NAME_BYTES], text[CONTROL_NAME_BYTES];
        size_t n;
        const struct control_point *own = lane_own(s, &n);
        bool is_at_rest =
            !lane_is_of_notes(s) && (n == 0 || own[0].tick > s->view.cursor.tick);
        control_name(l->shown, name);
        if (value < 0)
            snprintf(l->label, sizeof l->label, "%s: no note begins here", name);
        else
            snprintf(l->label, sizeof l->label, "%s %s%s", name,
                     control_value_name(l->shown, value, text),
                     is_at_rest ? ", unless a value is put before" : "");
    }
    v->lane.label = l->label;
}

static bool lane_init(struct session *s, const struct session_options *o)
{
    (void)o;
    s->parts.lane->points = lane_points_create();
    return s->parts.lane->points;
}

static void lane_fini(struct session *s)
{
    lane_points_destroy(s->parts.lane->points);
}

static void lane_reset(struct session *s)
{
    s->parts.lane->has_anchor = false;
}

static void lane_lay_out(const struct session *s, struct layout *l)
{
    layout_grow_lane(l, s->parts.lane->is_tall);
}

const struct editor_part LANE_PART = {
    PART_STATE(lane),    .acted = lane_fit,       .init = lane_init, .fini = lane_fini,
    .reset = lane_reset, .lay_out = lane_lay_out, .view = lane_view,
};
