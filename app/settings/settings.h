/* What the configuration file sets, with its defaults and what each is for. One table:
 * reading, `continuo config`, the manual page and `:set` are made from it. The values of
 * app/generation/steer.h are settings of [machine], too.
 *
 * Plain data, no pointers in it. Pure functions. */
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

/* A setting is identified by its index, 0 to settings_n() - 1; those of a section are
 * adjacent. */
struct setting_about {
    const char *section, *name, *help;
    bool at_start; /* it is looked at once, when the program starts */
};
int settings_n(void);
struct setting_about settings_about(int i);
/* -1: there is none. section NULL: in any; name NULL: its first. */
int settings_find(const char *section, const char *name);

/* The value as it is written; buf is returned. "" for a text that is not set. */
const char *settings_get(int i, const struct settings *s, char buf[SETTING_BYTES]);
/* false, and nothing set: not a valid value; settings_wants describes the valid ones. */
bool settings_set(int i, struct settings *s, const char *text);
const char *settings_wants(int i, char buf[FIELD_WANTS_BYTES]);

#endif
