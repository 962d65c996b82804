/* Musical time along a sequence of score tokens. See clock.h. */
#include "midi/clock.h"

#include "midi/tokens.h"

void clock_init(struct clock *c)
{
    *c = (struct clock){.numerator = 4};
}

static void begin_bar(struct clock *c)
{
    c->bar = c->after_place ? c->at : c->bar + c->bar_length;
    c->at = c->bar;
}

int32_t clock_next(struct clock *c, int32_t token)
{
    int32_t kind = (int32_t)token_kind(token), value = token - kind;
    if (kind == TOKEN_BAR)
        begin_bar(c);
    else if (kind == TOKEN_NUM)
        c->numerator = value + 1;
    else if (kind == TOKEN_DEN)
        c->bar_length = meter_steps(c->numerator, 1 << value);
    else if (kind == TOKEN_POSX)
        c->far = TOKEN_RADIX * (int64_t)(value + 1);
    else if (kind == TOKEN_POS)
        c->at = c->bar + c->far + value;
    if (kind == TOKEN_POS || kind == TOKEN_BAR)
        c->far = 0;
    c->after_place = kind == TOKEN_POS;
    return (int32_t)(c->at > INT32_MAX ? INT32_MAX : c->at);
}

void clock_times(const int32_t *tokens, size_t n, int32_t *times)
{
    struct clock c;
    clock_init(&c);
    for (size_t i = 0; i < n; i++)
        times[i] = clock_next(&c, tokens[i]);
}
