/* The model thread: takes a request, streams notes back.
 *
 * The thread opens the model, so that the first frame does not wait for it. The ui
 * posts a request with its own clone of the score, and collects notes when it likes;
 * the lock is held only to copy a few bytes. Cancelling takes effect within one layer.
 * News writes one byte to the wake descriptor. All functions here are the ui's. */
#ifndef APP_GENERATOR_H
#define APP_GENERATOR_H

#include "app/generation/draws.h"

struct generator;

struct generation {
    struct continuation_options options;
    int bars; /* that were asked for, for display; 0: nothing can be tried again */
};

struct generator_progress {
    bool loaded; /* the model is loaded */
    bool running;
    bool failed;         /* no model could be loaded */
    bool request_failed; /* the newest request could not be met */
    char error[200];     /* of either: the reason, in plain words */
    char model_name[64];
    uint64_t model_hash; /* from the first request on */
    uint64_t styles;     /* that the model has learnt (app/decoding/styles.h) */
    enum style style;    /* used, or guessed */
    int n_draws;         /* takes that are drawn for the request */
    double drawn;        /* how many are drawn, with the parts of running ones */
    int n_takes;         /* takes that are shown while they are drawn */
    struct continuation_stats takes[CONTINUATION_MAX_TAKES]; /* of those shown */
    double seconds;                                          /* since the request */
    double seconds_to_first; /* until the first note; 0: none came yet */
    uint64_t request;        /* number of the request that this is about */
};

/* model_path NULL: the bundled one. NULL: out of memory or threads. */
struct generator *generator_create(const char *model_path,
                                   struct model_precision precision, int n_threads,
                                   int wake_fd);
/* Goes on with another model, which the thread loads; all as after generator_create, but
 * requests are numbered on. Nothing may read the model before. false: out of memory, and all
 * is as it was. */
bool generator_use(struct generator *g, const char *model_path);
void generator_destroy(struct generator *g); /* cancels and joins; NULL is fine */

/* Takes `snapshot`, and copies the data of `wanted`. Cancels the running request. Returns
 * the request's number; 0: out of memory, and nothing changed.
 * only_reads: the request is the likely next one, and has no number. When idle, the thread reads the
 * music for it, so that its first notes come sooner. It only reports the guessed style, and it changes no
 * note. Any request ends it. */
uint64_t generator_ask(struct generator *g, struct score *snapshot,
                       const struct continuation_options *wanted, bool only_reads);
void generator_cancel(struct generator *g);
/* Moves up to max finished notes of the newest request out; returns how many. */
size_t generator_take(struct generator *g, struct continued_note *notes, size_t max);
/* Adds to *tokens [*n] what was drawn for that take of the newest request since they were asked for last.
 * *tokens is NULL at first, and nothing else lengthens it; the caller frees it. It has the tokens of all
 * notes that generator_take has given. false: out of memory. */
bool generator_take_tokens(struct generator *g, int take, int32_t **tokens, size_t *n);
/* Moves out all takes that were drawn for the newest request, [*n], once it has ended and all its notes are
 * there: first those to show, the best first, and then the others, whose rank is 0. The caller frees them by
 * takes_free. NULL: there is nothing to choose. */
struct take *generator_take_choice(struct generator *g, int *n);
/* Shared, to be read by any thread until another is used or the generator is destroyed.
 * NULL: not loaded yet. */
const struct model *generator_model(struct generator *g);
void generator_progress(struct generator *g, struct generator_progress *out);

#endif
