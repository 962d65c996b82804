/* Chord symbols. A kind of chord is a list of semitones above its root, ascending. */
#include "midi/score/chord.h"
#include "midi/score/scale.h"

#include <stdio.h>
#include <string.h>

enum { ALL_CLASSES = 0xfff };

/* If several names stand for the same notes, the first is used for display. */
static const struct kind {
    const char *name;
    uint8_t above[CHORD_MOST - 1]; /* 0 ends the list */
} kinds[] = {
    {"", {4, 7}},
    {"m", {3, 7}},
    {"dim", {3, 6}},
    {"aug", {4, 8}},
    {"sus4", {5, 7}},
    {"sus2", {2, 7}},
    {"5", {7}},
    {"7", {4, 7, 10}},
    {"maj7", {4, 7, 11}},
    {"m7", {3, 7, 10}},
    {"mM7", {3, 7, 11}},
    {"dim7", {3, 6, 9}},
    {"m7b5", {3, 6, 10}},
    {"aug7", {4, 8, 10}},
    {"augM7", {4, 8, 11}},
    {"7sus4", {5, 7, 10}},
    {"7b5", {4, 6, 10}},
    {"6", {4, 7, 9}},
    {"m6", {3, 7, 9}},
    {"69", {4, 7, 9, 14}},
    {"m69", {3, 7, 9, 14}},
    {"add9", {4, 7, 14}},
    {"madd9", {3, 7, 14}},
    {"9", {4, 7, 10, 14}},
    {"maj9", {4, 7, 11, 14}},
    {"m9", {3, 7, 10, 14}},
    {"mM9", {3, 7, 11, 14}},
    {"9sus4", {5, 7, 10, 14}},
    {"7b9", {4, 7, 10, 13}},
    {"7#9", {4, 7, 10, 15}},
    {"m7b5b9", {3, 6, 10, 13}},
    {"m7b9", {3, 7, 10, 13}},
    {"7#11", {4, 7, 10, 18}},
    {"maj7#11", {4, 7, 11, 18}},
    {"11", {4, 7, 10, 14, 17}},
    {"m11", {3, 7, 10, 14, 17}},
    {"13", {4, 7, 10, 14, 21}},
    {"maj13", {4, 7, 11, 14, 21}},
    {"m13", {3, 7, 10, 14, 21}},
    /* Names that are read, but not used for display. */
    {"maj", {4, 7}},
    {"M", {4, 7}},
    {"min", {3, 7}},
    {"o", {3, 6}},
    {"+", {4, 8}},
    {"sus", {5, 7}},
    {"M7", {4, 7, 11}},
    {"min7", {3, 7, 10}},
    {"mmaj7", {3, 7, 11}},
    {"o7", {3, 6, 9}},
    {"+7", {4, 8, 10}},
    {"M9", {4, 7, 11, 14}},
    {"M13", {4, 7, 11, 14, 21}},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* -- reading a symbol -- */

/* Reads a pitch class such as "Bb", and moves *text past it. Returns -1 if there is
 * none. */
static int read_class(const char **text)
{
    static const int natural[7] = {9, 11, 0, 2, 4, 5, 7}; /* from A */
    if (**text < 'A' || **text > 'G')
        return -1;
    int class = natural[*(*text)++ - 'A'];
    if (**text == '#' || **text == 'b')
        class += *(*text)++ == '#' ? 1 : 11;
    return class % 12;
}

/* Returns the MIDI pitch of that class nearest to `pitch`; of two, the lower. */
static int nearest(int class, int pitch)
{
    int at = pitch - ((pitch - class) % 12 + 12) % 12;
    if (pitch - at > 6)
        at += 12;
    return at > 127 ? at - 12 : at < 0 ? at + 12 : at;
}

static void add(struct chord *c, int pitch)
{
    int i = c->n;
    if (pitch < 0 || pitch > 127 || c->n == CHORD_MOST)
        return;
    for (; i > 0 && c->pitches[i - 1] > pitch; i--)
        c->pitches[i] = c->pitches[i - 1];
    c->pitches[i] = (uint8_t)pitch;
    c->n++;
}

static struct chord on_root(const struct kind *k, int root)
{
    struct chord c = {0};
    add(&c, root);
    for (int i = 0; i < CHORD_MOST - 1 && k->above[i]; i++)
        add(&c, root + k->above[i]);
    return c;
}

/* Stacks the notes of the chord closely above a bass note. Notes that lie more than an
 * octave above the root go an octave higher. */
static struct chord over_bass(const struct kind *k, int root_class, int bass)
{
    struct chord c = {0};
    add(&c, bass);
    for (int i = -1; i < CHORD_MOST - 1 && (i < 0 || k->above[i]); i++) {
        int above = i < 0 ? 0 : k->above[i];
        int up = ((root_class + above - bass) % 12 + 12) % 12;
        if (up > 0)
            add(&c, bass + up + (above > 12 ? 12 : 0));
    }
    return c;
}

/* Reads "Bbm7/F". *root and *bass are pitch classes, or -1 if the symbol does not name
 * them. Returns NULL if it is no chord. */
static const struct kind *read_symbol(const char *symbol, int *root, int *bass)
{
    const char *slash = strchr(symbol, '/'), *bass_text = slash ? slash + 1 : "";
    *root = read_class(&symbol);
    *bass = read_class(&bass_text);
    if (*bass_text || (slash && *bass < 0))
        return NULL;
    size_t n = slash ? (size_t)(slash - symbol) : strlen(symbol);
    for (int i = 0; i < N_KINDS; i++)
        if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, symbol, n) == 0)
            return &kinds[i];
    return NULL;
}

bool chord_parse(const char *symbol, int pitch, struct chord *out)
{
    int root, bass;
    const struct kind *k = read_symbol(symbol, &root, &bass);
    if (!k)
        return false;
    if (root < 0)
        root = pitch % 12;
    *out = bass >= 0 ? over_bass(k, root, nearest(bass, pitch))
                     : on_root(k, nearest(root, pitch));
    return true;
}

/* -- of a scale -- */

struct chord chord_in_scale(uint16_t mask, int pitch, int n)
{
    struct chord c = {0};
    int base = degree_floor(mask, pitch);
    /* A raised step may have no third above it; then the lowered step has one. */
    if (base != pitch && degree_move(mask, base, 2) - pitch < 3)
        base = degree_move(mask, base, 1);
    add(&c, pitch);
    for (int i = 1; i < n; i++)
        add(&c, degree_move(mask, base, 2 * i));
    return c;
}

/* -- naming -- */

static unsigned classes_of_kind(const struct kind *k, int root)
{
    unsigned classes = 1u << root;
    for (int i = 0; i < CHORD_MOST - 1 && k->above[i]; i++)
        classes |= 1u << (root + k->above[i]) % 12;
    return classes & ALL_CLASSES;
}

bool chord_symbol_read(const char *symbol, struct chord_symbol *out)
{
    int root, bass;
    *out = (struct chord_symbol){.root = 12, .bass = 12};
    if (!strcmp(symbol, "N.C."))
        return true;
    const struct kind *k = read_symbol(symbol, &root, &bass);
    if (root < 0 || !k)
        return false;
    out->root = (uint8_t)root;
    out->bass = (uint8_t)(bass >= 0 ? bass : root);
    out->classes = (uint16_t)(classes_of_kind(k, root) | 1u << out->bass);
    return true;
}

static const struct kind *kind_of(unsigned classes, int root)
{
    for (int i = 0; i < N_KINDS; i++)
        if (classes_of_kind(&kinds[i], root) == classes)
            return &kinds[i];
    return NULL;
}

const char *chord_class_name(int class, bool flats)
{
    static const char *const SHARP[] = {"C",  "C#", "D",  "D#", "E",  "F",
                                        "F#", "G",  "G#", "A",  "A#", "B"};
    static const char *const FLAT[] = {"C",  "Db", "D",  "Eb", "E",  "F",
                                       "Gb", "G",  "Ab", "A",  "Bb", "B"};
    return flats ? FLAT[class] : SHARP[class];
}

const char *chord_name(const struct chord *c, bool flats, char buf[CHORD_TEXT])
{
    unsigned classes = 0;
    size_t n = 0;
    for (int i = 0; i < c->n; i++)
        classes |= 1u << c->pitches[i] % 12;
    for (int i = 0; i < c->n && c->n > 1; i++) {
        int root = c->pitches[i] % 12;
        int bass = c->pitches[0] % 12;
        const struct kind *k = kind_of(classes, root);
        if (!k)
            continue;
        snprintf(buf, CHORD_TEXT, "%s%s%s%s", chord_class_name(root, flats), k->name,
                 root == bass ? "" : "/",
                 root == bass ? "" : chord_class_name(bass, flats));
        return buf;
    }
    buf[0] = '\0';
    for (int i = 0; i < c->n; i++) /* at most 8 names of at most 3 bytes */
        n += (size_t)snprintf(buf + n, CHORD_TEXT - n, "%s%s", i ? " " : "",
                              chord_class_name(c->pitches[i] % 12, flats));
    return buf;
}
