/* The colours of each theme, and how they mix. */
#include "tui/cells/theme.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define RGB_MASK       0xFFFFFFu
#define ANSI(n)        (COLOUR_ANSI + (n))
#define NONE           COLOUR_DEFAULT

/* Least contrast of text and of shapes (WCAG 2.1, 1.4.3 and 1.4.11). */
#define TEXT_CONTRAST  4.5
#define SHAPE_CONTRAST 3.0

/* Track colours are the eight of Okabe and Ito, with black replaced by a light grey and
 * sky blue first. Each is moved towards white or black until its contrast with the
 * ground is at least 4.2, then away from its nearest neighbour, so that colour-blind
 * eyes can tell them apart, too (simulated after Machado et al. 2009).
 * tests/tui/cells/test_themes.c checks both. */

/* A row for each colour: dark, light, high contrast, 16 colours. With high contrast text
 * has 7 to 1 (WCAG 2.1, 1.4.6), shapes have 4.5 to 1. */
#define COLOURS(X)                                                                     \
    X(row_white, 0x1C1C22, 0xFBFBF8, 0x181818, NONE)                                   \
    X(row_black, 0x141418, 0xEFEFEB, 0x000000, NONE)                                   \
    X(line_beat, 0x303038, 0xDEDEDA, 0x4A4A4A, ANSI(8))                                \
    X(line_bar, 0x696974, 0x888885, 0x9A9A9A, ANSI(8))                                 \
    X(text, 0xDCDCE2, 0x1E1E24, 0xFFFFFF, NONE)                                        \
    X(quiet, 0x8E8E9A, 0x62626C, 0xE0E0E0, NONE)                                       \
    X(faint, 0x6F6F7A, 0x7E7E85, 0x9A9A9A, ANSI(8))                                    \
    X(bar, 0x24242E, 0xE2E2DE, 0x000000, NONE)                                         \
    X(panel, 0x18181E, 0xF3F3F0, 0x000000, NONE)                                       \
    X(accent, 0xFFC85A, 0x8E5500, 0xFFE14A, ANSI(3))                                   \
    X(on_accent, 0x1A1408, 0xFFFFFF, 0x000000, ANSI(0))                                \
    X(error, 0xFF7A66, 0xB3261E, 0xFF9C8C, ANSI(1))                                    \
    X(playhead, 0x6EE787, 0x167130, 0x7CFF9B, ANSI(2))                                 \
    X(selected, 0xFFF6DC, 0x26221A, 0xFFFFFF, ANSI(7))                                 \
    X(key_white, 0xC4C4CC, 0xFFFFFF, 0xFFFFFF, ANSI(7))                                \
    X(key_c, 0xE2E2E8, 0xE6E6EC, 0xFFFFFF, ANSI(7))                                    \
    X(key_black, 0x26262E, 0x3A3A42, 0x000000, ANSI(0))                                \
    X(key_line, 0x8A8A96, 0xC2C2C8, 0x4A4A4A, ANSI(8))                                 \
    X(key_text, 0x18181E, 0x2A2A32, 0x000000, ANSI(0))

#define IN_DARK(name, dark, light, contrast, of_16)     .name = (dark),
#define IN_LIGHT(name, dark, light, contrast, of_16)    .name = (light),
#define IN_CONTRAST(name, dark, light, contrast, of_16) .name = (contrast),
#define IN_16(name, dark, light, contrast, of_16)       .name = (of_16),
#define IN_MONO(name, dark, light, contrast, of_16)     .name = NONE,

enum palette {
    PALETTE_DARK,
    PALETTE_LIGHT,
    PALETTE_CONTRAST,
    PALETTE_16,
    PALETTE_MONO
};

static const struct theme PALETTES[] = {
    [PALETTE_DARK] = {.tracks = {0x5EB8EA, 0xE7A40D, 0x0CA37A, 0xCF80AB, 0xF1E54B,
                                 0xD96C17, 0x328DC1, 0xD9D9DF},
                      COLOURS(IN_DARK)},
    [PALETTE_LIGHT] = {.tracks = {0x2F6381, 0x674800, 0x008964, 0x7D4A66, 0x817B23,
                                  0xAF4D00, 0x0072B2, 0x75757B},
                       COLOURS(IN_LIGHT)},
    [PALETTE_CONTRAST] = {.tracks = {0x78C3ED, 0xE8A818, 0x2EB08C, 0xD694B9, 0xF3E968,
                                     0xE58B45, 0x55A6D6, 0xDDDDE2},
                          COLOURS(IN_CONTRAST)},
    [PALETTE_16] = {.tracks = {ANSI(6), ANSI(3), ANSI(2), ANSI(5), ANSI(3), ANSI(1),
                               ANSI(4), ANSI(7)},
                    COLOURS(IN_16)},
    [PALETTE_MONO] = {.tracks = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
                      COLOURS(IN_MONO)},
};

/* The linear value of a channel, 0..255. A table, since each name on a note needs it. */
static double linear_of(uint32_t channel)
{
    static double table[256]; /* UI thread only */
    for (int i = 0; table[255] == 0 && i < 256; i++) {
        double c = i / 255.0;
        table[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    return table[channel];
}

static double luminance_of(uint32_t rgb)
{
    return 0.2126 * linear_of(rgb >> 16 & 0xFF) + 0.7152 * linear_of(rgb >> 8 & 0xFF) +
           0.0722 * linear_of(rgb & 0xFF);
}

double theme_contrast(uint32_t a, uint32_t b)
{
    double x = luminance_of(a), y = luminance_of(b);
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

static double least_contrast(const struct theme *t, uint32_t colour)
{
    return fmin(theme_contrast(colour, t->row_white),
                theme_contrast(colour, t->row_black));
}

uint32_t theme_mix(uint32_t a, uint32_t b, double share)
{
    uint32_t mixed = 0;
    if (a > RGB_MASK || b > RGB_MASK)
        return share < 0.5 ? a : b;
    for (int shift = 0; shift <= 16; shift += 8) {
        double x = a >> shift & 0xFF, y = b >> shift & 0xFF;
        mixed |= (uint32_t)(x + (y - x) * share + 0.5) << shift;
    }
    return mixed;
}

/* A note of this loudness, 0..1, before it is one of 256 colours. */
static uint32_t mixed_note(const struct theme *t, int track, double loudness,
                           enum presence presence)
{
    /* By presence: where the softest and the loudest lie between the least visible
     * share and the full colour. The 256 colours have few dark ones, so their shares
     * are higher. */
    static const double SHARE[2][2][2] = {
        {{0.30, 1.00}, {0.00, 0.28}},
        {{0.75, 1.00}, {0.30, 0.55}},
    };
    const uint32_t colour = t->tracks[track];
    if (presence == PRESENCE_MUTED)
        return theme_mix(t->row_white, colour, 0.16 + 0.08 * loudness);
    const double *of = SHARE[t->depth == DEPTH_256][presence];
    const double least = t->least[track];
    return theme_mix(t->row_white, colour,
                     least + (1 - least) * (of[0] + (of[1] - of[0]) * loudness));
}

/* -- the 256 colours: a cube of 6 levels each way, and a ramp of greys -- */

static const int CUBE_LEVELS[] = {0, 95, 135, 175, 215, 255};

static uint32_t rgb_of_256(int i)
{
    if (i >= 232)
        return (uint32_t)(8 + 10 * (i - 232)) * 0x010101;
    i -= 16;
    return (uint32_t)CUBE_LEVELS[i / 36] << 16 | (uint32_t)CUBE_LEVELS[i / 6 % 6] << 8 |
           (uint32_t)CUBE_LEVELS[i % 6];
}

static int distance_to(int r, int g, int b, uint32_t rgb)
{
    int dr = r - (int)(rgb >> 16 & 0xFF), dg = g - (int)(rgb >> 8 & 0xFF);
    int db = b - (int)(rgb & 0xFF);
    return dr * dr + dg * dg + db * db;
}

static int cube_step(uint32_t channel)
{
    return channel < 48 ? 0 : channel < 115 ? 1 : (int)(channel - 35) / 40;
}

int theme_nearest_256(uint32_t rgb)
{
    int r = cube_step(rgb >> 16 & 0xFF), g = cube_step(rgb >> 8 & 0xFF);
    int b = cube_step(rgb & 0xFF);
    int mean = (int)((rgb >> 16 & 0xFF) + (rgb >> 8 & 0xFF) + (rgb & 0xFF)) / 3;
    int grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    int level = 8 + 10 * grey;
    if (distance_to(level, level, level, rgb) <
        distance_to(CUBE_LEVELS[r], CUBE_LEVELS[g], CUBE_LEVELS[b], rgb))
        return 232 + grey;
    return 16 + 36 * r + 6 * g + b;
}

/* -- notes in 256 colours. The colour nearest to a mixed one is often of another hue, so that
 * notes would not match the swatch of their track. -- */

struct opponent {
    double red, blue; /* less luma */
};

static struct opponent opponent_of(uint32_t rgb)
{
    const double r = rgb >> 16 & 0xFF, g = rgb >> 8 & 0xFF, b = rgb & 0xFF;
    const double luma = 0.299 * r + 0.587 * g + 0.114 * b;
    return (struct opponent){r - luma, b - luma};
}

/* The nearest of the 256 colours to `wanted` that has the hue of `like` and the contrast;
 * `like` itself if none has. Both are grey, or their hues differ by less than about 13
 * degrees. */
static uint32_t nearest_of_hue(const struct theme *t, uint32_t wanted, uint32_t like,
                               double contrast)
{
    enum { GREY = 16 };
    const struct opponent hue = opponent_of(like);
    const double chroma = hypot(hue.red, hue.blue);
    uint32_t best = like;
    int least = INT_MAX;
    for (int i = 16; i < 256; i++) {
        const uint32_t rgb = rgb_of_256(i);
        const struct opponent c = opponent_of(rgb);
        const double other = hypot(c.red, c.blue);
        const bool is_of_hue =
            chroma < GREY || other < GREY
                ? chroma < GREY && other < GREY
                : c.red * hue.red + c.blue * hue.blue > 0.974 * chroma * other;
        const int d = distance_to((int)(rgb >> 16), (int)(rgb >> 8 & 0xFF),
                                  (int)(rgb & 0xFF), wanted);
        if (d < least && is_of_hue && least_contrast(t, rgb) >= contrast) {
            least = d;
            best = rgb;
        }
    }
    return best;
}

const char *theme_name(int i)
{
    static const char *const NAMES[] = {"auto", "dark", "light", "contrast", "mono"};
    return i >= 0 && i < (int)(sizeof NAMES / sizeof *NAMES) ? NAMES[i] : NULL;
}

bool theme_is_known(const char *name)
{
    for (int i = 0; theme_name(i); i++)
        if (!strcmp(name, theme_name(i)))
            return true;
    return false;
}

struct theme theme_by_name(const char *name, enum depth depth, bool light, bool ascii)
{
    const bool is_strong = !strcmp(name, "contrast");
    if (!strcmp(name, "mono"))
        depth = DEPTH_MONO;
    if (!strcmp(name, "dark") || !strcmp(name, "light"))
        light = *name == 'l';
    if (is_strong && depth >= DEPTH_256)
        light = false;
    struct theme t = PALETTES[depth == DEPTH_MONO ? PALETTE_MONO
                              : depth == DEPTH_16 ? PALETTE_16
                              : is_strong         ? PALETTE_CONTRAST
                              : light             ? PALETTE_LIGHT
                                                  : PALETTE_DARK];
    t.depth = depth;
    t.light = light;
    t.ascii = ascii;
    if (depth == DEPTH_16 && light) { /* yellow and green are not visible here */
        t.accent = ANSI(5);
        t.playhead = ANSI(4);
        t.selected = ANSI(0);
        t.tracks[1] = t.tracks[4] = ANSI(1);
        t.tracks[7] = ANSI(8);
    }
    if (depth == DEPTH_16 && is_strong)
        t.faint = t.line_bar = COLOUR_DEFAULT;
    for (int i = 0; theme_paints(&t) && i < TRACK_COLOURS; i++) {
        double share = 0.1;
        while (share < 1 && least_contrast(&t, theme_mix(t.row_white, t.tracks[i],
                                                         share)) < SHAPE_CONTRAST)
            share += 0.01;
        t.least[i] = fmin(share, 1);
    }
    /* In 256 colours the track's own colour becomes the displayed one, and notes have its hue.
     * Muted notes have nearly the colour of the ground. */
    const struct theme mixed = t;
    for (int i = 0; depth == DEPTH_256 && i < TRACK_COLOURS; i++) {
        t.tracks[i] = nearest_of_hue(&t, t.tracks[i], t.tracks[i], SHAPE_CONTRAST);
        for (int presence = PRESENCE_ACTIVE; presence <= PRESENCE_MUTED; presence++)
            for (int step = 0; step < THEME_NOTE_STEPS; step++) {
                const double loudness = step / (THEME_NOTE_STEPS - 1.0);
                uint32_t *note = &t.notes[i][presence][step];
                *note = mixed_note(&mixed, i, loudness, (enum presence)presence);
                if (presence != PRESENCE_MUTED)
                    *note = nearest_of_hue(&t, *note, t.tracks[i], SHAPE_CONTRAST);
            }
    }
    return t;
}

enum depth theme_depth(const char *term, const char *colorterm, const char *no_color,
                       int n_colours)
{
    if (no_color && *no_color)
        return DEPTH_MONO;
    if (colorterm && (!strcmp(colorterm, "truecolor") || !strcmp(colorterm, "24bit")))
        return DEPTH_TRUE;
    if (n_colours > 256 || (term && strstr(term, "-direct")))
        return DEPTH_TRUE;
    if (n_colours == 256)
        return DEPTH_256;
    return n_colours >= 8 ? DEPTH_16 : DEPTH_MONO;
}

bool theme_paints(const struct theme *t)
{
    return t->depth >= DEPTH_256;
}

const char *theme_track_name(int track)
{
    static const char *const NAMES[TRACK_COLOURS] = {
        "sky blue", "orange", "green", "purple", "yellow", "vermilion", "blue", "grey",
    };
    return track >= 0 && track < TRACK_COLOURS ? NAMES[track] : NULL;
}

static int track_index(int track)
{
    return track < 0 ? 0 : track % TRACK_COLOURS;
}

uint32_t theme_track(const struct theme *t, int track)
{
    return t->tracks[track_index(track)];
}

uint32_t theme_note(const struct theme *t, int track, int velocity,
                    enum presence presence)
{
    const double v = velocity < 0 ? 0 : velocity > 127 ? 1 : velocity / 127.0;
    if (t->depth == DEPTH_256)
        return t->notes[track_index(track)][presence]
                       [(int)(v * (THEME_NOTE_STEPS - 1) + 0.5)];
    return theme_paints(t) ? mixed_note(t, track_index(track), v, presence)
                           : theme_track(t, track);
}

/* The softer pair comes first, then black or white, of which one always reaches
 * TEXT_CONTRAST. The numbers are the luminances at which each ink does. */
uint32_t theme_ink_on(const struct theme *t, uint32_t ground)
{
    if (ground == ANSI(0) || ground == ANSI(4))
        return ANSI(15);
    if (ground > RGB_MASK)
        return t->depth == DEPTH_16 ? ANSI(0) : COLOUR_DEFAULT;
    const double l = luminance_of(ground);
    return l >= 0.199 ? 0x101014 : l <= 0.162 ? 0xF4F4F6 : l >= 0.175 ? 0 : 0xFFFFFF;
}

uint32_t theme_legible(const struct theme *t, uint32_t colour, uint32_t ground)
{
    if (colour > RGB_MASK || ground > RGB_MASK)
        return colour;
    for (int twentieths = 0; twentieths < 20; twentieths++) {
        uint32_t ink = theme_mix(colour, t->text, twentieths / 20.0);
        if (theme_contrast(ink, ground) >= TEXT_CONTRAST)
            return ink;
    }
    return t->text;
}
