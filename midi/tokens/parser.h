/* Follows a score token sequence token by token and accepts exactly what
 * tokens_encode and fill_encode can write. The decoder keeps what it reports; the
 * grammar asks where it is. Plain data, no allocation. */
#ifndef MIDI_PARSER_H
#define MIDI_PARSER_H

#include "midi/tokens/token_time.h"
#include "midi/tokens/fill.h"

/* What was read last; bits. */
enum parser_state {
    AT_START = 1 << 0,
    AFTER_BOS = 1 << 1,
    AFTER_STYLE = 1 << 2,
    AFTER_BAR = 1 << 3, /* a meter may follow; at the first bar it must */
    AFTER_NUM = 1 << 4,
    AFTER_METER = 1 << 5,
    AFTER_POSX = 1 << 6,
    AFTER_POS = 1 << 7,
    AFTER_TRACK = 1 << 8,
    AFTER_VEL = 1 << 9,
    AFTER_PITCH = 1 << 10,
    AFTER_DURX = 1 << 11,
    AFTER_NOTE = 1 << 12, /* its DUR or HIT */
    AFTER_EOS = 1 << 13,
    /* Around a hole. */
    AFTER_MARK = 1 << 14,     /* HOLE or RESUME, at a position */
    AFTER_END_MARK = 1 << 15, /* the same after the last bar */
    /* The request. */
    AFTER_FILL = 1 << 16, /* or some of its places and pitches */
    AFTER_ASKED_TRACK = 1 << 17,
    AFTER_CONTROL = 1 << 18,
    /* Then notes as before, up to */
    AFTER_FILL_END = 1 << 19,
    /* Declarations and chords. */
    AFTER_DECLARED_TRACK = 1 << 20,
    AFTER_FAMILY = 1 << 21,
    AFTER_CHORD = 1 << 22,
    AFTER_SAME_CHORD = 1 << 23, /* a different bass must follow */
    AFTER_BASS = 1 << 24,
};

/* What the last token completed. */
enum parser_event {
    PARSER_NOTHING,
    PARSER_BAR,   /* a bar opened at bar_start; is_cut: it cut the one before */
    PARSER_METER, /* the bar's meter is known */
    PARSER_NOTE,  /* `note` is complete */
    PARSER_CHORD, /* `chord` or its bass was read */
};

struct parser {
    enum parser_state state;
    enum parser_event event;
    enum style style;
    bool resumes;                         /* see struct piece */
    int32_t n_bars, bar_start, bar_steps; /* of the present bar */
    int numerator, denominator;           /* in force; 0 before the first */
    bool is_cut;
    int32_t onset; /* last POS, in steps from the bar line; -1: none */
    int32_t high;  /* steps from POSX or DURX */
    int last_durx; /* 0: none */
    int track;     /* last read; -1: none */
    int8_t velocities[TOKEN_MAX_TRACKS]; /* last read on each; -1: none */
    uint8_t families[TOKEN_MAX_TRACKS];
    struct grid_chord chord;      /* in force; first an invalid one */
    struct grid_chord last_chord; /* the one before the last CHORD */
    bool has_note;                /* `note` is complete and at this onset */
    struct grid_note note;        /* the last one, or the one being read */
    uint8_t pitch;                /* of the note being read */

    struct bar_table bars;
    int64_t marks[2]; /* steps of HOLE and RESUME */
    int n_marks;
    int n_asked;                 /* places and pitches read */
    enum token last_control;     /* read last; TOKEN_PAD: none */
    struct fill_request request; /* as far as it is read */
    bool is_filling;             /* inside the hole now */
    int bar;                     /* the index of the present bar in it */
};

void parser_init(struct parser *p);

/* false: the token cannot come here; nothing changed. */
bool parser_feed(struct parser *p, int32_t token);

/* Whether the present track's notes are hits. */
bool parser_on_drums(const struct parser *p);
/* Between notes: a bar, a position or the end may come. True also before a hole's
 * first note. */
bool parser_is_between(const struct parser *p);
/* Whether another bar keeps within TOKEN_MAX_BARS and TOKEN_MAX_STEPS. */
bool parser_has_room(const struct parser *p);

/* -- in parser_fill.c: the rules of holes (midi/tokens/fill.h), for parser.c only. Each
 * returns false, and changes nothing, if its token cannot come. -- */

/* Forgets the present track and all velocities. In parser.c. */
void parser_forget_tracks(struct parser *p);

bool parser_fill_mark(struct parser *p, enum token kind); /* HOLE, RESUME */
bool parser_fill_begin(struct parser *p);
/* The request, in state AFTER_FILL; tracks also after a track. */
bool parser_fill_far(struct parser *p, int value); /* POSX */
bool parser_fill_place(struct parser *p, int value);
bool parser_fill_pitch(struct parser *p, int value);
bool parser_fill_track(struct parser *p, int value);
/* false also for a kind that is no control. */
bool parser_fill_control(struct parser *p, enum token kind, int value);
/* Inside the hole: */
bool parser_fill_bar(struct parser *p);
bool parser_fill_end(struct parser *p);

#endif
