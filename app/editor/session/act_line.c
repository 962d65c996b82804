/* The lines typed after `:`. Files first, then the machine's settings, then the
 * score's own. */
#include "app/editor/session/session.h"
#include "app/base/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set_map(struct session *s, struct change *change, enum midi_status st)
{
    if (!change || st) {
        change_destroy(change);
        session_error(s, "that does not fit here");
        return false;
    }
    return session_do(s, change);
}

static void line_track(struct session *s, const char *name)
{
    struct change *change = change_create("add a track");
    int n = (int)s->project.score->n_tracks;
    uint8_t channel = score_free_channel(s->project.score, 0);
    if (set_map(s, change,
                change ? change_add_track(change, s->project.score,
                                          *name ? name : "Track", channel, 0)
                       : MIDI_NO_MEMORY)) {
        s->track = n;
        tracks_show_chosen(s);
        session_say(s, "track %d added", n + 1);
    }
}

void act_track_add(struct session *s, const struct command *c)
{
    (void)c;
    line_track(s, "");
}

/* As in vi: a `!` means that it is meant. */
static bool line_files(struct session *s, const char *verb, const char *rest)
{
    const char *path = *rest ? rest : NULL;
    bool forced = verb[strlen(verb) - 1] == '!';
    if (!strcmp(verb, "w") || !strcmp(verb, "w!"))
        act_save_as(s, path, forced);
    else if (!strcmp(verb, "wq") || !strcmp(verb, "wq!") || !strcmp(verb, "x"))
        s->quit = act_save_as(s, path, forced);
    else if (!strcmp(verb, "q") || !strcmp(verb, "q!"))
        act_quit(s, &(struct command){.id = forced ? CMD_QUIT_NOW : CMD_QUIT});
    else if (!strcmp(verb, "e") || !strcmp(verb, "e!"))
        act_open_line(s, rest, forced);
    else
        return false;
    return true;
}

static void line_sound(struct session *s, const char *rest)
{
    (void)rest;
    session_say(s, "%s", player_status(s->player, s->status, sizeof s->status));
}

static void line_help(struct session *s, const char *rest)
{
    (void)rest;
    act_help(s, &(struct command){.id = CMD_HELP});
}

static const struct {
    const char *verb;
    void (*act)(struct session *s, const char *rest);
} LINES[] = {
    {"tempo", act_tempo_word},
    {"meter", act_meter_word},
    {"track", line_track},
    {"rename", act_rename_line},
    {"instrument", act_instrument_line},
    {"channel", act_channel_line},
    {"colour", act_colour_line},
    {"color", act_colour_line},
    {"insert", act_insert_line},
    {"lead-in", act_lead_in_line},
    {"harmonise", act_harmonise_line},
    {"harmonize", act_harmonise_line},
    {"lane", act_lane_line},
    {"value", act_value_line},
    {"grid", act_grid_line},
    {"select", act_select_line},
    {"registers", act_registers_line},
    {"scale", act_scale_line},
    {"history", act_history_line},
    {"undo", act_undo_line},
    {"revert", act_revert_line},
    {"earlier", act_earlier_line},
    {"later", act_later_line},
    {"sound", line_sound},
    {"soundfont", act_soundfont_line},
    {"input", act_input_line},
    {"monitor", act_monitor_line},
    {"output", act_output_line},
    {"clock", act_clock_line},
    {"record", act_record_line},
    {"lay", act_lay_line},
    {"count-in", act_count_in_line},
    {"latency", act_latency_line},
    {"pass", act_pass_line},
    {"answer", act_answer_line},
    {"render", act_render_line},
    {"render!", act_render_over_line},
    {"theme", act_theme_line},
    {"help", line_help},
    {"tutor", act_tutor_line},
    {"set", act_set_line},
    {"map", act_map_line},
    {"config", act_config_line},
};

void act_command_line(struct session *s, const char *line)
{
    char verb[24];
    while (*line == ' ' || *line == ':')
        line++;
    size_t n = strcspn(line, " ");
    if (n == 0)
        return;
    snprintf(verb, sizeof verb, "%.*s", (int)(n < sizeof verb ? n : sizeof verb - 1),
             line);
    const char *rest = line + n + strspn(line + n, " ");
    if (line_files(s, verb, rest) || act_edit_line(s, verb, rest))
        return;
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++)
        if (!strcmp(verb, LINES[i].verb)) {
            LINES[i].act(s, rest);
            return;
        }
    if (!act_steer_line(s, verb, rest))
        session_error(s, "no command :%s; ? lists them", verb);
}
