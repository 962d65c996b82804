/* The palette opened, walked through, and obeyed. */
#include "app/editor/edit/tracks.h"
#include "app/editor/shell/files.h"
#include "app/editor/shell/input.h"
#include "app/editor/shell/palette.h"

#include <stdio.h>
#include <string.h>

static void act_palette(struct session *s, const struct command *c)
{
    if (s->mode == MODE_PALETTE)
        return;
    if (s->mode == MODE_HELP)
        s->mode = s->mode_before;
    struct palette *p = palette_create(s);
    if (!p) {
        session_error(s, "there is no memory left for that");
        return;
    }
    p->count = c->count;
    palette_destroy(s->parts.palette);
    s->parts.palette = p;
    s->mode_before = s->mode;
    s->mode = MODE_PALETTE;
    input_begin(s);
    input_set(s, "");
}

static void act_palette_choose(struct session *s, const struct command *c)
{
    struct palette *p = s->parts.palette;
    if (!p || s->mode != MODE_PALETTE)
        return;
    palette_search_again(p, s->input);
    size_t n = p->n_found, by = c->id == CMD_PALETTE_NEXT ? 1 : n - 1;
    if (n)
        p->chosen = (p->chosen + by) % n;
}

bool palette_line_start(const char *line, char *start, size_t n_start)
{
    const char *word = line + (*line == ':');
    size_t n = strcspn(word, " ");
    bool goes_on = word[n] == ' ' && word[n + 1] != ' ' && word[n + 1];
    snprintf(start, n_start, "%.*s%s", (int)n, word, goes_on ? " " : "");
    return goes_on;
}

static void go_to_track(struct session *s, int track)
{
    if (track >= (int)s->project.score->n_tracks)
        return;
    s->track = track;
    session_clear_selection(s);
    session_show_cursor(s);
}

static void go_to_tick(struct session *s, int64_t tick)
{
    s->cursor_tick = grid_floor(s, tick);
    session_show_cursor(s);
}

/* What wants a value is left to be completed. */
static void do_line(struct session *s, const char *line)
{
    char start[48];
    if (!palette_line_start(line, start, sizeof start)) {
        act_command_line(s, start);
        return;
    }
    act_open_command_line(s, start);
}

static void do_item(struct session *s, const struct palette_item *item, int count)
{
    struct command c = item->command;
    c.count = count;
    switch (item->kind) {
    case PALETTE_COMMAND:
        act_run(s, &c);
        break;
    case PALETTE_LINE:
        do_line(s, item->line);
        break;
    case PALETTE_TRACK:
        go_to_track(s, item->track);
        break;
    case PALETTE_MARKER:
        go_to_tick(s, item->tick);
        break;
    case PALETTE_FILE:
        act_open_line(s, item->path, false);
        break;
    }
}

void palette_do_chosen(struct session *s)
{
    struct palette *p = s->parts.palette;
    s->mode = s->mode_before;
    s->message[0] = '\0';
    if (!p)
        return;
    palette_search_again(p, s->input);
    s->parts.palette = NULL; /* what is done may open it anew */
    if (p->chosen < p->n_found)
        do_item(s, &p->items[p->found[p->chosen].item], p->count);
    palette_destroy(p);
}

void palette_search_again(struct palette *p, const char *typed)
{
    if (strcmp(p->typed, typed) != 0)
        palette_search(p, typed);
}

static struct list_box box_of(const struct session *s)
{
    const struct palette *p = s->parts.palette;
    return palette_box(&s->layout, p->n_found, p->chosen);
}

static void palette_show(struct session *s, struct view *v)
{
    static const char *const KINDS[] = {"", "", "track", "marker", "file"};
    struct palette *p = s->parts.palette;
    if (!p || s->mode != MODE_PALETTE)
        return;
    palette_search_again(p, s->input);
    struct list_box b = box_of(s);
    for (int i = 0; i < b.n_shown; i++) {
        const struct palette_found *f = &p->found[b.first + i];
        const struct palette_item *item = &p->items[f->item];
        p->lines[i] =
            (struct palette_line){item->text, item->keys, KINDS[item->kind], f->marks};
    }
    p->view = (struct palette_view){p->lines, b.n_shown, b.first, b.n, (int)p->chosen};
    v->palette = &p->view;
}

static void act_palette_point(struct session *s, const struct command *c)
{
    struct palette *p = s->parts.palette;
    if (!p || s->mode != MODE_PALETTE)
        return;
    palette_search_again(p, s->input);
    struct list_box b = box_of(s);
    int line = list_box_at(&b, c->column, c->row);
    if (line < 0) {
        s->mode = s->mode_before;
        return;
    }
    p->chosen = (size_t)line;
    palette_do_chosen(s);
}

static void fini(struct session *s)
{
    palette_destroy(s->parts.palette);
}

static const struct act_row COMMANDS[] = {
    {CMD_PALETTE, act_palette},
    {CMD_PALETTE_NEXT, act_palette_choose},
    {CMD_PALETTE_PREVIOUS, act_palette_choose},
    {CMD_PALETTE_POINT, act_palette_point},
    {0},
};

const struct editor_part PALETTE_PART = {
    .commands = COMMANDS, .fini = fini, .view = palette_show};
