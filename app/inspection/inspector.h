/* The inspector's thread. The ui sends a request, and collects what was found so far: first the
 * notes with their weights, then alternatives, matrix, thumbnails, mutes, who matters, and the
 * surprise of the whole piece from the note outwards.
 *
 * It owns a pool and decoders; the model is the generator's, shared and only read. The
 * newest request wins: work for an older one stops within one layer. Each piece of news
 * writes one byte to the wake descriptor. The lock is held only to swap pointers.
 * Without a request the thread sleeps. */
#ifndef APP_INSPECTOR_H
#define APP_INSPECTOR_H

#include "app/inspection/inspection.h"
#include "midi/score/timeline.h"

/* How surprising the notes of a piece are to the model. Plain data, pure functions. */

struct note_surprise {
    uint64_t id;  /* of the score's note */
    int64_t tick; /* where it begins */
    float nats;   /* summed over its tokens */
    float shade;  /* for who shows them */
};

/* Finds a note among notes that ascend by id; NULL: it is not among them. */
const struct note_surprise *surprise_find(const struct note_surprise *notes, size_t n,
                                          uint64_t id);
/* The bar with the highest mean of nats a note, of those with two notes or more; of
 * equal ones the first. false: there is none, or no memory. */
bool surprise_worst_bar(const struct timeline *t, const struct note_surprise *notes,
                        size_t n, struct bar *bar, float *mean);

struct inspector;

/* Something that is muted to see how the note's probability changes. */
struct inspector_mute {
    struct inspected_mute what;
    char name[INSPECT_EFFECT_BYTES]; /* "bar 3" */
};

struct inspector_request {
    struct inspection_request read; /* its data is copied */
    uint64_t
        other; /* a note to compare with, by id; 0: the strongest; the note: none */
    struct inspected_look look;
    enum inspected_part part; /* the part whose alternatives are requested */

    /* Sizes of the drawings at most, in cells; 0: not requested. */
    int matrix_rows, matrix_columns;
    int thumbnail_side;

    struct inspector_mute mutes[INSPECT_EFFECTS];
    int n_mutes;
    bool wants_who_matters, wants_surprise;
};

/* All that is known. Parts that the newest request has not got to are of the one before. Arrays belong
 * to the report. */
struct inspector_report {
    uint64_t request; /* the newest that something was found for */
    bool is_done;     /* and nothing follows */
    char error[160];  /* "": none */

    /* Its model, and what was found. The shades of maps are weights, and notes are as they were
     * read: the ui shades and places them. `chosen` is -1 if the note was not read. */
    struct inspect_view found;
    uint64_t notes_for, choices_for; /* the requests that these answer; 0: none yet */
    int n_given;                     /* as inspection_n_given has it */
    int n_given_note;                /* the same of the note's first token */

    uint64_t surprise_for;
    struct note_surprise *surprise; /* [n_surprise] so far, ascending by id */
    size_t n_surprise;
    bool surprise_is_whole;
};

/* The model is borrowed and must outlive it. n_threads 0: one for each processor. NULL:
 * no memory or threads. */
struct inspector *inspector_create(const struct model *model, int n_threads,
                                   int wake_fd);
void inspector_destroy(struct inspector *i); /* cancels and joins; NULL is fine */

/* Takes `snapshot`. Returns the request's number; 0: no memory, and nothing changed. */
uint64_t inspector_ask(struct inspector *i, struct score *snapshot,
                       const struct inspector_request *r);
/* "previous note", counted from 0; "": no name, or not known yet. */
const char *inspector_head_name(const struct inspector *i, int layer, int head);
void inspector_stop(struct inspector *i); /* in any state; the results stay */

/* Replaces the report by a newer one. Zero it before the first call. false: nothing is new. */
bool inspector_collect(struct inspector *i, struct inspector_report *report);
void inspector_report_fini(struct inspector_report *report); /* also when zeroed */

#endif
