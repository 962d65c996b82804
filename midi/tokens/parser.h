/* Follows a score token sequence one token at a time, accepting exactly what
 * tokens_encode and fill_encode can make. The decoder keeps what it reports; the grammar asks
 * it where it stands to say what may come next. Plain data, no allocation. */
#ifndef MIDI_PARSER_H
#define MIDI_PARSER_H

#include "midi/score/bar_table.h"
#include "midi/tokens/fill.h"

/* What was read last. Bits, so that a rule can name several. */
enum parser_state {
    AT_START = 1 << 0,
    AFTER_BOS = 1 << 1,
    AFTER_STYLE = 1 << 2,
    AFTER_BAR = 1 << 3, /* a meter may come; at the first bar it must */
    AFTER_NUM = 1 << 4,
    AFTER_METER = 1 << 5,
    AFTER_POSX = 1 << 6,
    AFTER_POS = 1 << 7,
    AFTER_TRACK = 1 << 8,
    AFTER_VEL = 1 << 9,
    AFTER_PITCH = 1 << 10,
    AFTER_DURX = 1 << 11,
    AFTER_NOTE = 1 << 12, /* its DUR */
    AFTER_EOS = 1 << 13,
    /* around a hole */
    AFTER_MARK = 1 << 14,     /* HOLE or RESUME, at a position */
    AFTER_END_MARK = 1 << 15, /* the same, after the last bar */
    /* what is asked */
    AFTER_FILL = 1 << 16, /* or some of the places and pitches that follow */
    AFTER_ASKED_TRACK = 1 << 17,
    AFTER_CONTROL = 1 << 18,
    /* and then as before, up to */
    AFTER_FILL_END = 1 << 19,
    /* what is declared, and chords */
    AFTER_DECLARED_TRACK = 1 << 20,
    AFTER_FAMILY = 1 << 21,
    AFTER_CHORD = 1 << 22,
    AFTER_SAME_CHORD = 1 << 23, /* but for a bass that must follow */
    AFTER_BASS = 1 << 24,
};

/* What the last token completed. */
enum parser_event {
    PARSER_NOTHING,
    PARSER_BAR,   /* a bar opened at bar_start; is_cut tells of the one before */
    PARSER_METER, /* the bar's meter was said */
    PARSER_NOTE,  /* `note` is complete */
    PARSER_CHORD, /* `chord` was said, or its bass */
};

struct parser {
    enum parser_state state;
    enum parser_event event;
    enum style style;
    int32_t n_bars, bar_start, bar_steps; /* of the bar it stands in */
    int numerator, denominator;           /* in force; 0 before the first */
    bool is_cut;
    int32_t onset; /* last POS, in steps from the bar line; -1: none yet */
    int32_t high;  /* what POSX or DURX said so far, in steps */
    int last_durx; /* 0: none yet */
    int track;     /* last spoken; -1: none yet */
    int8_t velocities[TOKEN_MAX_TRACKS]; /* last spoken on each; -1: none yet */
    uint8_t families[TOKEN_MAX_TRACKS];
    struct grid_chord chord,
        last_chord;        /* in force, at first none that can be said; and
                                          * the one before the last CHORD */
    bool has_note;         /* `note` is at this onset and complete */
    struct grid_note note; /* the last completed, or with pitch being spoken */
    uint8_t pitch;         /* of the note being spoken */

    struct bar_table bars;
    int64_t marks[2]; /* where HOLE and RESUME came, in steps */
    int n_marks;
    int n_asked;                 /* of the places and pitches */
    enum token last_control;     /* asked; TOKEN_PAD: none yet */
    struct fill_request request; /* as far as it is asked */
    bool is_filling;             /* what comes now is the hole's */
    int bar;                     /* and of this one of the bars */
};

void parser_init(struct parser *p);

/* false: the token cannot come here, and nothing changed. */
bool parser_feed(struct parser *p, int32_t token);

/* The notes of the track spoken of are hits. */
bool parser_on_drums(const struct parser *p);
/* Between notes: a bar, a position or the end may come. In a hole its notes may also
 * not have begun. */
bool parser_is_between(const struct parser *p);
/* Another bar would keep within TOKEN_MAX_BARS and TOKEN_MAX_STEPS. */
bool parser_has_room(const struct parser *p);

#endif
