/* Requests takes from the model: what continuing and rewriting share. Ui thread. */
#ifndef APP_MACHINE_H
#define APP_MACHINE_H

#include "app/editor/session/session.h"

/* Requests takes by s->request.asked, in addition to the present ones. The caller has set
 * that and the notes it rewrites. false: it failed, and the user was told. */
bool machine_ask(struct session *s);

/* Whether the model was given the present music to read ahead, and the music has not
 * changed for more than ago_ms. */
bool machine_has_read(const struct session *s, int ago_ms);

/* hole.c: whether the last request was for a hole. */
static inline bool hole_is_asked(const struct session *s)
{
    return s->request.asked.options.hole.to_tick > 0;
}
/* Returns the track as a bit; 0: the model cannot write on it, and the user was told. */
uint64_t machine_track(struct session *s, int track);
/* Returns the audible tracks with notes, a bit each; 0: there are none, and the user was told. */
uint64_t machine_tracks(struct session *s);
/* Requests the usual number of takes for a box of these tracks. */
void hole_change(struct session *s, const struct box *b, uint64_t tracks);
/* Collects the notes now in the hole. false: it cannot be requested, and the user was told. */
bool hole_collect(struct session *s);
/* Returns the name of the track if `tracks` is one bit; else NULL. */
const char *hole_track(const struct session *s, uint64_t tracks);
/* Writes "bars 3-4" or "2 beats of bar 5"; returns buf. */
const char *hole_name(const struct session *s, char buf[64]);
const char *span_name(const struct timeline *t, int64_t from, int64_t to, char buf[64]);
/* Sets *b to the time from the first beginning of the selected notes to the last end, with all
 * pitches. Returns their tracks, a bit each. */
uint64_t hole_selected_span(const struct session *s, struct box *b);
/* Writes what `c` would do to the selected box, or `cc` to selected notes with no box:
 * "c rewrites bars 3-4 of Alto"; "": nothing is selected. Cheap: a frame calls it. */
void hole_say_selected(const struct session *s, char *buf, size_t n);

/* motif_part.c: returns the motif for the present request, and forgets it, so that it returns
 * once. */
struct continuation_motif machine_take_motif(struct session *s, const struct box *hole);

/* model_choice.c: writes the path of the model in use. false: there is none. */
bool model_in_use(const struct session *s, char *path, size_t n_path);
/* learn.c: the program that learns; NULL: this one. Tests, which are another, set it. */
extern const char *learn_program;

/* compose.c: the tracks that `:accompany` has added. They wait with its takes, as long as no
 * other edit follows. */

/* Returns the instruments as they were typed; NULL: no such tracks wait. */
const char *band_words(const struct session *s);
/* Call when no take waits any more: takes the tracks away again, if they wait. Returns
 * whether it did. */
bool band_take_away(struct session *s);
/* Like edit_do; in one step with the tracks, if they wait. */
bool band_do_with_tracks(struct session *s, struct change *c);

/* steering_panel.c: whether the model has learnt the style of these values. */
bool steer_is_offered(const struct session *s, const struct steering *wanted);
/* Describes the valid values of a field: "one of guess, any". Returns buf. */
const char *steer_line_wants(const struct session *s, const struct field *f,
                             char buf[FIELD_WANTS_BYTES]);

/* accept.c: writes what `a` would do with the selected box while takes wait:
 * "a accepts 5 notes of take 2". */
void accept_say_selected(const struct session *s, char *buf, size_t n);

#endif
