#include "midi/tokens/grid_chord.h"

#include <stdio.h>

/* Returns the quality of a chord with these semitones above its root (bit i: i
 * semitones). A quality has one third, fifth and seventh, and these decide first: 7#9
 * is major, and a thirteenth is no sixth. */
static uint8_t quality_of(unsigned above)
{
    bool major = above >> 4 & 1, minor = !major && above >> 3 & 1,
         fifth = above >> 7 & 1, seventh = above >> 10 & 1;
    if (minor && !fifth && above >> 6 & 1)
        return seventh          ? CHORD_HALF_DIMINISHED7
               : above >> 9 & 1 ? CHORD_DIMINISHED7
                                : CHORD_DIMINISHED;
    if (minor)
        return seventh ? CHORD_MINOR7 : CHORD_MINOR;
    if (major && !fifth && above >> 8 & 1)
        return CHORD_AUGMENTED;
    if (major)
        return seventh ? CHORD_DOMINANT7 : above >> 11 & 1 ? CHORD_MAJOR7 : CHORD_MAJOR;
    return above >> 5 & 1 ? CHORD_SUSPENDED4 : CHORD_MAJOR;
}

bool grid_chord_read(const char *symbol, struct grid_chord *out)
{
    struct chord_symbol c;
    if (!chord_symbol_read(symbol, &c))
        return false;
    out->root = c.root;
    out->bass = c.bass;
    out->quality = 0;
    if (c.root == CHORD_NO_ROOT)
        return true;
    enum { SUS2 = 1 << 0 | 1 << 2 | 1 << 7 };
    unsigned above =
        (c.classes >> c.root | (unsigned)c.classes << (12 - c.root)) & 0xfff;
    out->quality = quality_of(above);
    if (above == SUS2) {
        out->root = (uint8_t)((c.root + 7) % 12);
        out->quality = CHORD_SUSPENDED4;
    }
    return true;
}

const char *grid_chord_name(const struct grid_chord *c, bool flats,
                            char buf[CHORD_TEXT])
{
    static const char *const KINDS[CHORD_QUALITIES] = {
        "", "m", "dim", "aug", "7", "maj7", "m7", "m7b5", "dim7", "sus4"};
    bool is_none = c->root == CHORD_NO_ROOT, has_bass = !is_none && c->bass != c->root;
    snprintf(buf, CHORD_TEXT, "%s%s%s%s",
             is_none ? "N.C." : chord_class_name(c->root, flats),
             is_none ? "" : KINDS[c->quality], has_bass ? "/" : "",
             has_bass ? chord_class_name(c->bass, flats) : "");
    return buf;
}

bool grid_chord_notes(const struct grid_chord *c, struct chord_symbol *notes)
{
    char name[CHORD_TEXT];
    return chord_symbol_read(grid_chord_name(c, false, name), notes) && notes->classes;
}

size_t grid_chords_until(const struct grid_chord *chords, size_t n, int64_t step)
{
    size_t i = 0;
    while (i < n && chords[i].step <= step)
        i++;
    return i;
}

size_t grid_chords_join(struct grid_chord *chords, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (!left || !grid_chord_equal(&chords[left - 1], &chords[i]))
            chords[left++] = chords[i];
    return left;
}

/* Returns the root of the chord in force at a step, or CHORD_NO_ROOT. */
static int root_at(const struct grid_chord *chords, size_t n, int64_t step)
{
    const size_t i = grid_chords_until(chords, n, step);
    return i ? chords[i - 1].root : CHORD_NO_ROOT;
}

double grid_chords_alike(const struct grid_chord *chords, size_t n, int64_t from,
                         int64_t to, int64_t by)
{
    int n_alike = 0, n_beats = 0;
    for (int64_t step = from; n && step < to; step += STEPS_PER_QUARTER, n_beats++)
        n_alike += root_at(chords, n, step) == root_at(chords, n, step + by);
    return n_beats ? (double)n_alike / n_beats : 1;
}
