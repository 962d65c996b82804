/* Choosing notes: a box from an anchor to the cursor, whole bars; app/editor/edit/act_choose.c has
 * the other ways. The chosen ids stay chosen after the box is gone, until Escape. */
#include "app/base/ids.h"
#include "app/editor/session/session.h"

#include <stdlib.h>
#include <string.h>

bool select_has(const struct session *s, uint64_t id)
{
    return ids_find(s->selected, s->n_selected, id) != NULL;
}

static bool make_room(struct session *s)
{
    if (s->n_selected < s->cap_selected)
        return true;
    size_t cap = s->cap_selected ? 2 * s->cap_selected : 64;
    uint64_t *grown = reallocarray(s->selected, cap, sizeof *grown);
    if (!grown)
        return false;
    s->selected = grown;
    s->cap_selected = cap;
    return true;
}

static void forget(struct session *s)
{
    s->n_selected = 0;
    s->n_selected_tracks = 0;
    s->box_tracks = 0;
}

enum mode select_mode_after(const struct session *s)
{
    return s->selects_in_take && s->has_take ? MODE_TAKES : MODE_NORMAL;
}

/* What is let go is kept for gv, in the place of what was before. */
static void remember(struct session *s)
{
    struct selected_before *b = &s->selected_before;
    uint64_t *ids = b->ids;
    size_t cap = b->cap;
    *b = (struct selected_before){
        .ids = s->selected,
        .n = s->n_selected,
        .cap = s->cap_selected,
        .has_box = s->mode == MODE_SELECT && s->has_box,
        .bars = s->bars,
        .all_tracks = s->all_tracks,
        .track = s->track,
        .box = s->box,
    };
    s->selected = ids;
    s->cap_selected = cap;
}

void session_clear_selection(struct session *s)
{
    if (s->n_selected)
        remember(s);
    forget(s);
    s->has_box = false;
    if (s->mode == MODE_SELECT)
        s->mode = select_mode_after(s);
}

static bool in_box(const struct session *s, const struct note *n, const void *of)
{
    const struct box *b = of;
    (void)s;
    return n->pitch >= b->pitch_lo && n->pitch <= b->pitch_hi;
}

/* Adds the notes of a track that sound in [from, to) and are of that choice. */
static void choose_of_track(struct session *s, int track, int64_t from, int64_t to,
                            const struct choice *c)
{
    const struct score *score = s->project.score;
    const struct track *t = &score->tracks[track];
    size_t before = s->n_selected;
    for (size_t i = survey_next_note(s->survey, score, track, 0, from);
         i < t->n_notes && t->notes[i].start < to;
         i = survey_next_note(s->survey, score, track, i + 1, from))
        if (c->has(s, &t->notes[i], c->of) && make_room(s))
            s->selected[s->n_selected++] = t->notes[i].id;
    s->n_selected_tracks += s->n_selected > before;
    if (s->n_selected > before && track < TOKEN_MAX_TRACKS)
        s->box_tracks |= UINT64_C(1) << track;
}

static void choose(struct session *s, int64_t from, int64_t to, const struct choice *c)
{
    const struct score *score = s->project.score;
    survey_update(s->survey, score, s->project.version);
    forget(s);
    for (int track = 0; track < (int)score->n_tracks; track++)
        if (c->all_tracks ? !score->tracks[track].hide : track == s->track)
            choose_of_track(s, track, from, to, c);
    ids_sort(s->selected, s->n_selected);
}

static void choose_in_box(struct session *s)
{
    struct choice c = {in_box, &s->box, s->bars && s->all_tracks};
    choose(s, s->box.from, s->box.to, &c);
}

void select_where(struct session *s, const struct choice *c)
{
    session_clear_selection(s);
    choose(s, 0, INT64_MAX, c);
}

void select_one(struct session *s, uint64_t id)
{
    session_clear_selection(s);
    if (make_room(s))
        s->selected[s->n_selected++] = id;
    s->n_selected_tracks = (int)s->n_selected;
}

void select_toggle(struct session *s, uint64_t id)
{
    const uint64_t *found = ids_find(s->selected, s->n_selected, id);
    s->has_box = false; /* what is chosen is a box no more */
    if (s->mode == MODE_SELECT)
        s->mode = select_mode_after(s);
    if (found) {
        size_t i = (size_t)(found - s->selected);
        memmove(s->selected + i, s->selected + i + 1,
                (--s->n_selected - i) * sizeof *s->selected);
    } else if (make_room(s)) {
        s->selected[s->n_selected++] = id;
        ids_sort(s->selected, s->n_selected);
    }
    select_forget_missing(s);
}

/* Marks those of the selected that the track has; how many. */
static size_t mark_present(const struct session *s, const struct track *t,
                           bool *is_there)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_notes; i++) {
        const uint64_t *id = ids_find(s->selected, s->n_selected, t->notes[i].id);
        if (id)
            is_there[id - s->selected] = true;
        n += id != NULL;
    }
    return n;
}

void select_forget_missing(struct session *s)
{
    const struct score *score = s->project.score;
    bool *is_there = calloc(s->n_selected + 1, sizeof *is_there);
    size_t found = 0, kept = 0;
    s->n_selected_tracks = 0;
    for (size_t t = 0; is_there && found < s->n_selected && t < score->n_tracks; t++) {
        size_t n = mark_present(s, &score->tracks[t], is_there);
        s->n_selected_tracks += n > 0;
        found += n;
    }
    for (size_t i = 0; is_there && i < s->n_selected; i++)
        if (is_there[i])
            s->selected[kept++] = s->selected[i];
    s->n_selected = kept;
    free(is_there);
}

void select_box(struct session *s)
{
    const struct timeline *t = &s->project.score->timeline;
    int64_t a = s->anchor_tick, b = s->cursor_tick;
    int64_t first = a < b ? a : b, last = a < b ? b : a;
    int lo = s->anchor_pitch < s->cursor_pitch ? s->anchor_pitch : s->cursor_pitch;
    int hi = s->anchor_pitch < s->cursor_pitch ? s->cursor_pitch : s->anchor_pitch;
    if (s->bars) {
        struct bar end = timeline_bar_at(t, last);
        s->box = (struct box){timeline_bar_at(t, first).start, end.start + end.length,
                              0, 127};
    } else {
        s->box = (struct box){first, grid_next(s, last), lo, hi};
    }
    s->has_box = true;
    choose_in_box(s);
}

static void act_select(struct session *s, const struct command *c)
{
    bool all_tracks = c->id == CMD_SELECT_BARS_ALL;
    bool bars = c->id == CMD_SELECT_BARS || all_tracks;
    if (s->mode == MODE_SELECT && s->bars == bars && s->all_tracks == all_tracks) {
        session_clear_selection(s);
        return;
    }
    if (s->mode != MODE_SELECT) {
        s->anchor_tick = s->cursor_tick;
        s->anchor_pitch = s->cursor_pitch;
        s->selects_in_take = s->mode == MODE_TAKES;
    }
    s->bars = bars;
    s->all_tracks = all_tracks;
    s->mode = MODE_SELECT;
    select_box(s);
}

static void act_draw(struct session *s, const struct command *c)
{
    (void)c;
    s->mode = s->mode == MODE_DRAW ? MODE_NORMAL : MODE_DRAW;
    if (s->mode == MODE_DRAW)
        session_say(
            s, "Enter puts a note and moves on; a count before it makes it longer");
}

static void reset(struct session *s)
{
    session_clear_selection(s);
    s->selected_before.n = 0;
}

static void follow_edit(struct session *s, unsigned what)
{
    if (what & EDITED_ARRANGEMENT)
        session_clear_selection(s);
    select_forget_missing(s);
    if (s->mode == MODE_SELECT)
        select_box(s);
}

static void fini(struct session *s)
{
    free(s->selected);
    free(s->selected_before.ids);
}

static const struct act_row COMMANDS[] = {
    {CMD_SELECT_BOX, act_select},
    {CMD_SELECT_BARS, act_select},
    {CMD_SELECT_BARS_ALL, act_select},
    {CMD_DRAW, act_draw},
    {0},
};

const struct editor_part SELECT_PART = {
    .commands = COMMANDS, .fini = fini, .reset = reset, .edited = follow_edit};
