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

enum kind {
    TEXT,
    FILE_NAME,
    THEME,
    COUNT,
    REAL,
    SWITCH,
    PRECISION,
    WORDS, /* an enum, in the order of its words */
    GRID,
    GROOVE,
};

struct row {
    const char *section, *name, *help;
    enum kind kind;
    size_t offset, n_bytes;
    bool at_start;
    double low, high;
    const char *const *words; /* of WORDS, then NULL */
    const char *wants;
};

/* Of enum map_mode and enum click_mode. */
static const char *const MAP_WORDS[] = {"auto", "yes", "no", NULL};
static const char *const CLICK_WORDS[] = {"recording", "always", "never", NULL};

#define AT(field)                                                                      \
    .offset = offsetof(struct settings, field),                                        \
    .n_bytes = sizeof((struct settings *)0)->field

static const struct row ROWS[] = {
    {"sound", "soundfont", "the soundfont; else the system's, else continuo's own",
     FILE_NAME, AT(soundfont), .at_start = true},
    {"sound", "driver",
     "alsa, jack, pulseaudio, pipewire, ... or none; else one that works", TEXT,
     AT(driver), .at_start = true},
    {"sound", "gain", "volume of all sound", REAL, AT(gain), true, 0.1, 5},
    {"sound", "input",
     "a MIDI keyboard, by part of its name, or none; else the last one", TEXT,
     AT(input), .at_start = true},
    {"sound", "output",
     "a MIDI instrument to play on, by part of its name; else the last one", TEXT,
     AT(output), .at_start = true},
    {"sound", "latency", "delay of a keyboard's input, in milliseconds", REAL,
     AT(sound.latency_ms), false, -500, 500},
    {"sound", "metronome", "when the metronome clicks", WORDS, AT(sound.clicks),
     .words = CLICK_WORDS, .wants = "recording (only then), always or never"},
    {"sound", "count-in", "bars of count-in before a recording", COUNT,
     AT(sound.count_in), false, 0, 2},
    {"sound", "click-volume", "volume of the metronome", COUNT, AT(sound.click_volume),
     false, 0, CLICK_VOLUME_MOST},
    {"view", "theme", "the colours; auto: to match the terminal", THEME, AT(theme)},
    {"view", "ascii", "draw only ASCII", SWITCH, AT(ascii), .at_start = true},
    {"view", "follow", "the view follows the playhead and new notes", SWITCH,
     AT(follow)},
    {"view", "minimap", "show the whole piece in a line under the roll", WORDS,
     AT(minimap), .words = MAP_WORDS, .wants = "auto (if there is room), yes or no"},
    {"edit", "velocity", "velocity of new notes, until you change one", COUNT,
     AT(velocity), false, 1, 127},
    {"edit", "grid", "grid of the cursor and of new notes", GRID, AT(grid)},
    {"edit", "quantise", "how notes are moved to the grid", GROOVE, AT(groove)},
    {"machine", "model", "a model's file, or the name of a bundled one", FILE_NAME,
     AT(model), .at_start = true},
    {"machine", "threads", "threads of the model; 0: one for each processor", COUNT,
     AT(threads), true, 0, 256},
    {"machine", "precision",
     "type of the model's weights in single steps; int8 is fastest", PRECISION,
     AT(precision), .at_start = true},
};
/* The rows of app/generation/steer.h follow, in the section of the last. */
enum { N_ROWS = sizeof ROWS / sizeof ROWS[0] };

/* NULL: setting i is a value of steering. */
static const struct row *row_of(int i)
{
    return i < N_ROWS ? &ROWS[i] : NULL;
}

static const struct steer_row *steer_row_of(int i)
{
    return steer_row(i - N_ROWS);
}

int settings_n(void)
{
    return N_ROWS + steer_n_rows();
}

struct setting_about settings_about(int i)
{
    const struct row *r = row_of(i);
    if (r)
        return (struct setting_about){r->section, r->name, r->help, r->at_start};
    const struct steer_row *steer = steer_row_of(i);
    return (struct setting_about){"machine", steer->name, steer->help, false};
}

int settings_find(const char *section, const char *name)
{
    for (int i = 0; i < settings_n(); i++) {
        struct setting_about about = settings_about(i);
        if ((!section || !strcmp(about.section, section)) &&
            (!name || !strcmp(about.name, name)))
            return i;
    }
    return -1;
}

static bool set_text(char *at, size_t n_bytes, const char *text)
{
    size_t n = strlen(text);
    if (n >= n_bytes)
        return false;
    memcpy(at, text, n + 1);
    return true;
}

static bool set_switch(bool *at, const char *text)
{
    static const char *const YES_NO[] = {"no", "off",  "false", "0", "yes",
                                         "on", "true", "1",     NULL};
    int i;
    if (!value_word(text, YES_NO, &i))
        return false;
    *at = i >= 4;
    return true;
}

bool settings_set(int i, struct settings *s, const char *text)
{
    const struct row *r = row_of(i);
    if (!r)
        return steer_set(steer_row_of(i), &s->steering, text);
    void *at = (char *)s + r->offset;
    switch (r->kind) {
    case TEXT:
        return set_text(at, r->n_bytes, text);
        char full[SETTING_BYTES];
    case FILE_NAME:
        return file_expand(full, sizeof full, text) && set_text(at, r->n_bytes, full);
    case THEME:
        return theme_is_known(text) && set_text(at, r->n_bytes, text);
    case COUNT:
        return value_count(text, (int)r->low, (int)r->high, at);
    case REAL:
        return value_real(text, r->low, r->high, at);
    case SWITCH:
        return set_switch(at, text);
    case PRECISION:
        return value_precision(text, at);
    case WORDS:
        return value_word(text, r->words, at);
    case GRID:
        return grid_step_parse(text, at);
    case GROOVE:
        return groove_parse(text, at);
    }
    return false;
}

const char *settings_get(int i, const struct settings *s, char buf[SETTING_BYTES])
{
    const struct row *r = row_of(i);
    const void *at = (const char *)s + (r ? r->offset : 0);
    if (!r)
        return steer_get(steer_row_of(i), &s->steering, buf);
    if (r->kind == COUNT)
        snprintf(buf, SETTING_BYTES, "%d", *(const int *)at);
    else if (r->kind == REAL)
        snprintf(buf, SETTING_BYTES, "%g", *(const double *)at);
    else if (r->kind == GRID)
        grid_step_format(at, buf);
    else if (r->kind == GROOVE)
        groove_format(at, buf);
    else
        snprintf(buf, SETTING_BYTES, "%s",
                 r->kind == SWITCH      ? *(const bool *)at ? "yes" : "no"
                 : r->kind == WORDS     ? r->words[*(const int *)at]
                 : r->kind == PRECISION ? value_precision_name(s->precision.weights)
                                        : (const char *)at);
    return buf;
}

const char *settings_wants(int i, char buf[SETTING_WANTS_BYTES])
{
    static const char *const WANTS[] = {
        [SWITCH] = "yes or no",
        [PRECISION] = "f32, bf16 or int8",
        [GRID] = "1/1 to 1/64, 1/16t (triplets), 1/8. (dotted), or off",
        [GROOVE] = "as in: 80% start end length swing 56 within 30%",
    };
    const struct row *r = row_of(i);
    char steer[STEER_WANTS_BYTES];
    if (!r)
        snprintf(buf, SETTING_WANTS_BYTES, "%s", steer_wants(steer_row_of(i), steer));
    else if (r->kind == THEME) {
        size_t used = (size_t)snprintf(buf, SETTING_WANTS_BYTES, "one of:");
        for (int k = 0; theme_name(k) && used < SETTING_WANTS_BYTES; k++)
            used += (size_t)snprintf(buf + used, SETTING_WANTS_BYTES - used, " %s",
                                     theme_name(k));
    } else if (r->kind == COUNT)
        snprintf(buf, SETTING_WANTS_BYTES, "a whole number from %g to %g", r->low,
                 r->high);
    else if (r->kind == REAL)
        snprintf(buf, SETTING_WANTS_BYTES, "a number from %g to %g", r->low, r->high);
    else if (r->kind == TEXT || r->kind == FILE_NAME)
        snprintf(buf, SETTING_WANTS_BYTES, "a text of less than %zu bytes", r->n_bytes);
    else
        snprintf(buf, SETTING_WANTS_BYTES, "%s", r->wants ? r->wants : WANTS[r->kind]);
    return buf;
}
