/* Changes pitches and velocities of the targets. Transposes by semitone, octave or step
 * of the scale, and inverts. A group keeps its differences of velocity: it goes up or
 * down only as far as every note can. */
#include "app/editor/edit/reshape.h"
#include "app/base/values.h"
#include "tui/base/names.h"

#include <math.h>
#include <stdlib.h>

/* Returns the new pitch; a pitch outside 0..127 is refused. */
typedef int pitch_fn(uint16_t scale, int pitch, int amount);

static int up(uint16_t scale, int pitch, int semitones)
{
    (void)scale;
    return pitch + semitones;
}

static int over(uint16_t scale, int pitch, int axis_twice)
{
    (void)scale;
    return axis_twice - pitch;
}

/* where: the end of the label; NULL: the user is told the label only if hits stay. */
static void change_pitches(struct reshape *r, const char *verb, pitch_fn *fn,
                           int amount, uint16_t scale, const char *where)
{
    struct session *s = r->session;
    const bool alone = !s->selection.n;
    const size_t n_hits = r->n_hits;
    for (size_t i = 0; i < r->n; i++) {
        int pitch = fn(scale, r->after[i].pitch, amount);
        if (pitch < 0 || pitch > 127) {
            reshape_give_up(r, verb);
            return;
        }
        r->after[i].pitch = (uint8_t)pitch;
    }
    const int first = r->after[0].pitch;
    if (!reshape_do(r, OVERLAP_REFUSE, verb, where || n_hits ? "%s" : NULL,
                    where ? where : ""))
        return;
    if (alone) { /* the cursor stays on the note */
        s->view.cursor.pitch = first;
        session_show_cursor(s);
        edit_sound(s, first, s->new_note.velocity);
    }
    if (n_hits)
        session_say_more(s, "; %zu hit%s of drums stay%s", n_hits,
                         plural((long long)n_hits), n_hits == 1 ? "s" : "");
}

static void transpose(struct session *s, pitch_fn *fn, int amount, uint16_t scale)
{
    struct reshape r;
    if (reshape_begin_pitches(&r, s))
        change_pitches(&r, "transpose", fn, amount, scale, NULL);
}

/* If all targets are hits, they move to other rows of the kit; at the last row that is
 * refused. */
void act_transpose(struct session *s, const struct command *c)
{
    struct reshape r;
    int by = command_small_steps(c);
    if (!reshape_begin_pitches(&r, s))
        return;
    if (!s->view.kit.is_shown || !reshape_is_drums(&r)) {
        uint16_t mask = session_snap_mask(s); /* onto the scale, from beside it */
        change_pitches(&r, "transpose", mask ? scale_step : up, by, mask, NULL);
        return;
    }
    for (size_t i = 0; i < r.n; i++) {
        const int pitch = r.before[i].note.pitch, to = session_step_pitch(s, pitch, by);
        r.after[i].pitch = (uint8_t)(to == pitch ? UINT8_MAX : to);
    }
    change_pitches(&r, "move", up, 0, 0, NULL);
}

void act_transpose_octave(struct session *s, const struct command *c)
{
    transpose(s, up, command_steps(c), 0);
}

void act_transpose_step(struct session *s, const struct command *c)
{
    transpose(s, degree_move, command_small_steps(c), session_scale_mask(s));
}

void act_transpose_line(struct session *s, const char *word)
{
    int by;
    bool is_down = *word == '-';
    if (value_count(word + (*word == '-' || *word == '+'), 0, 127, &by))
        transpose(s, up, is_down ? -by : by, 0);
    else
        session_error(s, "transpose: use semitones, as in 7 or -12");
}

void act_invert_line(struct session *s, const char *word)
{
    struct reshape r;
    char at[4 + PITCH_NAME_BYTES] = " at ";
    int axis = -1;
    if (*word && !value_pitch(word, &axis)) {
        session_error(s, "invert: use a note, as in E4, or nothing");
        return;
    }
    if (!reshape_begin_pitches(&r, s))
        return;
    const struct note *first = r.after; /* of those that begin first, the lowest */
    for (const struct note *n = first; n < r.after + r.n; n++)
        if (n->start < first->start ||
            (n->start == first->start && n->pitch < first->pitch))
            first = n;
    if (axis < 0)
        axis = first->pitch;
    pitch_name_octave(axis, SPELL_SHARPS, at + 4);
    change_pitches(&r, "invert", over, 2 * axis, 0, at);
}

/* Changes velocities by `by`, or by as much as all notes can. */
static void shift(struct session *s, int by)
{
    struct reshape r;
    int step = abs(by);
    if (!reshape_begin(&r, s))
        return;
    for (size_t i = 0; i < r.n; i++) {
        int room = by > 0 ? 127 - r.after[i].velocity : r.after[i].velocity - 1;
        step = room < step ? room : step;
    }
    if (step == 0) {
        session_say(s, by > 0 ? "it cannot be louder" : "it cannot be softer");
        reshape_forget(&r);
        return;
    }
    for (size_t i = 0; i < r.n; i++)
        r.after[i].velocity = (uint8_t)(r.after[i].velocity + (by > 0 ? step : -step));
    if (!reshape_do(&r, OVERLAP_REFUSE, by > 0 ? "strengthen" : "soften", NULL))
        return;
    const struct note *here = session_note_under_cursor(s);
    if (here && !s->selection.n) {
        s->new_note.velocity = here->velocity;
        session_say(s, "velocity %d", here->velocity);
    }
}

void act_velocity(struct session *s, const struct command *c)
{
    shift(s, command_small_steps(c));
}

/* The word is "80", "60-100" from the first note to the last, "*1.2" or "+10". */
void act_velocity_line(struct session *s, const char *word)
{
    char first[VALUE_BYTES];
    const char *last;
    struct reshape r;
    int by, from = 0, to = 0;
    double times = 1;
    if ((*word == '+' || *word == '-') && value_count(word + 1, 1, 126, &by)) {
        shift(s, *word == '+' ? by : -by);
        return;
    }
    if (*word == '*' ? !value_real(word + 1, 0, 127, &times)
                     : !value_split(word, "-", first, &last) ||
                           !value_count(first, 1, 127, &from) ||
                           !value_count(last ? last : first, 1, 127, &to)) {
        session_error(s,
                      "velocity: use 80, 60-100 from first to last, *1.2, +10 or -10");
        return;
    }
    if (!reshape_begin(&r, s))
        return;
    int64_t start = edit_targets_span(r.before, r.n).from, span = 0;
    for (size_t i = 0; i < r.n; i++)
        span = r.after[i].start - start > span ? r.after[i].start - start : span;
    for (size_t i = 0; i < r.n; i++) {
        struct note *n = &r.after[i];
        const double at = span ? (double)(n->start - start) / (double)span : 0;
        const double v = from ? from + at * (to - from) : n->velocity * times;
        n->velocity = (uint8_t)(v < 1 ? 1 : v > 127 ? 127 : lround(v));
    }
    reshape_do(&r, OVERLAP_REFUSE, "change the velocity of", ": %.20s", word);
}
