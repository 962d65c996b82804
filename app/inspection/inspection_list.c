/* What an inspection lends: tokens, notes, names. See inspection.h. */
#include "app/inspection/inspection_internal.h"

const char *inspected_part_name(enum inspected_part part)
{
    static const char *const names[INSPECTED_PARTS] = {
        [INSPECTED_POSITION] = "position", [INSPECTED_TRACK] = "track",
        [INSPECTED_PITCH] = "pitch",       [INSPECTED_DURATION] = "duration",
        [INSPECTED_VELOCITY] = "velocity", [INSPECTED_START] = "start",
        [INSPECTED_STYLE] = "style",       [INSPECTED_BAR] = "bar line",
        [INSPECTED_METER] = "meter",       [INSPECTED_PLACE] = "place",
        [INSPECTED_HOLE] = "hole",         [INSPECTED_ASKED] = "what is asked",
        [INSPECTED_WISH] = "wish",         [INSPECTED_REST] = "rest",
        [INSPECTED_END] = "end",           [INSPECTED_TRACKS] = "tracks",
        [INSPECTED_CHORD] = "chord",
    };
    return part < INSPECTED_PARTS ? names[part] : "";
}

int inspection_n_windows(const struct inspection *i)
{
    return i->is_grid ? i->now.n_windows : i->windows.n;
}

int inspection_window_at(const struct inspection *i, int64_t tick)
{
    return i->windows.n ? inspection_windows_at(&i->windows, tick) : 0;
}

const char *inspection_error(const struct inspection *i)
{
    return i->error;
}

enum style inspection_style(const struct inspection *i)
{
    return i->style;
}

struct decoder *inspection_decoder(struct inspection *i)
{
    return i->main.decoder;
}

const struct inspected_token *inspection_tokens(const struct inspection *i, int *n)
{
    *n = i->now.n_tokens;
    return i->now.tokens;
}

const struct inspected_token *inspection_source(const struct inspection *i, int *n)
{
    *n = i->now.n_source;
    return i->now.source;
}

const struct inspected_note *inspection_notes(const struct inspection *i, int *n)
{
    *n = i->now.n_notes;
    return i->now.notes;
}

/* A note that the encoder hears may be told as well: that one is meant. */
int inspection_find(const struct inspection *i, uint64_t id)
{
    for (int k = 0; id && k < i->now.n_notes; k++)
        if (i->now.notes[k].id == id)
            return k;
    return -1;
}

const char *inspection_token_name(const struct inspection *i, int32_t token, char *buf,
                                  size_t n_buf)
{
    return i->is_grid ? grid_token_name(token, buf, n_buf)
                      : token_name(token, buf, n_buf);
}

int inspection_first_drawn(const struct inspection *i)
{
    return i->take.ids ? i->take.n_ids - i->take.n_drawn : i->now.n_tokens;
}

void inspection_span(const struct inspection *i, int64_t *from, int64_t *to)
{
    const bool is_grid = i->now.kind == READING_GRID;
    const int tpq = i->now.ticks_per_quarter > 0 ? i->now.ticks_per_quarter : 1;
    int64_t step = is_grid ? i->now.origin * GRID_STEP : i->now.origin;
    *from = *to = tick_from_step(step, tpq);
    for (int k = 0; k < i->now.n_notes; k++) {
        int64_t end = i->now.notes[k].tick + i->now.notes[k].length;
        *to = end > *to ? end : *to;
    }
}
