/* Boxes over the roll: the keys that may follow; the tutor (app/editor/shell/shell.h) and
 * explanations, at the top of the roll, or at its bottom if the cursor is at the top. */
#include "tui/panels/panels.h"

#include "tui/paint/paint.h"
#include "tui/keys/keymap.h"
#include "tui/base/text.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ITEMS = 160, ITEM_BYTES = 40, GAP = 2, BORDERS = 2 };

int which_key_wait(const struct keymap_state *typed, double now_ms)
{
    const double left = typed->since_ms + WHICH_KEY_PAUSE_MS - now_ms;
    return !typed->count && !typed->prefix ? -1 : left > 0 ? (int)ceil(left) : 0;
}

struct region box_in_corner(const struct layout *l, const struct view *v, int columns,
                            int rows)
{
    const int right = l->roll.column + l->roll.columns - columns,
              bottom = l->roll.row + l->roll.rows - rows,
              row = layout_row(l, &v->port, v->cursor.pitch);
    const int64_t from = layout_column(l, &v->port, v->cursor.tick),
                  last = layout_column(l, &v->port, v->cursor.tick + v->grid.ticks - 1);
    const struct region corners[] = {
        {right, bottom, columns, rows},
        {l->roll.column, bottom, columns, rows},
        {right, l->roll.row, columns, rows},
        {l->roll.column, l->roll.row, columns, rows},
    };
    for (int i = 0; i < 4; i++) {
        const struct region *r = &corners[i];
        const bool hides_cursor = row >= r->row && row < r->row + r->rows &&
                                  from < r->column + r->columns && last >= r->column;
        if (!hides_cursor)
            return *r;
    }
    return corners[0];
}

struct item {
    char keys[KEYS_NAME_BYTES], word[ITEM_BYTES];
    uint32_t begins; /* the first key of bindings of two; 0: one key */
};

struct list {
    struct item items[MOST_ITEMS];
    int n, key_columns, word_columns;
};

/* After a count, keys that begin the same two-key bindings are listed once. */
static bool may_follow(const struct list *l, const struct binding *b,
                       const struct view *v)
{
    if (!(b->modes & IN(v->mode)))
        return false;
    if (v->keys.prefix)
        return b->keys[0] == v->keys.prefix && b->keys[1] &&
               binding_about(b, IN(v->mode));
    if (!(commands[b->id].flags & COUNTS))
        return false;
    if (!b->keys[1])
        return binding_about(b, IN(v->mode));
    for (int i = 0; i < l->n; i++)
        if (l->items[i].begins == b->keys[0])
            return false;
    return true;
}

void paint_which_key(const struct paint *p)
{
    struct list l = {.n = 0};
    char text[16 + KEYS_NAME_BYTES] = "";
    if (!p->v->keys.which_key)
        return;
    for (const struct binding *b = keymap_rows(p->v->keys.map);
         b->id && l.n < MOST_ITEMS; b++)
        if (may_follow(&l, b, p->v)) {
            struct item *item = &l.items[l.n++];
            item->begins = p->v->keys.prefix ? 0 : b->keys[1] ? b->keys[0] : 0;
            const uint32_t shown[2] = {b->keys[p->v->keys.prefix ? 1 : 0]};
            keys_name(shown, item->keys);
            if (item->begins)
                snprintf(item->word, ITEM_BYTES, "...");
            else {
                /* "zoom in" for "zoom-in". A command without a name has its hint. */
                const char *name = commands[b->id].name;
                const struct binding *about = binding_about(b, IN(p->v->mode));
                if (!*name)
                    name = b->hint ? b->hint : about->help;
                snprintf(item->word, ITEM_BYTES, "%s", name);
                for (char *c = item->word; *c; c++)
                    if (*c == '-')
                        *c = ' ';
            }
            l.key_columns = MAX(l.key_columns, text_columns(item->keys));
            l.word_columns = MAX(l.word_columns, MIN(text_columns(item->word), 18));
        }
    if (l.n == 0)
        return;
    /* Few enough columns for half the roll's height, but no more than fit. */
    int width = l.key_columns + 1 + l.word_columns + GAP;
    int room = MAX(1, (p->l.roll.columns - BORDERS - GAP) / width);
    int half = MAX(1, MAX(p->l.roll.rows / 2, 6) - BORDERS);
    int across = MIN((l.n + half - 1) / half, room);
    int rows = MIN((l.n + across - 1) / across, MAX(1, p->l.roll.rows - BORDERS));
    int columns = MIN(across * width + GAP + BORDERS - 1, p->l.roll.columns);
    columns = MAX(columns, MIN(24, p->l.roll.columns));
    struct region r = box_in_corner(&p->l, p->v, columns, rows + BORDERS);
    int at = 0;
    if (p->v->keys.count)
        at = snprintf(text, sizeof text, "%d %s", p->v->keys.count,
                      p->v->keys.prefix ? "" : "times");
    if (p->v->keys.prefix)
        keys_name((const uint32_t[2]){p->v->keys.prefix}, text + at);
    box_paint(p, &r, text);
    int n = MIN(l.n, rows * across);
    for (int i = 0; i < n; i++) {
        const struct item *item = &l.items[i];
        const int column = r.column + 2 + i / rows * width, row = r.row + 1 + i % rows,
                  indent = l.key_columns - text_columns(item->keys);
        paint_text(p, column + indent, row, l.key_columns, item->keys, p->t->accent,
                   ATTR_BOLD);
        paint_text(p, column + l.key_columns + 1, row, l.word_columns, item->word,
                   p->t->text, 0);
    }
    snprintf(text, sizeof text, " and %d more: ? ", l.n - n);
    if (n < l.n)
        box_paint_end(p, &r, r.row + r.rows - 1, text, p->t->quiet);
}

/* Modes that show the roll. */
#define ROLL                                                                           \
    (IN(MODE_NORMAL) | IN(MODE_DRAW) | IN(MODE_SELECT) | IN(MODE_LANE) |               \
     IN(MODE_TAKES) | IN(MODE_PROMPT) | IN(MODE_INSPECT))

void paint_banner(const struct paint *p)
{
    const struct view *v = p->v;
    if (v->banner.n <= 0 || !(ROLL & IN(v->mode)) || v->lists[LIST_STEER].is_open)
        return; /* there is none, or a panel is in its place */
    int room = p->l.roll.columns + p->l.takes.columns, columns = room < 76 ? room : 76;
    struct region r = {p->l.roll.column, p->l.roll.row, columns,
                       v->banner.n + BANNER_BORDERS};
    /* The box covers neither the cursor nor a framed hole, which leaves the roll's foot
     * free (app/editor/takes/framing.h). */
    int row = layout_row(&p->l, &p->port, v->cursor.pitch);
    if (v->hole.is_shown || (row >= r.row - 1 && row <= r.row + r.rows))
        r.row = p->l.roll.row + p->l.roll.rows - r.rows;
    box_paint(p, &r, v->banner.title);
    for (int i = 0; i < v->banner.n; i++)
        paint_text(p, r.column + LIST_MARGIN, r.row + 1 + i, columns - 2 * LIST_MARGIN,
                   v->banner.lines[i], p->t->text, 0);
}
