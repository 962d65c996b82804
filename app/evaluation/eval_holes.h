/* How well a model fills holes in held-out music: what the notes that were there cost it
 * in nats with more or less of the music around, what it writes there itself beside two
 * fillings that need no model, and whether it heeds wishes.
 *
 * The same corpus, model, seed and settings give the same figures; the holes of a corpus
 * are the same whatever the model, the seed, and the other corpora. One thread. */
#ifndef APP_EVAL_HOLES_H
#define APP_EVAL_HOLES_H

#include "app/evaluation/eval_hole.h"
#include "app/evaluation/eval_hole_figures.h"

struct eval_holes_request {
    const char *model_name; /* for what goes wrong */
    const struct corpus *corpus;
    enum corpus_split split;
    int n_holes; /* in each corpus, as far as it has room */
    struct continuation_options
        how;                   /* they are filled; the seed counts up by the hole */
    const struct model *model; /* that was trained to fill holes */
    struct pool *pool;
    const atomic_bool *cancel;
    void (*progress)(int n_done, int n_all); /* before each hole; may be NULL */
};

enum eval_hole_filling {
    FILLED_BY_MODEL,
    FILLED_FROM_BEFORE,
    FILLED_FROM_AFTER,
    FILLED_AT_RANDOM,
    EVAL_HOLE_FILLINGS,
};

/* One hole, or the sums over some. Nats are sums over tokens in either case. */
struct eval_hole_sums {
    int64_t n_holes, n_notes, n_tokens; /* tokens: of notes, bars, and the end */
    double note_nats[HOLE_VIEWS];       /* of the notes' tokens alone */
    double nats[HOLE_VIEWS];
    struct eval_hole_figures figures[EVAL_HOLE_FILLINGS];
};

struct eval_hole_result {
    int group;
    enum style style;
    struct eval_hole_kind kind;
    struct eval_hole_sums sums; /* of this hole */
};

struct eval_holes {
    struct eval_hole_result *results;
    size_t n_results;
    struct eval_hole_answer
        *answers; /* to wishes, in holes of four bars of one track */
    size_t n_answers;
    int n_too_full;    /* holes too full for the model's context, which are left out */
    bool is_cancelled; /* the results are those made before */
};

/* The exit status; it has said what went wrong. Fini it whatever it is. */
int eval_holes_measure(struct eval_holes *e, const struct eval_holes_request *q);
void eval_holes_fini(struct eval_holes *e);

enum eval_holes_by { HOLES_OF_ALL, HOLES_OF_CORPUS, HOLES_OF_STYLE, HOLES_OF_KIND };

/* Of the corpus, style or kind number `which`. Kinds count all bars and tracks: those of
 * all tracks first, and shorter ones first. */
struct eval_hole_sums eval_holes_sum(const struct eval_holes *e, enum eval_holes_by by,
                                     int which);
/* By how many nats a note music on both sides helps more than another view, over all
 * holes, with its standard error (of a ratio of sums over holes: Cochran 1977, section
 * 6.4), and in how many holes it does. The error is NAN for fewer than two holes. */
struct eval_hole_margin {
    double nats, error;
    int n_wins;
};
struct eval_hole_margin eval_holes_margin(const struct eval_holes *e,
                                          enum eval_hole_view other);
enum { EVAL_HOLE_KINDS = 6 };
struct eval_hole_kind eval_hole_kind_at(int which);

#endif
