/* Musical time along a sequence of score tokens. See clock.h. Nothing is trusted: what
 * makes no sense as music still has some time, which fits the types. */
#include "midi/tokens/clock.h"

#include "midi/tokens/tokens.h"

void clock_init(struct clock *c)
{
    *c = (struct clock){.numerator = 4};
}

/* After a hole the next sequence follows what was told last in time. */
static void begin_sequence(struct clock *c)
{
    int64_t last = c->origin + c->bars.end - c->bars.length;
    if (c->stage != CLOCK_IN_BARS && c->bar < last)
        c->bar = last;
    c->bars.n = 0;
    c->stage = CLOCK_IN_BARS;
}

/* Only as many bars are kept as a sequence with a hole may have. */
static void begin_bar(struct clock *c)
{
    c->bar = c->after_place ? c->at : c->bar + c->bars.length;
    c->at = c->bar;
    if (c->bars.n == 0)
        c->origin = c->bar;
    if (c->bars.n <= BAR_TABLE_SIZE)
        bar_table_add(&c->bars, (int32_t)(c->bar - c->origin));
}

static void next_bar_of_hole(struct clock *c)
{
    if (c->index < c->bars.n && bar_table_is_whole(&c->bars))
        c->bar = c->origin + bar_table_start(&c->bars, ++c->index);
    else
        c->bar += c->bars.length;
    c->at = c->bar;
}

/* Back to the bar that the hole begins in; where the bars are not known, to itself. */
static void enter_hole(struct clock *c)
{
    c->stage = CLOCK_IN_HOLE;
    c->at = c->origin + c->from;
    c->bar = c->at;
    c->index = c->bars.n;
    if (bar_table_is_whole(&c->bars)) {
        c->index = bar_table_at(&c->bars, c->from);
        c->bar = c->origin + bar_table_start(&c->bars, c->index);
    }
}

static void place(struct clock *c, int value)
{
    int64_t position = c->far + value;
    bool is_asked = c->stage == CLOCK_ASKS_FROM || c->stage == CLOCK_ASKS_TO;
    c->at = (is_asked ? c->origin : c->bar) + position;
    if (c->stage == CLOCK_ASKS_FROM)
        c->from = (int32_t)position;
    if (is_asked)
        c->stage++;
}

static void move(struct clock *c, enum token kind, int value)
{
    if (kind == TOKEN_BAR && c->stage == CLOCK_IN_HOLE)
        next_bar_of_hole(c);
    else if (kind == TOKEN_BAR)
        begin_bar(c);
    else if (kind == TOKEN_NUM)
        c->numerator = value + 1;
    else if (kind == TOKEN_DEN)
        bar_table_set_length(&c->bars, meter_steps(c->numerator, 1 << value));
    else if (kind == TOKEN_POSX)
        c->far = TOKEN_RADIX * (int64_t)(value + 1);
    else if (kind == TOKEN_POS)
        place(c, value);
    else if ((kind == TOKEN_HOLE || kind == TOKEN_RESUME) && !c->after_place)
        c->at = c->bar + c->bars.length;
    else if (kind == TOKEN_FILL && c->stage == CLOCK_IN_BARS)
        c->stage = CLOCK_ASKS_FROM;
    else if (kind == TOKEN_BOS)
        begin_sequence(c);
}

int32_t clock_next(struct clock *c, int32_t token)
{
    enum token kind = token_kind(token);
    if (c->stage == CLOCK_ASKED)
        enter_hole(c);
    move(c, kind, token - (int32_t)kind);
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
