/* See framing.h. The frame is computed again from the view before it, whenever there is
 * more to enclose or less room. */
#include "app/editor/takes/takes.h"
#include "app/editor/takes/framing.h"

#include "app/editor/takes/machine.h"
#include "midi/base/hash.h"
#include "tui/roll/enclose.h"

bool session_is_in_takes(const struct session *s)
{
    enum mode mode = session_mode_behind(s);
    return s->has_take && !proposals_are_played(&s->takes) &&
           (mode == MODE_TAKES ||
            (mode == MODE_SELECT && s->below[MODE_SELECT] == MODE_TAKES));
}

static bool folds_rows(const struct session *s)
{
    const struct pitch_set *hidden = &s->parts.framing->port.hidden;
    return s->parts.framing->is_on && (hidden->at[0] || hidden->at[1]);
}

/* Returns whether a take may have notes of tracks that are no drums: these need the rows of all
 * pitches. */
static bool has_pitches(const struct session *s)
{
    const struct score *score = s->project.score;
    uint64_t tracks = s->request.asked.options.tracks;
    for (int t = 0; t < (int)score->n_tracks; t++)
        if (!track_is_drums(&score->tracks[t]) &&
            (!tracks || (t < 64 && tracks >> t & 1)))
            return true;
    return false;
}

/* Tells the roll whether rows are folded for a take, and whether the framed notes have
 * pitches. */
static void set_folds(struct session *s)
{
    s->roll.folds_for_take = folds_rows(s);
    s->roll.frames_pitches = s->parts.framing->is_on && has_pitches(s);
}

static void forget(struct session *s)
{
    *s->parts.framing = (struct framing){0};
    set_folds(s);
}

static void add_ghosts(struct pitch_set *s, const struct proposal *t)
{
    for (size_t i = 0; i < t->n_waiting; i++)
        pitch_set_add(s, t->ghosts[i].note.pitch & 127);
}

/* Adds the pitches of the notes that begin in [from, to) and that may be rewritten. */
static void add_notes(struct pitch_set *p, const struct session *s, int64_t from,
                      int64_t to)
{
    const struct score *score = s->project.score;
    const struct continuation_options *o = &s->request.asked.options;
    for (int t = 0; t < (int)score->n_tracks; t++) {
        const struct track *track = &score->tracks[t];
        if (track->hide || (o->tracks && !(t < 64 && o->tracks >> t & 1)))
            continue;
        for (size_t i = score_first_note_at(score, t, from);
             i < track->n_notes && track->notes[i].start < to; i++)
            if (!hole_is_asked(s) || (track->notes[i].pitch >= o->hole.pitch_lo &&
                                      track->notes[i].pitch <= o->hole.pitch_hi))
                pitch_set_add(p, track->notes[i].pitch & 127);
    }
}

static uint64_t made_for(const struct session *s)
{
    const struct region *roll = &s->layout.roll;
    const int64_t of[] = {s->request.from, s->request.to,       s->takes.shown,
                          roll->rows,      roll->columns,       s->roll.rows_covered,
                          s->roll.folds,   s->view.kit.is_shown};
    uint64_t sum = hash_bytes(s->project.version, of, sizeof of);
    for (int i = 0; i < s->takes.n; i++)
        sum = hash_bytes(sum, &s->takes.list[i].n_waiting, sizeof(size_t));
    return sum;
}

static bool has_moved_cursor(const struct session *s)
{
    const struct roll_point *own = &s->parts.framing->cursor;
    return s->view.cursor.tick != own->tick || s->view.cursor.pitch != own->pitch;
}

static void make_frame(struct session *s)
{
    struct framing *f = s->parts.framing;
    bool is_own = has_moved_cursor(s);
    const struct proposal *shown = proposals_shown(&s->takes);
    const int64_t from = s->request.from;
    struct enclosing e = {
        .from = from,
        .to = s->request.to,
        .quarter = s->project.score->ticks_per_quarter,
        .lead = from > 0 ? session_bar_at(s, from - 1).length : 0, /* a bar before */
        .ghosts = shown ? shown->ghosts : NULL,
        .n_ghosts = shown ? shown->n_waiting : 0,
        .rows_below = s->roll.rows_covered,
    };
    if (shown)
        add_ghosts(&e.needed, shown);
    add_notes(&e.needed, s, from, e.to);
    e.wanted = e.needed;
    add_notes(&e.wanted, s, from - e.lead, from);
    for (int i = 0; i < s->takes.n; i++)
        add_ghosts(&e.wanted, &s->takes.list[i]);
    f->port.hidden = (struct pitch_set){{0, 0}};
    set_folds(s);
    s->view.port = f->before;
    session_fold(s);
    viewport_enclose(&s->view.port, &s->layout, &e);
    f->port = s->view.port;
    set_folds(s);
    f->made_for = made_for(s);
    if (!is_own) {
        /* The cursor goes into the hole, and onto a row that is seen. */
        const struct region *roll = &s->layout.roll;
        int first = roll->row + 1,
            last = roll->row + roll->rows - 1 - s->roll.rows_covered;
        int row = layout_row(&s->layout, &f->port, f->cursor_before.pitch);
        f->cursor = f->cursor_before;
        if (f->cursor.tick < s->request.from || f->cursor.tick >= s->request.to)
            f->cursor.tick = s->request.from;
        if (row < first || row > last)
            f->cursor.pitch =
                layout_pitch(&s->layout, &f->port, row < first ? first : last);
        s->view.cursor = f->cursor;
        f->last_tick = f->cursor.tick;
    }
}

static bool is_same_view(const struct viewport *a, const struct viewport *b)
{
    return a->left_tick == b->left_tick && a->ticks_per_column == b->ticks_per_column &&
           a->top_pitch == b->top_pitch && a->rows_per_pitch == b->rows_per_pitch;
}

static bool is_in_frame(const struct session *s, double tick)
{
    const struct viewport *p = &s->parts.framing->port;
    double right =
        (double)p->left_tick + (double)p->ticks_per_column * s->layout.roll.columns;
    return tick >= (double)p->left_tick && tick < right;
}

static void follow(struct session *s)
{
    /* The list is beside the roll, which is then narrower. */
    bool has_list = s->layout.takes.columns > 0;
    if (has_list != (session_lists_takes(s) && !session_is_inspecting(s)))
        session_lay_out(s, s->layout.columns, s->layout.rows);
    if (s->layout.too_small)
        return;
    bool is_framed = session_is_in_takes(s) && s->request.to > s->request.from;
    /* The frame stays behind panels that are open over the takes. */
    bool is_steered =
        session_mode_behind(s) == MODE_STEER && s->below[MODE_STEER] != MODE_NORMAL;
    bool is_behind =
        s->has_take && (is_steered || (session_is_inspecting(s) &&
                                       s->below[MODE_INSPECT] == MODE_TAKES));
    if (is_framed && !s->parts.framing->is_on) {
        s->roll.frames_pitches = has_pitches(s);
        session_fold(s);
        *s->parts.framing = (struct framing){
            .is_on = true,
            .before = s->view.port,
            .port = s->view.port,
            .cursor_before = s->view.cursor,
            .cursor = s->view.cursor,
        };
        make_frame(s);
    }
    if (is_framed) {
        struct framing *f = s->parts.framing;
        /* The view follows the playhead past the frame. */
        bool is_elsewhere = player_is_playing(s->player) && s->roll.follow &&
                            !is_in_frame(s, player_tick(s->player));
        f->is_loose |= s->drag && !is_same_view(&s->view.port, &f->last);
        if (!f->is_loose && f->made_for != made_for(s))
            make_frame(s);
        else if (!f->is_loose && !is_elsewhere)
            s->view.port = f->port;
        f->last = s->view.port;
        f->last_tick = s->view.cursor.tick;
    } else if (s->parts.framing->is_on && !is_behind) {
        struct framing *f = s->parts.framing;
        bool is_own = has_moved_cursor(s), is_loose = f->is_loose;
        f->is_on = false;
        set_folds(s);
        if (!is_own)
            s->view.cursor = f->cursor_before;
        if (!is_loose)
            s->view.port = f->before;
        viewport_clamp(&s->view.port, &s->layout);
        session_fold(s);
        if (is_own || is_loose)
            session_show_cursor(s);
    }
}

static void acted(struct session *s)
{
    struct framing *f = s->parts.framing;
    if (f->is_on && session_is_in_takes(s) && !is_same_view(&s->view.port, &f->last))
        f->is_loose |= s->view.cursor.tick == f->last_tick ||
                       !is_in_frame(s, (double)s->view.cursor.tick);
    follow(s);
}

void framing_unfold(struct session *s)
{
    if (!folds_rows(s))
        return;
    s->parts.framing->is_loose = true;
    s->parts.framing->port.hidden = (struct pitch_set){{0, 0}};
    set_folds(s);
    viewport_fold(&s->view.port, &s->layout, s->parts.framing->port.hidden,
                  s->view.cursor.pitch);
    session_fold(s);
}

void framing_begin_anew(struct session *s)
{
    s->parts.framing->is_loose = false;
}

int64_t framing_play_from(const struct session *s)
{
    if (!s->parts.framing->is_on || !session_is_in_takes(s))
        return -1;
    bool is_own = s->view.cursor.tick != s->parts.framing->cursor.tick &&
                  s->view.cursor.tick < s->request.to;
    return is_own ? s->view.cursor.tick : s->request.from;
}

const struct editor_part FRAMING_PART = {PART_STATE(framing), .acted = acted,
                                         .tick = follow, .resized = follow,
                                         .reset = forget};
