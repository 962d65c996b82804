/* The list of timeline events: meters, tempos, keys, markers, cue points and chords in
 * their order. The cursor is at the chosen one. */
#include "midi/base/array.h"
#include "app/editor/session/edit.h"
#include "app/editor/session/list.h"
#include "app/base/values.h"
#include "tui/base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTED (~TIMELINE_BIT(TIMELINE_LYRIC))

/* The events as of `version` of the project. */
struct timeline_list {
    struct timeline_events all;
    bool is_read;
    uint64_t version;
};

/* Without memory the list is empty. */
static void fill_list(struct session *s, struct list_view *list)
{
    struct timeline_list *l = s->parts.timeline;
    if (!l->is_read || l->version != s->project.version) {
        timeline_events_fini(&l->all);
        (void)timeline_events_collect(&l->all, s->project.score, LISTED);
        l->version = s->project.version;
        l->is_read = true;
    }
    s->view.signs = l->all.list;
    list->n = (int)l->all.n;
    list->point = list->point < 0 ? 0 : list->point;
}

extern const struct editor_part TIMELINE_LIST_PART;

static const struct timeline_event *chosen(struct session *s)
{
    const int line = list_update(s, TIMELINE_LIST_PART.list).point;
    return line < 0 ? NULL : &s->parts.timeline->all.list[line];
}

static void choose(struct session *s, int i)
{
    s->view.lists[LIST_MAP].point = i;
    const struct timeline_event *g = chosen(s);
    if (g)
        session_go_to(s, g->tick);
}

/* Chooses the first event of that kind at that tick, after a change. */
static void choose_at(struct session *s, enum timeline_kind kind, int64_t tick)
{
    (void)chosen(s);
    const struct timeline_events *all = &s->parts.timeline->all;
    size_t first = ARRAY_FIRST_AT(all->list, all->n, tick), i = first;
    while (i < all->n && all->list[i].tick == tick && all->list[i].kind != kind)
        i++;
    bool found = i < all->n && all->list[i].tick == tick;
    choose(s, (int)(found ? i : first));
}

void act_map(struct session *s)
{
    const struct timeline_events *all = &s->parts.timeline->all;
    struct list_view *l = &s->view.lists[LIST_MAP];
    session_clear_selection(s);
    if (!list_toggle(s, MODE_MAP))
        return;
    fill_list(s, l);
    l->point = (int)ARRAY_FIRST_AT(all->list, all->n, s->view.cursor.tick + 1) - 1;
}

void act_map_remove(struct session *s)
{
    char place[PLACE_BYTES];
    const struct timeline_event *g = chosen(s);
    if (!g) {
        session_say(s, "nothing to remove");
        return;
    }
    struct change *c = edit_begin("remove the %s at %s", sign_kind_name(g->kind),
                                  place_name(session_timeline(s), g->tick, place));
    change_remove_timeline_event(c, s->project.score, g);
    if (edit_do_aloud(s, c))
        session_say_more(s, "; u undoes this");
}

/* Meters move from bar line to bar line, other events along the grid. */
void act_map_move(struct session *s, const struct command *command)
{
    char place[PLACE_BYTES];
    const int by = command_steps(command);
    const struct timeline_event *g = chosen(s);
    int64_t to = g ? g->tick : 0;
    if (g && g->kind == TIMELINE_METER) {
        int64_t bar = session_bar_at(s, to).index + by;
        to = timeline_bar(session_timeline(s), bar > 0 ? bar : 0).start;
    }
    for (int i = 0; g && g->kind != TIMELINE_METER && i < abs(by); i++)
        to = by > 0 ? grid_next(s, to) : grid_previous(s, to);
    if (!g || to == g->tick)
        return;
    enum timeline_kind kind = g->kind;
    struct change *c = edit_begin("move the %s to %s", sign_kind_name(kind),
                                  place_name(session_timeline(s), to, place));
    change_move_timeline_event(c, s->project.score, g, to);
    if (edit_do_aloud(s, c))
        choose_at(s, kind, to);
}

const char *map_edit_text(struct session *s, char *buf, size_t n)
{
    const struct timeline_event *g = chosen(s);
    buf[0] = '\0';
    if (g && g->kind == TIMELINE_TEMPO)
        snprintf(buf, n, "%.6g", g->bpm);
    else if (g && g->kind == TIMELINE_METER)
        snprintf(buf, n, "%d/%d", g->numerator, g->denominator);
    else if (g && g->kind == TIMELINE_KEY)
        snprintf(buf, n, "%s", key_signature_name(g->sharps, g->minor));
    else if (g && g->kind >= TIMELINE_MARKER)
        timeline_event_copy_text(s->project.score, g, buf, n);
    return buf;
}

/* Puts the typed line in the place of *g or, if g is NULL, as a new event at the cursor: a
 * meter, a key after "key ", a tempo, else a marker. */
static void put_line(struct session *s, const struct timeline_event *g,
                     const char *line)
{
    double bpm;
    char *end;
    struct chord_symbol symbol;
    const bool is_meter = strtol(line, &end, 10) > 0 && *end == '/';
    const bool is_key = !strncmp(line, "key ", 4); /* "C" is a marker */
    const bool is_tempo = value_real(line, -1e9, 1e9, &bpm);
    const enum timeline_kind kind = g          ? g->kind
                                    : is_meter ? TIMELINE_METER
                                    : is_key   ? TIMELINE_KEY
                                    : is_tempo ? TIMELINE_TEMPO
                                               : TIMELINE_MARKER;
    int64_t tick = g ? g->tick : s->view.cursor.tick;
    s->view.cursor.tick = tick;
    if (kind == TIMELINE_CHORD && !chord_symbol_read(line, &symbol)) {
        session_error(s, "not a chord symbol; use Am7, G7/B, Bbmaj7 or N.C.");
        return;
    }
    /* These begin with a bar, as the bars are before the change. */
    if (kind == TIMELINE_METER || kind == TIMELINE_KEY)
        tick = session_bar_at(s, tick).start;
    if (kind == TIMELINE_TEMPO)
        act_tempo_word(s, line);
    else if (kind == TIMELINE_METER)
        act_meter_word(s, line);
    else if (kind == TIMELINE_KEY)
        act_key_word(s, g ? line : line + 4);
    else
        edit_set_text(s, kind, tick, line);
    choose_at(s, kind, tick);
}

/* The same line again changes nothing; an empty one removes the event. */
void act_map_edit_line(struct session *s, const char *line)
{
    char before[sizeof s->view.prompt.text];
    const struct timeline_event *g = chosen(s);
    if (!g || !strcmp(line, map_edit_text(s, before, sizeof before)))
        return;
    if (*line)
        put_line(s, &(struct timeline_event){.kind = g->kind, .tick = g->tick}, line);
    else
        act_map_remove(s);
}

void act_map_add_line(struct session *s, const char *line)
{
    if (*line)
        put_line(s, NULL, line);
}

/* Shows or hides the map of the piece under the roll, regardless of the room. */
void act_piece_map(struct session *s)
{
    s->view.piece_map = s->layout.map.rows ? MAP_HIDDEN : MAP_SHOWN;
    session_resize(s, s->layout.columns, s->layout.rows);
}

static void fini(struct session *s)
{
    timeline_events_fini(&s->parts.timeline->all);
}

const struct editor_part TIMELINE_LIST_PART = {
    PART_STATE(timeline),
    .fini = fini,
    .list = &(const struct list_owner){.id = LIST_MAP,
                                       .mode = MODE_MAP,
                                       .enter = CMD_MAP_EDIT,
                                       .close = CMD_MAP,
                                       .fill = fill_list,
                                       .choose = choose},
};
