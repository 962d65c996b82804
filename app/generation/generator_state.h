/* What both sides of the generator share; an inner part of app/generation/generator.h.
 * The ui's side is generator.c, the model thread's generator_thread.c.
 *
 * One mutex guards the shared fields; a condition wakes the thread for a request. The
 * decoder reads the cancel flag between layers, without the lock. */
#ifndef APP_GENERATOR_STATE_H
#define APP_GENERATOR_STATE_H

#include "app/generation/generator.h"

#include <pthread.h>
#include <stdatomic.h>

struct generator {
    int n_threads, wake_fd;
    struct model_precision precision;
    pthread_t thread;

    atomic_bool cancel; /* ui sets, decoder reads */

    pthread_mutex_t lock; /* guards the fields below */
    pthread_cond_t wanted;
    char *model_path; /* NULL: the bundled one */
    bool loads;       /* the model at model_path must be loaded */
    bool quit, has_request;
    bool only_reads; /* the request only reads, to prepare for another */
    struct generation request;
    double requested_at; /* seconds, monotonic */
    struct score *snapshot;
    uint64_t n_requests;
    struct continued_note *notes;
    size_t n_notes, cap_notes;
    struct {
        int32_t *list;
        size_t n;
    } tokens[CONTINUATION_MAX_TAKES]; /* of the takes that are shown, all so far */
    struct generator_progress progress;
    struct generator_choice choice; /* of n 0: there is none */

    /* the model thread's own */
    struct model *model;
    struct pool *pool;
    struct continuation *continuation;
    struct critic critic;
    bool has_critic;
    double started; /* when the running request was made, seconds */
};

/* Loads the model, and answers requests until `quit`. Takes a struct generator. */
void *generator_thread(void *generator);

#endif
