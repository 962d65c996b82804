/* The actions: what the table in act.c and the lines typed after `:` call, and what
 * actions lend one another. Each says to the user what it did, or why it did not
 * (session_say). UI thread only. */
#ifndef APP_ACT_H
#define APP_ACT_H

#include "app/editor/session/part.h"
#include "tui/view/view.h"

struct session;

/* Executes one command. */
void act_run(struct session *s, const struct command *c);

/* How often: a count stands before some commands. */
static inline int command_times(const struct command *c)
{
    return c->count > 0 ? c->count : 1;
}

/* Only what the command's own part does, without what surrounds a key. For parts that have
 * another do its work. */
void act_call(struct session *s, const struct command *c);

/* A line typed after `:`. */
act_line_fn act_command_line;

/* -- what parts lend one another; by file -- */

/* act_tempo.c: "96", "3/4", or "": what begins here goes; "96" or "96-120"; "3/4" */
act_line_fn act_tempo_line, act_tempo_word, act_meter_word;
/* act_marker.c: "" removes */
act_line_fn act_marker_line;
/* act_find.c */
act_line_fn act_find_line;
/* act_map.c */
act_line_fn act_map_edit_line, act_map_add_line;
/* act_scale.c: "G minor", "any", "guess" or nothing */
act_line_fn act_scale_line;
act_fn act_steer_type; /* act_steer.c */

/* act_steer.c: "density" and "2". false: there is none of that name. */
bool act_steer_line(struct session *s, const char *name, const char *value);
/* act_file.c. forced: also from unsaved music, and over another file. path NULL: where it
 * came from. */
void act_open_line(struct session *s, const char *path, bool forced);
bool act_save_as(struct session *s, const char *path, bool forced);

/* A leading ~/ is the home folder, as in a shell. false: too long. */
bool file_expand(char *out, size_t n_out, const char *path);
const char *file_base_name(const char *path); /* what follows its last slash */
/* act_soundfont.c: says when the font that was asked for is there. */
void soundfont_watch(struct session *s);
/* act_render.c. watch: says when it is over. is_stopped: as it was asked; false: there was
 * none. */
void render_watch(struct session *s);
bool render_is_stopped(struct session *s);

/* -- prompts -- */

/* act_prompt.c: opens the command line with `line` in it, to be gone on with. */
void prompt_open_line(struct session *s, const char *line);
/* Writes into buf[n], and returns it, what a prompt (app/editor/shell/act_prompt.c) says before what is
 * typed, or begins with; find_begin notes, besides, where it began. */
typedef const char *prompt_text_fn(struct session *s, char *buf, size_t n);
prompt_text_fn tempo_prompt, scale_prompt, marker_text_here, map_edit_text, find_begin;
/* act_find.c. begin: the prompt is opened; watch: after each command: while what is sought
 * is being typed the view follows, and returns when that was given up. */
void find_watch(struct session *s);

/* act_instrument.c. typed: after each letter of any line; step: up or down the list,
 * false: no such line is typed. */
void instrument_typed(struct session *s);
bool instrument_step(struct session *s, int by);

/* -- selecting (act_select.c) -- */

bool select_has(const struct session *s, uint64_t id);
void select_one(struct session *s, uint64_t id);
void select_toggle(struct session *s, uint64_t id); /* the others stay chosen */
void select_forget_missing(struct session *s);
/* Recomputes the box from the anchor and the cursor, and what is selected from it. */
void select_box(struct session *s);
enum mode select_mode_after(const struct session *s); /* where SELECT began */

/* Selects, in the place of what was, every note of a choice: of the active track, or of
 * all that are not hidden. `has` may look at what was selected in selected_before, if
 * anything was. */
struct choice {
    bool (*has)(const struct session *s, const struct note *n, const void *of);
    const void *of;
    bool all_tracks;
};
void select_where(struct session *s, const struct choice *c);

/* -- the lane and the list of tracks -- */

/* act_lane.c: what the lane needs of a command's end, and of Escape; true: it took it. */
void lane_fit(struct session *s);
bool lane_escape(struct session *s);
/* act_tracks.c: a press on the foot's line of tracks; false: it was not there. */
bool tracks_press_line(struct session *s, const struct command *c);
void tracks_show_chosen(struct session *s); /* scrolls the list to it */

/* -- each one's part of the view (session_view) -- */

void find_view(struct session *s, struct view *v);
void map_view(struct session *s, struct view *v);
void history_view(struct session *s, struct view *v);
void tracks_view(struct session *s, struct view *v);
void instrument_view(struct session *s, struct view *v);
void steer_view(struct session *s, struct view *v);
void render_view(const struct session *s, struct view *v);

#endif
