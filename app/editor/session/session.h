/* The state of the workstation: the open piece, the cursor, the selection, and the waiting
 * takes. The ui thread owns this one struct; other threads get clones and messages. The parts
 * (part.h) change and show it.
 *
 * An edit acts on the selected notes of all tracks, else on the note of the active track
 * under the cursor. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/document/store_session.h"
#include "app/document/groove.h"
#include "app/document/project.h"
#include "app/document/proposals.h"
#include "app/document/clipboard.h"
#include "app/document/rewrite.h"
#include "app/editor/session/act.h"
#include "app/editor/session/part.h"
#include "app/editor/session/roll.h"
#include "app/editor/session/selection.h"
#include "app/generation/generator.h"
#include "app/generation/steer.h"
#include "app/settings/settings.h"
#include "midi/edit/humanise.h"
#include "midi/transport/player.h"
#include "tui/cells/theme.h"
#include "tui/keys/bindings.h"
#include "tui/keys/keymap.h"
#include "tui/view/layout.h"
#include "tui/view/survey.h"
#include "tui/view/view.h"

/* The last request to the model: its span, its options, and its progress. Its takes are
 * in session.takes (app/document/proposals.h). */
struct take_request {
    struct generation asked;    /* for `r` */
    int64_t from, to;           /* ticks; equal: not known yet */
    int64_t music_end;          /* of the first context that the model read, ticks */
    int n_tracks;               /* of the score at the request */
    int n_once;                 /* "2c": as many takes of this hole; 0: as steered */
    struct rewritten rewritten; /* notes of the score that the takes would replace */
    uint64_t *note_ids;         /* [n_note_ids] the only notes to rewrite; */
    size_t n_note_ids;          /* 0: all notes in the hole */
    bool is_running;            /* at the last look */
    bool takes_went;            /* the takes no longer fit; the user must be told */
};

/* The structure of the score after the last edit, as the history counts it (midi/edit/edit.h).
 * If it has changed, stored ticks or track numbers must change, too. */
struct seen_structure {
    int64_t inserted_ticks;
    uint64_t arrangement; /* of tracks */
    /* For the hook `edited`: the edit inserted or removed time; it moved tracks. */
    bool time_moved, tracks_moved;
};

/* The user's configuration, of its file and `:set`, and keys. */
struct preferences {
    struct settings settings;     /* as the file and `:set` have them */
    char config_path[512];        /* of that file; "": not known */
    struct binding *keymap;       /* owned; NULL: as built in */
    char theme[THEME_NAME_BYTES]; /* chosen by name; "": not yet */
    bool remembers_files;         /* in the user's state folder */
};

enum { BUSY_MS = 33 }; /* interval of checks while playing or generating */

struct session {
    struct session_parts parts;
    int wake_fd; /* other threads write to it when they have news; -1: none does */
    struct project project;
    struct player *player;
    struct generator *generator;

    /* The home of the mode, message, cursor, viewport, active track, prompt, help and chords. Each
     * frame begins as a copy, which the parts complete. */
    struct view view;
    enum mode below[MODE_COUNT]; /* what each mode was opened over */
    bool quit;
    struct preferences preferences;

    struct layout layout;
    struct survey *survey;
    struct roll_options roll;
    struct grid_step grid;
    struct loop_span loop;
    struct sound_options sound;
    struct selection selection;
    enum drag drag; /* what the mouse is doing */
    /* Flags of what is open: KEEPS_CHORD, a shown chord; PLAYS, a chord that is stepped in. A
     * command without the flag ends it. */
    unsigned open;

    struct {
        int velocity;
        int64_t length; /* of the last new note, ticks; 0: none yet */
    } new_note;
    struct groove groove;       /* what `=` does */
    struct humanise humanise;   /* what `~` does; the seed of the next draw */
    struct registers registers; /* kept from file to file */
    struct {
        struct command command;
        char line[128]; /* when that is CMD_SUBMIT */
        bool runs;      /* just now */
    } repeated;         /* by `.` */
    struct seen_structure seen;

    bool has_take; /* requested, and neither accepted nor all rejected yet */
    struct proposals takes;
    struct take_request request;
    struct {
        enum { LIST_WHERE_ROOM, LIST_SHOWN, LIST_HIDDEN } list;
        bool figures; /* in the list, instead of words */
        bool shade_by_probability;
    } take_display;
    struct steering steering; /* of the next request */
    struct {
        uint64_t heads; /* bit layer * n_heads + head */
        int n_heads;    /* of each layer of their model */
    } muted;            /* for the next takes */
};

/* Begins with an empty score and a screen of 80x24. After a failure there is nothing to free. */
enum midi_status session_init(struct session *s, const struct session_options *o);
void session_fini(struct session *s);

/* Opens a file, and tells the user. false: it was not opened, and nothing has changed. */
bool session_open(struct session *s, const char *path);
/* Opens `path` if there is such a file; else the music in `from`, to save as `path`. */
bool session_open_copy(struct session *s, const char *from, const char *path);
/* Opens the music of a run that was ended before it was ever saved, if there is any. */
void session_open_unnamed(struct session *s);

/* Sets the message to the user, a plain sentence; printf-style. */
void session_show_message(struct session *s, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define session_say(s, ...)   session_show_message(s, false, __VA_ARGS__)
#define session_error(s, ...) session_show_message(s, true, __VA_ARGS__)

/* Adds text to the message. */
void session_say_more(struct session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the message "NAME cannot be written: why" with `advice` at the end. Reads errno. */
void session_file_error(struct session *s, const char *path, enum midi_status st,
                        const char *advice);

/* Sets the message "out of memory: nothing was done". Returns false. */
bool session_no_memory(struct session *s);

/* Call after edits. Runs the hooks `edited`, which forget notes, tracks and takes that are
 * gone. */
void session_revalidate(struct session *s);
/* Runs the hooks `tick`: they take news from other threads and write what has changed. */
void session_tick(struct session *s);
/* Returns the milliseconds until session_tick has something to do, or until something that
 * moves must be painted again, if nothing happens before. */
int session_timeout_ms(const struct session *s);
/* Opens a mode over the present one. Closing it returns to the mode below, or to NORMAL if the
 * takes or the box of that mode are gone. */
void session_open_mode(struct session *s, enum mode mode);
void session_close_mode(struct session *s);
/* Returns the mode; in a prompt, the help or the palette, the mode that they return to. */
enum mode session_mode_behind(const struct session *s);
bool session_is_inspecting(const struct session *s);      /* that mode is INSPECT */
void session_set_mode(struct session *s, enum mode mode); /* sets that mode */

void session_resize(struct session *s, int columns, int rows);
/* Computes the regions of a screen of that size, for the mode and the open panels. */
void session_lay_out(struct session *s, int columns, int rows);
void session_view(struct session *s, struct view *v, int count);

/* Returns the active track, or NULL. If there is none, need_track (part.h) tells the user. */
const struct track *session_track(const struct session *s);
static inline const struct timeline *session_timeline(const struct session *s)
{
    return &s->project.score->timeline;
}
static inline const struct timeline_events *session_signs(const struct session *s)
{
    survey_update(s->survey, s->project.score, s->project.version);
    return &s->survey->signs;
}
/* For survey_walk: the notes of a track that sound in [from, to). */
static inline struct survey_walk session_walk(const struct session *s, int track,
                                              int64_t from, int64_t to)
{
    survey_update(s->survey, s->project.score, s->project.version);
    return (struct survey_walk){s->survey, s->project.score, track, from, to, 0};
}
/* The bar that contains that tick. */
static inline struct bar session_bar_at(const struct session *s, int64_t tick)
{
    return timeline_bar_at(&s->project.score->timeline, tick);
}
#endif
