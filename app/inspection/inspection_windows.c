/* See inspection_windows.h. Tokens are counted bar by bar, in one encoding of the whole
 * piece: a window of it takes a few more, for what it says again. */
#include "app/inspection/inspection_windows.h"

#include <stdlib.h>
#include <string.h>

enum { SAID_AGAIN = 6 }; /* BOS STYLE NUM DEN TRACK VEL */

/* at [n_bars + 1]: the tokens before each bar, the last: all of them. */
static enum midi_status count_tokens(const struct piece *p, size_t **at)
{
    struct tokens t;
    enum midi_status st = tokens_encode(&t, p, false);
    if (st)
        return st;
    *at = calloc((size_t)p->n_bars + 1, sizeof **at);
    int32_t bar = 0;
    for (size_t i = 0; *at && i < t.n; i++)
        if (t.id[i] == TOKEN_BAR && bar < p->n_bars)
            (*at)[bar++] = i;
    while (*at && bar <= p->n_bars)
        (*at)[bar++] = t.n;
    tokens_fini(&t);
    return *at ? MIDI_OK : MIDI_NO_MEMORY;
}

static bool add(struct inspection_windows *w, struct inspection_window window)
{
    if (w->n == w->cap) {
        int cap = 2 * w->cap + 16;
        struct inspection_window *grown =
            reallocarray(w->list, (size_t)cap, sizeof *grown);
        if (!grown)
            return false;
        w->list = grown;
        w->cap = cap;
    }
    w->list[w->n++] = window;
    return true;
}

/* The first bar from which so many tokens reach up to `end`, which is after `last`. */
static int32_t reach_back(const size_t *at, int32_t end, size_t room)
{
    int32_t first = end - 1;
    while (first > 0 && at[end] - at[first - 1] <= room)
        first--;
    return first;
}

/* The last end up to which so many tokens reach from `from`, a bar further at least. */
static int32_t reach_on(const size_t *at, int32_t n_bars, int32_t from, size_t room)
{
    int32_t end = from + 1;
    while (end < n_bars && at[end + 1] - at[from] <= room)
        end++;
    return end;
}

static bool lay_out(struct inspection_windows *w, const size_t *at, size_t room)
{
    const int32_t n_bars = w->piece.n_bars;
    bool ok = true;
    for (int32_t own = 0; ok && own < n_bars;) {
        int32_t end = reach_on(at, n_bars, own, own ? room / 4 : room);
        struct inspection_window window = {reach_back(at, end, room), end, own};
        window.first_bar = window.first_bar < own ? window.first_bar : own;
        ok = add(w, window);
        own = end;
    }
    return ok;
}

enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s, int max_tokens)
{
    size_t *at = NULL;
    *w = (struct inspection_windows){.ticks_per_quarter = s->ticks_per_quarter};
    enum midi_status st = piece_from_score(&w->piece, s, STYLE_ANY, w->track_map);
    if (!st)
        st = count_tokens(&w->piece, &at);
    if (!st && !lay_out(w, at, (size_t)max_tokens - SAID_AGAIN))
        st = MIDI_NO_MEMORY;
    free(at);
    if (st)
        inspection_windows_fini(w);
    return st;
}

void inspection_windows_fini(struct inspection_windows *w)
{
    piece_fini(&w->piece);
    free(w->list);
    *w = (struct inspection_windows){0};
}

int inspection_windows_at(const struct inspection_windows *w, int64_t tick)
{
    int64_t step = step_from_tick(tick < 0 ? 0 : tick, w->ticks_per_quarter);
    int64_t bar = piece_bar_at(&w->piece, step);
    int low = 0, high = w->n;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (w->list[middle].own_bar <= bar)
            low = middle;
        else
            high = middle;
    }
    return low;
}
