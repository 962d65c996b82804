/* Two palettes of our own, one borrowed from the terminal, one of no colour. */
#include "tui/theme.h"

#include <string.h>

#define RGB_MASK 0xFFFFFFu

/* Okabe & Ito's eight, black replaced by grey; sky blue first. */
static const uint32_t TRACKS[TRACK_COLOURS] = {
    0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0xD55E00, 0x0072B2, 0xA0A0A8,
};
static const uint8_t TRACKS_16[TRACK_COLOURS] = {6, 3, 2, 5, 3, 1, 4, 7};

static const struct theme DARK = {
    .row_white = 0x1C1C22,
    .row_black = 0x141418,
    .line_beat = 0x303038,
    .line_bar = 0x5C5C68,
    .text = 0xDCDCE2,
    .quiet = 0x8E8E9A,
    .faint = 0x5A5A66,
    .bar = 0x24242E,
    .panel = 0x18181E,
    .accent = 0xFFC85A,
    .on_accent = 0x1A1408,
    .error = 0xFF7A66,
    .playhead = 0x6EE787,
    .selected = 0xFFF6DC,
    .key_white = 0xC4C4CC,
    .key_c = 0xE2E2E8,
    .key_black = 0x26262E,
    .key_line = 0x8A8A96,
    .key_text = 0x18181E,
};

static const struct theme LIGHT = {
    .light = true,
    .row_white = 0xFBFBF8,
    .row_black = 0xEFEFEB,
    .line_beat = 0xDEDEDA,
    .line_bar = 0xA6A6A2,
    .text = 0x1E1E24,
    .quiet = 0x62626C,
    .faint = 0x9A9AA2,
    .bar = 0xE2E2DE,
    .panel = 0xF3F3F0,
    .accent = 0xB86E00,
    .on_accent = 0xFFFFFF,
    .error = 0xB3261E,
    .playhead = 0x1B8A3A,
    .selected = 0x26221A,
    .key_white = 0xFFFFFF,
    .key_c = 0xE6E6EC,
    .key_black = 0x3A3A42,
    .key_line = 0xC2C2C8,
    .key_text = 0x2A2A32,
};

#define ANSI(n) (COLOUR_ANSI + (n))

static const struct theme PLAIN_16 = {
    .row_white = COLOUR_DEFAULT,
    .row_black = COLOUR_DEFAULT,
    .line_beat = ANSI(8),
    .line_bar = ANSI(8),
    .text = COLOUR_DEFAULT,
    .quiet = COLOUR_DEFAULT,
    .faint = ANSI(8),
    .bar = COLOUR_DEFAULT,
    .panel = COLOUR_DEFAULT,
    .accent = ANSI(3),
    .on_accent = ANSI(0),
    .error = ANSI(1),
    .playhead = ANSI(2),
    .selected = ANSI(7),
    .key_white = ANSI(7),
    .key_c = ANSI(7),
    .key_black = ANSI(0),
    .key_line = ANSI(8),
    .key_text = ANSI(0),
};

static struct theme mono(void)
{
    uint32_t d = COLOUR_DEFAULT;
    return (struct theme){
        .row_white = d,
        .row_black = d,
        .line_beat = d,
        .line_bar = d,
        .text = d,
        .quiet = d,
        .faint = d,
        .bar = d,
        .panel = d,
        .accent = d,
        .on_accent = d,
        .error = d,
        .playhead = d,
        .selected = d,
        .key_white = d,
        .key_c = d,
        .key_black = d,
        .key_line = d,
        .key_text = d,
    };
}

struct theme theme_for(enum depth depth, bool light, bool ascii)
{
    struct theme t = depth == DEPTH_MONO ? mono()
                     : depth == DEPTH_16 ? PLAIN_16
                     : light             ? LIGHT
                                         : DARK;
    if (depth == DEPTH_16 && light) { /* yellow and green would not be seen */
        t.accent = ANSI(5);
        t.playhead = ANSI(4);
        t.selected = ANSI(0);
    }
    t.depth = depth;
    t.light = light;
    t.ascii = ascii;
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

static uint32_t mix_channel(uint32_t a, uint32_t b, int shift, double share)
{
    double x = a >> shift & 0xFF, y = b >> shift & 0xFF;
    return (uint32_t)(x + (y - x) * share + 0.5) << shift;
}

uint32_t theme_mix(uint32_t a, uint32_t b, double share)
{
    if (a > RGB_MASK || b > RGB_MASK)
        return share < 0.5 ? a : b;
    return mix_channel(a, b, 16, share) | mix_channel(a, b, 8, share) |
           mix_channel(a, b, 0, share);
}

const char *theme_track_name(int track)
{
    static const char *const NAMES[TRACK_COLOURS] = {
        "sky blue", "orange", "green", "purple", "yellow", "vermilion", "blue", "grey",
    };
    return track >= 0 && track < TRACK_COLOURS ? NAMES[track] : NULL;
}

uint32_t theme_track(const struct theme *t, int track)
{
    int i = track < 0 ? 0 : track % TRACK_COLOURS;
    if (t->depth == DEPTH_MONO)
        return COLOUR_DEFAULT;
    if (t->depth == DEPTH_16)
        return COLOUR_ANSI + TRACKS_16[i];
    return t->light ? theme_mix(TRACKS[i], 0x000000, 0.12) : TRACKS[i];
}

uint32_t theme_note(const struct theme *t, int track, int velocity,
                    enum presence presence)
{
    /* The share of the track's colour at velocities 0 and 127, by presence. The
     * 256 colours have too few dark ones to keep hues apart, so it is higher. */
    static const double SHARE[2][3][2] = {
        {{0.50, 1.00}, {0.34, 0.62}, {0.16, 0.24}},
        {{0.86, 1.00}, {0.60, 0.80}, {0.30, 0.40}},
    };
    const double *share_of = SHARE[t->depth == DEPTH_256][presence];
    double v = velocity < 0 ? 0 : velocity > 127 ? 1 : velocity / 127.0;
    double share = share_of[0] + (share_of[1] - share_of[0]) * v;
    uint32_t colour = theme_track(t, track);
    return theme_paints(t) ? theme_mix(t->row_white, colour, share) : colour;
}

static double luminance(uint32_t rgb)
{
    return (0.299 * (rgb >> 16 & 0xFF) + 0.587 * (rgb >> 8 & 0xFF) +
            0.114 * (rgb & 0xFF)) /
           255;
}

uint32_t theme_ink_on(const struct theme *t, uint32_t ground)
{
    if (ground == ANSI(0) || ground == ANSI(4))
        return ANSI(15);
    if (ground > RGB_MASK)
        return t->depth == DEPTH_16 ? ANSI(0) : COLOUR_DEFAULT;
    return luminance(ground) > 0.42 ? 0x101014 : 0xF4F4F6;
}

static int distance(int r, int g, int b, uint32_t rgb)
{
    int dr = r - (int)(rgb >> 16 & 0xFF), dg = g - (int)(rgb >> 8 & 0xFF);
    int db = b - (int)(rgb & 0xFF);
    return dr * dr + dg * dg + db * db;
}

/* The cube's levels are 0, 95, 135, ... 255. */
static int cube_step(uint32_t channel)
{
    return channel < 48 ? 0 : channel < 115 ? 1 : (int)(channel - 35) / 40;
}

int theme_nearest_256(uint32_t rgb)
{
    static const int LEVEL[] = {0, 95, 135, 175, 215, 255};
    int r = cube_step(rgb >> 16 & 0xFF), g = cube_step(rgb >> 8 & 0xFF);
    int b = cube_step(rgb & 0xFF);
    int mean = (int)((rgb >> 16 & 0xFF) + (rgb >> 8 & 0xFF) + (rgb & 0xFF)) / 3;
    int grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    int level = 8 + 10 * grey;
    if (distance(level, level, level, rgb) <
        distance(LEVEL[r], LEVEL[g], LEVEL[b], rgb))
        return 232 + grey;
    return 16 + 36 * r + 6 * g + b;
}
