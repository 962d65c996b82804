/* The options of all verbs but `train`, in one table. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "app/base/option_table.h"
#include "app/generation/steer.h"

/* Bits: which options a verb takes. */
enum option_set {
    OPTION_OUTPUT = 1 << 0, /* --output --force */
    OPTION_MODEL = 1 << 1,
    OPTION_BARS = 1 << 2,
    OPTION_SAMPLING = 1 << 3, /* --seed --temperature --top-p --min-p --top-k */
    OPTION_MUSIC = 1 << 4,    /* --style --polyphony --scale, and controls */
    OPTION_TAKES = 1 << 5,
    OPTION_THREADS = 1 << 6,
    OPTION_JSON = 1 << 7,
    OPTION_SOUNDFONT = 1 << 8,
    OPTION_DATA = 1 << 9,      /* --data --corpora --split --windows */
    OPTION_TOKENS = 1 << 10,   /* --tokens --times --source --source-times */
    OPTION_EXAMPLES = 1 << 11, /* --holes --missing */
    OPTION_LENGTH = 1 << 12,
    OPTION_LESSON = 1 << 13, /* --melody --hold */
    OPTION_TRACK = 1 << 14,
    OPTION_HOLES = 1 << 15,
    OPTION_HOLE =
        1 << 16, /* --from --to --pitch --tracks, and what is kept of the hole */
    OPTION_PRECISION = 1 << 18,
    OPTION_WEIGHTS = 1 << 19,
    OPTION_ALL = 1 << 20,
    OPTION_SOUND = 1 << 21, /* --format --rate --bits --gain */
    OPTION_ATTENTION = 1 << 22,
    OPTION_ALTERNATIVES = 1 << 23,
    OPTION_ALL_TRACKS = 1 << 24, /* --all: of a piece that is rendered */
    OPTION_PLACE = 1 << 26,      /* --from --to --tracks --scale --close */
    OPTION_WITH = 1 << 27,       /* --with */
};

/* Strings point into argv. */
struct options {
    const char *file; /* the first argument that is not an option */
    char **arguments; /* all of them, `file` too */
    int n_arguments;
    const char *output, *model, *soundfont, *data, *corpora, *split;
    const char *tokens, *times, *source, *source_times;
    struct continuation_options continuation;
    int track; /* from 1; 0: none named */
    int takes, threads, windows, held_out_holes, missing, length;
    float holes, chords; /* shares of windows */
    float power;         /* corpora are drawn by it of their size */
    const char *from, *to, *pitch, *tracks, *more_like, *less_like, *with, *mean_with;
    const char *harmony;      /* symbols, one a bar */
    int lead_in, new_tracks;  /* bars before the music; tracks to add */
    struct steering steering; /* `continuation` has its values */
    bool guesses_scale;       /* options_follow() sets it, */
    struct motif_bars motif;  /* the motif, */
    int motif_track;          /* from 1; 0: the highest */
    const char *sound_format;
    int sample_rate, sound_bits; /* 0: not given */
    double gain_db;
    bool has_gain; /* it was given */
    bool force, json, melody, hold, all;
    struct model_precision precision;
    bool has_precision;       /* it was given */
    const char *layer, *head; /* of attention */
    int part, shade; /* an amount of struct inspected_look; an enum shade_scale */
    int weights;     /* a place in OPTION_WEIGHT_TYPES */
    int note, bar;   /* from 1; 0: none named */
    bool by, heard, by_token;
    int alternatives;
};

extern const struct option_table OPTIONS;
extern const char *const OPTION_WEIGHT_TYPES[]; /* "bf16", "int8", NULL */
extern const char *const OPTION_PARTS[];        /* of attention: "weight", ..., NULL */

/* -1: continue. Else the exit status: 0 after --help, 2 after an error message. */
int options_parse(struct options *o, const struct verb *v, int argc, char **argv);
/* Sets the values that depend on the score: a guessed scale, a motif. Call after reading
 * it. */
void options_follow(struct options *o, const struct score *s);

#endif
