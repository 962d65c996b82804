/* The changes of a form that repeats: those of the four bars of a song, of a ground, or the twelve
 * bars of a blues, which is known by eight of them. Pure function, any thread. */
#ifndef APP_CHORD_FORM_H
#define APP_CHORD_FORM_H

#include "midi/tokens/piece.h"

/* The chords of [from, to), steps, as the form of the last 32 bars before has them; `heard`, which
 * ascend, are those of these bars. *is_section: nothing repeats there yet, but all of the music is
 * one section, whose chords may return. Free *out. *n is 0 if no form repeats there, or the meter
 * changes. MIDI_NO_MEMORY: *out is NULL. */
enum midi_status chord_form(struct grid_chord **out, size_t *n, const struct piece *p,
                            const struct grid_chord *heard, size_t n_heard,
                            int64_t from, int64_t to, bool *is_section);
/* Whether the last 32 bars before `from` are a blues. */
bool chord_form_is_blues(const struct piece *p, const struct grid_chord *heard,
                         size_t n_heard, int64_t from);
/* The usual chord of a bar of a blues, counted from the first chorus on. */
struct grid_chord chord_form_blues(int tonic, bool is_minor, int64_t bar);

#endif
