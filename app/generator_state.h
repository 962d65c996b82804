/* What the two sides of the generator share: an inner part of app/generator.h. The ui's is
 * generator.c, the model thread's generator_thread.c.
 *
 * One mutex guards what both sides touch; a condition wakes the thread when there is a
 * request. The cancel flag is also read by the decoder, between layers, without the lock. */
#ifndef APP_GENERATOR_STATE_H
#define APP_GENERATOR_STATE_H

#include "app/generator.h"

#include <pthread.h>
#include <stdatomic.h>

struct generator {
    char *model_path; /* constant after create */
    int n_threads, wake_fd;
    struct model_precision precision;
    struct live_rows *live;
    pthread_t thread;

    atomic_bool cancel; /* ui sets, decoder reads */

    pthread_mutex_t lock; /* guards the fields below */
    pthread_cond_t wanted;
    bool quit, has_request;
    bool only_reads; /* the request is to read, and to be ready for another */
    struct generation request;
    double requested_at; /* seconds, monotonic */
    struct score *snapshot;
    uint64_t n_requests;
    struct continued_note *notes;
    size_t n_notes, cap_notes;
    struct generator_progress progress;

    /* the model thread's own */
    struct model *model;
    struct pool *pool;
    struct continuation *continuation;
};

double generator_now(void); /* seconds, monotonic */
/* Loads the model, and answers requests until `quit`. Takes a struct generator. */
void *generator_thread(void *generator);

#endif
