/* The windows of a piece. Tokens are counted bar by bar in one encoding of the whole piece; each
 * window needs a few more, for repeated state. See inspection_internal.h. */
#include "app/inspection/inspection_internal.h"

#include "midi/base/array.h"

#include <stdlib.h>

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

static bool lay_out(struct inspection_windows *w, const size_t *at, size_t room)
{
    const int32_t n_bars = w->piece.n_bars;
    for (int32_t own = 0, end; own < n_bars; own = end) {
        const size_t most = own ? room / 4 : room; /* but one bar at least */
        int32_t first = own;
        for (end = own + 1; end < n_bars && at[end + 1] - at[own] <= most;)
            end++;
        while (first > 0 && at[end] - at[first - 1] <= room)
            first--;
        if (!ARRAY_GROW(w->list, (size_t)w->n, w->cap))
            return false;
        w->list[w->n++] = (struct inspection_window){first, end, own};
    }
    return true;
}

enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s, int max_tokens)
{
    size_t *at = NULL;
    *w = (struct inspection_windows){.ticks_per_quarter = s->ticks_per_quarter};
    enum midi_status st = piece_from_score(&w->piece, s, STYLE_ANY, w->track_map, 0);
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
    size_t after;
    ARRAY_PASS(after, (size_t)w->n, w->list[after].own_bar <= bar);
    return after ? (int)after - 1 : 0;
}
