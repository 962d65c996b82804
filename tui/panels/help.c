/* The `?` page: the keys of one mode or of all, by group, in as many columns as fit. */
#include "tui/panels/panels.h"
#include "tui/keys/keymap.h"
#include "tui/paint/paint.h"
#include "tui/base/text.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_COLUMNS = 76, KEY_COLUMNS = 17, MAX_LINES = 512, LINE_BYTES = 96 };

/* A group's title (no keys), a binding, or a blank line (neither). */
struct help_line {
    char keys[LINE_BYTES];
    const char *text;
    bool is_title;
};

struct help {
    struct help_line line[MAX_LINES];
    int n;
};

static struct help_line *add_line(struct help *h, const char *text, bool is_title)
{
    struct help_line *line = &h->line[h->n < MAX_LINES - 1 ? h->n++ : MAX_LINES - 1];
    *line = (struct help_line){.text = text, .is_title = is_title};
    return line;
}

static void collect_lines(struct help *h, const struct help_page *page)
{
    const unsigned modes = page->all ? ~0u : IN(page->mode);
    char keys[64];
    h->n = 0;
    for (int group = 0; group < GROUP_COUNT; group++) {
        const int before = h->n;
        for (const struct binding *b = keymap_rows(page->keymap); b->id; b++) {
            const struct binding *about = binding_about(b, modes);
            if (!about || (int)b->group != group)
                continue;
            if (h->n == before)
                add_line(h, binding_group_name((enum binding_group)group), true);
            /* The row's keys and, as far as they fit, its aliases': "h Left". */
            char *out = add_line(h, about->help, false)->keys;
            int used = snprintf(out, LINE_BYTES, "%s", binding_keys_range(b, keys));
            const bool has_all =
                strcmp(out, keys_name(b->keys, keys)) != 0; /* a range */
            for (const struct binding *a = b + 1; !has_all && a->id && !a->help; a++) {
                const int more = 1 + text_columns(keys_name(a->keys, keys));
                const size_t room = LINE_BYTES - (size_t)used;
                if ((a->modes & modes) && used + more < KEY_COLUMNS)
                    used += snprintf(out + used, room, " %s", keys);
            }
        }
        if (h->n > before)
            add_line(h, "", false);
    }
    add_line(h, "Typed after a colon", true);
    for (size_t i = 0; i < n_typed_lines; i++)
        snprintf(add_line(h, typed_lines[i].help, false)->keys, LINE_BYTES, "%s",
                 typed_lines[i].line);
}

static int lines_per_column(int n, int across)
{
    return (n + across - 1) / across;
}

int help_max_scroll(const struct help_page *page, int columns, int rows)
{
    struct help h;
    collect_lines(&h, page);
    return MAX(lines_per_column(h.n, MAX(columns / PAGE_COLUMNS, 1)) - (rows - 3), 0);
}

void paint_help(const struct paint *p)
{
    struct help h;
    const struct help_page about = {p->v->keys.map, p->v->help.mode, p->v->help.all};
    collect_lines(&h, &about);
    int across = MAX(p->l.columns / PAGE_COLUMNS, 1), width = p->l.columns / across;
    int per_page = lines_per_column(h.n, across),
        last = help_max_scroll(&about, p->l.columns, p->l.rows);
    int scroll = MAX(0, MIN(p->v->lists[LIST_HELP].point, last));
    struct region page = {0, 1, p->l.columns, p->l.rows - 2};
    cells_fill(p->c, page, ' ', p->t->text, p->t->panel);
    char text[96];
    struct region top = {0, 0, p->l.columns, 1};
    cells_fill(p->c, top, ' ', p->t->text, p->t->bar);
    snprintf(text, sizeof text,
             about.all ? "continuo: every key" : "continuo: the keys in %s",
             mode_name(about.mode));
    paint_text(p, 1, 0, p->l.columns - 1, text, p->t->text, ATTR_BOLD);
    if (last) {
        snprintf(text, sizeof text, "%d%%  j k scroll", 100 * scroll / last);
        int columns = text_columns(text);
        paint_text(p, p->l.columns - columns - 1, 0, columns, text, p->t->quiet, 0);
    }
    for (int i = 0; i < h.n; i++) {
        const struct help_line *line = &h.line[i];
        int row = 2 + i % per_page - scroll, column = 2 + i / per_page * width;
        if (row < 2 || row >= p->l.rows - 1)
            continue;
        if (line->is_title) {
            paint_text(p, column, row, width - 3, line->text, p->t->text,
                       ATTR_BOLD | ATTR_UNDERLINE);
            continue;
        }
        int used = paint_text(p, column, row, width - 3, line->keys, p->t->accent, 0);
        int at = used < KEY_COLUMNS ? KEY_COLUMNS : used + 1;
        paint_text(p, column + at, row, width - 3 - at, line->text, p->t->text, 0);
    }
    paint_hints(p);
}
