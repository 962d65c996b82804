/* The scale of the piece shades rows and gives the steps of notes and cursor. The model's new
 * notes have the same scale (app/generation/steer.h). */
#include "app/editor/session/session.h"
#include "midi/score/scale_guess.h"

#include <stdio.h>
#include <string.h>

uint16_t session_scale_mask(const struct session *s)
{
    return s->steering.scale.letter ? scale_mask(&s->steering.scale) : 0;
}

bool need_scale(struct session *s)
{
    if (!session_scale_mask(s))
        session_say(s, "no scale is set: O sets one, :scale guess guesses one");
    return session_scale_mask(s);
}

static uint16_t chord_mask(const struct session *s)
{
    const char *symbol = session_chord_at(s, s->view.cursor.tick);
    struct chord_symbol chord = {0};
    return symbol && chord_symbol_read(symbol, &chord) ? chord.classes : 0;
}

/* The sounds of a drum kit snap to nothing. */
uint16_t session_snap_mask(const struct session *s)
{
    const struct track *t = session_track(s);
    if (t && track_is_drums(t))
        return 0;
    uint16_t chord = s->roll.snaps_to_chord ? chord_mask(s) : 0;
    return chord ? chord : s->roll.snaps ? session_scale_mask(s) : 0;
}

/* Moves by steps of the scale, as far as there are any. */
static int step_by_scale(uint16_t mask, int pitch, int by)
{
    int one = by < 0 ? -1 : 1, next;
    for (; by != 0 && (next = scale_step(mask, pitch, one)) >= 0; by -= one)
        pitch = next;
    return pitch;
}

int session_step_pitch(const struct session *s, int pitch, int by)
{
    uint16_t mask = session_snap_mask(s);
    return mask ? step_by_scale(mask, pitch, by)
                : viewport_step_pitch(&s->view.port, pitch, by);
}

int session_carry_pitch(const struct session *s, int pitch, int semitones, int leader)
{
    uint16_t mask = session_snap_mask(s);
    int one = semitones < 0 ? -1 : 1, steps = 0, to = pitch + semitones;
    if (s->view.kit.is_shown) {
        const struct viewport *p = &s->view.port;
        const int rows = layout_row(&s->layout, p, leader) -
                         layout_row(&s->layout, p, leader + semitones);
        return viewport_step_pitch(p, pitch, rows / p->rows_per_pitch);
    }
    if (!mask)
        return to < 0 ? 0 : to > 127 ? 127 : to;
    for (int at = leader; at != leader + semitones; at += one)
        steps += scale_has(mask, (at + one + 132) % 12) ? one : 0;
    return step_by_scale(mask, pitch, steps);
}

int session_snap_pitch(const struct session *s, int pitch)
{
    uint16_t mask = session_snap_mask(s);
    return mask ? scale_nearest(mask, pitch) : pitch;
}

static bool guess(const struct session *s, struct scale *out)
{
    const struct box *box = session_box(s);
    return scale_guess(s->project.score, box ? box->from : 0, box ? box->to : INT64_MAX,
                       out);
}

const char *scale_prompt(struct session *s, char *buf, size_t n)
{
    struct scale likely;
    char name[SCALE_TEXT];
    if (guess(s, &likely))
        snprintf(buf, n, "scale, or Enter for %s: ", scale_format(&likely, name));
    else
        snprintf(buf, n, "scale, as in F# minor: ");
    return buf;
}

void act_scale_line(struct session *s, const char *word)
{
    struct scale likely;
    char name[SCALE_TEXT];
    if (*word && strcmp(word, "guess") != 0) {
        act_other_line(s, "scale", word);
    } else if (guess(s, &likely)) {
        s->steering.scale = likely;
        session_say(s, "scale %s, by the lengths of its notes; :scale any removes it",
                    scale_format(&likely, name));
    } else {
        session_say(s, "there are no notes to guess a scale from");
    }
}

/* Changes from semitones to the scale, if one is set, then to the chord, if one is here, then
 * back. */
void act_snap(struct session *s)
{
    bool has_scale = session_scale_mask(s), has_chord = chord_mask(s),
         to_scale = has_scale && !s->roll.snaps && !s->roll.snaps_to_chord;
    s->roll.snaps_to_chord = has_chord && !to_scale && !s->roll.snaps_to_chord;
    s->roll.snaps = to_scale || (s->roll.snaps_to_chord && s->roll.snaps);
    if (has_chord || need_scale(s))
        session_say(s, s->roll.snaps_to_chord
                           ? "new and moved notes, and j and k, snap to the chord"
                       : s->roll.snaps
                           ? "new and moved notes, and j and k, snap to the scale"
                           : "notes move by semitones");
}

/* The chromatic scale is not shown. No scale is shown on the rows of a kit. */
static void view_scale(struct session *s, struct view *v)
{
    const struct scale *scale = &s->steering.scale;
    if (!scale->letter || scale->kind == SCALE_CHROMATIC || s->view.kit.is_shown)
        return;
    v->scale.pitches = scale_mask(scale);
    v->scale.tonic = scale_tonic(scale);
    v->scale.sharps = scale_sharps(scale);
}

const struct editor_part SCALE_PART = {
    .view = view_scale,
};
