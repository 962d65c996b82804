/* See played.h. */
#include "midi/score/played.h"

int64_t played_start(const struct note *n)
{
    int64_t start = n->start + n->raw_start;
    return start > 0 ? start : 0;
}

int64_t played_length(const struct note *n)
{
    int64_t length = n->length + n->raw_length;
    return n->length == 0 ? 0 : length > 0 ? length : 1;
}

static int32_t cut_to_int32(int64_t x)
{
    return (int32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

void played_keep(struct note *after, const struct note *before)
{
    after->raw_start = cut_to_int32(played_start(before) - after->start);
    after->raw_length = cut_to_int32(played_length(before) - after->length);
}

bool played_restore(struct note *n)
{
    if (n->raw_start == 0 && n->raw_length == 0)
        return false;
    n->start = played_start(n);
    n->length = played_length(n);
    n->raw_start = 0;
    n->raw_length = 0;
    return true;
}
