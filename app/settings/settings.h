/* The settings of the configuration file, with their defaults and purposes, in one table. Reading,
 * `continuo config`, the manual page and `:set` use it. The values of app/generation/steer.h are
 * settings of [machine], too.
 *
 * Plain data without pointers. Pure functions. */
#ifndef APP_SETTINGS_H
#define APP_SETTINGS_H

#include "app/document/groove.h"
#include "app/generation/steer.h"
#include "model/weights/model.h"
#include "tui/cells/theme.h"
#include "tui/view/view.h"

/* When the metronome clicks. */
enum click_mode { CLICKS_RECORDING, CLICKS_ALWAYS, CLICKS_NEVER };

struct sound_options {
    enum click_mode clicks;
    double latency_ms;          /* subtracted from the times of the user's input */
    int count_in, click_volume; /* bars before recording; 0..127 */
};

enum { SETTING_BYTES = FIELD_TEXT_BYTES };

struct settings {
    char soundfont[SETTING_BYTES], driver[64];
    double gain;
    char input[96], output[112];
    struct sound_options sound;
    char model[SETTING_BYTES];
    int threads;
    struct model_precision precision;
    struct steering steering;
    char theme[THEME_NAME_BYTES];
    bool ascii, follow;
    enum map_mode minimap;
    int velocity;
    struct grid_step grid;
    struct groove groove;
};
void settings_init(struct settings *s); /* the defaults */

/* A setting is identified by its index, from 0. The settings of a section are adjacent. */

/* Returns the field of a setting: its name, its help and the valid values. NULL: there is none. */
const struct field *settings_field(int i);
const char *settings_section(int i);
/* Returns whether a setting is read only when the program starts. */
bool settings_at_start(int i);
/* Returns the index of a setting; -1: there is none. section NULL: in any section; name NULL: the
 * section's first. */
int settings_find(const char *section, const char *name);

/* Writes a value as the file has it; "" is a text that is not set. Returns buf. */
const char *settings_get(int i, const struct settings *s, char buf[SETTING_BYTES]);
/* Sets a value. false: it is invalid, and nothing is set. */
bool settings_set(int i, struct settings *s, const char *text);

#endif
