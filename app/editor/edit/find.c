/* Parses queries (find.h), each condition of which becomes a range, and finds their hits. The
 * text after / is a query. Notes are searched on the active track. While the user types, the
 * roll shows the first hit; Escape returns to the start. */
#include "app/editor/edit/find.h"
#include "app/document/groove.h"
#include "app/base/values.h"
#include "app/editor/session/session.h"
#include "tui/base/names.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 256, MOST_BAR = 100000000, MOST_FRACTION = 4096 };
/* Parts of a whole note. Every note value that can be typed is a whole number of parts. */
enum { WHOLE = 384 };

/* A property of notes in conditions, and how its values are typed. most: of a NUMBER. */
static const struct quality {
    const char *name;
    size_t offset;
    enum { NUMBER, PITCH, NOTE_VALUE, FRACTION } kind;
    int most;
} QUALITIES[] = {
    {"velocity", offsetof(struct note_filter, velocity), NUMBER, 127},
    {"length", offsetof(struct note_filter, length), NOTE_VALUE, 0},
    {"len", offsetof(struct note_filter, length), FRACTION, 0},
    {"pitch", offsetof(struct note_filter, pitch), PITCH, 0},
    {"bar", offsetof(struct note_filter, bar), NUMBER, 1 << 24},
};
enum { N_QUALITIES = sizeof QUALITIES / sizeof QUALITIES[0] };

/* Reads one value: "64", "C4", "1/16t", or "2" and "3/8" of whole notes. *x: lengths are in whole
 * notes; 0 if it is invalid. */
static bool read_value(const struct quality *q, const char *text, double *x)
{
    char first[VALUE_BYTES];
    const char *rest;
    int n = 0, of = 1;
    struct grid_step g = {0};
    bool ok;
    switch (q->kind) {
    case NUMBER:
        ok = value_count(text, 0, q->most, &n);
        break;
    case PITCH:
        ok = value_pitch(text, &n);
        break;
    case FRACTION:
        ok = value_split(text, "/", first, &rest) &&
             value_count(first, 0, MOST_FRACTION, &n) &&
             (!rest || value_count(rest, 1, MOST_FRACTION, &of));
        break;
    default:
        ok = grid_step_parse(text, &g) && !g.is_free;
        if (ok) {
            const struct lattice l = grid_step_lattice(&g, WHOLE / 4);
            n = (int)(l.ticks / l.steps);
            of = WHOLE;
        }
    }
    *x = ok ? (double)n / of : 0;
    return ok;
}

static const struct quality *quality_at(const char *text)
{
    for (int i = 0; i < N_QUALITIES; i++)
        if (!strncasecmp(text, QUALITIES[i].name, strlen(QUALITIES[i].name)))
            return &QUALITIES[i];
    return NULL;
}

/* Reads the text after the name: a sign and a value, or a span. */
static bool read_range(const struct quality *q, char *text, struct note_range *r)
{
    char sign = *text == '<' || *text == '>' || *text == '=' ? *text++ : '\0';
    bool with_equal = sign && *text == '=';
    text += with_equal;
    if (sign == '<' || sign == '>') {
        double x = 0;
        bool ok = read_value(q, text, &x);
        r->low = sign == '<' ? -INFINITY : with_equal ? x : nextafter(x, INFINITY);
        r->high = sign == '>' ? INFINITY : with_equal ? x : nextafter(x, -INFINITY);
        return ok;
    }
    if (read_value(q, text, &r->low)) {
        r->high = r->low;
        return true;
    }
    /* "C3-G4"; the first pitch may have a minus of its own (C-1). */
    for (char *dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-')) {
        *dash = '\0';
        bool ok = read_value(q, text, &r->low) && read_value(q, dash + 1, &r->high);
        *dash = '-';
        if (ok)
            return r->low <= r->high;
    }
    return false;
}

/* Reads conditions, without the short forms. The value of each is all up to the next quality, or
 * to the end, without its spaces. */
static bool parse_conditions(const char *text, struct note_filter *out)
{
    const struct note_range all = {-INFINITY, INFINITY};
    struct note_filter f = {all, all, all, all, -1};
    char value[MOST_BYTES];
    text += strspn(text, " ");
    if (!*text || strlen(text) >= sizeof value)
        return false;
    while (*text) {
        struct note_range r;
        const struct quality *q = quality_at(text);
        size_t n = 0;
        if (!q)
            return false;
        text += strlen(q->name);
        for (; *text && !(n && quality_at(text) && text[-1] == ' '); text++)
            if (*text != ' ')
                value[n++] = *text;
        value[n] = '\0';
        if (!read_range(q, value, &r))
            return false;
        struct note_range *at = (struct note_range *)((char *)&f + q->offset);
        at->low = fmax(r.low, at->low);
        at->high = fmin(r.high, at->high);
    }
    *out = f;
    return true;
}

bool note_filter_parse(const char *text, struct note_filter *out)
{
    char longer[MOST_BYTES + 16];
    int pitch;
    if (parse_conditions(text, out))
        return true;
    bool is_name = isalpha((unsigned char)*text);
    snprintf(longer, sizeof longer, "%s%s", is_name ? "pitch" : "velocity", text);
    if ((is_name || (*text && strchr("<>=", *text))) && parse_conditions(longer, out))
        return true;
    snprintf(longer, sizeof longer, "%s4", text);
    if (!is_name || !value_pitch(longer, &pitch) || !parse_conditions("pitch>=0", out))
        return false;
    out->pitch_class = pitch % 12;
    return true;
}

static bool is_in(const struct note_range *r, double x)
{
    return x >= r->low && x <= r->high;
}

bool note_filter_has(const struct note_filter *f, const struct score *s,
                     const struct note *n)
{
    return is_in(&f->velocity, n->velocity) && is_in(&f->pitch, n->pitch) &&
           (f->pitch_class < 0 || n->pitch % 12 == f->pitch_class) &&
           is_in(&f->length, (double)n->length / (4.0 * s->ticks_per_quarter)) &&
           is_in(&f->bar, (double)timeline_bar_at(&s->timeline, n->start).index + 1);
}

/* A bar is "12" or "12.3". */
struct find_query find_parse(const char *text)
{
    char first[VALUE_BYTES];
    const char *rest;
    int bar, beat = 1;
    struct find_query q = {.kind = *text ? FIND_TEXT : FIND_NOTHING};
    if (value_split(text, ".:", first, &rest) &&
        value_count(first, 1, MOST_BAR, &bar) &&
        (!rest || value_count(rest, 1, 255, &beat))) {
        q.kind = FIND_BAR;
        q.bar = bar - 1;
        q.beat = beat - 1;
    } else if (note_filter_parse(text, &q.notes)) {
        q.kind = FIND_NOTES;
    }
    snprintf(q.text, sizeof q.text, "%s", text);
    return q;
}

bool find_fits_note(const struct find_query *q, const struct score *s,
                    const struct note *n)
{
    return q->kind == FIND_NOTES && note_filter_has(&q->notes, s, n);
}

bool find_fits_text(const struct find_query *q, const void *bytes, size_t n)
{
    const char *at = bytes;
    size_t n_text = strlen(q->text);
    for (size_t from = 0; q->kind == FIND_TEXT && from + n_text <= n; from++)
        if (strncasecmp(at + from, q->text, n_text) == 0)
            return true;
    return false;
}

/* -- finding -- */

enum { FIND_MOST_BOXES = 512 };

struct find {
    struct find_query query; /* FIND_NOTHING: nothing was searched for yet */
    bool is_shown;           /* hits are marked on the roll, until Escape */
    bool is_typing;          /* at the prompt, which was opened at the place below */
    struct roll_point from;
    int from_track;
    struct viewport from_port;
    size_t hit;                        /* number of the shown hit of a text */
    struct box boxes[FIND_MOST_BOXES]; /* notes that the view marks */
};

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
        session_go_to_place(s, note->start, note->pitch);
        return forwards ? i < at : i >= at;
    }
    return true;
}

/* -- texts: signs in their order, then tracks -- */

/* Whether the text of hit number i fits, of all signs and then all tracks. */
static bool fits_text(struct session *s, size_t i)
{
    const struct timeline_events *signs = session_signs(s);
    const struct timeline_event *g = i < signs->n ? &signs->list[i] : NULL;
    size_t n = 0;
    const void *text = NULL;
    if (g && g->kind >= TIMELINE_MARKER) {
        text = timeline_event_text(s->project.score, g, &n);
    } else if (!g) {
        text = s->project.score->tracks[i - signs->n].name;
        n = strlen(text);
    }
    return text && find_fits_text(&s->parts.find->query, text, n);
}

static size_t n_texts(struct session *s)
{
    return session_signs(s)->n + s->project.score->n_tracks;
}

static void show_text_hit(struct session *s, size_t hit)
{
    char text[96];
    const struct timeline_events *signs = session_signs(s);
    size_t i = 0;
    s->parts.find->hit = hit;
    while (i < n_texts(s) && !(fits_text(s, i) && hit-- == 0))
        i++;
    if (i < signs->n) {
        const struct timeline_event *g = &signs->list[i];
        session_go_to_place(s, g->tick, s->view.cursor.pitch);
        if (!s->parts.find->is_typing)
            session_say(
                s, "%s: %s", sign_kind_name(g->kind),
                timeline_event_copy_text(s->project.score, g, text, sizeof text));
    } else if (i < n_texts(s)) {
        if (!s->parts.find->is_typing)
            session_clear_selection(s);
        s->view.track = (int)(i - signs->n);
        session_show_cursor(s);
    }
}

static void go_to_bar(struct session *s, const struct find_query *q)
{
    const struct timeline *t = session_timeline(s);
    struct bar bar = timeline_bar(t, q->bar);
    int64_t into = q->beat * timeline_beat_ticks(t, bar.start);
    session_go_to_place(s, bar.start + (into < bar.length ? into : 0),
                        s->view.cursor.pitch);
}

static size_t n_hits(struct session *s)
{
    const struct find_query *q = &s->parts.find->query;
    const struct track *t = session_track(s);
    size_t n = 0;
    for (size_t i = 0; q->kind == FIND_TEXT && i < n_texts(s); i++)
        n += fits_text(s, i);
    for (size_t i = 0; t && i < t->n_notes; i++)
        n += find_fits_note(q, s->project.score, &t->notes[i]);
    return n;
}

/* Goes to the first note from the cursor on, or the first text after it; else to the first of
 * all. */
static void find_first(struct session *s)
{
    if (s->parts.find->query.kind == FIND_NOTES) {
        step_note(s, true);
        return;
    }
    const struct timeline_events *signs = session_signs(s);
    size_t n = n_hits(s), hit = 0;
    for (size_t i = 0; i < signs->n && signs->list[i].tick <= s->view.cursor.tick; i++)
        hit += fits_text(s, i);
    if (n)
        show_text_hit(s, hit % n);
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
    select_aloud(s, &(struct choice){.has = is_found, .of = &s->parts.find->query},
                 "found by the last search");
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

/* Searches for the typed text from the place where the prompt was opened. Leaves the last
 * search as it is. */
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

/* Marks the notes on the screen that fit. */
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

/* Removes the marks, and lets other parts close something, too. */
static bool escape(struct session *s)
{
    s->parts.find->is_shown = false;
    return false;
}

static void reset(struct session *s)
{
    s->parts.find->is_typing = false;
}

const struct editor_part FIND_PART = {
    PART_STATE(find), .acted = find_watch, .reset = reset,
    .escape = escape, .view = find_view,
};
