/* Find: the text after / is a query (app/editor/edit/find.h). Notes are searched
 * on the active track. The view shows the hit while the user types; Escape returns. */
#include "app/editor/edit/find.h"
#include "app/editor/session/session.h"
#include "tui/base/names.h"

#include <string.h>

enum { FIND_MOST_BOXES = 512 };

struct find {
    struct find_query query; /* FIND_NOTHING: none is on */
    bool is_shown;           /* on the roll, until Escape */
    bool is_typing;          /* at the prompt; opened with the cursor and view here: */
    struct roll_point from;
    int from_track;
    struct viewport from_port;
    size_t hit;                        /* of a text: which of the hits is shown */
    struct box boxes[FIND_MOST_BOXES]; /* for the view */
};

static void go_to(struct session *s, int64_t tick, int pitch)
{
    s->view.cursor.pitch = pitch;
    session_go_to(s, tick);
}

/* -- notes: by their starts, and at one start by pitch -- */

/* Goes to the next note that fits, or to the previous one. true: it wrapped around. */
static bool step_note(struct session *s, bool forwards)
{
    const struct track *t = session_track(s);
    const int64_t tick = s->view.cursor.tick;
    const size_t n = t ? t->n_notes : 0;
    size_t at = n ? score_first_note_at(s->project.score, s->view.track, tick) : 0;
    while (at < n && t->notes[at].start == tick &&
           t->notes[at].pitch < s->view.cursor.pitch + forwards)
        at++;
    for (size_t k = 0; k < n; k++) {
        size_t i = (forwards ? at + k : at + n - 1 - k) % n;
        const struct note *note = &t->notes[i];
        if (!find_fits_note(&s->parts.find->query, s->project.score, note))
            continue;
        go_to(s, note->start, note->pitch);
        return forwards ? i < at : i >= at;
    }
    return true;
}

/* -- texts: signs in their order, then tracks -- */

static bool fits_sign(const struct session *s, const struct timeline_event *g)
{
    size_t n;
    const uint8_t *text = timeline_event_text(s->project.score, g, &n);
    return g->kind >= TIMELINE_MARKER && find_fits_text(&s->parts.find->query, text, n);
}

static bool fits_track(const struct session *s, size_t track)
{
    const char *name = s->project.score->tracks[track].name;
    return find_fits_text(&s->parts.find->query, name, strlen(name));
}

static size_t n_text_hits(struct session *s)
{
    const struct timeline_events *signs = session_signs(s);
    size_t n = 0;
    for (size_t i = 0; i < signs->n; i++)
        n += fits_sign(s, &signs->list[i]);
    for (size_t t = 0; t < s->project.score->n_tracks; t++)
        n += fits_track(s, t);
    return n;
}

static void show_text_hit(struct session *s, size_t hit)
{
    char text[96];
    const struct timeline_events *signs = session_signs(s);
    s->parts.find->hit = hit;
    for (size_t i = 0; i < signs->n; i++)
        if (fits_sign(s, &signs->list[i]) && hit-- == 0) {
            const struct timeline_event *g = &signs->list[i];
            go_to(s, g->tick, s->view.cursor.pitch);
            if (!s->parts.find->is_typing)
                session_say(
                    s, "%s: %s", sign_kind_name(g->kind),
                    timeline_event_copy_text(s->project.score, g, text, sizeof text));
            return;
        }
    for (size_t t = 0; t < s->project.score->n_tracks; t++)
        if (fits_track(s, t) && hit-- == 0) {
            if (!s->parts.find->is_typing)
                session_clear_selection(s);
            s->view.track = (int)t;
            session_show_cursor(s);
            return;
        }
}

static void go_to_bar(struct session *s, const struct find_query *q)
{
    const struct timeline *t = session_timeline(s);
    struct bar bar = timeline_bar(t, q->bar);
    int64_t into = q->beat * timeline_beat_ticks(t, bar.start);
    go_to(s, bar.start + (into < bar.length ? into : 0), s->view.cursor.pitch);
}

/* The first from the cursor on, if there is one; of texts after it, else of all. */
static void find_first(struct session *s)
{
    if (s->parts.find->query.kind == FIND_NOTES) {
        step_note(s, true);
        return;
    }
    const struct timeline_events *signs = session_signs(s);
    size_t n = n_text_hits(s), hit = 0;
    for (size_t i = 0; i < signs->n && signs->list[i].tick <= s->view.cursor.tick; i++)
        hit += fits_sign(s, &signs->list[i]);
    if (n)
        show_text_hit(s, hit % n);
}

static size_t n_hits(struct session *s)
{
    const struct track *t = session_track(s);
    size_t n = 0;
    if (s->parts.find->query.kind == FIND_TEXT)
        return n_text_hits(s);
    for (size_t i = 0; t && i < t->n_notes; i++)
        n += find_fits_note(&s->parts.find->query, s->project.score, &t->notes[i]);
    return n;
}

static void say_how_many(struct session *s)
{
    size_t n = n_hits(s);
    bool of_notes = s->parts.find->query.kind == FIND_NOTES;
    if (!n)
        session_error(s, "%s was not found%s", s->parts.find->query.text,
                      of_notes ? " on this track" : "");
    else if (of_notes)
        session_say(s, "%zu note%s on this track: n next, g/ selects %s", n, plural(n),
                    n == 1 ? "it" : "them");
    else
        session_say(s, "found %zu time%s: n next", n, plural(n));
}

void act_find_next(struct session *s, const struct command *c)
{
    struct find *f = s->parts.find;
    bool wrapped = false, forwards = c->by > 0;
    if (f->query.kind == FIND_NOTHING) {
        session_say(s, "nothing to find yet: / finds");
        return;
    }
    size_t n = n_hits(s), times = n ? ((size_t)command_times(c) - 1) % n + 1 : 0;
    f->is_shown = true;
    if (!n) {
        say_how_many(s);
    } else if (f->query.kind == FIND_TEXT) {
        size_t hit = f->hit < n ? f->hit : n - 1;
        wrapped = forwards ? hit + times >= n : times > hit;
        show_text_hit(s, (forwards ? hit + times : hit + n - times) % n);
    }
    for (size_t i = 0; i < times && f->query.kind != FIND_TEXT; i++)
        wrapped |= step_note(s, forwards);
    if (wrapped)
        session_say(s, "%s", forwards ? "from the start again" : "from the end again");
}

static bool is_found(const struct session *s, const struct note *n, const void *query)
{
    return find_fits_note(query, s->project.score, n);
}

void act_find_select(struct session *s)
{
    if (!session_track(s) || s->parts.find->query.kind != FIND_NOTES) {
        session_say(s, "the last search was not for notes: use /C4 or />100");
        return;
    }
    select_where(s, &(struct choice){is_found, &s->parts.find->query, false});
    if (!s->selection.n)
        session_say(s, "no note was found here");
    else
        session_say(s, "%zu note%s selected", s->selection.n, plural(s->selection.n));
}

const char *find_prompt_text(struct session *s, char *buf, size_t n)
{
    struct find *f = s->parts.find;
    f->is_typing = true;
    f->from = s->view.cursor;
    f->from_track = s->view.track;
    f->from_port = s->view.port;
    (void)n;
    buf[0] = '\0';
    return buf;
}

static void return_to_start(struct session *s)
{
    struct find *f = s->parts.find;
    s->view.cursor = f->from;
    s->view.track = f->from_track;
    s->view.port = f->from_port;
}

/* What is typed is sought from where it was begun, and nothing else is kept of it. */
static void find_watch(struct session *s)
{
    struct find *f = s->parts.find;
    if (!f->is_typing)
        return;
    return_to_start(s);
    f->is_typing = s->view.mode == MODE_PROMPT && s->view.prompt.kind == PROMPT_FIND;
    if (!f->is_typing)
        return; /* Escape */
    struct find_query q = find_parse(s->view.prompt.text), kept = f->query;
    size_t hit = f->hit;
    f->query = q;
    if (q.kind == FIND_BAR)
        go_to_bar(s, &q);
    else if (q.kind != FIND_NOTHING)
        find_first(s);
    f->query = kept;
    f->hit = hit;
}

void act_find_line(struct session *s, const char *line)
{
    struct find *f = s->parts.find;
    struct find_query q = find_parse(line);
    f->is_typing = false;
    return_to_start(s);
    if (q.kind == FIND_NOTHING) {
        act_call(s, CMD_FIND_NEXT);
        return;
    }
    if (q.kind == FIND_BAR) { /* n continues the last search */
        go_to_bar(s, &q);
        return;
    }
    f->query = q;
    f->is_shown = true;
    find_first(s);
    say_how_many(s);
}

/* Shows the notes on the screen that fit. */
static void find_view(struct session *s, struct view *v)
{
    struct find *f = s->parts.find;
    struct find_query q = f->is_typing ? find_parse(s->view.prompt.text) : f->query;
    v->found.boxes = f->boxes;
    if (!session_track(s) || q.kind != FIND_NOTES || !(f->is_typing || f->is_shown))
        return;
    int right = s->layout.roll.column + s->layout.roll.columns;
    struct survey_walk w = session_walk(s, s->view.track, s->view.port.left_tick,
                                        layout_tick(&s->layout, &s->view.port, right));
    for (const struct note *n; v->found.n < FIND_MOST_BOXES && (n = survey_walk(&w));)
        if (find_fits_note(&q, s->project.score, n))
            f->boxes[v->found.n++] =
                (struct box){n->start, n->start + (n->length > 0 ? n->length : 1),
                             n->pitch, n->pitch};
}

void find_hide(struct session *s)
{
    s->parts.find->is_shown = false;
}

static void reset(struct session *s)
{
    s->parts.find->is_typing = false;
}

const struct editor_part FIND_PART = {
    PART_STATE(find),
    .acted = find_watch,
    .reset = reset,
    .view = find_view,
};
