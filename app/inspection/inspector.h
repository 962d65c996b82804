/* The inspector's thread. The ui sends a request and collects the answer in parts, in this
 * order: notes and wash (and pair), alternatives, matrix, thumbnails, mutes, who matters,
 * and the surprise of the whole piece from the note outwards.
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
    uint64_t id; /* of the score's note */
    int track;
    int64_t tick; /* where it begins */
    float nats;   /* summed over its tokens */
};

void surprise_sort(struct note_surprise *notes, size_t n); /* ascending by id */
/* Of notes that ascend by id; NULL: it is not among them. */
const struct note_surprise *surprise_find(const struct note_surprise *notes, size_t n,
                                          uint64_t id);
/* The bar with the highest mean of nats a note, of those with two notes or more; of
 * equal ones the first. tracks: bits of those that count, 0: all. false: there is none,
 * or no memory. */
bool surprise_worst_bar(const struct timeline *t, const struct note_surprise *notes,
                        size_t n, uint64_t tracks, struct bar *bar, float *mean);

struct inspector;

enum { INSPECTOR_ALTERNATIVES = 12, INSPECTOR_MATTERING = 10, INSPECTOR_MUTES = 8 };

struct inspector_request {
    uint64_t piece;   /* another number: another piece, whose style is guessed again */
    uint64_t version; /* of its music: equal numbers mean the same music */
    struct inspection_request read; /* its data is copied */
    uint64_t other;                 /* a note to compare with, by id; 0: none */
    struct inspected_look look;
    enum inspected_part part; /* the part whose alternatives are requested */

    /* Sizes of the drawings; 0: not requested. */
    int matrix_rows, matrix_columns;
    int thumbnail_rows, thumbnail_columns;

    struct inspected_mute mutes[INSPECTOR_MUTES]; /* notes by mute_ids, not by index */
    uint64_t mute_ids[INSPECTOR_MUTES];
    int n_mutes;
    bool wants_who_matters, wants_surprise;
};

/* What a note that was looked at does when it is not there. */
struct inspector_mattering {
    uint64_t id;
    float weight; /* its weight in the requested look */
    struct inspected_effect effect;
};

/* The parts of a report. `of` is the request that a part answers; an older part stays
 * until a newer one is found; 0: none yet. Arrays belong to the report. */
struct inspector_wash {
    uint64_t of;
    struct inspected_note *notes;
    struct inspected_token *tokens;
    int n_notes, n_tokens;
    int note;          /* the requested one; -1: it was not read */
    int64_t from_tick; /* where the span that was read begins */
    float *weights;    /* [n_notes], zero if there is no such note */
    float other[INSPECTED_KINDS];
    float *compared; /* [n_notes] the same of the other note; NULL: there is none */
    bool has_pair;
    struct inspected_pair pair;
};

struct inspector_choices {
    uint64_t of;
    int n;
    struct inspected_alternative list[INSPECTOR_ALTERNATIVES];
    int n_given; /* as inspection_n_given has it */
};

struct inspector_matrix {
    uint64_t of;
    struct attention_head head; /* the first of those that were looked at */
    int n_tokens, n_rows, n_columns;
    float *cells; /* [n_rows][n_columns] */
};

struct inspector_thumbnails {
    uint64_t of;
    int n_layers, n_heads, n_rows, n_columns;
    float *cells; /* [layer][head][n_rows][n_columns] */
};

struct inspector_effects {
    uint64_t of;
    int n; /* found so far, in the request's order */
    struct inspected_effect list[INSPECTOR_MUTES];
};

struct inspector_who_matters {
    uint64_t of;
    int n; /* found so far, the most attended first */
    struct inspector_mattering list[INSPECTOR_MATTERING];
};

struct inspector_surprise {
    uint64_t of;
    struct note_surprise *notes; /* ascending by id */
    size_t n;                    /* so far */
    bool is_whole;
};

struct inspector_report {
    uint64_t request; /* the newest that something was found for */
    bool is_done;     /* and no more parts follow */
    char error[160];  /* "": none */
    struct inspector_wash wash;
    struct inspector_choices alternatives;
    struct inspector_matrix matrix;
    struct inspector_thumbnails thumbnails;
    struct inspector_effects mutes;
    struct inspector_who_matters who_matters;
    struct inspector_surprise surprise;
};

/* The model is borrowed and must outlive it. n_threads 0: one for each processor. NULL:
 * no memory or threads. */
struct inspector *inspector_create(const struct model *model, int n_threads,
                                   int wake_fd);
void inspector_destroy(struct inspector *i); /* cancels and joins; NULL is fine */

/* Takes `snapshot`. NULL: that of the last request, which had the same version and
 * take. Returns the request's number; 0: no memory, and nothing changed. */
uint64_t inspector_ask(struct inspector *i, struct score *snapshot,
                       const struct inspector_request *r);
/* "previous note", counted from 0; "": no name, or not known yet. */
const char *inspector_head_name(const struct inspector *i, int layer, int head);
void inspector_stop(struct inspector *i); /* in any state; the results stay */

/* Moves new parts into the report and frees those they replace. Zero the report before
 * the first call. false: nothing is new. */
bool inspector_collect(struct inspector *i, struct inspector_report *report);
void inspector_report_fini(struct inspector_report *report); /* also when zeroed */

#endif
