/* The rules that a take is held to: each biases the logits of the next token by what the piece
 * does. They are rows of one table (rules.c), applied in its order at a place (place.h). A file has
 * what one rule does, or several that are one idea. A rule can be left out by its name, to measure
 * what it is worth (models/README.md).
 *
 * Biases are in nats and bounded. Plain data of one take; one thread at a time. Functions that take
 * no struct rules are pure. */
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

/* -- the role of an instrument in a band: its register, its number of voices and its density,
 * unless other values are requested -- */

/* In the best order of filling: drums written after others play fewer hits together and
 * keep their groove less. */
enum band_role {
    BAND_NONE,
    BAND_TUNE, /* of a band that begins an empty score: a line; */
    BAND_SOLO, /* or all but bass and drums */
    BAND_DRUMS,
    BAND_BASS,
    BAND_CHORDS,
    BAND_LINE,   /* one note at a time, above the bass */
    BAND_FIGURE, /* no band's: a keyboard or guitar that has the bass, too */
};

/* A tune or a solo, which the others hear. */
static inline bool band_role_is_first(enum band_role role)
{
    return role == BAND_TUNE || role == BAND_SOLO;
}

/* -- control -- */

/* Biases a take towards the density, length, register and number of voices that a request asks
 * for. The model reads the request as tokens, too, but learns little about them in a style whose
 * music rarely varies in that way.
 *
 * Each bias is quadratic in the distance from the request, in octaves of length, pitch or rate,
 * like a Gaussian prior; the bias of density is also linear in the missing notes. Each is bounded.
 * Pure functions, any thread. */

/* Nats: the largest bias of one token. */
#define CONTROL_BIAS_BOUND 4.0f

enum { CONTROL_BIAS_ENDS = 32 };

/* Steps count from the same point in all. */
struct control_bias {
    double density;  /* notes in a quarter, of all tracks together; 0: any */
    double length;   /* of a note, steps; 0: any */
    double pitch;    /* 0: any */
    int voices;      /* 0: any */
    float weight;    /* of all biases; 0: none */
    int64_t from;    /* where the hole begins */
    int64_t n_notes; /* in it so far, */
    int64_t ends[CONTROL_BIAS_ENDS]; /* and where the newest end; a ring */
};

/* For the controls of a request that names its tracks. */
struct control_bias control_bias_for(const struct fill_request *request, int64_t from,
                                     float weight);
bool control_bias_is_needed(const struct control_bias *n);
/* Counts a note that was written. */
void control_bias_add(struct control_bias *n, const struct piece *p,
                      const struct grid_note *note);
void control_bias_apply(struct rules *r, const struct place *at);

/* -- cadence -- */

/* A bounded bias of the logits at the end of a take that should close. In the last beats before
 * its last bar the dominant sounds, with V or VII in the bass. In that bar the bass goes
 * to the tonic, the other voices to its triad, the highest rather to the tonic, too; the last notes
 * are held, and the take does not end before the bass and all voices are there, and seldom goes on
 * after it. The bias of pitches grows until the middle of the bar, before which a dominant may
 * still come; a band ends on the bar line. The bass is the requested track that is lowest in the
 * music so far. Pure functions, any thread. */

/* Nats: the largest bias of one token, but for the lengths at the end of a band: twice as much. */
#define CADENCE_BOUND 6.0f

struct cadence {
    float weight;     /* 0: nothing is done */
    int tonic;        /* pitch class */
    uint16_t triad;   /* bit 0 is C */
    int bass, top;    /* the token tracks that lie lowest and highest; -1: none */
    uint64_t voices;  /* bit t: track t has played of late, and plays to the end */
    bool is_band;     /* the piece has drums */
    bool is_tune;     /* the piece is one line, which has no bass */
    int64_t before;   /* the step from which the dominant sounds, */
    int64_t approach; /* in the bar that begins here */
    int64_t from, to; /* the last bar, steps */
};

/* For a piece that closes at `to`; weight 1 allows the full bound. Without a key, or with
 * only drums requested, the weight is 0. */
struct cadence cadence_for(const struct piece *p, const struct signature *signature,
                           const struct fill_request *request, int64_t from, int64_t to,
                           float weight);
/* The step at which the dominant begins that leads to the tonic of this bar: half a bar before its
 * bar line, in quarters, or one quarter. */
int64_t cadence_dominant(const struct piece *p, int64_t bar);
/* Whether this step is in the last bar; or in it, or in the beats of the dominant before it. */
bool cadence_is_needed(const struct cadence *c, int64_t step);
bool cadence_is_near(const struct cadence *c, int64_t step);

/* What sounds at a place near the close. */
struct sounding {
    int lowest;     /* pitch; 128: none */
    uint64_t heard; /* bit t: track t has notes that sound in the last bar */
    bool is_open;   /* no dominant led the bass to the tonic, or to where it is */
};

struct sounding cadence_listen(const struct cadence *c, const struct place *at);
void cadence_apply(const struct cadence *c, const struct sounding *s,
                   const struct place *at);

/* -- key -- */

/* Keeps a take to the pitch classes of its piece: a class that the piece hardly uses becomes less
 * likely. The bias is bounded; it fades after eight bars of four quarters and is gone after
 * sixteen, since long pieces modulate. A piece that uses all twelve classes has no bias; a piece
 * without notes, or with few that fit its key signature, is held to that. Pure functions, any
 * thread. */

struct key_bias {
    float cost[12]; /* nats, by pitch class */
    int64_t from;   /* the step where the take begins */
};

/* key: the pitch classes of the key signature; 0: there is none. */
struct key_bias key_bias_of(const struct piece *p, uint16_t key, int64_t from);
/* Biases pitches. */
void key_bias_apply(struct rules *r, const struct place *at);

/* -- activity -- */

/* Keeps tracks resting that play seldom: one that began notes in few of the last bars, as stabs of
 * brass, begins notes in as small a share of the take's bars. In a score without notes each track
 * plays: it becomes likelier, the more the longer it rests. The bias is bounded. Pure functions, any
 * thread. */

struct activity_bias {
    int64_t from;  /* the step where the take begins */
    bool is_empty; /* the score had no notes */
    /* By track: */
    float share[TOKEN_MAX_TRACKS]; /* of the bars, if it plays seldom; else 1 */
    int run[TOKEN_MAX_TRACKS];     /* the most bars in a row */
};

/* Reads the last bars before step `from`. */
struct activity_bias activity_bias_of(const struct piece *p, int64_t from);
/* Biases tracks. */
void activity_bias_apply(struct rules *r, const struct place *at);

/* -- drift -- */

/* Keeps a long take from drifting away from its piece, and from loops. The note lengths, melodic
 * steps, chord sizes and repetitions of each pitched track are counted in the piece and in the
 * last part of the take. What the take has more often than the piece becomes less likely; what it
 * has less often becomes likelier. The bias is bounded. Pure functions, any thread. */

enum { DRIFT_KINDS = 16, DRIFT_RECENT = 128 };

/* How often each kind came. */
struct drift_counts {
    float n, of[DRIFT_KINDS];
};

struct drift_habits {
    struct drift_counts lengths, steps;
    /* Kind 2k: chords that ended with their k-th note; 2k + 1: chords that had another. */
    struct drift_counts chords;
    /* Notes that end a repetition of what the track played in the bars before. Kind 0: none;
     * 1: of one note; 2: of two or three; 3: of four to seven; 4: of more. */
    struct drift_counts repeats;
};

struct drift_onset {
    int32_t step, wait; /* since the onset before */
    uint8_t pitch;
};

struct drift_bias {
    struct drift_track {
        struct drift_habits piece, take;
        struct drift_onset
            recent[DRIFT_RECENT]; /* the newest at n_recent - 1, modulo */
        int n_recent;
        int64_t onset; /* of its newest note, */
        int pitch; /* the lowest pitch there, which steps are counted from; -1: none */
        int size;  /* of its newest chord, notes */
        int low, high; /* the piece's lowest and highest pitch on it */
    } tracks[TOKEN_MAX_TRACKS];
    int64_t from; /* the step where the take begins */
    /* A form plans the chords, which notes longer than the piece's would blur. */
    bool has_progression;
    /* Sets of tracks, bit t: those that are no drums; those with enough notes in the piece for more
     * than the bias of repetitions; those that stay near their range; those that do not copy what
     * came before a step for more than so many steps. */
    uint64_t pitched, biased, ranged, fresh;
    int64_t copied_to, may_copy;
};

/* Counts the notes before step `from`. */
void drift_bias_init(struct drift_bias *d, const struct piece *p, int64_t from);
/* Forgets the piece's habits, since a request may be unlike them, and its ranges if the request is
 * of pitches. */
void drift_bias_let_differ(struct drift_bias *d, bool in_pitch);
/* Counts a note that was written. */
void drift_bias_add(struct drift_bias *d, const struct grid_note *n);
/* Biases pitches and lengths. */
void drift_bias_apply(struct rules *r, const struct place *at);
/* Biases pitches that go on with a copy. */
void drift_bias_copies(struct rules *r, const struct place *at);

/* -- voice leading -- */

/* Keeps the rules of part writing that a piece keeps: between tracks of one note at a time, no
 * parallel fifths and octaves, no octaves in contrary motion, and no crossing. How often the piece
 * breaks each rule is counted; a rule that it breaks often, as a pop song does, is not one. Nor are
 * chords without their third, if the piece has thirds. A line that was missing lies between those
 * above and below it in the score, and doubles none, a leading tone least of all. A bounded bias of
 * the logits. Pure functions, any thread. */

struct voice_leading {
    uint64_t lines;                 /* bit t: track t has one note at a time; */
    uint64_t missing;               /* it had no notes: it plays in unison with none */
    uint64_t ranked;                /* it has a rank: */
    uint8_t rank[TOKEN_MAX_TRACKS]; /* 0 for the line that is highest on the mean */
    uint64_t placed;                /* it was missing, and should lie about its mean: */
    float mean[TOKEN_MAX_TRACKS];   /* the pitch of a line */
    float parallels,
        crossing; /* nats, 0 or less, for each pair of lines but the outer two, */
    float crossing_of_missing; /* of which one was missing; */
    float hollow;              /* and for a chord of three lines without a third */
};

/* Returns the tracks without notes, of these (bit t: track t), that will play one note at a time:
 * their instruments do, or the lines of their family. */
uint64_t voice_leading_missing(const struct piece *p, uint64_t tracks);
/* Of the notes before step `end`. missing: tracks that have no notes, but will have some. limits:
 * of their pitches. */
struct voice_leading voice_leading_of(const struct piece *p, int64_t end,
                                      uint64_t missing, const struct hole *limits);
/* Of pitches. leading: the class of the leading tone there; -1: none. */
void voice_leading_apply(struct rules *r, const struct place *at);

/* -- clash -- */

/* Keeps a take as free of clashes as its piece. A note clashes if it begins a semitone, or that
 * and octaves, from one that sounds. How many of the piece's last notes do is counted: where
 * many do, as in late or chromatic music, they are no fault. The bias is bounded. Pure functions,
 * any thread. */

/* Returns the nats that a clash costs after the notes before step `end`, 0 or less. */
float clash_bias_of(const struct piece *p, int64_t end);
/* Biases pitches. */
void clash_bias_apply(struct rules *r, const struct place *at);

/* -- chord -- */

/* Keeps pitched tracks on the chords that are written in the piece or planned for the take. A
 * pitch class that the chord in force lacks is less likely, more so on a beat. The lowest track
 * begins a chord or a bar with the chord's bass. A note ends before a chord that lacks it. In
 * styles that have them ninths and thirteenths, which symbols lack here
 * (midi/tokens/grid_chord.h), are as free above the bass. Just before the next chord, notes that
 * approach its bass are free. And a tune may pass between the tones by steps, as people's do, on weak
 * beats. The biases are bounded. Pure functions, any thread. */

struct chord_bias {
    const struct grid_chord *chords; /* ascending; borrowed */
    size_t n;
    int bass;     /* the track that plays the chords' basses; -1: none */
    float weight; /* 0: nothing is biased; 1: a band's */
    bool has_tensions;
};

/* The sum of these costs by pitch class over the chord's classes. */
float chord_bias_cost(const struct grid_chord *chord, const float cost[12]);
/* The class of the third of the dominant that is in force at a step; -1: it is none. */
int chord_bias_leading(const struct chord_bias *b, int64_t step);
/* The chord in force at a step, and the one after it; NULL: none. */
const struct grid_chord *chord_bias_in_force(const struct chord_bias *b, int64_t step);
const struct grid_chord *chord_bias_next(const struct chord_bias *b, int64_t step);
/* Of pitches, and of the length of the note whose pitch was said. */
void chord_bias_pitches(struct rules *r, const struct place *at);
void chord_bias_lengths(struct rules *r, const struct place *at);
/* Where the next bar or chord begins, those who carry the chords begin a note: of positions that
 * pass by it, and of what leaves the bar. last: the step of the track's newest note. */
void chord_bias_onsets(const struct chord_bias *b, const struct place *at,
                       int64_t last);

/* -- the steps of a tune -- */

/* The track with the highest notes on the mean, of those that seldom play two at once, and but for
 * the bass; -1: there is none. tracks: of p, by analyse_tracks. */
int passing_tones_tune(const struct piece *p,
                       const struct track_facts tracks[TOKEN_MAX_TRACKS], int bass);
/* Between strong beats, the pitches within a step of the track's last note are as likely as before
 * the chords had their say: `kept` has these logits [N_PITCHES]. Strong are the beginnings of bars,
 * of their halves, and of chords. */
void passing_tones_free(const struct chord_bias *chords, const struct place *at,
                        const float *kept);

/* -- due -- */

/* Keeps a track's rhythm: notes that came at a position in nearly every bar (the four beats of a
 * walking bass, the snare on the second beat), or in every second, fourth or later bar (a tune),
 * are expected there again. A token that passes by a position before its notes are there becomes
 * less likely. The bias is bounded and fades during the take, but for one: where chords never begin
 * while one before rings, none does. Pure functions, any thread. */

enum { DUE_PLACES = 2 * TOKEN_RADIX, DUE_BARS = 16 };

struct due_bias {
    int64_t from; /* the step where the take begins */
    bool is_band;
    int32_t first, end;               /* the bars that are read */
    uint8_t period[TOKEN_MAX_TRACKS]; /* bars after which a rhythm returns; 0: none */
    float steady[TOKEN_MAX_TRACKS];   /* 0..1: how far a track is held to its rhythm */
    uint64_t apart; /* bit t: token track t never begins a note while one of it rings */
    /* The bar that is written. */
    int64_t bar;                             /* its first step */
    int length;                              /* steps */
    uint8_t n[DUE_PLACES][TOKEN_MAX_TRACKS]; /* notes expected at a step, by track, */
    float n_at[DUE_PLACES];   /* and of all tracks, each times `steady` */
    uint64_t may[DUE_PLACES]; /* bit t: track t may begin notes there */
};

/* Reads the bars before step `from`, of these token tracks. is_band: the piece has drums, or
 * repeats its chords; such music is held more strictly, and for longer. */
void due_bias_init(struct due_bias *b, const struct piece *p, int64_t from,
                   const bool tracks[TOKEN_MAX_TRACKS], bool is_band);
/* free_tracks: those that do something else in this bar; read at its first token. */
void due_bias_apply(struct due_bias *b, const struct place *at, uint64_t free_tracks);

/* -- breath -- */

/* Tracks rest at the ends of phrases, as they did before. A phrase ends with each fourth bar before
 * the take. A track rests in the last of these bars if it begins its last note there a beat earlier
 * than in any bar within phrases. It rests again in every eighth bar from there on, or in every
 * fourth if it rested at the end of the phrase before, too. A bounded bias. Pure functions, any
 * thread. */

/* Where in a bar a track begins notes for the last time, -1: nowhere; and how long these are
 * within the bar, steps. */
struct last_onset {
    int16_t place, length;
};

struct breath_bias {
    int64_t bar;    /* the last given one, */
    int64_t length; /* and its steps */
    /* Bit t: track t has notes in the bars that are read; rests in every eighth bar; and of these,
     * in every fourth, and second. */
    uint64_t plays, in_eight, in_four, in_two;
    struct last_onset last[TOKEN_MAX_TRACKS]; /* in bars where the track rests */
};

/* Of pitched tracks, by the bars before `from`, steps. */
struct breath_bias breath_bias_of(const struct piece *p, int64_t from);
/* Of a tune that begins a score without notes: it rests after the middle of every second bar. */
struct breath_bias breath_bias_of_nothing(const struct piece *p, int64_t from,
                                          int tune);
/* The tracks that rest at the end of the bar that begins at this step. */
uint64_t breath_bias_due(const struct breath_bias *b, const struct piece *p,
                         int64_t bar);
/* Whether the bar that begins at this step has one chord: all tracks rest after its first step. */
bool breath_bias_is_chord(const struct breath_bias *b, const struct piece *p,
                          int64_t bar);
/* Of tracks and their notes; of lengths at the last onset; of positions at which only tracks that
 * rest would play, and of leaving the bar where all rest. */
void breath_bias_apply(struct rules *r, const struct place *at);
/* These tracks rest at this place for all of the bar. */
void breath_bias_silence(struct rules *r, const struct place *at);

/* -- turn -- */

/* Drums turn at the ends of phrases, as the given ones do, and keep to their groove before. A phrase
 * ends with each fourth bar before the take. The last of these bars whose hits differ from the groove
 * is the turn: what it has instead of the groove is likelier every eight bars from it on, or every
 * four if the phrase before turned, too. In the other bars of a phrase a hit is less likely where no
 * given bar has it, and where it passes by one that each of them has; of a groove of two bars, every
 * second given bar. A bounded bias. Pure functions, any thread. */

struct turn_bias {
    uint64_t pairs; /* bit t: track t has a groove of two bars */
    int64_t end;    /* of the given bars, */
    int n;          /* of which, of the last that are read, drums play in so many */
    int period;     /* bars; 0: the given drums do not turn */
    int track;
    int64_t turn, groove; /* given bars: the turn, and one before, of the groove */
};

/* Of the bars before `from`, steps. */
struct turn_bias turn_bias_of(const struct piece *p, int64_t from);
/* The drums that turn in the bar that begins at this step; bit t: track t. */
uint64_t turn_bias_due(const struct turn_bias *b, const struct piece *p, int64_t bar);
/* Of hits, of the drums' track, and of positions at which no other track plays. rests: tracks that
 * rest in this bar do not turn. */
void turn_bias_apply(struct rules *r, const struct place *at);

/* -- parallel -- */

/* Repeats a passage of the piece: the passage parallel to a gap; the opening, at the end of a long
 * take that closes, so that A B becomes A B A; and what the form of a long take says (form.h). For
 * a gap, the notes around it, in two bars on each side and in the tracks that play during it, are
 * compared with the notes around every passage as long. The passage with the most equal notes, if
 * they are half or more, is the parallel one. The notes of the passage become likelier. The bias is bounded, like the
 * cache of Grave, Joulin & Usunier, "Improving neural language models with a continuous cache"
 * (ICLR 2017). Pure functions, any thread. */

struct parallel_bias {
    bool is_gap;      /* it ends where the passage does */
    int64_t from, to; /* the steps that repeat the passage; to is 0: none do */
    int64_t by;       /* steps from there to the passage, negative: it is earlier */
    uint64_t tracks;  /* bit t: token track t */
    struct grid_note last; /* the newest note there; its step is before `from`: none */
};

/* For a gap [from, to) in these tracks. They have no notes there, but in the passage. */
struct parallel_bias parallel_bias_of(const struct piece *p, int64_t from, int64_t to,
                                      uint64_t tracks);
/* For the last bars of a take [from, to): those in which the piece's first ones, sixteen at most,
 * can return after eight and more others. */
struct parallel_bias parallel_bias_of_return(const struct piece *p, int64_t from,
                                             int64_t to);
/* Writes n bars, from this one on, like those `back` bars before; nothing if their meters differ. */
struct parallel_bias parallel_bias_repeat(const struct piece *p, int64_t bar,
                                          int64_t back, int64_t n);
/* Whether the beats there are to have the roots of the passage's; chords: of both, ascending; none:
 * they are. */
bool parallel_bias_fits(const struct parallel_bias *b, const struct grid_chord *chords,
                        size_t n);
/* Whether a passage of another place, with a key and rhythms of its own, is written at this
 * step. */
static inline bool parallel_bias_returns(const struct parallel_bias *b, int64_t step)
{
    return b->to && !b->is_gap && step >= b->from && step < b->to;
}
/* Remembers a note that was written. */
void parallel_bias_add(struct parallel_bias *b, const struct grid_note *n);
void parallel_bias_apply(const struct parallel_bias *b, const struct place *at);

/* -- form -- */

/* The form of a take, decided before its notes by what the piece does and by chance. A take of more
 * than eight bars has sections of eight bars, each of two phrases. A section begins like the piece's
 * opening, if the piece before ends open, on another chord than its tonic, or if the section before
 * was new; else it is new, or begins like the take's own new one. Second phrases may begin like the
 * first. A piece whose last phrase repeats the one before, in its tune and on all tracks, drums
 * too, is a loop: layers rest for a phrase, and all come back with the opening. Pure functions, any
 * thread. */

enum { FORM_PHRASES = 32, SECTION_BARS = 2 * PHRASE_BARS };

struct form {
    int64_t bar; /* the take's first */
    int n;       /* phrases; 0: the take has no form */
    struct form_phrase {
        int16_t back,
            n; /* it begins like the bars so far back, for n bars; n is 0: new */
        uint64_t rests; /* bit t: track t */
    } phrases[FORM_PHRASES];
};

/* Of a take [from, to), steps, whose piece has this tune and bass, tracks, or -1. */
struct form form_of(const struct piece *p, int64_t from, int64_t to, int tune, int bass,
                    struct rng *rng);
/* Whether the given bars end on another chord, or a tune alone on another note, than the tonic of
 * their first section. */
bool form_is_open(const struct piece *p, int64_t from);
/* Whether the last given phrase of these tracks is the one before it. */
bool form_repeats(const struct piece *p, uint64_t tracks, int64_t from);
/* Of a take of one section, without drums: after an open end it begins like the opening, for two
 * bars. */
struct form form_of_answer(const struct piece *p, int64_t from);
/* Of a tune that begins a score without notes: its phrases are A A B A, and all but B begin like the
 * first, for two bars. */
struct form form_of_nothing(const struct piece *p, int64_t from, int64_t to);
/* What returns in the phrase that begins at this step; to is 0: nothing does. */
struct parallel_bias form_return(const struct form *f, const struct piece *p,
                                 int64_t step);
/* The tracks that rest in the bar that begins at this step. */
uint64_t form_rests(const struct form *f, const struct piece *p, int64_t bar);

/* -- opening -- */

/* The tune of a band that begins a score without notes has no piece to be like: it goes on neither
 * in one rhythm nor on one pitch nor by leaps, and in eighths at most. A bounded bias. Pure function, any
 * thread. */

/* Of positions, pitches and lengths; the place's track is the tune. */
void opening_bias_apply(struct rules *r, const struct place *at);

/* -- groove -- */

/* Keeps drums to their groove. What came in most of the last four bars at a place is likelier
 * there, and what came in none is less likely. New drums have a plain groove, which counts as two
 * more bars: a backbeat, whose snares are due; in jazz a ride; beside folk and art music little. A
 * kick may join each note of a bass. Each fourth bar ends with a fill, of sparse drums each eighth.
 * A bounded bias. Pure functions, any thread. */

/* What drums that are written anew play. DRUMS_FREE: what the model begins with. */
enum drums { DRUMS_LIGHT, DRUMS_BACKBEAT, DRUMS_RIDE, DRUMS_FREE };
struct new_groove {
    enum drums drums;
    bool is_sparse; /* on the beats alone, as most of the music is */
    bool swings,
        is_straight; /* the others have triplets' eighths; have eighths and no triplets */
    int64_t last; /* step of the last note of the tracks that are written; -1: none */
};

/* tracks: of all notes; given: those that are not written now (bit t: track t). */
struct new_groove groove_of_new(const struct track_facts tracks[TOKEN_MAX_TRACKS],
                                uint64_t given, enum style style);

/* Of hits of the track at this place, and of positions. Phrases of four bars begin at step `from`. */
void groove_bias_apply(struct rules *r, const struct place *at);

/* -- walk -- */

/* A bass that is written anew for a swinging band walks: it begins a note on each beat, hardly
 * another between two, holds each until the next, does not repeat it or go back and forth, and comes
 * to the bass of the next chord by a step. One that walks already goes on so. chord_bias has the tones
 * of the chords. The bias is bounded. Pure functions, any thread. */

/* Whether a bass walks there: in jazz, and where others swing over a ride cymbal on the beats.
 * tracks: of p, by analyse_tracks. */
bool walk_bias_is_due(const struct piece *p,
                      const struct track_facts tracks[TOKEN_MAX_TRACKS],
                      enum style style);

/* Whether a given bass does, of whose notes up to step `from` these are the facts. */
bool walk_bias_goes_on(const struct track_facts *bass, int64_t from);

/* Of positions, pitches and lengths of the bass; and of pitches alone. next: the chord after the one in force; NULL:
 * none. */
void walk_bias_apply(const struct grid_chord *next, const struct place *at);
void walk_bias_pitches(const struct grid_chord *next, const struct place *at);

/* -- figure -- */

/* A keyboard or guitar that accompanies alone plays a figure, no chord for a whole bar: where a bar
 * or a chord begins a bass note, which may have its octave, and on the other beats what completes
 * the chord above it. A bounded bias. Pure functions, any thread. */

/* Of positions, pitches and lengths of the track at this place. chord: the one in force; NULL: none. The
 * last bar that is written, if it is no beginning, is left to the model: it may come to rest. */
void figure_bias_apply(struct rules *r, const struct place *at);

/* -- all rules -- */

struct rules {
    uint32_t without; /* rows that are not applied */
    bool is_band;
    int64_t begin;       /* step of all that is written, */
    int64_t from;        /* as in the aim, */
    int track;           /* and of a band's */
    enum band_role role; /* track; */
    uint64_t tracks;     /* those that are written, */
    uint64_t missing;    /* and of them those of a hole that had no notes anywhere */
    int tune;            /* the line that lies highest; -1: there is none */
    int highest; /* that, or else what lies highest, as a piano's line over its chords */
    bool begins;              /* a band a score without notes */
    bool walks;               /* the bass, if it is new, */
    bool walks_on;            /* or is given */
    uint32_t grid;            /* bit k: notes begin k steps after a beat */
    bool has_figure;          /* the one that accompanies alone, if it is new */
    struct new_groove groove; /* the drums, if they are new */
    enum chord_source source; /* of the chords, */
    float rate;               /* and how often they change */
    float clash;              /* nats of a clash_bias */
    struct taste *taste;      /* or NULL; borrowed */
    struct control_bias controls;
    struct cadence cadence;
    struct key_bias key_bias;
    struct activity_bias activity;
    struct drift_bias drift;
    struct voice_leading voice_leading;
    struct chord_bias chords; /* the music's, or an answer's own plan */
    struct due_bias due;
    struct turn_bias turn;
    struct breath_bias breath;
    struct parallel_bias parallel;
    struct form form;      /* of a long take */
    float kept[N_PITCHES]; /* logits of pitches before chords are heeded */
};

/* -- names -- */

/* The bits of the rows with this name; 0: no rule has it. */
uint32_t rules_bits(const char *name, size_t n);
/* "plan, control, ..."; buf is returned. */
char *rules_list(char *buf, size_t n_buf);

/* -- a take (app/decoding/rules_aim.h begins one) -- */

/* Whether no row of this name is applied. */
bool rules_leave_out(const struct rules *r, const char *name);
/* Leaves out the rule that repeats a passage if the chords that are known there are others. */
void rules_check_parallel(struct rules *r, const struct piece *p);
/* A note of the take, or of a motif that returns in it. */
void rules_hear(struct rules *r, const struct grid_note *n);
/* Adds to the logits of the place. is_varying: a motif is varied, whose wishes are its own. */
void rules_apply(struct rules *r, const struct place *at, bool is_varying);

#endif
