/* Puts chords: the chord of the row above, a chord of the scale on the cursor's pitch, or any
 * chord by name. `o` shows a chord and plays it. Enter puts it, `o` again inverts it, and it
 * moves with the cursor. A chord typed after :chord is shown, too. Existing notes stay. */
#include "app/editor/session/edit.h"
#include "tui/base/names.h"

#include <stdio.h>
#include <string.h>

struct chosen_chord {
    struct chord chord;
    bool flats; /* its name has flats */
};

struct chord_preview {
    struct command asked;   /* `o` and its count */
    int turns;              /* how often the lowest note went up an octave */
    struct chosen_chord of; /* the shown chord; n 0: none yet */
    struct ghost drafts[CHORD_MOST];
};

/* Returns the scale of new notes, else the major scale on that pitch. */
static uint16_t scale_at(const struct session *s, int pitch)
{
    enum { MAJOR = 0xab5 }; /* of C */
    int up = pitch % 12;
    uint16_t mask = session_scale_mask(s);
    return mask ? mask : (uint16_t)((MAJOR << up | MAJOR >> (12 - up)) & 0xfff);
}

/* Whether the key signature of that scale has flats. */
static bool spells_flats(const struct session *s, uint16_t mask)
{
    struct scale scale = s->steering.scale;
    return (scale.letter || scale_from_mask(mask, &scale)) && scale_sharps(&scale) < 0;
}

/* Returns the end of a new note as long as the last one. */
static int64_t end_of_new(const struct session *s)
{
    int64_t step = grid_next(s, s->view.cursor.tick);
    return s->new_note.length > 0 ? s->view.cursor.tick + s->new_note.length : step;
}

/* Puts the notes of the chord for which there is room. */
static void put_chord(struct session *s, const struct chosen_chord *of)
{
    char name[CHORD_TEXT];
    struct change *c = edit_begin("chord %s", chord_name(&of->chord, of->flats, name));
    for (int i = 0; i < of->chord.n; i++) {
        const struct note n =
            edit_new_note_here(s, of->chord.pitches[i], end_of_new(s));
        if (n.length > 0)
            change_add_note(c, s->view.track, n);
    }
    const size_t n_there = (size_t)of->chord.n - (c ? c->n_edits : 0);
    if (n_there == (size_t)of->chord.n && !change_status(c)) {
        change_destroy(c);
        session_say(s, "%s is already here", name);
        return;
    }
    if (!edit_do_aloud(s, c))
        return;
    if (n_there)
        session_say_more(s, "; %zu of its notes %s there", n_there,
                         n_there == 1 ? "was" : "were");
    for (int i = 0; i < of->chord.n; i++)
        edit_sound(s, of->chord.pitches[i], s->new_note.velocity);
    if (s->view.mode == MODE_DRAW)
        session_go_to(s, end_of_new(s));
}

enum { FLATS = -2 }; /* a key signature in which all black keys are named as flats */

static bool says_flat(const char *symbol)
{
    for (; *symbol; symbol++)
        if (*symbol >= 'A' && *symbol <= 'G' && symbol[1] == 'b')
            return true;
    return false;
}

/* Returns the chord that `o` shows: the one in the row above the roll, else a triad, as 3o. 4o
 * is a seventh chord, and so on to 7o, a thirteenth. A turn moves the lowest note up an octave. */
static struct chosen_chord chord_here(const struct session *s, int count, int turns)
{
    int n = count == 0 ? 3 : count < 2 ? 2 : count > 7 ? 7 : count;
    const char *above = count ? NULL : session_chord_at(s, s->view.cursor.tick);
    uint16_t scale = scale_at(s, s->view.cursor.pitch);
    struct chosen_chord of = {0};
    bool is_above = above && chord_parse(above, s->view.cursor.pitch, &of.chord);
    if (!is_above)
        of.chord = chord_in_scale(scale, s->view.cursor.pitch, n);
    of.flats = is_above ? says_flat(above) : spells_flats(s, scale);
    uint8_t *pitches = of.chord.pitches;
    for (turns %= of.chord.n; turns > 0 && pitches[0] < 128 - 12; turns--) {
        uint8_t pitch = (uint8_t)(pitches[0] + 12);
        int i = 0;
        for (; i + 1 < of.chord.n && pitches[i + 1] < pitch; i++)
            pitches[i] = pitches[i + 1];
        pitches[i] = pitch;
    }
    return of;
}

static bool chord_called(const struct session *s, const char *symbol,
                         struct chosen_chord *out)
{
    out->flats =
        says_flat(symbol) || spells_flats(s, scale_at(s, s->view.cursor.pitch));
    return chord_parse(symbol, s->view.cursor.pitch, &out->chord);
}

bool need_chords(struct session *s)
{
    if (need_track(s) && s->view.kit.is_shown)
        session_say(s, "drums have no chords");
    return session_track(s) && !s->view.kit.is_shown;
}

/* Follows the cursor. Another chord than before sounds and is scrolled to. */
static void follow(struct session *s)
{
    struct chord_preview *p = s->parts.chord_preview;
    if (!(s->open & KEEPS_CHORD))
        return;
    const struct chosen_chord of = chord_here(s, p->asked.count, p->turns);
    const struct chord *c = &of.chord;
    if (memcmp(c, &p->of.chord, sizeof *c) != 0) {
        viewport_show(&s->view.port, &s->layout, s->view.cursor.tick,
                      c->pitches[c->n - 1]);
        viewport_show(&s->view.port, &s->layout, s->view.cursor.tick, c->pitches[0]);
        session_show_cursor(s);
        for (int i = 0; i < c->n; i++)
            edit_sound(s, c->pitches[i], s->new_note.velocity);
    }
    p->of = of;
    char name[CHORD_TEXT], pitch[PITCH_NAME_BYTES];
    session_say(s, "%s:", chord_name(c, of.flats, name));
    for (int i = 0; i < c->n; i++)
        session_say_more(
            s, " %s",
            pitch_name_octave(c->pitches[i], of.flats ? FLATS : SPELL_SHARPS, pitch));
    session_say_more(s, "   Enter puts it, o inverts it");
}

/* Repeated by `.`, puts the chord at once, turned as before. */
void act_chord(struct session *s, const struct command *c)
{
    struct chord_preview *p = s->parts.chord_preview;
    const bool turns = !s->repeated.runs && (s->open & KEEPS_CHORD) && c->count == 0;
    if (!turns)
        p->asked = *c;
    if (s->repeated.runs) {
        p->of = chord_here(s, c->count, p->turns);
        put_chord(s, &p->of);
        return;
    }
    p->turns = turns ? p->turns + 1 : 0;
    s->open |= KEEPS_CHORD;
    p->of = (struct chosen_chord){0};
}

void edit_put_chord(struct session *s)
{
    const struct chord_preview *p = s->parts.chord_preview;
    s->open &= ~KEEPS_CHORD;
    s->repeated.command = p->asked;
    put_chord(s, &p->of);
}

static bool escape(struct session *s)
{
    const bool was_shown = s->open & KEEPS_CHORD;
    s->open &= ~KEEPS_CHORD;
    return was_shown;
}

void act_chord_line(struct session *s, const char *symbol)
{
    struct chosen_chord of = chord_here(s, 0, 0);
    if (*symbol && !chord_called(s, symbol, &of))
        session_error(s, "not a chord; use m7, sus4, maj7, dim7, or G7/B");
    else if (need_chords(s))
        put_chord(s, &of);
}

static void view_chord(struct session *s, struct view *v)
{
    struct chord_preview *p = s->parts.chord_preview;
    const char *symbol = act_typed_after(s, "chord");
    struct chosen_chord of = p->of;
    bool is_shown = s->open & KEEPS_CHORD || (symbol && chord_called(s, symbol, &of));
    if (!is_shown || v->drafts.n || !session_track(s) || s->view.kit.is_shown)
        return;
    size_t n = 0;
    for (int i = 0; i < of.chord.n; i++) {
        const struct note note =
            edit_new_note_here(s, of.chord.pitches[i], end_of_new(s));
        p->drafts[n] =
            (struct ghost){.track = s->view.track, .note = note, .probability = -1};
        n += note.length > 0;
    }
    v->drafts = (struct drafts_view){.notes = p->drafts, .n = n};
}

const struct editor_part PUT_CHORD_PART = {
    PART_STATE(chord_preview), .is_of_piece = true, .acted = follow,
    .view = view_chord,        .escape = escape,
};
