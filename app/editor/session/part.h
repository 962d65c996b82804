/* A part of the editor is the hooks of one file. Rows say what commands, typed lines and prompts
 * do. The tables are in app/editor/shell/parts.c; the session goes through them and knows no
 * part by name. UI thread only. */
#ifndef APP_PART_H
#define APP_PART_H

#include "app/generation/generator.h"
#include "tui/keys/command.h"

#include <stddef.h>

struct list_owner; /* app/editor/session/list.h */
struct session;
struct view;

typedef void act_fn(struct session *s, const struct command *c);
typedef void act_plain_fn(struct session *s);
typedef void act_line_fn(struct session *s, const char *rest);
typedef void act_value_fn(struct session *s, const char *rest, int by);
typedef bool act_needs_fn(struct session *s);

/* The function of a command: `run` or `plain`. */
struct act_row {
    /* NULL: always. false: the command cannot be done, and the user was told. */
    act_needs_fn *needs;
    act_fn *run;
    act_plain_fn *plain;
    int by; /* for run: command.by */
};

enum {
    EDITS = 1 << 0,      /* changes notes: `.` does it again */
    NAMES_FILE = 1 << 1, /* its rest is the name of a file: Tab completes it */
    OF_A_TRACK = 1 << 2, /* is not run without an active track; the user is told */
};

/* A line typed after `:`, "word rest". It runs one of the three functions or the command; or
 * none of them, if a part's other_line knows the word. */
struct act_line_row {
    const char *word;
    act_line_fn *run;
    act_plain_fn *plain;
    act_value_fn *run_with;
    int by; /* for run_with */
    enum command_id command;
    unsigned flags;    /* EDITS, NAMES_FILE, OF_A_TRACK */
    const char *words; /* other words for it, which the palette finds, too */
};

/* Writes into buf[n] and returns buf. */
typedef const char *prompt_text_fn(struct session *s, char *buf, size_t n);

/* A line typed at the foot of the screen. */
struct prompt_row {
    const char *label;
    prompt_text_fn *make_label; /* in its place, or NULL */
    prompt_text_fn *begin;      /* its initial text; NULL: none */
    act_line_fn *run;           /* where the line goes */
};

extern const struct act_row ACT_ROWS[CMD_COUNT];
extern const struct act_line_row ACT_LINES[]; /* up to the one without a word */
extern const struct prompt_row PROMPTS[];     /* by enum prompt */

/* Declares the functions of all rows; each is in its part's file. */
/* clang-format off */
#define RUN(f)           act_fn f;
#define DO(f)            act_plain_fn f;
#define RUN_IF(needs, f) act_needs_fn needs; act_fn f;
#define DO_IF(needs, f)  act_needs_fn needs; act_plain_fn f;
#define TYPED(f)         act_line_fn f;
#define VALUED(f)        act_value_fn f;
#define LABELLED(f)      prompt_text_fn f;
#define FILLED(f)        prompt_text_fn f;
#define SAME_AS(id)
#define NOTHING
#define COMMAND(id, name, does, ...)    does
#define WORD(word, does, ...)           does
#define PROMPT_LINE(kind, label, texts, run) texts act_line_fn run;
#include "tui/keys/commands.h"
#include "tui/keys/lines.h"
#undef RUN
#undef DO
#undef RUN_IF
#undef DO_IF
#undef TYPED
#undef VALUED
#undef LABELLED
#undef FILLED
#undef SAME_AS
#undef NOTHING
/* clang-format on */

/* The state of each part, which only that part reads. Allocated with the session, all zeros at
 * first (PART_STATE). */
struct session_parts {
    struct answer *answer;
    struct autosave_timer *autosave;
    struct chord_row *chords;
    struct chord_preview *chord_preview;
    struct find *find;
    struct fold *fold;
    struct framing *framing;
    struct hearing *hearing;
    struct history_rows *history;
    struct humanised *humanised;
    struct input_history *input;
    struct inspecting *inspect;
    struct instrument_list *instruments;
    struct kept *kept;
    struct lane *lane;
    struct learning *learning;
    struct model_choice *model;
    struct mouse *mouse;
    struct continuation_motif *motif; /* that returns in the next request */
    struct devices *devices;
    struct piano *piano;
    struct palette *palette; /* NULL: not open yet */
    struct read_ahead *ahead;
    struct recorder *recorder;
    struct rendering *rendering; /* NULL: none is running */
    struct takes_view *shown;
    struct timeline_list *timeline;
    struct sound_watch *sound;
    struct steering_panel *steer;
    struct tracks_panel *track_list;
    struct tutor *tutor;
};

/* Paths and names, or NULL for the usual ones. wake_fd is written to when another
 * thread has news. */
struct session_options {
    const char *model, *soundfont, *driver;
    /* input: a MIDI keyboard (midi/ports/ports.h); NULL: no device is looked for.
     * output: an instrument (app/editor/perform/devices.h); NULL: none. */
    const char *input, *output;
    double gain; /* 0: a sensible one */
    uint64_t seed;
    bool seed_is_asked; /* the seed overrides the one saved beside a file */
    int n_threads;
    struct model_precision precision;
    int wake_fd;
    bool journals; /* edits are saved for recovery (app/document/project.h) */
};

/* Work in the background. A part runs at most one job at a time. */
struct editor_job {
    const char *text; /* "rendering": how a frame names it, before its share */
    const char *quit; /* what the user is told who quits meanwhile */
    int look_ms;      /* between two looks */
    /* The share of the work that is done, 0..1; negative: nothing runs. */
    double (*share)(const struct session *s);
    /* While it runs: each turn of the loop, for its news; Ctrl-C. Poll tells the user when and how
     * it has ended. */
    void (*poll)(struct session *s);
    void (*stop)(struct session *s);
};

static inline bool job_runs(const struct editor_job *j, const struct session *s)
{
    return j && j->share(s) >= 0;
}

/* The hooks of a part; each may be NULL. */
struct editor_part {
    /* Runs a line whose word is in no table. false: the part does not know the word. */
    bool (*other_line)(struct session *s, const char *word, const char *rest);

    /* The offset and size of the part's state in struct session_parts: PART_STATE. */
    size_t state, state_bytes;
    bool is_of_piece; /* the state becomes all zeros when another piece opens */
    /* false: no memory */
    bool (*init)(struct session *s, const struct session_options *o);
    void (*fini)(struct session *s);   /* also where init failed or was not reached */
    void (*reset)(struct session *s);  /* another piece is open: forget the old one */
    void (*opened)(struct session *s); /* after all have forgotten */

    /* `end` ends what is open of the part before a command. ends_at OF_TAKES: a command with
     * that flag. ends_at PLAYS or MOUSE: a command without it, while a chord is stepped in
     * (session.open) or the mouse holds something. */
    unsigned ends_at;
    void (*end)(struct session *s);
    void (*acted)(struct session *s);        /* after each command */
    void (*edited)(struct session *s);       /* the music has changed: session.seen */
    void (*take_dropped)(struct session *s); /* the takes that waited go */
    void (*model_goes)(struct session *s);   /* whoever reads the model ends now */
    /* Escape closes what is open of it; false: nothing is. Asked from the last part to the
     * first, until one has closed something; not while a prompt, the help or the palette
     * is open over it, which Escape closes first. */
    bool (*escape)(struct session *s);
    void (*resized)(struct session *s); /* the screen has another size */

    void (*tick)(struct session *s); /* each turn of the loop: news of other threads */
    /* Milliseconds until tick has something to do if nothing happens; -1: nothing */
    int (*timeout_ms)(const struct session *s);
    void (*view)(struct session *s, struct view *v); /* fills its share of a frame */
    const struct list_owner *list;                   /* that it has, */
    const struct editor_job *job; /* and its work in the background */
};

#define PART_STATE(field)                                                              \
    .state = offsetof(struct session_parts, field),                                    \
    .state_bytes = sizeof *((struct session_parts *)0)->field

/* All parts in their order, up to NULL. */
extern const struct editor_part *const EDITOR_PARTS[];

/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* Loops over all parts: EACH_PART(p) (*p)->... */
#define EACH_PART(p) for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
/* Calls the hook of every part that has it. */
#define CALL_PARTS(hook, ...)                                                          \
    EACH_PART (p)                                                                      \
        if ((*p)->hook)                                                                \
    (*p)->hook(__VA_ARGS__)
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
