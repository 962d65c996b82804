/* Transposes the targets by semitone, octave or step of the scale, and inverts them. */
#include "app/editor/edit/reshape.h"
#include "app/base/values.h"
#include "midi/score/scale.h"
#include "tui/base/names.h"

/* What becomes of a pitch; it may leave MIDI's range, which is then refused. */
typedef int pitch_fn(int pitch, int amount, uint16_t scale);

static int up(int pitch, int semitones, uint16_t scale)
{
    (void)scale;
    return pitch + semitones;
}

/* Onto the scale, where a note was not of it. */
static int up_snapped(int pitch, int steps, uint16_t scale)
{
    return scale_step(scale, pitch, steps);
}

static int up_scale(int pitch, int steps, uint16_t scale)
{
    return degree_move(scale, pitch, steps);
}

static int over(int pitch, int axis_twice, uint16_t scale)
{
    (void)scale;
    return axis_twice - pitch;
}

/* The cursor stays on a note that is alone. */
static void follow(struct session *s, int pitch)
{
    s->cursor.pitch = pitch;
    session_show_cursor(s);
    edit_sound(s, pitch, s->new_note.velocity);
}

static bool change_pitches(struct reshape *r, const char *verb, pitch_fn *fn,
                           int amount, uint16_t scale)
{
    struct session *s = r->session;
    bool alone = !s->selection.n;
    for (size_t i = 0; i < r->n; i++) {
        int pitch = fn(r->after[i].pitch, amount, scale);
        if (pitch < 0 || pitch > 127)
            return reshape_give_up(r, verb);
        r->after[i].pitch = (uint8_t)pitch;
    }
    int first = r->after[0].pitch;
    if (!reshape_do_strictly(r, verb))
        return false;
    if (alone)
        follow(s, first);
    return true;
}

static void transpose(struct session *s, pitch_fn *fn, int amount, uint16_t scale)
{
    struct reshape r;
    if (reshape_begin(&r, s))
        change_pitches(&r, "transpose", fn, amount, scale);
}

static int signed_times(const struct command *c, bool is_up)
{
    int n = command_times(c) > 127 ? 127 : command_times(c);
    return is_up ? n : -n;
}

static void act_transpose(struct session *s, const struct command *c)
{
    uint16_t mask = s->roll.snaps ? session_scale_mask(s) : 0;
    transpose(s, mask ? up_snapped : up, signed_times(c, c->id == CMD_TRANSPOSE_UP),
              mask);
}

static void act_transpose_octave(struct session *s, const struct command *c)
{
    transpose(s, up, 12 * signed_times(c, c->id == CMD_NOTES_OCTAVE_UP), 0);
}

static void act_transpose_step(struct session *s, const struct command *c)
{
    uint16_t mask = session_scale_mask(s);
    if (!mask)
        session_say(s, "which scale? O says it, or :scale D dorian");
    else
        transpose(s, up_scale, signed_times(c, c->id == CMD_SCALE_STEP_UP), mask);
}

static void act_transpose_line(struct session *s, const char *word)
{
    int by;
    bool is_down = *word == '-';
    if (value_count(word + (*word == '-' || *word == '+'), 0, 127, &by))
        transpose(s, up, is_down ? -by : by, 0);
    else
        session_error(s, "transpose wants semitones, as in 7 or -12");
}

/* Of those that begin first, the lowest. */
static int first_pitch(const struct reshape *r)
{
    const struct note *first = &r->after[0];
    for (size_t i = 1; i < r->n; i++) {
        const struct note *n = &r->after[i];
        if (n->start < first->start ||
            (n->start == first->start && n->pitch < first->pitch))
            first = n;
    }
    return first->pitch;
}

static void act_invert_line(struct session *s, const char *word)
{
    struct reshape r;
    char name[PITCH_NAME_BYTES];
    int axis = -1;
    if (*word && !value_pitch(word, &axis)) {
        session_error(s, "invert wants the note to turn over at, as in E4, or nothing");
        return;
    }
    if (!reshape_begin(&r, s))
        return;
    if (axis < 0)
        axis = first_pitch(&r);
    if (change_pitches(&r, "invert", over, 2 * axis, 0))
        session_say(s, "turned over at %s",
                    pitch_name_octave(axis, SPELL_SHARPS, name));
}

const struct editor_part TRANSPOSE_PART = {
    ON_COMMANDS(
        {{CMD_TRANSPOSE_UP, CMD_TRANSPOSE_DOWN}, .run = act_transpose},
        {{CMD_SCALE_STEP_UP, CMD_SCALE_STEP_DOWN}, .run = act_transpose_step},
        {{CMD_NOTES_OCTAVE_UP, CMD_NOTES_OCTAVE_DOWN}, .run = act_transpose_octave}),
    ON_EDIT_LINES({"transpose", .run = act_transpose_line},
                  {"invert", .run = act_invert_line}),
};
