#include "tui/roll/enclose.h"

#include "tui/base/names.h"

#include <string.h>

static void fit_time(struct viewport *p, const struct layout *l,
                     const struct enclosing *e)
{
    const int64_t most = INT64_MAX / 16, columns = l->roll.columns,
                  before = p->ticks_per_column;
    int64_t span = e->to - e->from < most ? e->to - e->from : most, zoom = before;
    if (e->from >= p->left_tick && span < most &&
        (e->to - p->left_tick + zoom - 1) / zoom <= columns)
        return;
    if (span / zoom + 2 > columns) {
        /* The closest zoom, not closer than now, that has whole columns in a quarter note or
         * whole quarter notes in a column. */
        const int64_t wanted = span + span / 8;
        zoom = (wanted / (e->quarter * columns) + 1) * e->quarter;
        for (int64_t in_quarter = 1; in_quarter <= 16; in_quarter++) {
            const int64_t z = e->quarter / in_quarter;
            if (z > before && e->quarter % in_quarter == 0 && wanted / z < columns)
                zoom = z;
        }
    }
    int64_t room = columns - span / zoom - 2, lead = e->lead / zoom;
    lead = lead < 2 * room / 3 ? lead : 2 * room / 3;
    p->ticks_per_column = zoom;
    p->left_tick = lead > 0 ? e->from - lead * zoom : e->from;
}

/* -- pitches that are seen as they are -- */

static bool range_of(const struct pitch_set *s, int *lo, int *hi)
{
    *lo = 128;
    *hi = -1;
    for (int pitch = 0; pitch < 128; pitch++)
        if (pitch_set_has(s, pitch)) {
            *lo = pitch < *lo ? pitch : *lo;
            *hi = pitch;
        }
    return *hi >= 0;
}

static int rows_for(const struct layout *l, const struct enclosing *e)
{
    int rows = l->roll.rows - e->rows_below;
    return rows > 2 ? rows : l->roll.rows;
}

/* Whether each pitch has a row of its own below the first row. */
static bool shows_all(const struct viewport *p, const struct layout *l,
                      const struct enclosing *e, const struct pitch_set *s)
{
    int first = l->roll.row + 1,
        last = l->roll.row + rows_for(l, e) - p->rows_per_pitch;
    for (int pitch = 0; pitch < 128; pitch++) {
        int row = layout_row(l, p, pitch);
        if (pitch_set_has(s, pitch) &&
            (row < first || row > last || pitch_set_has(&p->hidden, pitch)))
            return false;
    }
    return true;
}

/* Shows all pitches from the lowest to the highest, centred. false: there is no
 * room. */
static bool fit_range(struct viewport *p, const struct layout *l,
                      const struct enclosing *e, const struct pitch_set *s)
{
    int lo, hi, n = 0, rows = rows_for(l, e);
    if (!range_of(s, &lo, &hi))
        return true;
    for (int pitch = lo; pitch <= hi; pitch++)
        n += !pitch_set_has(&p->hidden, pitch);
    int height = 1; /* the highest rows that fit, no higher than now */
    while (height < p->rows_per_pitch && (n + 1) * (height + 1) <= rows)
        height++;
    struct viewport wanted = *p;
    wanted.rows_per_pitch = height;
    wanted.top_pitch = viewport_step_pitch(p, hi, (rows / height - n + 1) / 2);
    viewport_clamp(&wanted, l);
    if (!shows_all(&wanted, l, e, s))
        return false;
    *p = wanted;
    return true;
}

/* Pitches grouped into rows. A row shows its lowest pitch; the others share it. */
struct folding {
    int n; /* rows */
    int lowest[128], highest[128];
    /* How often two pitches sound together, the lower one first. */
    uint16_t together[128][128];
};

/* The cost of one row for rows i and i + 1: first notes that would hide each other,
 * then the distance. */
static int64_t cost_of(const struct folding *f, int i)
{
    int64_t hidden = 0;
    for (int a = f->lowest[i]; a <= f->highest[i]; a++)
        for (int b = f->lowest[i + 1]; b <= f->highest[i + 1]; b++)
            hidden += f->together[a][b];
    return hidden * 128 + f->highest[i + 1] - f->lowest[i];
}

static void fold_pitches(struct viewport *p, const struct layout *l,
                         const struct enclosing *e)
{
    struct folding f;
    struct pitch_set shown = {{0, 0}};
    int lo, hi, rows = rows_for(l, e), below = l->roll.rows - rows;
    if (!range_of(&e->needed, &lo, &hi))
        return;
    memset(&f, 0, sizeof f);
    for (int pitch = 0; pitch < 128; pitch++)
        if (pitch_set_has(&e->needed, pitch)) {
            f.lowest[f.n] = f.highest[f.n] = pitch;
            f.n++;
        }
    for (size_t i = 0; i < e->n_ghosts; i++) {
        const struct note *a = &e->ghosts[i].note;
        for (size_t k = i + 1; k < e->n_ghosts; k++) {
            const struct note *b = &e->ghosts[k].note;
            if (b->start - a->start >= a->length)
                break;
            const int x = a->pitch & 127, y = b->pitch & 127;
            uint16_t *n = x < y ? &f.together[x][y] : &f.together[y][x];
            *n += *n < UINT16_MAX;
        }
    }
    bool are_shared = f.n > rows - 1;
    while (f.n > rows - 1 && f.n > 1) {
        int best = 0;
        for (int i = 1; i + 1 < f.n; i++)
            if (cost_of(&f, i) < cost_of(&f, best))
                best = i;
        f.highest[best] = f.highest[best + 1];
        for (int i = best + 1; i + 1 < f.n; i++) {
            f.lowest[i] = f.lowest[i + 1];
            f.highest[i] = f.highest[i + 1];
        }
        f.n--;
    }
    for (int i = 0; i < f.n; i++)
        pitch_set_add(&shown, f.lowest[i]);
    int top = hi < 127 ? hi + 1 : hi;
    pitch_set_add(&shown, top);
    /* Rows that are left go to other pitches: white keys between the shown ones, then
     * black keys. */
    int n = are_shared ? rows : f.n + 1;
    for (int pass = 0; pass < 2; pass++)
        for (int pitch = lo; pitch <= hi && n < rows; pitch++)
            if (!pitch_set_has(&shown, pitch) && pitch_is_black(pitch) == (pass == 1)) {
                pitch_set_add(&shown, pitch);
                n++;
            }
    for (int pitch = lo - 1; pitch >= 0 && below > 0; pitch--, below--)
        pitch_set_add(&shown, pitch);
    p->hidden = (struct pitch_set){{~shown.at[0], ~shown.at[1]}};
    p->rows_per_pitch = 1;
    p->top_pitch = top;
}

void viewport_enclose(struct viewport *p, const struct layout *l,
                      const struct enclosing *e)
{
    if (l->too_small || e->to <= e->from)
        return;
    viewport_clamp(p, l);
    fit_time(p, l, e);
    if (!shows_all(p, l, e, &e->wanted) && !fit_range(p, l, e, &e->wanted) &&
        !fit_range(p, l, e, &e->needed))
        fold_pitches(p, l, e);
    viewport_clamp(p, l);
}
