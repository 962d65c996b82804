/* The state of a training run, and what it saves on disk. One thread. */
#ifndef APP_TRAIN_SESSION_H
#define APP_TRAIN_SESSION_H

#include "app/lab/training/train_music.h"
#include "app/lab/training/train_run.h"
#include "model/base/pool.h"

enum { MAX_FILE_NAME = 4096 };

/* Nats of some windows. */
struct held_loss {
    double token; /* per token; 0: not yet */
    double hole;  /* per token of holes; NAN: not measured */
    double note;  /* per note */
};

struct train_session {
    const struct train_request *request;
    struct train_music music;
    struct model *from;
    struct pool *pool;
    struct trainer *trainer;
    struct train_report report;
    struct train_options options; /* the trainer's, without the schedule's end */

    struct corpus_batch rows; /* one batch */
    struct validation held_out, rehearsed;
    struct held_loss own, old; /* of the two at the last check */
    double best;               /* least score so far (train_run.c); infinity: not yet */
    /* Of a run that rehearses: at its start and at the best check since, nats per note of the
     * two; how many checks there were, and how many models were saved. */
    struct note_loss {
        double own, old;
    } first_loss, best_loss;
    int n_checks, n_saved;
    double told; /* when progress was printed last, monotonic */

    bool is_finished;      /* the schedule's end was reached */
    double seconds_before; /* of training, in the runs resumed from */
    double tokens_before;  /* and their tokens; their rows may have other lengths */
    int64_t steps_before;
    double started;       /* monotonic; of a run that rehearses, before it reads */
    double check_seconds; /* that the last check took */
    double checked;       /* time and step of the last look at the speed */
    int64_t checked_step;
    double step_seconds; /* of one step, lately; 0: not known yet */
    char state_path[MAX_FILE_NAME];
};

/* Reads the music, makes the trainer and resumes if requested. Like all functions here it
 * prints errors and returns the exit status. Release it in every case. */
int train_session_prepare(struct train_session *s, const struct train_request *q);
void train_session_release(struct train_session *s);

int train_session_save_state(struct train_session *s); /* beside the model */
int train_session_save_model(struct train_session *s);

double train_session_seconds(const struct train_session *s); /* of training */
double train_session_tokens(const struct train_session *s);  /* that it learnt from */

/* Where the model comes from, for its metadata; malloc'd, NULL: out of memory. */
char *train_session_provenance(const struct train_session *s);

/* Sets the schedule's end: the requested steps, or those that fit the minutes left at the
 * latest speed, if that is known. */
void train_session_set_end(struct train_session *s);

#endif
