/* The parser's rules of holes: HOLE and RESUME among the notes that stay, then FILL and
 * the request, then the notes of the hole, for which the parser goes back to the bar
 * where the hole begins. */
#include "midi/tokens/parser.h"

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
bool parser_fill_mark(struct parser *p, enum token kind)
{
    bool is_placed = p->state == AFTER_POS && !p->is_filling;
    int64_t step = is_placed ? (int64_t)p->bar_start + p->onset : p->bars.end;
    if (p->n_marks != (kind == TOKEN_HOLE ? 0 : 1))
        return false;
    if (!is_placed && !is_at_end(p))
        return false;
    if (is_placed && p->n_marks == 1 && step <= p->marks[0])
        return false;
    p->marks[p->n_marks++] = step;
    p->state = is_placed ? AFTER_MARK : AFTER_END_MARK;
    return true;
}

bool parser_fill_begin(struct parser *p)
{
    if (p->n_marks < 2 || !is_at_end(p))
        return false;
    p->request = (struct fill_request){FILL_ANYTHING};
    p->n_asked = ASKED_FROM;
    p->last_control = TOKEN_PAD;
    p->high = 0;
    p->state = AFTER_FILL;
    return true;
}

bool parser_fill_far(struct parser *p, int value)
{
    int32_t high = TOKEN_RADIX * (value + 1);
    if (p->n_asked > ASKED_TO || p->high > 0 || high > FILL_MAX_STEP)
        return false;
    p->high = high;
    return true;
}

/* Whether a step of the request agrees with its mark. A mark within the bars gives the
 * exact step, one at their end the least. */
static bool agrees(const struct parser *p, int64_t mark, int32_t step)
{
    return mark == p->bars.end ? step >= mark : step == mark;
}

bool parser_fill_place(struct parser *p, int value)
{
    int32_t step = p->high + value;
    if (p->n_asked > ASKED_TO || !agrees(p, p->marks[p->n_asked], step))
        return false;
    if (p->n_asked == ASKED_TO && step <= p->request.from)
        return false;
    *(p->n_asked == ASKED_FROM ? &p->request.from : &p->request.to) = step;
    p->high = 0;
    p->n_asked++;
    return true;
}

bool parser_fill_pitch(struct parser *p, int value)
{
    bool is_low = p->n_asked == ASKED_LOW;
    if (!is_low && p->n_asked != ASKED_HIGH)
        return false;
    if (!is_low && value < p->request.pitch_lo)
        return false;
    *(is_low ? &p->request.pitch_lo : &p->request.pitch_hi) = (uint8_t)value;
    p->n_asked++;
    return true;
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
bool parser_fill_track(struct parser *p, int value)
{
    if (p->n_asked != ASKED_TRACKS || p->request.tracks >> value != 0 ||
        p->families[value] == FAMILY_NONE)
        return false;
    if (!p->is_filling) {
        p->is_filling = true;
        parser_forget_tracks(p);
        p->chord = (struct grid_chord){.root = UINT8_MAX};
        stand_in_bar(p, bar_table_at(&p->bars, p->request.from));
    }
    p->request.tracks |= UINT64_C(1) << value;
    p->state = AFTER_ASKED_TRACK;
    return true;
}

bool parser_fill_control(struct parser *p, enum token kind, int value)
{
    struct fill_request *r = &p->request;
    int *level = kind == TOKEN_DENSITY     ? &r->density
                 : kind == TOKEN_POLYPHONY ? &r->polyphony
                 : kind == TOKEN_LENGTH    ? &r->length
                 : kind == TOKEN_REGISTER  ? &r->height
                                           : NULL;
    if (!(p->state & (AFTER_ASKED_TRACK | AFTER_CONTROL)) || kind <= p->last_control ||
        (!level && kind != TOKEN_CLOSE))
        return false;
    if (level)
        *level = value;
    else
        r->close = true;
    p->last_control = kind;
    p->state = AFTER_CONTROL;
    return true;
}

bool parser_fill_bar(struct parser *p)
{
    if (!parser_is_between(p) || p->bar_start + p->bar_steps >= p->request.to)
        return false;
    stand_in_bar(p, p->bar + 1);
    p->is_cut = false;
    p->event = PARSER_BAR;
    p->state = AFTER_BAR;
    return true;
}

/* Not right after BAR, which comes only if notes follow. */
bool parser_fill_end(struct parser *p)
{
    if (!p->is_filling || p->state == AFTER_BAR || !parser_is_between(p))
        return false;
    p->state = AFTER_FILL_END;
    return true;
}
