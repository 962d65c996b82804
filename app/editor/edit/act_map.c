/* The list of what changes along the piece: meters, tempos, keys, markers and cue points
 * in their order. The cursor is where the chosen one is. */
#include "app/editor/edit/tempo.h"
#include "app/editor/edit/map.h"
#include "app/editor/session/edit.h"
#include "app/base/place.h"
#include "app/base/values.h"
#include "midi/edit/signs.h"
#include "tui/panels/map_list.h"
#include "tui/roll/sign_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTED (~SIGN(SIGN_LYRIC))

static const struct timeline *timeline(const struct session *s)
{
    return &s->project.score->timeline;
}

/* Brings the list up to date. Without memory it is empty. */
static void refresh(struct session *s)
{
    struct sign_list *l = s->parts.signs;
    if (!l->is_read || l->version != s->project.version) {
        signs_fini(&l->all);
        (void)signs_collect(&l->all, s->project.score, LISTED);
        l->version = s->project.version;
        l->is_read = true;
    }
    if (l->chosen >= (int)l->all.n)
        l->chosen = (int)l->all.n - 1;
    if (l->chosen < 0)
        l->chosen = 0;
}

static const struct sign *chosen(struct session *s)
{
    refresh(s);
    return s->parts.signs->all.n ? &s->parts.signs->all.list[s->parts.signs->chosen]
                                 : NULL;
}

static void choose(struct session *s, int i)
{
    s->parts.signs->chosen = i;
    const struct sign *g = chosen(s);
    if (g)
        s->cursor_tick = g->tick;
    session_show_cursor(s);
}

/* After a change: the first of that kind at that tick. */
static void choose_at(struct session *s, enum sign_kind kind, int64_t tick)
{
    refresh(s);
    const struct signs *all = &s->parts.signs->all;
    size_t first = signs_first_at(all, tick), i = first;
    while (i < all->n && all->list[i].tick == tick && all->list[i].kind != kind)
        i++;
    bool found = i < all->n && all->list[i].tick == tick;
    choose(s, (int)(found ? i : first));
}

static void act_map(struct session *s, const struct command *c)
{
    (void)c;
    if (s->mode == MODE_MAP) {
        s->mode = MODE_NORMAL;
        return;
    }
    session_clear_selection(s);
    s->mode = MODE_MAP;
    refresh(s);
    int at = (int)signs_first_at(&s->parts.signs->all, s->cursor_tick + 1) - 1;
    s->parts.signs->chosen = at > 0 ? at : 0;
}

static void act_map_step(struct session *s, const struct command *c)
{
    int by = c->id == CMD_MAP_NEXT ? command_times(c) : -command_times(c);
    refresh(s);
    choose(s, s->parts.signs->chosen + by);
}

static void act_map_point(struct session *s, const struct command *c)
{
    refresh(s);
    struct list_box list =
        map_list_box(&s->layout, &s->parts.signs->all, s->parts.signs->chosen);
    int i = list_box_at(&list, c->column, c->row);
    if (!region_has(&list.frame, c->column, c->row))
        act_map(s, c);
    else if (i >= 0 && i == s->parts.signs->chosen)
        act_call(s, &(struct command){.id = CMD_MAP_EDIT});
    else if (i >= 0)
        choose(s, i);
}

static void act_map_remove(struct session *s, const struct command *command)
{
    (void)command;
    const struct sign *g = chosen(s);
    if (!g) {
        session_say(s, "there is nothing to remove");
        return;
    }
    enum sign_kind kind = g->kind;
    struct change *c = change_create("remove from the map");
    enum midi_status st =
        c ? change_remove_sign(c, s->project.score, g) : MIDI_NO_MEMORY;
    if (edit_do(s, c, st))
        session_say(s, "%s removed; u puts it back", sign_kind_name(kind));
    refresh(s);
}

/* -- moving: meters from bar line to bar line, the others along the grid -- */

static int64_t moved(const struct session *s, const struct sign *g, bool later, int n)
{
    int64_t tick = g->tick;
    struct bar bar = timeline_bar_at(timeline(s), tick);
    if (g->kind == SIGN_METER && later)
        return timeline_bar(timeline(s), bar.index + n).start;
    if (g->kind == SIGN_METER)
        return timeline_bar(timeline(s), bar.index > n ? bar.index - n : 0).start;
    for (int i = 0; i < n; i++)
        tick = later ? grid_next(s, tick) : grid_previous(s, tick);
    return tick;
}

static void act_map_move(struct session *s, const struct command *command)
{
    char place[PLACE_BYTES];
    bool later = command->id == CMD_MAP_LATER;
    const struct sign *g = chosen(s);
    int64_t to = g ? moved(s, g, later, command_times(command)) : 0;
    if (!g || to == g->tick)
        return;
    enum sign_kind kind = g->kind;
    struct change *c = change_create("move on the map");
    enum midi_status st =
        c ? change_move_sign(c, s->project.score, g, to) : MIDI_NO_MEMORY;
    if (!edit_do(s, c, st))
        return;
    choose_at(s, kind, to);
    session_say(s, "at %s", place_name(timeline(s), to, place));
}

/* -- typing -- */

static void put_text(struct session *s, enum sign_kind kind, int64_t tick,
                     const char *text)
{
    struct change *c = change_create(sign_kind_name(kind));
    enum midi_status st =
        c ? change_set_text(c, s->project.score, kind, tick, text) : MIDI_NO_MEMORY;
    edit_do(s, c, st);
    choose_at(s, kind, tick);
}

static const char *map_edit_text(struct session *s, char *buf, size_t n)
{
    const struct sign *g = chosen(s);
    buf[0] = '\0';
    if (g && g->kind == SIGN_TEMPO)
        snprintf(buf, n, "%.6g", g->bpm);
    else if (g && g->kind == SIGN_METER)
        snprintf(buf, n, "%d/%d", g->numerator, g->denominator);
    else if (g && g->kind >= SIGN_MARKER)
        sign_copy(s->project.score, g, buf, n);
    return buf;
}

/* The same again changes nothing; nothing at all removes it. */
static void act_map_edit_line(struct session *s, const char *line)
{
    char before[sizeof s->input];
    const struct sign *g = chosen(s);
    if (!g || !strcmp(line, map_edit_text(s, before, sizeof before)))
        return;
    s->cursor_tick = g->tick;
    if (!*line)
        act_map_remove(s, NULL);
    else if (g->kind == SIGN_TEMPO)
        act_tempo_word(s, line);
    else if (g->kind == SIGN_METER)
        act_meter_word(s, line);
    else if (g->kind == SIGN_KEY)
        session_say(s, "a key signature is shown, moved and removed, not written");
    else
        put_text(s, g->kind, g->tick, line);
}

static void act_map_add_line(struct session *s, const char *line)
{
    double bpm;
    char *end;
    int64_t tick = s->cursor_tick;
    bool is_meter = strtol(line, &end, 10) > 0 && *end == '/';
    if (!*line)
        return;
    if (is_meter) {
        tick = timeline_bar_at(timeline(s), tick).start;
        act_meter_word(s, line);
    } else if (value_real(line, -1e9, 1e9, &bpm)) {
        act_tempo_word(s, line);
    } else {
        put_text(s, SIGN_MARKER, tick, line);
        return;
    }
    choose_at(s, is_meter ? SIGN_METER : SIGN_TEMPO, tick);
}

static void map_view(struct session *s, struct view *v)
{
    bool is_behind = s->mode == MODE_PROMPT && s->mode_before == MODE_MAP;
    if (s->mode != MODE_MAP && !is_behind)
        return;
    refresh(s);
    v->map_list.signs = &s->parts.signs->all;
    v->map_list.chosen = s->parts.signs->chosen;
}

/* Of the piece, under the roll: there or not, whatever room there is. */
static void act_piece_map(struct session *s, const struct command *c)
{
    (void)c;
    s->map = s->layout.map.rows ? MAP_HIDDEN : MAP_SHOWN;
    session_resize(s, s->layout.columns, s->layout.rows);
}

static void fini(struct session *s)
{
    signs_fini(&s->parts.signs->all);
}

static const struct prompt_row PROMPTS[] = {
    {PROMPT_MAP_EDIT, CMD_MAP_EDIT, "change to: ", NULL, map_edit_text,
     act_map_edit_line},
    {PROMPT_MAP_ADD, CMD_MAP_ADD, "add 96, 3/4, or a marker: ", NULL, NULL,
     act_map_add_line},
    {0},
};

static const struct act_row COMMANDS[] = {
    {CMD_MAP, act_map},
    {CMD_MAP_NEXT, act_map_step},
    {CMD_MAP_PREVIOUS, act_map_step},
    {CMD_MAP_REMOVE, act_map_remove},
    {CMD_MAP_EARLIER, act_map_move},
    {CMD_MAP_LATER, act_map_move},
    {CMD_MAP_POINT, act_map_point},
    {CMD_PIECE_MAP, act_piece_map},
    {0},
};

const struct editor_part MAP_PART = {PART_STATE(signs), .commands = COMMANDS,
                                     .fini = fini, .view = map_view,
                                     .prompts = PROMPTS};
