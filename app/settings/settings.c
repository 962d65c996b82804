#include "app/settings/settings.h"

#include "app/base/paths.h"
#include "app/base/values.h"
#include "midi/sound/metronome.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void settings_init(struct settings *s)
{
    *s = (struct settings){
        .gain = 0.6,
        .sound = {.count_in = 1, .click_volume = CLICK_VOLUME_DEFAULT},
        .precision = PRECISION_DEFAULT,
        .steering = STEERING_DEFAULT,
        .theme = "auto",
        .follow = true,
        .velocity = 80,
        .grid = GRID_STEP_DEFAULT,
    };
    s->groove = GROOVE_DEFAULT;
}

/* -- kinds of values -- */

static bool read_file(const struct field *f, void *of, const char *text)
{
    char full[SETTING_BYTES];
    return file_expand(full, sizeof full, text) && field_read_text(f, of, full);
}

static bool read_theme(const struct field *f, void *of, const char *text)
{
    return theme_is_known(text) && field_read_text(f, of, text);
}

static bool read_grid(const struct field *f, void *of, const char *text)
{
    return grid_step_parse(text, field_at(f, of));
}

static void write_grid(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    char text[GRID_STEP_TEXT];
    snprintf(buf, n_buf, "%s", grid_step_format(field_at(f, of), text));
}

static bool read_groove(const struct field *f, void *of, const char *text)
{
    return groove_parse(text, field_at(f, of));
}

static void write_groove(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    char text[GROOVE_TEXT];
    snprintf(buf, n_buf, "%s", groove_format(field_at(f, of), text));
}

static const struct field_kind FILE_NAME = {.read = read_file,
                                            .write = field_write_text,
                                            .wants = "a text of less than 1024 bytes"};
static const struct field_kind THEME = {.read = read_theme, .write = field_write_text};
static const struct field_kind GRID = {
    .read = read_grid,
    .write = write_grid,
    .wants = "1/1 to 1/64, 1/16t (triplets), 1/8. (dotted), or off"};
static const struct field_kind GROOVE = {
    .read = read_groove,
    .write = write_groove,
    .wants = "as in: 80% start end length swing 56 within 30%"};

/* -- the table -- */

/* The `set` of a row has its section, and whether the setting is read only when the program starts. */
enum { SOUND, VIEW, EDIT, MACHINE, SECTION = 3, AT_START = 4 };
static const char *const SECTIONS[] = {"sound", "view", "edit", "machine"};

/* Words of enum map_mode, of enum click_mode, and of a bool, with other names of both values. */
static const char *const MAP_WORDS[] = {"auto", "yes", "no", NULL};
static const char *const CLICK_WORDS[] = {"recording", "always", "never", NULL};
static const char *const YES_NO[] = {"no",   "yes", "off", "on", "false",
                                     "true", "0",   "1",   NULL};

#define ROW(its_kind, its_set, field)                                                  \
    .kind = &(its_kind), .set = (its_set), FIELD_OF(settings, field)
#define COUNT(set, field, from, to)                                                    \
    ROW(FIELD_WHOLE, set, field), .low = (from), .high = (to)
#define REAL(set, field, from, to)                                                     \
    ROW(FIELD_REAL, set, field), .low = (from), .high = (to)
#define SWITCH(set, field)                                                             \
    ROW(FIELD_WORDS, set, field), .high = 1, .words = YES_NO, .wants = "yes or no"
#define WORDS(set, field, list) ROW(FIELD_WORDS, set, field), .words = (list)

static const struct field ROWS[] = {
    {"soundfont", NULL, "the soundfont; else the system's, else continuo's own",
     ROW(FILE_NAME, SOUND | AT_START, soundfont)},
    {"driver", NULL,
     "alsa, jack, pulseaudio, pipewire, ... or none; else one that works",
     ROW(FIELD_TEXT, SOUND | AT_START, driver)},
    {"gain", NULL, "volume of all sound", REAL(SOUND | AT_START, gain, 0.1, 5)},
    {"input", NULL, "a MIDI keyboard, by part of its name, or none; else the last one",
     ROW(FIELD_TEXT, SOUND | AT_START, input)},
    {"output", NULL,
     "a MIDI instrument to play on, by part of its name; else the last one",
     ROW(FIELD_TEXT, SOUND | AT_START, output)},
    {"latency", NULL, "delay of a keyboard's input, in milliseconds",
     REAL(SOUND, sound.latency_ms, -500, 500)},
    {"metronome", NULL, "when the metronome clicks",
     WORDS(SOUND, sound.clicks, CLICK_WORDS),
     .wants = "recording (only then), always or never"},
    {"count-in", NULL, "bars of count-in before a recording",
     COUNT(SOUND, sound.count_in, 0, 2)},
    {"click-volume", NULL, "volume of the metronome",
     COUNT(SOUND, sound.click_volume, 0, CLICK_VOLUME_MOST)},
    {"theme", NULL, "the colours; auto: to match the terminal", ROW(THEME, VIEW, theme),
     .word = theme_name},
    {"ascii", NULL, "draw only ASCII", SWITCH(VIEW | AT_START, ascii)},
    {"follow", NULL, "the view follows the playhead and new notes",
     SWITCH(VIEW, follow)},
    {"minimap", NULL, "show the whole piece in a line under the roll",
     WORDS(VIEW, minimap, MAP_WORDS), .wants = "auto (if there is room), yes or no"},
    {"velocity", NULL, "velocity of new notes, until you change one",
     COUNT(EDIT, velocity, 1, 127)},
    {"grid", NULL, "grid of the cursor and of new notes", ROW(GRID, EDIT, grid)},
    {"quantise", NULL, "how notes are moved to the grid", ROW(GROOVE, EDIT, groove)},
    {"model", NULL, "a model's file, or the name of a bundled one",
     ROW(FILE_NAME, MACHINE | AT_START, model)},
    {"threads", NULL, "threads of the model; 0: one for each processor",
     COUNT(MACHINE | AT_START, threads, 0, 256)},
    {"precision", NULL, "type of the model's weights in single steps; int8 is fastest",
     ROW(FIELD_PRECISION, MACHINE | AT_START, precision)},
};
/* The rows of app/generation/steer.h follow these, in the section of the last row. */
enum { N_ROWS = sizeof ROWS / sizeof ROWS[0] };

const struct field *settings_field(int i)
{
    return i < N_ROWS                    ? &ROWS[i]
           : i < N_ROWS + steer_n_rows() ? steer_row(i - N_ROWS)
                                         : NULL;
}

const char *settings_section(int i)
{
    return SECTIONS[i < N_ROWS ? ROWS[i].set & SECTION : MACHINE];
}

bool settings_at_start(int i)
{
    return i < N_ROWS && ROWS[i].set & AT_START;
}

int settings_find(const char *section, const char *name)
{
    for (int i = 0; settings_field(i); i++)
        if ((!section || !strcmp(settings_section(i), section)) &&
            (!name || !strcmp(settings_field(i)->name, name)))
            return i;
    return -1;
}

bool settings_set(int i, struct settings *s, const char *text)
{
    return field_read(settings_field(i), i < N_ROWS ? (void *)s : &s->steering, text);
}

const char *settings_get(int i, const struct settings *s, char buf[SETTING_BYTES])
{
    const void *of = i < N_ROWS ? (const void *)s : &s->steering;
    return field_write(settings_field(i), of, buf, SETTING_BYTES);
}
