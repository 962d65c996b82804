/* Lists and searches the lines of the palette, and runs the chosen one. See palette.h. */
#include "app/editor/shell/fuzzy.h"
#include "app/base/paths.h"
#include "app/document/state.h"
#include "app/editor/perform/complete.h"
#include "app/editor/session/list.h"
#include "app/editor/shell/shell.h"
#include "app/editor/shell/palette.h"
#include "midi/base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_TRACKS = 1000, MOST_MARKERS = 1000 };

void palette_destroy(struct palette *p)
{
    for (size_t i = 0; p && i < p->n_items; i++)
        free(p->items[i].line);
    if (p) {
        free(p->items);
        free(p->found);
    }
    free(p);
}

/* Adds an item, printf-style. line: the text after `:` that the item runs, copied, or NULL.
 * Returns NULL if memory is out. */
__attribute__((format(printf, 4, 5))) static struct palette_item *
add(struct palette *p, const char *kind, const char *line, const char *format, ...)
{
    va_list args;
    char *own = line ? strdup(line) : NULL;
    if ((line && !own) || !ARRAY_GROW(p->items, p->n_items, p->cap_items)) {
        free(own);
        return NULL;
    }
    struct palette_item *item = &p->items[p->n_items++];
    *item = (struct palette_item){
        .kind = kind, .line = own, .also = "", .words = "", .track = -1};
    va_start(args, format);
    vsnprintf(item->text, sizeof item->text, format, args);
    va_end(args);
    return item;
}

/* Adds the commands of the mode. In NORMAL also adds commands of the list of tracks that change
 * the active track. */
static void add_commands(struct palette *p, const struct session *s)
{
    char keys[64];
    for (const struct binding *b = keymap_rows(s->preferences.keymap); b->id; b++) {
        bool is_of_track = commands[b->id].flags & OF_TRACK;
        enum mode mode =
            is_of_track && s->view.mode == MODE_NORMAL ? MODE_TRACKS : s->view.mode;
        /* Mouse commands need a position on the screen, and typed characters are typed. */
        const struct binding *about = binding_about(b, IN(mode));
        bool is_offered =
            about && b->group != GROUP_MOUSE && !(commands[b->id].flags & UNLISTED);
        struct palette_item *item =
            is_offered ? add(p, "", NULL, "%s", about->help) : NULL;
        if (!item)
            continue;
        snprintf(item->keys, sizeof item->keys, "%.35s", binding_keys_range(b, keys));
        item->also = commands[b->id].name;
        item->words = commands[b->id].words;
        bool is_character = b->keys[0] > ' ' && b->keys[0] < 0x7F;
        item->command =
            (struct command){.id = b->id, .text = is_character ? b->keys[0] : 0};
    }
}

static bool is_own_model(const char *name)
{
    char path[4096];
    return paths_own_model(path, sizeof path, name) && !access(path, F_OK);
}

#define COMPOSE_WITH "compose with "
static const char MODEL[] = "model", MODEL_LINE[] = "model ";

/* Sorts by score, then in the order of the items. */
static int by_score(const void *a, const void *b)
{
    const struct palette_line *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->item > y->item) - (x->item < y->item);
}

/* Whether that word begins with one of the typed words. */
static bool begins_one(const char *word, const char *typed)
{
    for (size_t n; *(typed += strspn(typed, " ")); typed += n) {
        n = strcspn(typed, " ");
        if (n > 1 && !strncasecmp(word, typed, n))
            return true;
    }
    return false;
}

/* Finds the items that match. An item that begins with the typed text comes before one that has
 * it in the middle. Poor matches are dropped if there is a good one. */
static void search(struct palette *p, const char *typed)
{
    char text[FUZZY_MAX_TEXT];
    const size_t n_typed = strlen(typed);
    snprintf(p->typed, sizeof p->typed, "%s", typed);
    p->n_found = 0;
    for (size_t i = 0; i < p->n_items; i++) {
        const struct palette_item *item = &p->items[i];
        struct palette_line *f = &p->found[p->n_found];
        size_t n = strlen(item->text);
        /* Searches the shown text, and the item's other words that are typed. */
        snprintf(text, sizeof text, "%s %s", item->text, item->also);
        const char *word = item->words;
        for (size_t n_word; *(word += strspn(word, " ")); word += n_word) {
            size_t used = strlen(text);
            n_word = strcspn(word, " ");
            if (begins_one(word, typed))
                snprintf(text + used, sizeof text - used, " %.*s", (int)n_word, word);
        }
        if (!fuzzy_match(typed, text, &f->score, &f->marks))
            continue;
        f->text = item->text;
        f->keys = item->keys;
        f->kind = item->kind;
        f->item = i;
        if (n_typed && !strncasecmp(typed, text, n_typed))
            f->score += 0.5;
        f->marks &= n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
        p->n_found++;
    }
    qsort(p->found, p->n_found, sizeof *p->found, by_score);
    const double least = p->n_found ? 0.3 * p->found[0].score : 0;
    while (p->n_found && p->found[p->n_found - 1].score < least)
        p->n_found--;
}

struct palette *palette_create(const struct session *s)
{
    struct palette *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    add_commands(p, s);
    for (size_t i = 0; i < n_typed_lines; i++) {
        const char *line = typed_lines[i].line;
        const struct act_line_row *row = act_line_of(line + 1);
        /* The word of ":tempo 96", with a space if an argument follows: "tempo ". */
        char start[64];
        const char *word = line + (*line == ':');
        const size_t n = strcspn(word, " ");
        const bool needs_value = word[n] == ' ' && word[n + 1] != ' ' && word[n + 1];
        snprintf(start, sizeof start, "%.*s%s", (int)n, word, needs_value ? " " : "");
        struct palette_item *item = add(p, "", start, "%s", typed_lines[i].help);
        if (!item)
            break;
        snprintf(item->keys, sizeof item->keys, "%.35s", line);
        item->also = line;
        item->words = row ? row->words : "";
        item->needs_value = needs_value;
    }
    const struct score *score = s->project.score;
    for (size_t i = 0; i < score->n_tracks && i < MOST_TRACKS; i++) {
        struct palette_item *item = add(p, "track", NULL, "go to track %zu %.64s",
                                        i + 1, score->tracks[i].name);
        if (item)
            item->track = (int)i;
    }
    struct timeline_events signs;
    char text[80];
    unsigned kinds = TIMELINE_BIT(TIMELINE_MARKER) | TIMELINE_BIT(TIMELINE_CUE_POINT);
    bool ok = timeline_events_collect(&signs, score, kinds) == MIDI_OK;
    for (size_t i = 0; ok && i < signs.n && i < MOST_MARKERS; i++) {
        const struct timeline_event *g = &signs.list[i];
        struct palette_item *item =
            add(p, "marker", NULL, "go to %s",
                timeline_event_copy_text(score, g, text, sizeof text));
        if (!item)
            break;
        snprintf(item->keys, sizeof item->keys, "bar %lld",
                 (long long)timeline_bar_at(&score->timeline, g->tick).index + 1);
        item->tick = g->tick;
    }
    timeline_events_fini(&signs);
    /* The models that Tab completes after `:model`. */
    struct completions models;
    size_t start_of_name;
    complete_line(&models, MODEL_LINE, &start_of_name);
    for (int i = 0; i < models.n; i++) {
        const char *name = models.words[i];
        char line[COMPLETE_BYTES + sizeof MODEL_LINE];
        snprintf(line, sizeof line, "%s%s", MODEL_LINE, name);
        struct palette_item *item =
            strcmp(name, "forget") ? add(p, MODEL, line, COMPOSE_WITH "%.60s", name)
                                   : NULL;
        if (item && is_own_model(name))
            snprintf(item->keys, sizeof item->keys, "Delete removes it");
    }
    complete_forget(&models);
    /* Recent files. Of a long path the end is shown. */
    enum { MOST_SHOWN = sizeof p->items->text - 10 };
    struct recent recent = {.n = 0};
    if (s->preferences.remembers_files)
        recent_read(&recent);
    for (int i = 0; i < recent.n; i++) {
        const char *path = recent.paths[i];
        const size_t n = strlen(path);
        const char *tail = path + (n > MOST_SHOWN ? n - MOST_SHOWN : 0);
        char line[4096 + 8];
        while (((unsigned char)*tail & 0xC0) == 0x80)
            tail++;
        snprintf(line, sizeof line, "e %s", path);
        add(p, "file", line, "open %s%s", n > MOST_SHOWN ? "..." : "", tail);
    }
    recent_forget(&recent);
    p->found = array_resize(NULL, p->n_items + 1, sizeof *p->found);
    if (!p->found) {
        palette_destroy(p);
        return NULL;
    }
    search(p, "");
    return p;
}

void act_palette(struct session *s, const struct command *c)
{
    if (s->view.mode == MODE_PALETTE)
        return;
    if (s->view.mode == MODE_HELP)
        session_close_mode(s);
    struct palette *p = palette_create(s);
    if (!p) {
        session_error(s, "out of memory");
        return;
    }
    p->count = c->count;
    s->view.lists[LIST_PALETTE].point = 0;
    palette_destroy(s->parts.palette);
    s->parts.palette = p;
    session_open_mode(s, MODE_PALETTE);
    input_begin(s);
    input_set(s, "");
}

/* Searches if the typed text has changed. Returns the palette, or NULL if it is not open. */
static struct palette *searched(struct session *s)
{
    struct palette *p = s->view.mode == MODE_PALETTE ? s->parts.palette : NULL;
    if (p && strcmp(p->typed, s->view.prompt.text) != 0) {
        search(p, s->view.prompt.text);
        s->view.lists[LIST_PALETTE].point = 0;
    }
    return p;
}

/* Returns the chosen line, or NULL. */
static struct palette_line *chosen(struct session *s)
{
    struct palette *p = searched(s);
    const int point = s->view.lists[LIST_PALETTE].point;
    return p && point >= 0 && (size_t)point < p->n_found ? &p->found[point] : NULL;
}

void palette_do_chosen(struct session *s)
{
    const struct palette_line *line = chosen(s);
    struct palette *p = s->parts.palette;
    session_close_mode(s);
    s->view.message.text[0] = '\0';
    s->parts.palette = NULL; /* the command may open it again */
    const struct palette_item *item = line ? &p->items[line->item] : NULL;
    struct command c = item ? item->command : (struct command){0};
    c.count = p ? p->count : 0;
    if (c.id) {
        act_run(s, &c);
    } else if (item && item->line) {
        (item->needs_value ? act_open_command_line : act_command_line)(s, item->line);
    } else if (item && item->track < 0) {
        session_go_to(s, grid_floor(s, item->tick));
    } else if (item && item->track < (int)s->project.score->n_tracks) {
        s->view.track = item->track;
        session_clear_selection(s);
        session_show_cursor(s);
    }
    palette_destroy(p);
}

static void fill_list(struct session *s, struct list_view *l)
{
    const struct palette *p = searched(s);
    s->view.palette = p ? p->found : NULL;
    l->n = p ? (int)p->n_found : 0;
    l->point = l->point < 0 ? 0 : l->point;
}

/* Delete twice removes a model of the user's own. Within typed text, Delete deletes a letter. */
void act_palette_remove(struct session *s)
{
    struct palette_line *line = chosen(s);
    if (!line || s->view.prompt.after) {
        act_call(s, CMD_INPUT_DELETE);
        return;
    }
    struct palette_item *item = &s->parts.palette->items[line->item];
    char name[COMPLETE_BYTES] = "", forget[COMPLETE_BYTES + 20];
    if (item->kind == MODEL)
        snprintf(name, sizeof name, "%s", item->line + strlen(MODEL_LINE));
    if (item->is_to_go)
        palette_do_chosen(s);
    else if (is_own_model(name)) {
        snprintf(forget, sizeof forget, "%sforget! %s", MODEL_LINE, name);
        char *own = strdup(forget);
        if (!own)
            return;
        free(item->line);
        item->line = own;
        item->is_to_go = true;
        line->marks = 0;
        snprintf(item->text, sizeof item->text, "remove %.60s for good", name);
        snprintf(item->keys, sizeof item->keys, "Delete again, or Enter");
    }
}

void act_models_line(struct session *s)
{
    act_call(s, CMD_PALETTE);
    if (s->view.mode == MODE_PALETTE)
        input_set(s, COMPOSE_WITH);
}

static void fini(struct session *s)
{
    palette_destroy(s->parts.palette);
}

const struct editor_part PALETTE_PART = {
    .fini = fini,
    .list = &(const struct list_owner){.id = LIST_PALETTE,
                                       .mode = MODE_PALETTE,
                                       .enter = CMD_SUBMIT,
                                       .close = CMD_ESCAPE,
                                       .is_menu = true,
                                       .is_ring = true,
                                       .fill = fill_list},
};
