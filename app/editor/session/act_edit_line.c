/* The lines typed after `:` that change notes; `.` does the last one again. */
#include "app/editor/session/session.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *verb;
    void (*act)(struct session *s, const char *rest);
} LINES[] = {
    {"quantise", act_quantise_line}, {"quantize", act_quantise_line},
    {"swing", act_swing_line},       {"humanise", act_humanise_line},
    {"humanize", act_humanise_line}, {"transpose", act_transpose_line},
    {"invert", act_invert_line},     {"stretch", act_stretch_line},
    {"reverse", act_reverse_line},   {"velocity", act_velocity_line},
    {"chord", act_chord_line},       {"volume", act_volume_line},
    {"pan", act_pan_line},           {"reverb", act_reverb_line},
    {"chorus", act_chorus_line},
};

static void remember(struct session *s, const char *verb, const char *rest)
{
    int n = snprintf(s->last_line, sizeof s->last_line, "%s %s", verb, rest);
    bool fits = n > 0 && (size_t)n < sizeof s->last_line;
    s->last_edit = (struct command){.id = fits ? CMD_SUBMIT : CMD_NONE};
}

bool act_edit_line(struct session *s, const char *verb, const char *rest)
{
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++)
        if (!strcmp(verb, LINES[i].verb)) {
            remember(s, verb, rest);
            LINES[i].act(s, rest);
            return true;
        }
    return false;
}
