/* The inspector: which notes can be inspected (the piece's on visible tracks,
 * and the ghosts of the shown take), opening and closing it, going from note to
 * note, and the mouse. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/edit.h"

#include <math.h>
#include <stdlib.h>

bool inspect_find(const struct session *s, uint64_t id, struct inspect_spot *out)
{
    const struct score *score = s->project.score;
    const struct proposal *t = proposals_shown(&s->takes);
    for (size_t i = 0; id && t && i < t->n_waiting; i++)
        if (t->ghosts[i].note.id == id) {
            *out =
                (struct inspect_spot){id, t->ghosts[i].track, t->ghosts[i].note, true};
            return true;
        }
    for (int track = 0; id && track < (int)score->n_tracks; track++) {
        const struct note *n = score_find_note(score, track, id);
        if (n) {
            *out = (struct inspect_spot){id, track, *n, false};
            return true;
        }
    }
    return false;
}

/* Where the note is that is looked for: at a place, or from a note to the sides on its track, or up
 * and down on any. */
enum search { SEARCH_HERE, SEARCH_LEFT, SEARCH_RIGHT, SEARCH_UP, SEARCH_DOWN };

/* How far off a note is; INFINITY: it is not meant. */
static double cost_of(enum search way, const struct inspect_spot *from,
                      const struct inspect_spot *to, double quarter)
{
    const struct note *a = &from->note, *b = &to->note;
    const bool sounds = b->start <= a->start && b->length > a->start - b->start;
    const int64_t later = b->start - a->start;
    const int64_t away = way == SEARCH_LEFT ? -later : later;
    const int up = way == SEARCH_DOWN ? a->pitch - b->pitch : b->pitch - a->pitch;
    if (way == SEARCH_HERE) {
        /* In quarters and octaves; the note under the cursor is the nearest. */
        double time = (double)(sounds      ? 0
                               : later > 0 ? later
                                           : a->start - note_end(b) + 1);
        return time / quarter + abs(up) / 6.0 +
               (to->is_ghost || to->track == from->track ? 0 : 0.05);
    }
    if (way == SEARCH_LEFT || way == SEARCH_RIGHT)
        return away <= 0 || to->track != from->track ? INFINITY
                                                     : (double)away + abs(up) / 1000.0;
    /* Notes that sound where the note begins come before notes that begin nearby. */
    const bool is_between =
        up == 0 && to->id != from->id && later == 0 &&
        (way == SEARCH_UP ? to->track < from->track : to->track > from->track);
    const double beats = sounds ? 0 : (double)llabs(later) / quarter;
    if ((up <= 0 && !is_between) || beats > 4)
        return INFINITY;
    return up + 12 * beats + (sounds ? 0 : 24);
}

static void consider_note(const struct session *s, enum search way,
                          const struct inspect_spot *from,
                          const struct inspect_spot *to, double *least,
                          struct inspect_spot *best)
{
    const double cost =
        cost_of(way, from, to, (double)s->project.score->ticks_per_quarter);
    if (cost < *least) {
        *least = cost;
        *best = *to;
    }
}

/* Finds the note that costs least, also among ghosts. false: there is none. */
static bool find_note(struct session *s, enum search way,
                      const struct inspect_spot *from, struct inspect_spot *out)
{
    enum { AROUND = 256 /* notes of a track: the nearest is hardly ever farther */ };
    const struct score *score = s->project.score;
    const struct proposal *p = proposals_shown(&s->takes);
    const int64_t start = from->note.start, beats = 4 * score->ticks_per_quarter;
    const bool is_sideways = way == SEARCH_LEFT || way == SEARCH_RIGHT;
    struct inspect_spot best = {0};
    double least = INFINITY;
    for (int track = 0; track < (int)score->n_tracks; track++) {
        const struct track *t = &score->tracks[track];
        const size_t at = score_first_note_at(score, track, start);
        int64_t first = start - beats, last = start + beats;
        if (way != SEARCH_UP && way != SEARCH_DOWN && t->n_notes) {
            first = t->notes[at > AROUND ? at - AROUND : 0].start;
            last =
                t->notes[at + AROUND < t->n_notes ? at + AROUND : t->n_notes - 1].start;
        }
        const bool is_meant = is_sideways
                                  ? track == from->track
                                  : track == s->view.track ||
                                        (!t->hide && session_has_rows_for(s, track));
        struct survey_walk w = session_walk(s, track, first, last + 1);
        for (const struct note *n; is_meant && (n = survey_walk(&w));)
            consider_note(s, way, from, &(struct inspect_spot){n->id, track, *n, false},
                          &least, &best);
    }
    for (size_t i = 0; p && i < p->n_waiting; i++) {
        const struct ghost *g = &p->ghosts[i];
        consider_note(s, way, from,
                      &(struct inspect_spot){g->note.id, g->track, g->note, true},
                      &least, &best);
    }
    if (best.id)
        *out = best;
    return best.id != 0;
}

bool inspect_nearest(struct session *s, int64_t tick, int pitch,
                     struct inspect_spot *out)
{
    const struct inspect_spot here = {.track = s->view.track,
                                      .note = {.start = tick, .pitch = (uint8_t)pitch}};
    return find_note(s, SEARCH_HERE, &here, out);
}

/* Scrolls so that the note is at three quarters of the width: it attends to earlier notes. */
static void make_room_before(struct session *s)
{
    struct viewport *p = &s->view.port;
    int64_t columns = s->layout.roll.columns;
    bool is_left =
        s->view.cursor.tick - p->left_tick < columns / 2 * p->ticks_per_column;
    if (s->parts.inspect->pinned || !is_left ||
        s->parts.inspect->look.way == IS_LOOKED_AT_BY)
        return;
    p->left_tick = s->view.cursor.tick - columns * 3 / 4 * p->ticks_per_column;
    viewport_clamp(p, &s->layout);
}

/* The inspector closes with INSPECT, also while a list is open over it. When the list is
 * closed, the inspector is back, and requests its report again. */
void inspect_fit(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspect_spot at;
    bool is_over = session_is_inspecting(s);
    /* Another command has moved the cursor (by bars, to the end, on the ruler): the note there
     * is inspected. */
    bool has_moved = s->view.cursor.tick != i->cursor_tick ||
                     s->view.cursor.pitch != i->cursor_pitch;
    if (s->view.mode == MODE_INSPECT && i->at.id && has_moved &&
        inspect_nearest(s, s->view.cursor.tick, s->view.cursor.pitch, &at))
        inspect_go(s, &at);
    if (is_over == (s->view.inspect != NULL))
        return;
    s->view.inspect = is_over ? &i->view : NULL;
    if (!is_over) {
        i->follows = false;
        i->request = 0;
    }
    if (!is_over && i->inspector)
        inspector_stop(i->inspector);
    session_lay_out(s, s->layout.columns, s->layout.rows);
    session_show_cursor(s);
    if (is_over) {
        make_room_before(s);
        inspect_change(s);
    }
}

static void open_inspector(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    session_clear_selection(s);
    session_open_mode(s, MODE_INSPECT);
    i->pinned = 0;
    i->without = WITHOUT_NOTHING;
    i->page = INSPECT_ROLL;
    i->wants_rewrite = false;
    struct inspect_spot at;
    if (inspect_nearest(s, s->view.cursor.tick, s->view.cursor.pitch, &at))
        inspect_go(s, &at);
    else
        i->at.id = 0;
    inspect_change(s);
}

bool inspect_escape(struct session *s)
{
    if (s->view.mode != MODE_INSPECT)
        return false;
    session_close_mode(s);
    s->parts.inspect->wants_rewrite = false;
    const int n = __builtin_popcountll(s->muted.heads);
    if (n)
        session_say(s, "%d head%s muted: takes do without %s; M in I undoes it", n,
                    n == 1 ? " is" : "s are", n == 1 ? "it" : "them");
    return true;
}

static void say_no_note(struct session *s)
{
    session_say(s, "there is no note to inspect yet; Esc goes back");
}

void act_inspect(struct session *s)
{
    if (inspect_escape(s))
        return;
    s->parts.inspect->shows_surprise = false;
    open_inspector(s);
    if (!s->parts.inspect->at.id)
        say_no_note(s);
}

void inspect_go(struct session *s, const struct inspect_spot *to)
{
    struct inspecting *i = s->parts.inspect;
    i->at = *to;
    if (i->without == WITHOUT_NOTE && i->pinned)
        i->without_of = to->id;
    s->view.cursor.tick = grid_floor(s, to->note.start);
    s->view.cursor.pitch = to->note.pitch;
    i->cursor_tick = s->view.cursor.tick;
    i->cursor_pitch = s->view.cursor.pitch;
    if (!to->is_ghost)
        s->view.track = to->track;
    session_show_cursor(s);
    inspect_change(s);
}

void act_inspect_move(struct session *s, const struct command *c)
{
    static const char *const FURTHER[] = {
        [SEARCH_LEFT] = "left on this track",
        [SEARCH_RIGHT] = "right on this track",
        [SEARCH_UP] = "up near here",
        [SEARCH_DOWN] = "down near here",
    };
    const enum search way = c->id == CMD_INSPECT_LEFT    ? SEARCH_LEFT
                            : c->id == CMD_INSPECT_RIGHT ? SEARCH_RIGHT
                            : c->id == CMD_INSPECT_UP    ? SEARCH_UP
                                                         : SEARCH_DOWN;
    bool moved = false;
    for (int i = 0; i < command_times(c) && i < 10000; i++) {
        struct inspect_spot to, from = s->parts.inspect->at;
        if (from.id
                ? !find_note(s, way, &from, &to)
                : !inspect_nearest(s, s->view.cursor.tick, s->view.cursor.pitch, &to))
            break;
        s->parts.inspect->is_live = false;
        inspect_go(s, &to);
        make_room_before(s);
        moved = true;
    }
    if (!moved)
        session_say(s, "no note is further %s", FURTHER[way]);
}

void act_inspect_pin(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspect_spot pinned;
    if (i->pinned) {
        bool is_there = inspect_find(s, i->pinned, &pinned);
        i->pinned = 0;
        if (is_there)
            inspect_go(s, &pinned);
        session_say(s, "no longer pinned");
    } else if (i->at.id) {
        i->pinned = i->at.id;
        session_say(s, "pinned: h j k l choose the note to compare it with");
    } else {
        session_say(s, "there is no note to pin");
    }
    inspect_change(s);
}

/* The command also opens the inspector from NORMAL. */
void act_inspect_surprise(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    bool was_open = s->view.mode == MODE_INSPECT;
    if (!was_open)
        open_inspector(s);
    i->shows_surprise = !was_open || !i->shows_surprise;
    i->is_new = true;
    if (!i->at.id)
        say_no_note(s);
    else
        session_say(
            s, i->shows_surprise
                   ? "how surprising each note is: R rewrites the most surprising bar"
                   : "what the note attended to");
    inspect_change(s);
}

/* Finds the note of a token of the matrix. false: it belongs to none. */
static bool spot_of_token(const struct session *s, int token, struct inspect_spot *out)
{
    const struct inspect_view *v = &s->parts.inspect->report.found;
    for (const struct inspect_note *n = v->notes; n < v->notes + v->n_notes; n++)
        if (!n->is_source && token >= n->first_token &&
            token < n->first_token + n->n_tokens)
            return inspect_find(s, n->id, out);
    return false;
}

void act_inspect_point(struct session *s, const struct command *c)
{
    struct inspecting *i = s->parts.inspect;
    const struct layout *l = &s->layout;
    struct inspect_spot at;
    int layer, head, query, key, pitch;
    int64_t tick;
    bool is_page = i->page != INSPECT_ROLL && region_has(&l->page, c->column, c->row);
    if (inspect_thumbnail_at(l, &i->view, c->column, c->row, &layer, &head)) {
        i->look.layer = i->one_layer = layer;
        i->look.head = i->one_head = head;
        inspect_change(s);
    } else if (inspect_cell_at(l, &i->view, c->column, c->row, &query, &key)) {
        /* A cell is a pair: the query is pinned, and the key is compared with it. */
        struct inspect_spot other;
        bool is_by = i->look.way == IS_LOOKED_AT_BY;
        if (!spot_of_token(s, is_by ? key : query, &at)) {
            session_say(s, "that row belongs to no note");
            return;
        }
        bool has_other = spot_of_token(s, is_by ? query : key, &other);
        i->pinned = has_other && other.id != at.id ? at.id : 0;
        inspect_go(s, i->pinned ? &other : &at);
    } else if (!is_page &&
               layout_point(l, &s->view.port, c->column, c->row, &tick, &pitch) &&
               inspect_nearest(s, tick, pitch, &at)) {
        i->is_live = false;
        inspect_go(s, &at);
    }
}
