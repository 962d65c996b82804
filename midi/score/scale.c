/* Scales. A kind of scale is its set of pitch classes above C, which is rotated to the
 * tonic. */
#include "midi/score/scale.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ALL_CLASSES = 0xfff };

#define BIT(n)                  (1 << (n))
#define FIVE(a, b, c, d, e)     (BIT(a) | BIT(b) | BIT(c) | BIT(d) | BIT(e))
#define SIX(a, b, c, d, e, f)   (FIVE(a, b, c, d, e) | BIT(f))
#define SEVEN(b, c, d, e, f, g) (SIX(0, b, c, d, e, f) | BIT(g))

static const struct {
    const char *name;
    uint16_t classes;
} kinds[N_SCALE_KINDS] = {
    [SCALE_MAJOR] = {"major", SEVEN(2, 4, 5, 7, 9, 11)},
    [SCALE_MINOR] = {"minor", SEVEN(2, 3, 5, 7, 8, 10)},
    [SCALE_HARMONIC_MINOR] = {"harmonic minor", SEVEN(2, 3, 5, 7, 8, 11)},
    [SCALE_MELODIC_MINOR] = {"melodic minor", SEVEN(2, 3, 5, 7, 9, 11)},
    [SCALE_DORIAN] = {"dorian", SEVEN(2, 3, 5, 7, 9, 10)},
    [SCALE_PHRYGIAN] = {"phrygian", SEVEN(1, 3, 5, 7, 8, 10)},
    [SCALE_LYDIAN] = {"lydian", SEVEN(2, 4, 6, 7, 9, 11)},
    [SCALE_MIXOLYDIAN] = {"mixolydian", SEVEN(2, 4, 5, 7, 9, 10)},
    [SCALE_LOCRIAN] = {"locrian", SEVEN(1, 3, 5, 6, 8, 10)},
    [SCALE_MAJOR_PENTATONIC] = {"major pentatonic", FIVE(0, 2, 4, 7, 9)},
    [SCALE_MINOR_PENTATONIC] = {"minor pentatonic", FIVE(0, 3, 5, 7, 10)},
    [SCALE_BLUES] = {"blues", SIX(0, 3, 5, 6, 7, 10)},
    [SCALE_WHOLE_TONE] = {"whole tone", SIX(0, 2, 4, 6, 8, 10)},
    [SCALE_CHROMATIC] = {"chromatic", ALL_CLASSES},
};

/* Other names that musicians use. */
static const struct {
    const char *name;
    enum scale_kind kind;
} aliases[] = {
    {"maj", SCALE_MAJOR},           {"min", SCALE_MINOR},
    {"ionian", SCALE_MAJOR},        {"aeolian", SCALE_MINOR},
    {"dur", SCALE_MAJOR},           {"moll", SCALE_MINOR},
    {"natural minor", SCALE_MINOR}, {"pentatonic", SCALE_MAJOR_PENTATONIC},
};

/* The spelling of a scale that is known only by its pitch classes. */
static const struct {
    char letter;
    int accidental;
} spellings[12] = {{'C', 0}, {'C', 1}, {'D', 0},  {'E', -1}, {'E', 0},  {'F', 0},
                   {'F', 1}, {'G', 0}, {'A', -1}, {'A', 0},  {'B', -1}, {'B', 0}};

static const char *skip_separators(const char *text)
{
    while (*text == ' ' || *text == '-' || *text == '_')
        text++;
    return text;
}

/* Compares names without regard to case and to separators of words. */
static bool is_same_name(const char *text, const char *name)
{
    for (;; text++, name++) {
        text = skip_separators(text);
        name = skip_separators(name);
        if (tolower((unsigned char)*text) != *name)
            return false;
        if (*name == '\0')
            return true;
    }
}

static bool parse_kind(const char *text, enum scale_kind *kind)
{
    for (int i = 0; i < N_SCALE_KINDS; i++)
        if (is_same_name(text, kinds[i].name)) {
            *kind = (enum scale_kind)i;
            return true;
        }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (is_same_name(text, aliases[i].name)) {
            *kind = aliases[i].kind;
            return true;
        }
    return false;
}

int scale_read_accidental(const char **text)
{
    static const struct {
        const char *sign;
        int semitones;
    } signs[] = {{"#", 1}, {"b", -1}, {"\xe2\x99\xaf", 1}, {"\xe2\x99\xad", -1}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].sign);
        if (strncmp(*text, signs[i].sign, n) == 0) {
            *text += n;
            return signs[i].semitones;
        }
    }
    return 0;
}

/* Reads what follows the tonic. If nothing follows, the case of the tonic decides
 * between major and minor. */
static bool parse_rest(const char *text, bool is_lower, enum scale_kind *kind)
{
    text = skip_separators(text);
    if (*text == '\0')
        *kind = is_lower ? SCALE_MINOR : SCALE_MAJOR;
    else if (strcmp(text, "m") == 0)
        *kind = SCALE_MINOR;
    else if (strcmp(text, "M") == 0)
        *kind = SCALE_MAJOR;
    else
        return parse_kind(text, kind);
    return true;
}

bool scale_parse(const char *text, struct scale *out)
{
    struct scale s = {.letter = 'C', .kind = SCALE_CHROMATIC};
    text = skip_separators(text);
    if (!is_same_name(text, kinds[SCALE_CHROMATIC].name)) {
        char upper = *text >= 'a' && *text <= 'g' ? (char)(*text - 'a' + 'A') : *text;
        if (upper < 'A' || upper > 'G')
            return false;
        s.letter = upper;
        bool is_lower = *text++ != upper;
        s.accidental = scale_read_accidental(&text);
        if (!parse_rest(text, is_lower, &s.kind))
            return false;
    }
    *out = s;
    return true;
}

const char *scale_format(const struct scale *s, char text[SCALE_TEXT])
{
    const char *sign = s->accidental > 0 ? "#" : s->accidental < 0 ? "b" : "";
    snprintf(text, SCALE_TEXT, "%c%s %s", s->letter, sign, kinds[s->kind].name);
    return text;
}

int scale_tonic(const struct scale *s)
{
    static const int natural[7] = {9, 11, 0, 2, 4, 5, 7}; /* from A */
    return (natural[s->letter - 'A'] + s->accidental + 12) % 12;
}

/* Each sharp or flat of the tonic moves the signature by seven fifths. `less` is the
 * difference of a kind of scale from major. */
int scale_sharps(const struct scale *s)
{
    static const int letters[7] = {3, 5, 0, 2, 4, -1, 1}; /* of A to G major */
    static const int less[N_SCALE_KINDS] = {
        [SCALE_MINOR] = 3,
        [SCALE_HARMONIC_MINOR] = 3,
        [SCALE_MELODIC_MINOR] = 3,
        [SCALE_DORIAN] = 2,
        [SCALE_PHRYGIAN] = 4,
        [SCALE_LYDIAN] = -1,
        [SCALE_MIXOLYDIAN] = 1,
        [SCALE_LOCRIAN] = 5,
        [SCALE_MINOR_PENTATONIC] = 3,
        [SCALE_BLUES] = 3,
    };
    int sharps = letters[s->letter - 'A'] + 7 * s->accidental - less[s->kind];
    return sharps < -7 ? sharps + 12 : sharps > 7 ? sharps - 12 : sharps;
}

uint16_t scale_mask(const struct scale *s)
{
    unsigned classes = kinds[s->kind].classes;
    int tonic = scale_tonic(s);
    return (uint16_t)((classes << tonic | classes >> (12 - tonic)) & ALL_CLASSES);
}

bool scale_from_mask(uint16_t mask, struct scale *out)
{
    for (int kind = 0; kind < N_SCALE_KINDS; kind++)
        for (int tonic = 0; tonic < 12; tonic++) {
            const struct scale s = {.letter = spellings[tonic].letter,
                                    .accidental = spellings[tonic].accidental,
                                    .kind = (enum scale_kind)kind};
            if (scale_mask(&s) == mask) {
                *out = s;
                return true;
            }
        }
    return false;
}

bool scale_has(uint16_t mask, int pitch)
{
    return mask >> ((pitch % 12 + 12) % 12) & 1;
}

int scale_step(uint16_t mask, int pitch, int by)
{
    int one = by < 0 ? -1 : 1;
    while (by != 0) {
        pitch += one;
        if (pitch < 0 || pitch > 127)
            return -1;
        by -= scale_has(mask, pitch) ? one : 0;
    }
    return pitch;
}

int scale_nearest(uint16_t mask, int pitch)
{
    for (int off = 0; off < 12; off++) {
        if (pitch - off >= 0 && scale_has(mask, pitch - off))
            return pitch - off;
        if (pitch + off <= 127 && scale_has(mask, pitch + off))
            return pitch + off;
    }
    return pitch; /* the mask is empty */
}

int degree_floor(uint16_t mask, int pitch)
{
    while (!scale_has(mask, pitch))
        pitch--;
    return pitch;
}

int degree_move(uint16_t mask, int pitch, int steps)
{
    int at = degree_floor(mask, pitch), above = pitch - at;
    int by = steps < 0 ? -1 : 1;
    for (; steps != 0; steps -= by)
        do
            at += by;
        while (!scale_has(mask, at));
    return at + above;
}
