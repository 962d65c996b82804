/* No sequence is trusted: an invalid one gets some times that fit their types. */
#include "midi/tokens/token_time.h"
#include "midi/base/array.h"

#include "midi/tokens/tokens.h"

void token_time_init(struct token_time *c)
{
    *c = (struct token_time){.numerator = 4};
}

/* After a hole, the next sequence follows the latest time. */
static void begin_sequence(struct token_time *c)
{
    int64_t last = c->origin + c->bars.end - c->bars.length;
    if (c->stage != TIME_IN_BARS && c->bar < last)
        c->bar = last;
    c->bars.n = 0;
    c->stage = TIME_IN_BARS;
}

/* Stores only as many bars as a sequence with a hole may have. */
static void begin_bar(struct token_time *c)
{
    c->bar = c->after_place ? c->at : c->bar + c->bars.length;
    c->at = c->bar;
    if (c->bars.n == 0)
        c->origin = c->bar;
    if (c->bars.n <= BAR_TABLE_SIZE)
        bar_table_add(&c->bars, (int32_t)(c->bar - c->origin));
}

static void next_bar_of_hole(struct token_time *c)
{
    if (c->index < c->bars.n && bar_table_is_whole(&c->bars))
        c->bar = c->origin + bar_table_start(&c->bars, ++c->index);
    else
        c->bar += c->bars.length;
    c->at = c->bar;
}

/* Goes back to the bar where the hole begins, or if the bars are unknown, to the start
 * of the hole. */
static void enter_hole(struct token_time *c)
{
    c->stage = TIME_IN_HOLE;
    c->at = c->origin + c->from;
    c->bar = c->at;
    c->index = c->bars.n;
    if (bar_table_is_whole(&c->bars)) {
        c->index = bar_table_at(&c->bars, c->from);
        c->bar = c->origin + bar_table_start(&c->bars, c->index);
    }
}

static void set_place(struct token_time *c, int value)
{
    int64_t position = c->far + value;
    bool is_asked = c->stage == TIME_ASKS_FROM || c->stage == TIME_ASKS_TO;
    c->at = (is_asked ? c->origin : c->bar) + position;
    if (c->stage == TIME_ASKS_FROM)
        c->from = (int32_t)position;
    if (is_asked)
        c->stage++;
}

static void move(struct token_time *c, enum token kind, int value)
{
    if (kind == TOKEN_BAR && c->stage == TIME_IN_HOLE)
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
        set_place(c, value);
    else if ((kind == TOKEN_HOLE || kind == TOKEN_RESUME) && c->bars.n &&
             !c->after_place)
        c->at = c->bar + c->bars.length;
    else if (kind == TOKEN_FILL && c->stage == TIME_IN_BARS)
        c->stage = TIME_ASKS_FROM;
    else if (kind == TOKEN_BOS)
        begin_sequence(c);
}

int32_t token_time_next(struct token_time *c, int32_t token)
{
    enum token kind = token_kind(token);
    if (c->stage == TIME_ASKED)
        enter_hole(c);
    move(c, kind, token - (int32_t)kind);
    if (kind == TOKEN_POS || kind == TOKEN_BAR)
        c->far = 0;
    c->after_place = kind == TOKEN_POS;
    return (int32_t)(c->at > INT32_MAX ? INT32_MAX : c->at);
}

void token_times(const int32_t *tokens, size_t n, int32_t *times)
{
    struct token_time c;
    token_time_init(&c);
    for (size_t i = 0; i < n; i++)
        times[i] = token_time_next(&c, tokens[i]);
}

void bar_table_add(struct bar_table *t, int32_t start)
{
    if (t->n < BAR_TABLE_SIZE)
        t->starts[t->n] = start;
    t->n += t->n <= BAR_TABLE_SIZE; /* one too many is enough to know */
    t->end = start + t->length;
}

void bar_table_set_length(struct bar_table *t, int32_t length)
{
    t->end += length - t->length;
    t->length = length;
}

bool bar_table_is_whole(const struct bar_table *t)
{
    return t->n > 0 && t->n <= BAR_TABLE_SIZE && t->length > 0;
}

int32_t bar_table_start(const struct bar_table *t, int index)
{
    return index < t->n ? t->starts[index] : t->end + (index - t->n) * t->length;
}

int bar_table_at(const struct bar_table *t, int32_t step)
{
    if (step >= t->end)
        return t->n + (step - t->end) / t->length;
    size_t at;
    ARRAY_PASS(at, (size_t)t->n, t->starts[at] <= step);
    return at ? (int)at - 1 : 0;
}
