/* The rules that a take is held to. A rule biases the logits of the next token by what the piece
 * does. Rules are rows of one table (rules.c), which applies them in its order at a place (place.h).
 * A row's function takes the rules and the place, and adds bounded nats to logits; it may be left
 * out by its name, which measures its worth (models/README.md).
 *
 * The structs are plain data of one take, for one thread at a time. All other functions are pure.
 * Times are steps of the music unless they say otherwise. Sets of tracks have bit t for token
 * track t. */
#ifndef APP_RULES_H
#define APP_RULES_H

#include "app/base/draw.h"
#include "app/biases/analysis.h"
#include "app/biases/chord_plan.h"
#include "app/biases/place.h"
#include "app/biases/taste.h"
#include "midi/tokens/fill.h"
#include "midi/tokens/hole.h"

struct rules;

enum { KEY_OF_C = 0xab5 }; /* its pitch classes */

/* What an instrument does in a band, in the best order of filling: drums that are written after
 * others play fewer hits together and keep their groove less. */
enum band_role {
    BAND_NONE,
    BAND_TUNE, /* a line, in a band that begins an empty score */
    BAND_SOLO, /* all but bass and drums, in such a band */
    BAND_DRUMS,
    BAND_BASS,
    BAND_CHORDS,
    BAND_LINE,   /* one note at a time, above the bass */
    BAND_FIGURE, /* a keyboard or guitar that accompanies alone and has the bass, too */
};

/* Returns whether the role is a tune or a solo, which the others of the band hear. */
static inline bool band_role_is_first(enum band_role role)
{
    return role == BAND_TUNE || role == BAND_SOLO;
}

/* -- control -- */

/* The rule of control biases a take towards the density, length, register and number of voices of a
 * request. The model reads the request as tokens, too, but learns little about them in a style whose
 * music rarely varies in that way. Each bias is quadratic in the distance from the request, in
 * octaves of length, pitch or rate, like a Gaussian prior. The bias of density is also linear in the
 * missing notes. */

/* The largest bias of one token, in nats. */
#define CONTROL_BIAS_BOUND 4.0f

enum { CONTROL_BIAS_ENDS = 32 };

struct control_bias {
    double density;  /* notes in a quarter, of all tracks together; 0: any */
    double length;   /* steps of a note; 0: any */
    double pitch;    /* mean pitch; 0: any */
    int voices;      /* notes that sound together; 0: any */
    float weight;    /* factor of all biases; 0: none */
    int64_t from;    /* start of the hole */
    int64_t n_notes; /* notes in the hole so far */
    int64_t ends[CONTROL_BIAS_ENDS]; /* ends of the newest of these notes, a ring */
};

/* Reads the controls of a request that names its tracks. */
struct control_bias control_bias_for(const struct fill_request *request, int64_t from,
                                     float weight);
/* Returns whether the request has a control that biases anything. */
bool control_bias_is_needed(const struct control_bias *n);
/* Counts a note that was written. */
void control_bias_add(struct control_bias *n, const struct piece *p,
                      const struct grid_note *note);
void control_bias_apply(struct rules *r, const struct place *at);

/* -- cadence -- */

/* The rule of cadences closes a take that should close. In the last beats before its last bar the
 * dominant sounds, with V or VII in the bass. In the last bar the bass goes to the tonic, the other
 * voices go to its triad, and the highest goes to the tonic, too. The last notes are held. The take
 * ends when the bass and all voices are there, not before and seldom later. The bias of pitches grows
 * until the middle of the bar, before which a dominant may still come; a band ends on the bar line.
 * The bass is the requested track that is lowest in the music so far. */

/* The largest bias of one token, in nats. Lengths at the end of a band have twice as much. */
#define CADENCE_BOUND 6.0f

struct cadence {
    float weight;     /* factor of the bias; 0: the take does not close */
    int tonic;        /* pitch class */
    uint16_t triad;   /* pitch classes, bit 0 is C */
    int bass, top;    /* lowest and highest token track; -1: none */
    uint64_t voices;  /* tracks that have played of late, and play to the end */
    bool is_band;     /* the piece has drums */
    bool is_tune;     /* the piece is one line, which has no bass */
    int64_t before;   /* start of the dominant */
    int64_t approach; /* start of the dominant's bar */
    int64_t from, to; /* last bar */
};

/* Prepares the close of a piece at `to`. Weight 1 allows the full bound. The close has weight 0 if
 * the piece has no key, or only drums are requested. */
struct cadence cadence_for(const struct piece *p, const struct signature *signature,
                           const struct fill_request *request, int64_t from, int64_t to,
                           float weight);
/* Returns the start of the dominant that leads to the tonic of this bar: half a bar before its bar
 * line, in whole quarters, but one quarter at least. */
int64_t cadence_dominant(const struct piece *p, int64_t bar);
/* Return whether a step lies in the last bar, and whether it lies there or in the beats of the
 * dominant before. */
bool cadence_is_needed(const struct cadence *c, int64_t step);
bool cadence_is_near(const struct cadence *c, int64_t step);

/* What sounds at a place near the close. */
struct sounding {
    int lowest;     /* lowest pitch; 128: none */
    uint64_t heard; /* tracks with notes that sound in the last bar */
    bool is_open;   /* no dominant led the bass to where it is */
};

struct sounding cadence_listen(const struct cadence *c, const struct place *at);
void cadence_apply(const struct cadence *c, const struct sounding *s,
                   const struct place *at);

/* -- key -- */

/* The rule of the key keeps a take to the pitch classes of its piece. A class that the piece hardly
 * uses becomes less likely. The bias fades after eight bars of four quarters and is gone after
 * sixteen, since long pieces modulate. A piece that uses all twelve classes has no bias. A piece with
 * few notes, or none, is held to its key signature if the notes fit it. */

struct key_bias {
    float cost[12]; /* nats, by pitch class */
    int64_t from;   /* start of the take */
};

/* Reads the piece. key: the pitch classes of the key signature; 0: it has none. */
struct key_bias key_bias_of(const struct piece *p, uint16_t key, int64_t from);
/* Biases pitches. */
void key_bias_apply(struct rules *r, const struct place *at);

/* -- activity -- */

/* The rule of activity lets tracks rest that play seldom. A track that began notes in few of the
 * last bars, as stabs of brass do, begins notes in the same bars again, eight bars later. In a score
 * without notes each track plays: a track becomes likelier the longer it rests. */

enum { ACTIVITY_BARS = 8 };

struct activity_bias {
    bool is_empty;                 /* the score had no notes */
    int64_t end;                   /* the bar after those that are read */
    int64_t n_bars;                /* that are read */
    uint64_t plays[ACTIVITY_BARS]; /* the tracks that begin notes in each */
    uint64_t seldom;               /* tracks that play seldom */
};

/* Reads the last bars before step `from`. */
struct activity_bias activity_bias_of(const struct piece *p, int64_t from);
/* Biases tracks. */
void activity_bias_apply(struct rules *r, const struct place *at);

/* -- drift -- */

/* The rule of drift keeps a long take from drifting away from its piece, and from loops. It counts
 * the note lengths, melodic steps, chord sizes and repetitions of each pitched track in the piece and
 * in the last part of the take. What the take has more often than the piece becomes less likely, and
 * what it has less often becomes likelier. */

enum { DRIFT_KINDS = 16, DRIFT_RECENT = 128 };

/* How often each kind came; n is their sum. */
struct drift_counts {
    float n, of[DRIFT_KINDS];
};

struct drift_habits {
    struct drift_counts lengths, steps;
    /* Kind 2k counts chords that ended with their k-th note, 2k + 1 chords that had another. */
    struct drift_counts chords;
    /* Notes that end a repetition of what the track played in the bars before. Kind 0 counts those
     * that end none, 1 those of one note, 2 of two or three, 3 of four to seven, 4 of more. */
    struct drift_counts repeats;
};

struct drift_onset {
    int32_t step, wait; /* wait: steps since the onset before */
    uint8_t pitch;
};

struct drift_bias {
    struct drift_track {
        struct drift_habits piece, take;
        /* A ring, whose newest onset is number n_recent - 1, modulo DRIFT_RECENT. */
        struct drift_onset recent[DRIFT_RECENT];
        int n_recent;
        int64_t onset; /* step of the newest onset */
        int pitch; /* lowest pitch of that onset, from which steps count; -1: none */
        int size;  /* notes of that onset */
        int low, high; /* lowest and highest pitch of the piece's notes */
    } tracks[TOKEN_MAX_TRACKS];
    int64_t from;     /* start of the take */
    uint64_t pitched; /* tracks that are no drums */
    uint64_t biased;  /* tracks with enough notes in the piece to tell its habits */
    uint64_t ranged;  /* tracks that stay near their range */
    /* Tracks that copy what came before copied_to for may_copy steps at most. */
    uint64_t fresh;
    int64_t copied_to, may_copy;
};

/* Counts the notes of the piece before step `from`. */
void drift_bias_init(struct drift_bias *d, const struct piece *p, int64_t from);
/* Forgets the piece's habits, since a request may be unlike them, and its ranges if in_pitch. */
void drift_bias_let_differ(struct drift_bias *d, bool in_pitch);
/* Counts a note that was written. */
void drift_bias_add(struct drift_bias *d, const struct grid_note *n);
/* Biases pitches and lengths. */
void drift_bias_apply(struct rules *r, const struct place *at);
/* Biases pitches that go on with a copy. */
void drift_bias_copies(struct rules *r, const struct place *at);

/* -- voice leading -- */

/* The rule of voice leading keeps the rules of part writing that a piece keeps. A line is a track of
 * one note at a time. Between lines there are no parallel fifths and octaves, no octaves in contrary
 * motion and no crossing, and chords have their third. The piece's breaches of each rule are counted;
 * a rule that the piece breaks often, as a pop song does, costs nothing. A line that was missing lies
 * between those above and below it in the score, and doubles none, a leading tone least of all. */

struct voice_leading {
    uint64_t lines;                 /* tracks that are lines */
    uint64_t missing;               /* lines that had no notes */
    uint64_t ranked;                /* lines that have a rank */
    uint8_t rank[TOKEN_MAX_TRACKS]; /* 0 for the line that is highest on the mean */
    uint64_t placed;                /* missing lines that lie about their mean */
    float mean[TOKEN_MAX_TRACKS];   /* mean pitch of a line */
    /* Costs in nats, 0 or less: of a parallel of two lines that are not both outer ones; of a crossing,
     * and of one in which a missing line takes part; of a chord of three lines without a third. */
    float parallels, crossing, crossing_of_missing, hollow;
};

/* Returns those of these tracks that have no notes and will be lines, as their instruments or the
 * tracks of their family are. */
uint64_t voice_leading_missing(const struct piece *p, uint64_t tracks);
/* Reads the notes before step `end`. missing: tracks without notes that will have some. limits: the
 * range of these. */
struct voice_leading voice_leading_of(const struct piece *p, int64_t end,
                                      uint64_t missing, const struct hole *limits);
/* Biases pitches. */
void voice_leading_apply(struct rules *r, const struct place *at);

/* -- clash -- */

/* The rule of clashes keeps a take as free of clashes as its piece. A note clashes if it begins a
 * semitone, or a semitone and octaves, from a note that sounds. Where many of the piece's last notes
 * clash, as in late or chromatic music, clashes cost nothing. */

/* Returns the nats of a clash, 0 or less, by the notes before step `end`. */
float clash_bias_of(const struct piece *p, int64_t end);
/* Biases pitches. */
void clash_bias_apply(struct rules *r, const struct place *at);

/* -- chord -- */

/* The rule of chords keeps pitched tracks on the chords that are written in the piece or planned for
 * the take. A pitch class that the chord in force lacks is less likely, more so on a beat. The lowest
 * track begins a chord or a bar with the chord's bass. A note ends before a chord that lacks it. Ninths
 * and thirteenths, which symbols lack here (midi/tokens/grid_chord.h), are free above the bass in
 * styles that have them. Notes that approach the bass of the next chord are free just before it. A
 * tune may pass between the tones by steps on weak beats, as people's tunes do. */

struct chord_bias {
    const struct grid_chord *chords; /* ascending; borrowed */
    size_t n;
    int bass;          /* track that plays the chords' basses; -1: none */
    float weight;      /* factor of the biases; a band has 1 */
    bool has_tensions; /* ninths and thirteenths are free */
};

/* Returns the sum of the costs, by pitch class, of the chord's classes. */
float chord_bias_cost(const struct grid_chord *chord, const float cost[12]);
/* Returns the pitch class of the third of the dominant in force at a step; -1: the chord is no
 * dominant. */
int chord_bias_leading(const struct chord_bias *b, int64_t step);
/* Return the chord in force at a step, and the chord after it; NULL: none. */
const struct grid_chord *chord_bias_in_force(const struct chord_bias *b, int64_t step);
const struct grid_chord *chord_bias_next(const struct chord_bias *b, int64_t step);
/* Bias pitches, and lengths of the note whose pitch the tokens said. */
void chord_bias_pitches(struct rules *r, const struct place *at);
void chord_bias_lengths(struct rules *r, const struct place *at);
/* Returns the tune: the track with the highest mean pitch, of those that seldom play two notes at
 * once and are not the bass; -1: there is none. tracks: the facts of p's tracks. */
int passing_tones_tune(const struct piece *p,
                       const struct track_facts tracks[TOKEN_MAX_TRACKS], int bass);
/* Restores the logits of the highest track's pitches within a step of its last note to `kept`, which
 * they had before the rule of chords, except where a bar, its second half or a chord begins. */
void passing_tones_apply(struct rules *r, const struct place *at);

/* -- due -- */

/* The rule of due notes keeps a track's rhythm. Notes that came at a position in nearly every bar (the
 * four beats of a walking bass, the snare on the second beat), or in every second, fourth or later bar
 * (a tune), are expected there again. A token that passes by a position before its notes are there
 * becomes less likely. These biases fade during the take. One stays: a track whose chords never begin
 * while one before rings begins none then. */

enum { DUE_PLACES = 2 * TOKEN_RADIX, DUE_BARS = 16 };

struct due_bias {
    int64_t from;                     /* start of the take */
    bool is_band;                     /* the rule is stricter and fades more slowly */
    int32_t first, end;               /* bars that are read */
    uint8_t period[TOKEN_MAX_TRACKS]; /* bars after which a rhythm returns; 0: none */
    float steady[TOKEN_MAX_TRACKS];   /* how far a track is held to its rhythm, 0..1 */
    uint64_t apart; /* tracks that never begin a note while one of theirs rings */
    /* The bar that is written: */
    int64_t bar;                             /* its first step */
    int length;                              /* its steps */
    uint8_t n[DUE_PLACES][TOKEN_MAX_TRACKS]; /* notes expected at a step, by track */
    float n_at[DUE_PLACES];   /* sum of these over tracks, each times `steady` */
    uint64_t may[DUE_PLACES]; /* tracks that may begin notes at a step */
};

/* Reads these tracks in the bars before step `from`. is_band: the piece has drums, or repeats its
 * chords. */
void due_bias_init(struct due_bias *b, const struct piece *p, int64_t from,
                   const bool tracks[TOKEN_MAX_TRACKS], bool is_band);
/* Biases positions, tracks and lengths. free_tracks: tracks that do something else in this bar; they
 * are read at its first token. */
void due_bias_apply(struct due_bias *b, const struct place *at, uint64_t free_tracks);

/* -- breath -- */

/* The rule of breath lets tracks rest at the ends of phrases, as they did before. A phrase ends with
 * each fourth bar before the take. A track rests in the last of these bars if it begins its last note
 * there a beat earlier than in any bar within phrases. It rests again in every eighth bar from there
 * on, or in every fourth if it rested at the end of the phrase before, too. */

/* A track's last onset in a bar. */
struct last_onset {
    int16_t place, length; /* steps from the bar line, -1: none; steps within the bar */
};

struct breath_bias {
    int64_t bar;       /* the last given bar */
    int64_t length;    /* its steps */
    uint64_t plays;    /* tracks with notes in the bars that are read */
    uint64_t in_eight; /* tracks that rest in every eighth bar */
    uint64_t in_four;  /* those of them that rest in every fourth bar */
    uint64_t in_two;   /* those of them that rest in every second bar */
    struct last_onset last[TOKEN_MAX_TRACKS]; /* in bars in which the track rests */
};

/* Reads the pitched tracks in the bars before `from`. */
struct breath_bias breath_bias_of(const struct piece *p, int64_t from);
/* Lets a tune that begins a score without notes rest after the middle of every second bar. */
struct breath_bias breath_bias_of_nothing(const struct piece *p, int64_t from,
                                          int tune);
/* Returns the tracks that rest at the end of the bar that begins at this step. */
uint64_t breath_bias_due(const struct breath_bias *b, const struct piece *p,
                         int64_t bar);
/* Returns whether all tracks rest after the first step of the bar that begins at this step. */
bool breath_bias_is_chord(const struct breath_bias *b, const struct piece *p,
                          int64_t bar);
/* Biases tracks and their notes, lengths at the last onset, positions at which only tracks that rest
 * would play, and tokens that leave a bar in which all rest. */
void breath_bias_apply(struct rules *r, const struct place *at);
/* Silences the tracks that rest for the whole bar by the form. */
void breath_bias_silence(struct rules *r, const struct place *at);

/* -- turn -- */

/* The rule of turns lets drums turn at the ends of phrases, as the given drums do, and keep to their
 * groove before. A phrase ends with each fourth bar before the take. The turn is the last of these
 * bars whose hits differ from the groove. Its hits are likelier than the groove's every eight bars
 * from there on, or every four if the phrase before turned, too. In the other bars of a phrase a hit
 * is less likely where no given bar has it, and where it passes by a hit that each given bar has; in a
 * groove of two bars every second given bar counts. */

struct turn_bias {
    uint64_t pairs; /* tracks with a groove of two bars */
    int64_t end;    /* the bar after the given ones */
    int n;          /* last given bars in which drums play */
    int period;     /* bars from turn to turn; 0: the given drums do not turn */
    int track;      /* the drums that turn */
    int64_t turn;   /* the given bar that turns */
    int64_t groove; /* an earlier one that does not */
};

/* Reads the bars before step `from`. */
struct turn_bias turn_bias_of(const struct piece *p, int64_t from);
/* Returns the drums that turn in the bar that begins at this step. */
uint64_t turn_bias_due(const struct turn_bias *b, const struct piece *p, int64_t bar);
/* Biases hits, the drums' track, and positions at which no other track plays. */
void turn_bias_apply(struct rules *r, const struct place *at);

/* -- parallel -- */

/* The rule of parallel passages repeats a passage of the piece, whose notes become likelier: the
 * passage that is parallel to a gap, the opening at the end of a long take that closes, or what the
 * form of a take says. For a gap, the notes in two bars on each side of it, and those that sound
 * during it, are compared with the notes around every passage as long. The parallel passage is the one
 * with the most equal notes, if they are half or more. The bias is like the cache of Grave, Joulin &
 * Usunier, "Improving neural language models with a continuous cache" (ICLR 2017). */

struct parallel_bias {
    bool is_gap;      /* the take ends where the passage does */
    int64_t from, to; /* where the passage is repeated; to is 0: nowhere */
    int64_t by; /* steps from there to the passage; negative: the passage is earlier */
    uint64_t tracks;       /* tracks that repeat it */
    struct grid_note last; /* newest note written there; before `from`: none is */
};

/* Finds the passage that is parallel to a gap [from, to) in these tracks, which have no notes in the
 * gap but some in the passage. */
struct parallel_bias parallel_bias_of(const struct piece *p, int64_t from, int64_t to,
                                      uint64_t tracks);
/* Lets the piece's first bars, sixteen at most, return in the last bars of a take [from, to), after
 * eight or more other bars. */
struct parallel_bias parallel_bias_of_return(const struct piece *p, int64_t from,
                                             int64_t to);
/* Repeats in n bars, from this bar on, the bars so far back; `to` is 0 if their meters differ. */
struct parallel_bias parallel_bias_repeat(const struct piece *p, int64_t bar,
                                          int64_t back, int64_t n);
/* Returns whether most beats there have the roots of the passage, by these ascending chords; true if
 * there are no chords. */
bool parallel_bias_fits(const struct parallel_bias *b, const struct grid_chord *chords,
                        size_t n);
/* Returns whether a passage from elsewhere, with a key and rhythms of its own, is written at this
 * step. */
static inline bool parallel_bias_returns(const struct parallel_bias *b, int64_t step)
{
    return b->to && !b->is_gap && step >= b->from && step < b->to;
}
/* Remembers a note that was written. */
void parallel_bias_add(struct parallel_bias *b, const struct grid_note *n);
/* Biases all tokens towards the next note of the passage. */
void parallel_bias_apply(const struct parallel_bias *b, const struct place *at);

/* -- form -- */

/* The form of a take is decided before its notes, by what the piece does and by chance. A take of more
 * than eight bars has sections of eight bars, each of two phrases. A section begins like the piece's
 * opening if the piece before ends on another chord than its tonic, or if the section before was new.
 * Else it is new, or begins like the take's own new section. A second phrase may begin like the first.
 * A piece with drums whose last phrase repeats the one before, in its tune and on all tracks, is a
 * loop: layers rest for a phrase, and all come back with the opening. */

enum { FORM_PHRASES = 32, SECTION_BARS = 2 * PHRASE_BARS };

struct form {
    int64_t bar; /* first bar of the take */
    int n;       /* phrases; 0: the take has no form */
    struct form_phrase {
        int16_t back, n; /* n bars are like those so far back; 0: the phrase is new */
        uint64_t rests;  /* tracks that rest */
    } phrases[FORM_PHRASES];
};

/* Decides the form of a take [from, to). tune, bass: tracks; -1: the piece has none. */
struct form form_of(const struct piece *p, int64_t from, int64_t to, int tune, int bass,
                    struct rng *rng);
/* Returns whether the given bars end on another chord than the tonic of their first section, or a tune
 * alone on another note. */
bool form_is_open(const struct piece *p, int64_t from);
/* Returns whether the last given phrase of these tracks repeats the one before. */
bool form_repeats(const struct piece *p, uint64_t tracks, int64_t from);
/* Lets a take of one section, without drums, begin like the opening for two bars after an open
 * end. */
struct form form_of_answer(const struct piece *p, int64_t from);
/* Gives a tune that begins a score without notes the phrases A A B A: all but B begin like the first
 * for two bars. */
struct form form_of_nothing(const struct piece *p, int64_t from, int64_t to);
/* Returns what returns in the phrase that begins at this step; its `to` is 0: nothing returns. */
struct parallel_bias form_return(const struct form *f, const struct piece *p,
                                 int64_t step);
/* Returns the tracks that rest in the bar that begins at this step. */
uint64_t form_rests(const struct form *f, const struct piece *p, int64_t bar);

/* -- opening -- */

/* The rule of openings holds the tune of a band that begins a score without notes, and so has no piece
 * to be like. The tune moves in eighths at most, and not for long in one rhythm, on one pitch or by
 * leaps. */

/* Biases positions, pitches and lengths of the place's track. */
void opening_bias_apply(struct rules *r, const struct place *at);

/* -- groove -- */

/* The rule of the groove keeps new drums to their groove. What came in most of the last four bars at a
 * position is likelier there, and what came in none is less likely. New drums have a plain groove,
 * which counts as two more bars: a backbeat, whose snares are due; in jazz a ride; beside folk and art
 * music little. A kick may join each note of a bass. Each fourth bar ends with a fill; sparse drums
 * have one in each eighth. */

/* What new drums play; DRUMS_FREE is what the model begins with. */
enum drums { DRUMS_LIGHT, DRUMS_BACKBEAT, DRUMS_RIDE, DRUMS_FREE };
struct new_groove {
    enum drums drums;
    bool is_sparse;   /* hits on the beats alone, as most of the music has them */
    bool swings;      /* the other tracks have eighths on triplets */
    bool is_straight; /* the other tracks have eighths and no triplets */
    int64_t last; /* step of the last note of the tracks that are written; -1: none */
};

/* Chooses the groove. tracks: the facts of all tracks; given: tracks that are not written now. */
struct new_groove groove_of_new(const struct track_facts tracks[TOKEN_MAX_TRACKS],
                                uint64_t given, enum style style);

/* Biases hits and positions of the place's track, if it is drums. */
void groove_bias_apply(struct rules *r, const struct place *at);

/* -- walk -- */

/* The rule of walking lets a new bass of a swinging band walk, and a given bass that walks go on. The
 * bass begins a note on each beat and hardly another between two, holds it until the next, does not
 * repeat it or go back and forth, and comes to the bass of the next chord by a step. */

/* Returns whether a bass walks there: in jazz, and where others swing over a ride cymbal on the beats.
 * tracks: the facts of p's tracks. */
bool walk_bias_is_due(const struct piece *p,
                      const struct track_facts tracks[TOKEN_MAX_TRACKS],
                      enum style style);

/* Returns whether a given bass walks, by the facts of its notes up to step `from`. */
bool walk_bias_goes_on(const struct track_facts *bass, int64_t from);

/* Bias positions, pitches and lengths of the bass, and its pitches alone. next: the chord after the one
 * in force; NULL: none. */
void walk_bias_apply(const struct grid_chord *next, const struct place *at);
void walk_bias_pitches(const struct grid_chord *next, const struct place *at);

/* -- figure -- */

/* The rule of figures lets a keyboard or guitar that accompanies alone play a figure instead of whole
 * bars of one chord. A bass note, which may have its octave, begins each bar and each chord, and the
 * other beats complete the chord above it. */

/* Biases positions, pitches and lengths of the place's track. The last bar that is written, if it
 * is not the first, is left to the model, since it may come to rest. */
void figure_bias_apply(struct rules *r, const struct place *at);

/* -- all rules -- */

struct rules {
    uint32_t without;    /* rows that are not applied, by rules_bits() */
    bool is_band;        /* a band is written, one track after the other */
    int64_t begin;       /* start of all that is written */
    int64_t from;        /* start of what is written now */
    int track;           /* track of a band whose turn it is */
    enum band_role role; /* its role */
    uint64_t tracks;     /* tracks that are written */
    uint64_t missing;    /* those of them that have no notes outside the hole */
    int tune;            /* highest line; -1: there is none */
    int highest;         /* the tune, or else the highest track that is not the bass */
    bool begins;         /* a band begins a score without notes */
    bool walks;          /* a new bass walks */
    bool walks_on;       /* the given bass walks */
    uint32_t grid;       /* bit k: notes may begin k steps after a beat */
    bool has_figure;     /* a new track accompanies alone */
    struct new_groove groove; /* groove of new drums */
    enum chord_source source; /* where the chords come from */
    float rate;               /* share of places at which they change */
    float clash;              /* nats of a clash, 0 or less */
    struct taste *taste;      /* borrowed; NULL: none */
    struct control_bias controls;
    struct cadence cadence;
    struct key_bias key_bias;
    struct activity_bias activity;
    struct drift_bias drift;
    struct voice_leading voice_leading;
    struct chord_bias chords; /* chords of the music, or of an answer's own plan */
    struct due_bias due;
    struct turn_bias turn;
    struct breath_bias breath;
    struct parallel_bias parallel;
    struct form form;
    float kept[N_PITCHES]; /* logits of pitches before the rule of chords */
};

/* -- names -- */

/* Returns the bits of the rows with this name; 0: no rule has it. */
uint32_t rules_bits(const char *name, size_t n);
/* Writes "plan, control, ..."; returns buf. */
char *rules_list(char *buf, size_t n_buf);

/* -- a take (app/decoding/rules_aim.h begins one) -- */

/* Returns whether no row of this name is applied. */
bool rules_leave_out(const struct rules *r, const char *name);
/* Stops repeating a passage if the chords that are known there are not those of the passage. */
void rules_check_parallel(struct rules *r, const struct piece *p);
/* Counts a note of the take, or of a motif that returns in it. */
void rules_hear(struct rules *r, const struct grid_note *n);
/* Applies all rows to the logits of a place. is_varying: a motif is varied, which has controls of its
 * own. */
void rules_apply(struct rules *r, const struct place *at, bool is_varying);

#endif
