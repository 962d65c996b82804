/* One rule per kind of token: may it come here, and what does it change. A
 * rule changes nothing before it has decided. The rules of holes are in
 * parser_fill.c. */
#include "midi/parser_fill.h"

void parser_init(struct parser *p)
{
    *p = (struct parser){.state = AT_START, .onset = -1, .track = -1, .velocity = -1};
}

static bool is_in(const struct parser *p, int states)
{
    return (p->state & states) != 0;
}

static bool first_meter_is_due(const struct parser *p)
{
    return p->state == AFTER_BAR && p->numerator == 0;
}

bool parser_is_between(const struct parser *p)
{
    const int states = AFTER_BAR | AFTER_METER | AFTER_NOTE | AFTER_MARK |
                       AFTER_ASKED_TRACK | AFTER_CONTROL;
    return is_in(p, states) && !first_meter_is_due(p);
}

bool parser_has_room(const struct parser *p)
{
    return p->n_bars < TOKEN_MAX_BARS && p->bar_start + p->bar_steps <= TOKEN_MAX_STEPS;
}

static bool feed_style(struct parser *p, int value)
{
    if (p->state != AFTER_BOS || value >= STYLE_COUNT)
        return false;
    p->style = (enum style)value;
    p->state = AFTER_STYLE;
    return true;
}

/* After POS the bar is cut there; a bar cut at its own line would be empty. */
static bool feed_bar(struct parser *p)
{
    if (p->is_filling)
        return parser_fill_bar(p);
    bool is_first = p->state == AFTER_STYLE;
    bool is_cut = p->state == AFTER_POS && p->onset > 0;
    if (!is_first && !is_cut && !parser_is_between(p))
        return false;
    int32_t start = p->bar_start + (is_cut ? p->onset : p->bar_steps);
    if (p->n_bars >= TOKEN_MAX_BARS || start > TOKEN_MAX_STEPS)
        return false;
    p->bar_start = start;
    p->n_bars++;
    bar_table_add(&p->bars, start);
    p->is_cut = is_cut;
    p->onset = -1;
    p->has_note = false;
    p->event = PARSER_BAR;
    p->state = AFTER_BAR;
    return true;
}

/* bar_steps is left alone until DEN: `high` holds the numerator meanwhile. */
static bool feed_num(struct parser *p, int value)
{
    if (p->state != AFTER_BAR || p->is_filling)
        return false;
    p->high = value + 1;
    p->state = AFTER_NUM;
    return true;
}

static bool feed_den(struct parser *p, int value)
{
    int numerator = p->high, denominator = 1 << value;
    if (p->state != AFTER_NUM ||
        (numerator == p->numerator && denominator == p->denominator))
        return false;
    p->numerator = numerator;
    p->denominator = denominator;
    p->bar_steps = meter_steps(numerator, denominator);
    bar_table_set_length(&p->bars, p->bar_steps);
    p->event = PARSER_METER;
    p->state = AFTER_METER;
    return true;
}

static bool feed_posx(struct parser *p, int value)
{
    if (p->state == AFTER_FILL)
        return parser_fill_far(p, value);
    int32_t high = TOKEN_RADIX * (value + 1);
    if (!parser_is_between(p) || high >= p->bar_steps ||
        high + TOKEN_RADIX - 1 <= p->onset)
        return false;
    p->high = high;
    p->state = AFTER_POSX;
    return true;
}

static bool feed_pos(struct parser *p, int value)
{
    if (p->state == AFTER_FILL)
        return parser_fill_place(p, value);
    bool has_high = p->state == AFTER_POSX;
    int32_t onset = value + (has_high ? p->high : 0);
    if (!(has_high || parser_is_between(p)) || onset <= p->onset ||
        onset >= p->bar_steps)
        return false;
    if (p->is_filling && !parser_fill_reaches(p, onset))
        return false;
    p->onset = onset;
    p->has_note = false;
    p->state = AFTER_POS;
    return true;
}

static bool feed_track(struct parser *p, int value)
{
    if (is_in(p, AFTER_FILL | AFTER_ASKED_TRACK))
        return parser_fill_track(p, value);
    if (!is_in(p, AFTER_POS | AFTER_MARK | AFTER_NOTE) || value == p->track ||
        (p->has_note && value < p->track) || !parser_fill_takes_track(p, value))
        return false;
    p->track = value;
    p->state = AFTER_TRACK;
    return true;
}

static bool feed_vel(struct parser *p, int value)
{
    if (!is_in(p, AFTER_POS | AFTER_MARK | AFTER_NOTE | AFTER_TRACK) || p->track < 0 ||
        value == p->velocity)
        return false;
    p->velocity = value;
    p->state = AFTER_VEL;
    return true;
}

static bool feed_pitch(struct parser *p, int value)
{
    const int states = AFTER_POS | AFTER_MARK | AFTER_NOTE | AFTER_TRACK | AFTER_VEL;
    if (p->state == AFTER_FILL)
        return parser_fill_pitch(p, value);
    if (!is_in(p, states) || p->track < 0 || p->velocity < 0 ||
        !parser_fill_takes_pitch(p, value))
        return false;
    if (p->has_note && p->track == p->note.track && value < p->note.pitch)
        return false;
    p->pitch = (uint8_t)value;
    p->high = 0;
    p->last_durx = 0;
    p->state = AFTER_PITCH;
    return true;
}

/* Only the largest may be followed by another. */
static bool feed_durx(struct parser *p, int value)
{
    int durx = value + 1;
    bool is_next = p->state == AFTER_DURX && p->last_durx == TOKEN_MAX_DURX;
    if (!(p->state == AFTER_PITCH || is_next) ||
        p->high + TOKEN_RADIX * durx > TOKEN_MAX_STEPS)
        return false;
    p->high += TOKEN_RADIX * durx;
    p->last_durx = durx;
    p->state = AFTER_DURX;
    return true;
}

static bool feed_dur(struct parser *p, int value)
{
    struct grid_note note = {
        .step = p->bar_start + p->onset,
        .length = p->high + value + 1,
        .track = (uint8_t)p->track,
        .pitch = p->pitch,
        .velocity = (uint8_t)p->velocity,
    };
    if (!is_in(p, AFTER_PITCH | AFTER_DURX) ||
        note.length > TOKEN_MAX_STEPS - note.step)
        return false;
    if (p->has_note && grid_note_compare(&p->note, &note) >= 0)
        return false;
    if (p->is_filling && !fill_contains(&p->request, &note))
        return false;
    p->note = note;
    p->has_note = true;
    p->event = PARSER_NOTE;
    p->state = AFTER_NOTE;
    return true;
}

static bool feed_eos(struct parser *p)
{
    if ((p->state != AFTER_STYLE && !parser_is_between(p)) || p->n_marks)
        return false;
    p->state = AFTER_EOS;
    return true;
}

static bool feed_bos(struct parser *p)
{
    if (p->state != AT_START)
        return false;
    p->state = AFTER_BOS;
    return true;
}

static bool feed_kind(struct parser *p, enum token kind, int value)
{
    switch (kind) {
    case TOKEN_BOS:
        return feed_bos(p);
    case TOKEN_EOS:
        return feed_eos(p);
    case TOKEN_BAR:
        return feed_bar(p);
    case TOKEN_STYLE:
        return feed_style(p, value);
    case TOKEN_NUM:
        return feed_num(p, value);
    case TOKEN_DEN:
        return feed_den(p, value);
    case TOKEN_POS:
        return feed_pos(p, value);
    case TOKEN_POSX:
        return feed_posx(p, value);
    case TOKEN_TRACK:
        return feed_track(p, value);
    case TOKEN_VEL:
        return feed_vel(p, value);
    case TOKEN_PITCH:
        return feed_pitch(p, value);
    case TOKEN_DUR:
        return feed_dur(p, value);
    case TOKEN_DURX:
        return feed_durx(p, value);
    case TOKEN_HOLE:
    case TOKEN_RESUME:
        return parser_fill_mark(p, kind);
    case TOKEN_FILL:
        return parser_fill_begin(p);
    case TOKEN_DENSITY:
    case TOKEN_POLYPHONY:
    case TOKEN_LENGTH:
    case TOKEN_REGISTER:
        return parser_fill_control(p, kind, value);
    case TOKEN_FILL_END:
        return parser_fill_end(p);
    default:
        return false;
    }
}

bool parser_feed(struct parser *p, int32_t token)
{
    enum token kind = token_kind(token);
    enum parser_event before = p->event;
    p->event = PARSER_NOTHING;
    if (feed_kind(p, kind, token - (int32_t)kind))
        return true;
    p->event = before;
    return false;
}
