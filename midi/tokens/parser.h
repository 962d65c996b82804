/* Follows a sequence of score tokens, and accepts exactly what tokens_encode and
 * fill_encode can write. The decoder stores what the parser reports; the grammar asks
 * where it is. Plain data; nothing allocates. */
#ifndef MIDI_PARSER_H
#define MIDI_PARSER_H

#include "midi/tokens/token_time.h"
#include "midi/tokens/fill.h"

/* What was read last; each is a bit. */
enum parser_state {
    AT_START = 1 << 0,
    AFTER_BOS = 1 << 1,
    AFTER_STYLE = 1 << 2,
    AFTER_BAR = 1 << 3, /* a meter may follow; in the first bar it must */
    AFTER_NUM = 1 << 4,
    AFTER_METER = 1 << 5,
    AFTER_POSX = 1 << 6,
    AFTER_POS = 1 << 7,
    AFTER_TRACK = 1 << 8,
    AFTER_VEL = 1 << 9,
    AFTER_PITCH = 1 << 10,
    AFTER_DURX = 1 << 11,
    AFTER_NOTE = 1 << 12, /* after its DUR or HIT */
    AFTER_EOS = 1 << 13,
    /* Around a hole: */
    AFTER_MARK = 1 << 14,     /* HOLE or RESUME, at a position */
    AFTER_END_MARK = 1 << 15, /* a mark after the last bar */
    /* In the request: */
    AFTER_FILL = 1 << 16, /* or after its places and pitches */
    AFTER_ASKED_TRACK = 1 << 17,
    AFTER_CONTROL = 1 << 18,
    /* Then notes as before, up to: */
    AFTER_FILL_END = 1 << 19,
    /* Declarations and chords: */
    AFTER_DECLARED_TRACK = 1 << 20,
    AFTER_FAMILY = 1 << 21,
    AFTER_CHORD = 1 << 22,
    AFTER_SAME_CHORD = 1 << 23, /* another bass must follow */
    AFTER_BASS = 1 << 24,
};

/* What the last token completed. */
enum parser_event {
    PARSER_NOTHING,
    PARSER_BAR,   /* a bar begins at bar_start; is_cut: it cut the one before */
    PARSER_METER, /* the bar's meter is known */
    PARSER_NOTE,  /* `note` is complete */
    PARSER_CHORD, /* CHORD, or the BASS after it */
};

struct parser {
    enum parser_state state;
    enum parser_event event;
    enum style style;
    bool resumes;                         /* as in struct piece */
    int32_t n_bars, bar_start, bar_steps; /* the last two: of the present bar */
    int numerator, denominator;           /* of the meter; 0 before the first */
    bool is_cut;
    int32_t onset; /* last POS, in steps from the bar line; -1: none */
    int32_t high;  /* steps from POSX or DURX so far */
    int last_durx; /* 0: none */
    int track;     /* last track that was read; -1: none */
    int8_t velocities[TOKEN_MAX_TRACKS]; /* last VEL of each track; -1: none */
    uint8_t families[TOKEN_MAX_TRACKS];
    struct grid_chord chord;      /* in force; at first an invalid one */
    struct grid_chord last_chord; /* the one in force before that */
    bool has_note;                /* `note` is complete, and at this onset */
    struct grid_note note;        /* the last note */
    uint8_t pitch;                /* of the note that is being read */

    struct bar_table bars;
    int64_t marks[2]; /* steps of HOLE and RESUME */
    int n_marks;
    int n_asked;                 /* places and pitches that were read */
    enum token last_control;     /* of the request; TOKEN_PAD: none */
    struct fill_request request; /* as far as it was read */
    bool is_filling;             /* the hole is being filled */
    int bar;                     /* index of the present bar in `bars`, in the hole */
};

void parser_init(struct parser *p);

/* Returns false if the token cannot come here; then nothing has changed. */
bool parser_feed(struct parser *p, int32_t token);

/* Whether the notes of the present track are hits. */
bool parser_on_drums(const struct parser *p);
/* Whether a bar, a position or the end may come. Also true before the first note of a
 * hole. */
bool parser_is_between(const struct parser *p);
/* Whether another bar stays within TOKEN_MAX_BARS and TOKEN_MAX_STEPS. */
bool parser_has_room(const struct parser *p);

#endif
