/* There is one rule for each kind of token: whether it may come here, and what it
 * changes. A rule decides before it changes anything. It returns the state after the
 * token, or REFUSED. */
#include "midi/tokens/parser.h"

#include <string.h>

enum {
    REFUSED = 0,
    AT_NOTES = AFTER_POS | AFTER_MARK | AFTER_NOTE | AFTER_CHORD | AFTER_BASS,
};

static void forget_tracks(struct parser *p)
{
    p->track = -1;
    memset(p->velocities, -1, sizeof p->velocities);
}

void parser_init(struct parser *p)
{
    *p = (struct parser){.state = AT_START, .onset = -1, .chord = {.root = UINT8_MAX}};
    memset(p->families, FAMILY_NONE, sizeof p->families);
    forget_tracks(p);
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

/* -- holes: HOLE and RESUME among the notes that stay, then FILL and the request, then
 * the notes of the hole, for which the parser goes back to the bar where the hole
 * begins -- */

/* The parts of a request, in order. */
enum { ASKED_FROM, ASKED_TO, ASKED_LOW, ASKED_HIGH, ASKED_TRACKS };

/* Whether FILL may come: after the last bar or between notes, and not in the hole. */
static bool is_at_end(const struct parser *p)
{
    return !p->is_filling && bar_table_is_whole(&p->bars) &&
           (p->state == AFTER_END_MARK || parser_is_between(p));
}

/* After the last bar a mark has no position; it means any position at or past the end.
 * Then only marks and FILL follow. */
static int feed_mark(struct parser *p, enum token kind)
{
    bool is_placed = p->state == AFTER_POS && !p->is_filling;
    int64_t step = is_placed ? (int64_t)p->bar_start + p->onset : p->bars.end;
    if (p->n_marks != (kind == TOKEN_HOLE ? 0 : 1))
        return REFUSED;
    if (!is_placed && !is_at_end(p))
        return REFUSED;
    if (is_placed && p->n_marks == 1 && step <= p->marks[0])
        return REFUSED;
    p->marks[p->n_marks++] = step;
    return is_placed ? AFTER_MARK : AFTER_END_MARK;
}

static int feed_fill(struct parser *p)
{
    if (p->n_marks < 2 || !is_at_end(p))
        return REFUSED;
    p->request = (struct fill_request){FILL_ANYTHING};
    p->n_asked = ASKED_FROM;
    p->last_control = TOKEN_PAD;
    p->high = 0;
    return AFTER_FILL;
}

/* A step of the request must agree with its mark. A mark within the bars gives the
 * exact step, one at their end the least. */
static int read_asked_place(struct parser *p, int value)
{
    int32_t step = p->high + value;
    if (p->n_asked > ASKED_TO)
        return REFUSED;
    const int64_t mark = p->marks[p->n_asked];
    if (mark == p->bars.end ? step < mark : step != mark)
        return REFUSED;
    if (p->n_asked == ASKED_TO && step <= p->request.from)
        return REFUSED;
    *(p->n_asked == ASKED_FROM ? &p->request.from : &p->request.to) = step;
    p->high = 0;
    p->n_asked++;
    return p->state;
}

static int ask_pitch(struct parser *p, int value)
{
    bool is_low = p->n_asked == ASKED_LOW;
    if (!is_low && p->n_asked != ASKED_HIGH)
        return REFUSED;
    if (!is_low && value < p->request.pitch_lo)
        return REFUSED;
    *(is_low ? &p->request.pitch_lo : &p->request.pitch_hi) = (uint8_t)value;
    p->n_asked++;
    return p->state;
}

static void stand_in_bar(struct parser *p, int bar)
{
    p->bar = bar;
    p->bar_start = bar_table_start(&p->bars, bar);
    p->bar_steps = bar_table_start(&p->bars, bar + 1) - p->bar_start;
    p->onset = -1;
    p->has_note = false;
}

/* The first track opens the hole. */
static int ask_track(struct parser *p, int value)
{
    if (p->n_asked != ASKED_TRACKS || p->request.tracks >> value != 0 ||
        p->families[value] == FAMILY_NONE)
        return REFUSED;
    if (!p->is_filling) {
        p->is_filling = true;
        forget_tracks(p);
        p->chord = (struct grid_chord){.root = UINT8_MAX};
        stand_in_bar(p, bar_table_at(&p->bars, p->request.from));
    }
    p->request.tracks |= UINT64_C(1) << value;
    return AFTER_ASKED_TRACK;
}

static int ask_control(struct parser *p, enum token kind, int value)
{
    struct fill_request *r = &p->request;
    int *level = kind == TOKEN_DENSITY     ? &r->density
                 : kind == TOKEN_POLYPHONY ? &r->polyphony
                 : kind == TOKEN_LENGTH    ? &r->length
                 : kind == TOKEN_REGISTER  ? &r->height
                                           : NULL;
    if (!(p->state & (AFTER_ASKED_TRACK | AFTER_CONTROL)) || kind <= p->last_control ||
        (!level && kind != TOKEN_CLOSE))
        return REFUSED;
    if (level)
        *level = value;
    else
        r->close = true;
    p->last_control = kind;
    return AFTER_CONTROL;
}

/* -- all tokens -- */

/* After POS the bar is cut there. A cut at the bar's own line would leave it empty. */
static int feed_bar(struct parser *p)
{
    if (p->is_filling) {
        if (!parser_is_between(p) || p->bar_start + p->bar_steps >= p->request.to)
            return REFUSED;
        stand_in_bar(p, p->bar + 1);
        p->is_cut = false;
        p->event = PARSER_BAR;
        return AFTER_BAR;
    }
    bool is_first = is_in(p, AFTER_STYLE | AFTER_FAMILY);
    bool is_cut = p->state == AFTER_POS && p->onset > 0;
    if (!is_first && !is_cut && !parser_is_between(p))
        return REFUSED;
    int32_t start = p->bar_start + (is_cut ? p->onset : p->bar_steps);
    if (p->n_bars >= TOKEN_MAX_BARS || start > TOKEN_MAX_STEPS)
        return REFUSED;
    if (is_first)
        forget_tracks(p);
    p->bar_start = start;
    p->n_bars++;
    bar_table_add(&p->bars, start);
    p->is_cut = is_cut;
    p->onset = -1;
    p->has_note = false;
    p->event = PARSER_BAR;
    return AFTER_BAR;
}

static int feed_den(struct parser *p, int value)
{
    int numerator = p->high, denominator = 1 << value;
    if (p->state != AFTER_NUM ||
        (numerator == p->numerator && denominator == p->denominator))
        return REFUSED;
    p->numerator = numerator;
    p->denominator = denominator;
    p->bar_steps = meter_steps(numerator, denominator);
    bar_table_set_length(&p->bars, p->bar_steps);
    p->event = PARSER_METER;
    return AFTER_METER;
}

static int feed_posx(struct parser *p, int value)
{
    const bool is_asked = p->state == AFTER_FILL;
    int32_t high = TOKEN_RADIX * (value + 1);
    if (is_asked && (p->n_asked > ASKED_TO || p->high > 0 || high > FILL_MAX_STEP))
        return REFUSED;
    if (!is_asked && (!parser_is_between(p) || high >= p->bar_steps ||
                      high + TOKEN_RADIX - 1 <= p->onset))
        return REFUSED;
    p->high = high;
    return is_asked ? AFTER_FILL : AFTER_POSX;
}

static int feed_pos(struct parser *p, int value)
{
    if (p->state == AFTER_FILL)
        return read_asked_place(p, value);
    bool has_high = p->state == AFTER_POSX;
    int32_t onset = value + (has_high ? p->high : 0);
    int32_t step = p->bar_start + onset;
    if (!(has_high || parser_is_between(p)) || onset <= p->onset ||
        onset >= p->bar_steps)
        return REFUSED;
    if (p->is_filling && (step < p->request.from || step >= p->request.to))
        return REFUSED;
    p->onset = onset;
    p->has_note = false;
    return AFTER_POS;
}

/* There is one chord at a position, before its notes. */
static int feed_chord(struct parser *p, int value)
{
    if (!is_in(p, AFTER_POS | AFTER_MARK))
        return REFUSED;
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
        return REFUSED;
    p->last_chord = p->chord;
    p->chord = c;
    p->event = PARSER_CHORD;
    return is_same ? AFTER_SAME_CHORD : AFTER_CHORD;
}

static int feed_bass(struct parser *p, int value)
{
    struct grid_chord c = p->chord;
    c.bass = (uint8_t)value;
    if (!is_in(p, AFTER_CHORD | AFTER_SAME_CHORD) || c.root == CHORD_NO_ROOT ||
        c.bass == c.root || grid_chord_equal(&p->last_chord, &c))
        return REFUSED;
    p->chord = c;
    p->event = PARSER_CHORD;
    return AFTER_BASS;
}

static int feed_track(struct parser *p, int value)
{
    if (is_in(p, AFTER_STYLE | AFTER_FAMILY)) { /* declared tracks ascend */
        if (value <= p->track)
            return REFUSED;
        p->track = value;
        return AFTER_DECLARED_TRACK;
    }
    if (is_in(p, AFTER_FILL | AFTER_ASKED_TRACK))
        return ask_track(p, value);
    if (!is_in(p, AT_NOTES) || value == p->track || p->families[value] == FAMILY_NONE ||
        (p->has_note && value < p->track))
        return REFUSED;
    if (p->is_filling && !(p->request.tracks >> value & 1))
        return REFUSED;
    p->track = value;
    return AFTER_TRACK;
}

static int feed_vel(struct parser *p, int value)
{
    if (!is_in(p, AT_NOTES | AFTER_TRACK) || p->track < 0 ||
        value == p->velocities[p->track])
        return REFUSED;
    p->velocities[p->track] = (int8_t)value;
    return AFTER_VEL;
}

static bool note_is_due(const struct parser *p)
{
    return is_in(p, AT_NOTES | AFTER_TRACK | AFTER_VEL) && p->track >= 0 &&
           p->velocities[p->track] >= 0;
}

static int feed_pitch(struct parser *p, int value)
{
    if (p->state == AFTER_FILL)
        return ask_pitch(p, value);
    const struct fill_request *r = &p->request;
    if (!note_is_due(p) || parser_on_drums(p))
        return REFUSED;
    if (p->is_filling && (value < r->pitch_lo || value > r->pitch_hi))
        return REFUSED;
    if (p->has_note && p->track == p->note.track && value < p->note.pitch)
        return REFUSED;
    p->pitch = (uint8_t)value;
    p->high = 0;
    p->last_durx = 0;
    return AFTER_PITCH;
}

/* Only the largest DURX may be followed by another. */
static int feed_durx(struct parser *p, int value)
{
    int durx = value + 1;
    bool is_next = p->state == AFTER_DURX && p->last_durx == TOKEN_MAX_DURX;
    if (!(p->state == AFTER_PITCH || is_next) ||
        p->high + TOKEN_RADIX * durx > TOKEN_MAX_STEPS)
        return REFUSED;
    p->high += TOKEN_RADIX * durx;
    p->last_durx = durx;
    return AFTER_DURX;
}

/* Checks the order, and the hole if there is one. */
static int complete_note(struct parser *p, int pitch, int32_t length)
{
    struct grid_note note = {
        .step = p->bar_start + p->onset,
        .length = length,
        .track = (uint8_t)p->track,
        .pitch = (uint8_t)pitch,
        .velocity = (uint8_t)p->velocities[p->track],
    };
    if (note.length > TOKEN_MAX_STEPS - note.step)
        return REFUSED;
    if (p->has_note && grid_note_compare(&p->note, &note) >= 0)
        return REFUSED;
    if (p->is_filling && !fill_contains(&p->request, p->families, &note))
        return REFUSED;
    p->note = note;
    p->has_note = true;
    p->event = PARSER_NOTE;
    return AFTER_NOTE;
}

/* Each key comes once at a step, whatever its velocity. */
static int feed_hit(struct parser *p, int value)
{
    int key = HIT_FIRST + value;
    if (!note_is_due(p) || !parser_on_drums(p))
        return REFUSED;
    if (p->has_note && p->track == p->note.track && key <= p->note.pitch)
        return REFUSED;
    return complete_note(p, key, HIT_STEPS);
}

static int feed_kind(struct parser *p, enum token kind, int value)
{
    static const struct {
        enum token kind;
        int (*feed)(struct parser *p, int value);
    } RULES[] = {
        {TOKEN_DEN, feed_den},     {TOKEN_POS, feed_pos}, {TOKEN_POSX, feed_posx},
        {TOKEN_TRACK, feed_track}, {TOKEN_VEL, feed_vel}, {TOKEN_PITCH, feed_pitch},
        {TOKEN_DURX, feed_durx},   {TOKEN_HIT, feed_hit}, {TOKEN_CHORD, feed_chord},
        {TOKEN_BASS, feed_bass},
    };
    for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; i++)
        if (RULES[i].kind == kind)
            return RULES[i].feed(p, value);
    switch (kind) {
    case TOKEN_BOS:
        return p->state == AT_START ? AFTER_BOS : REFUSED;
    case TOKEN_EOS: {
        bool is_empty = is_in(p, AFTER_STYLE | AFTER_FAMILY);
        return (is_empty || parser_is_between(p)) && !p->n_marks ? AFTER_EOS : REFUSED;
    }
    case TOKEN_STYLE:
        if (p->state != AFTER_BOS || value >= STYLE_COUNT)
            return REFUSED;
        p->style = (enum style)value;
        return AFTER_STYLE;
    case TOKEN_FAMILY:
        if (p->state != AFTER_DECLARED_TRACK)
            return REFUSED;
        p->families[p->track] = (uint8_t)value;
        return AFTER_FAMILY;
    case TOKEN_BAR:
        return feed_bar(p);
    case TOKEN_NUM: /* bar_steps is unchanged until DEN; `high` holds the numerator */
        if (p->state != AFTER_BAR || p->is_filling)
            return REFUSED;
        p->high = value + 1;
        return AFTER_NUM;
    case TOKEN_DUR:
        return is_in(p, AFTER_PITCH | AFTER_DURX)
                   ? complete_note(p, p->pitch, p->high + value + 1)
                   : REFUSED;
    case TOKEN_HOLE:
    case TOKEN_RESUME:
        if (kind == TOKEN_HOLE || p->state != AFTER_STYLE)
            return feed_mark(p, kind);
        if (p->resumes)
            return REFUSED;
        p->resumes = true;
        return AFTER_STYLE;
    case TOKEN_FILL:
        return feed_fill(p);
    case TOKEN_FILL_END: /* not right after BAR, which comes only if notes follow */
        return p->is_filling && p->state != AFTER_BAR && parser_is_between(p)
                   ? AFTER_FILL_END
                   : REFUSED;
    default:
        return ask_control(p, kind, value);
    }
}

bool parser_feed(struct parser *p, int32_t token)
{
    enum token kind = token_kind(token);
    enum parser_event before = p->event;
    p->event = PARSER_NOTHING;
    const int state = feed_kind(p, kind, token - (int32_t)kind);
    if (state == REFUSED)
        p->event = before;
    else
        p->state = (enum parser_state)state;
    return state != REFUSED;
}
