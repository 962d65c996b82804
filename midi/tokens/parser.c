/* There is one rule for each kind of token: whether it may come here, and what it
 * changes. A rule decides before it changes anything. The rules of holes are in
 * parser_fill.c. */
#include "midi/tokens/parser.h"

#include <string.h>

enum {
    AT_NOTES = AFTER_POS | AFTER_MARK | AFTER_NOTE | AFTER_CHORD | AFTER_BASS,
};

void parser_init(struct parser *p)
{
    *p = (struct parser){.state = AT_START, .onset = -1, .chord = {.root = UINT8_MAX}};
    memset(p->families, FAMILY_NONE, sizeof p->families);
    parser_forget_tracks(p);
}

void parser_forget_tracks(struct parser *p)
{
    p->track = -1;
    memset(p->velocities, -1, sizeof p->velocities);
}

bool parser_on_drums(const struct parser *p)
{
    return p->track >= 0 && p->families[p->track] == FAMILY_DRUMS;
}

static bool is_in(const struct parser *p, int states)
{
    return (p->state & states) != 0;
}

bool parser_is_between(const struct parser *p)
{
    const int states = AFTER_BAR | AFTER_METER | AFTER_NOTE | AFTER_MARK | AFTER_CHORD |
                       AFTER_BASS | AFTER_ASKED_TRACK | AFTER_CONTROL;
    bool first_meter_is_due = p->state == AFTER_BAR && p->numerator == 0;
    return is_in(p, states) && !first_meter_is_due;
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

/* RESUME right after the style, once. */
static bool feed_resume(struct parser *p)
{
    if (p->resumes)
        return false;
    p->resumes = true;
    return true;
}

/* After POS the bar is cut there. A cut at the bar's own line would leave it empty. */
static bool feed_bar(struct parser *p)
{
    if (p->is_filling)
        return parser_fill_bar(p);
    bool is_first = is_in(p, AFTER_STYLE | AFTER_FAMILY);
    bool is_cut = p->state == AFTER_POS && p->onset > 0;
    if (!is_first && !is_cut && !parser_is_between(p))
        return false;
    int32_t start = p->bar_start + (is_cut ? p->onset : p->bar_steps);
    if (p->n_bars >= TOKEN_MAX_BARS || start > TOKEN_MAX_STEPS)
        return false;
    if (is_first)
        parser_forget_tracks(p);
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

/* bar_steps is unchanged until DEN; `high` holds the numerator meanwhile. */
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
    int32_t step = p->bar_start + onset;
    if (!(has_high || parser_is_between(p)) || onset <= p->onset ||
        onset >= p->bar_steps)
        return false;
    if (p->is_filling && (step < p->request.from || step >= p->request.to))
        return false;
    p->onset = onset;
    p->has_note = false;
    p->state = AFTER_POS;
    return true;
}

static bool feed_family(struct parser *p, int value)
{
    if (p->state != AFTER_DECLARED_TRACK)
        return false;
    p->families[p->track] = (uint8_t)value;
    p->state = AFTER_FAMILY;
    return true;
}

/* There is one chord at a position, before its notes. */
static bool feed_chord(struct parser *p, int value)
{
    if (!is_in(p, AFTER_POS | AFTER_MARK))
        return false;
    bool is_none = value == 12 * CHORD_QUALITIES;
    uint8_t root = is_none ? CHORD_NO_ROOT : (uint8_t)(value / CHORD_QUALITIES);
    struct grid_chord c = {
        .step = p->bar_start + p->onset,
        .root = root,
        .quality = (uint8_t)(value % CHORD_QUALITIES),
        .bass = root,
    };
    bool is_same = grid_chord_equal(&p->chord, &c);
    if (is_same && is_none)
        return false;
    p->last_chord = p->chord;
    p->chord = c;
    p->event = PARSER_CHORD;
    p->state = is_same ? AFTER_SAME_CHORD : AFTER_CHORD;
    return true;
}

static bool feed_bass(struct parser *p, int value)
{
    struct grid_chord c = p->chord;
    c.bass = (uint8_t)value;
    if (!is_in(p, AFTER_CHORD | AFTER_SAME_CHORD) || c.root == CHORD_NO_ROOT ||
        c.bass == c.root || grid_chord_equal(&p->last_chord, &c))
        return false;
    p->chord = c;
    p->event = PARSER_CHORD;
    p->state = AFTER_BASS;
    return true;
}

/* Declared tracks ascend: `track` holds the last one until the first bar. */
static bool feed_declared_track(struct parser *p, int value)
{
    if (value <= p->track)
        return false;
    p->track = value;
    p->state = AFTER_DECLARED_TRACK;
    return true;
}

static bool feed_track(struct parser *p, int value)
{
    if (is_in(p, AFTER_STYLE | AFTER_FAMILY))
        return feed_declared_track(p, value);
    if (is_in(p, AFTER_FILL | AFTER_ASKED_TRACK))
        return parser_fill_track(p, value);
    if (!is_in(p, AT_NOTES) || value == p->track || p->families[value] == FAMILY_NONE ||
        (p->has_note && value < p->track))
        return false;
    if (p->is_filling && !(p->request.tracks >> value & 1))
        return false;
    p->track = value;
    p->state = AFTER_TRACK;
    return true;
}

static bool feed_vel(struct parser *p, int value)
{
    if (!is_in(p, AT_NOTES | AFTER_TRACK) || p->track < 0 ||
        value == p->velocities[p->track])
        return false;
    p->velocities[p->track] = (int8_t)value;
    p->state = AFTER_VEL;
    return true;
}

static bool note_is_due(const struct parser *p)
{
    return is_in(p, AT_NOTES | AFTER_TRACK | AFTER_VEL) && p->track >= 0 &&
           p->velocities[p->track] >= 0;
}

static bool feed_pitch(struct parser *p, int value)
{
    if (p->state == AFTER_FILL)
        return parser_fill_pitch(p, value);
    const struct fill_request *r = &p->request;
    if (!note_is_due(p) || parser_on_drums(p))
        return false;
    if (p->is_filling && (value < r->pitch_lo || value > r->pitch_hi))
        return false;
    if (p->has_note && p->track == p->note.track && value < p->note.pitch)
        return false;
    p->pitch = (uint8_t)value;
    p->high = 0;
    p->last_durx = 0;
    p->state = AFTER_PITCH;
    return true;
}

/* Only the largest DURX may be followed by another. */
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

/* Checks the order, and the hole if there is one. */
static bool complete_note(struct parser *p, int pitch, int32_t length)
{
    struct grid_note note = {
        .step = p->bar_start + p->onset,
        .length = length,
        .track = (uint8_t)p->track,
        .pitch = (uint8_t)pitch,
        .velocity = (uint8_t)p->velocities[p->track],
    };
    if (note.length > TOKEN_MAX_STEPS - note.step)
        return false;
    if (p->has_note && grid_note_compare(&p->note, &note) >= 0)
        return false;
    if (p->is_filling && !fill_contains(&p->request, p->families, &note))
        return false;
    p->note = note;
    p->has_note = true;
    p->event = PARSER_NOTE;
    p->state = AFTER_NOTE;
    return true;
}

static bool feed_dur(struct parser *p, int value)
{
    return is_in(p, AFTER_PITCH | AFTER_DURX) &&
           complete_note(p, p->pitch, p->high + value + 1);
}

/* Each key comes once at a step, whatever its velocity. */
static bool feed_hit(struct parser *p, int value)
{
    int key = HIT_FIRST + value;
    if (!note_is_due(p) || !parser_on_drums(p))
        return false;
    if (p->has_note && p->track == p->note.track && key <= p->note.pitch)
        return false;
    return complete_note(p, key, HIT_STEPS);
}

static bool feed_eos(struct parser *p)
{
    bool is_empty = is_in(p, AFTER_STYLE | AFTER_FAMILY);
    if ((!is_empty && !parser_is_between(p)) || p->n_marks)
        return false;
    p->state = AFTER_EOS;
    return true;
}

static bool feed_kind(struct parser *p, enum token kind, int value)
{
    static const struct {
        enum token kind;
        bool (*feed)(struct parser *p, int value);
    } RULES[] = {
        {TOKEN_STYLE, feed_style},   {TOKEN_NUM, feed_num},   {TOKEN_DEN, feed_den},
        {TOKEN_POS, feed_pos},       {TOKEN_POSX, feed_posx}, {TOKEN_TRACK, feed_track},
        {TOKEN_FAMILY, feed_family}, {TOKEN_VEL, feed_vel},   {TOKEN_PITCH, feed_pitch},
        {TOKEN_DUR, feed_dur},       {TOKEN_DURX, feed_durx}, {TOKEN_HIT, feed_hit},
        {TOKEN_CHORD, feed_chord},   {TOKEN_BASS, feed_bass},
    };
    for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; i++)
        if (RULES[i].kind == kind)
            return RULES[i].feed(p, value);
    switch (kind) {
    case TOKEN_BOS:
        if (p->state != AT_START)
            return false;
        p->state = AFTER_BOS;
        return true;
    case TOKEN_EOS:
        return feed_eos(p);
    case TOKEN_BAR:
        return feed_bar(p);
    case TOKEN_HOLE:
    case TOKEN_RESUME:
        return kind == TOKEN_RESUME && p->state == AFTER_STYLE
                   ? feed_resume(p)
                   : parser_fill_mark(p, kind);
    case TOKEN_FILL:
        return parser_fill_begin(p);
    case TOKEN_FILL_END:
        return parser_fill_end(p);
    default:
        return parser_fill_control(p, kind, value);
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
