/* See place.h. */
#include "app/base/place.h"

#include <stdio.h>

const char *place_name(const struct timeline *t, int64_t tick, char buf[PLACE_BYTES])
{
    struct bar bar = timeline_bar_at(t, tick);
    double beat =
        1 + (double)(tick - bar.start) / (double)timeline_beat_ticks(t, bar.start);
    int n = snprintf(buf, PLACE_BYTES, "bar %lld", (long long)bar.index + 1);
    if (tick > bar.start)
        snprintf(buf + n, PLACE_BYTES - (size_t)n, ", beat %.4g", beat);
    return buf;
}
