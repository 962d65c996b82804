/* The loop around the trainer: draws a batch, steps, reports, and every few minutes validates
 * and saves. One thread; the trainer's pool does the work.
 *
 * A step depends only on the seed and its number, so a resumed run continues as if it had
 * never stopped. With a budget of minutes the end of the schedule is an estimate, updated
 * at every check from the speed since the last; a resumed run begins with the speed in its
 * state. */
#include "app/lab/training/train_run.h"

#include "midi/base/clock.h"
#include "app/base/say.h"
#include "app/lab/training/train_session.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { SPEED_STEPS = 20, CHECKS = 8 /* of a run that rehearses */ };
static const double CHECK_SECONDS = 600.0, TELL_SECONDS = 0.2;
/* Other runs train at least this many times as long as their checks take. */
static const double CHECK_SHARE = 10.0;

enum { GIVEN_UP = -1 }; /* a check that was not waited for */

static volatile sig_atomic_t stop_asked; /* the signal, or 0; */
static atomic_bool is_stopped;           /* and whether there was one */
/* A run that rehearses and is to end ends in its handler, but for the moment in which it
 * writes its model. Nothing is lost: until it has learnt something it has written nothing. */
static volatile sig_atomic_t may_end, has_learnt;

static void ask_stop(int signal_number)
{
    stop_asked = signal_number;
    atomic_store(&is_stopped, true);
    if (may_end && (signal_number == SIGTERM || !has_learnt))
        _exit(1);
}

/* -- a run that rehearses learns a user's music within minutes. It soon memorises a few files,
 * so it is measured several times: on held-out bars of that music, and on excerpts of other
 * music. The best model has the least sum of both -- */

static double share_done(const struct train_session *s)
{
    const struct train_request *q = s->request;
    double done = q->minutes > 0 ? train_session_seconds(s) / (q->minutes * 60.0)
                                 : (double)trainer_steps(s->trainer) /
                                       (double)q->options.max_steps;
    return done < 1.0 ? done : 1.0;
}

/* A line for a program, at once or when it is time to. */
static void report_progress(struct train_session *s, bool at_once)
{
    const double now = clock_now_seconds();
    if (!s->request->progress || (!at_once && now - s->told < TELL_SECONDS))
        return;
    s->told = now;
    printf("%.4f %.4f %.4f %.4f %.4f\n", share_done(s), s->first_loss.own,
           s->best_loss.own, s->first_loss.old, s->best_loss.old);
    fflush(stdout);
}

static int close_rehearsal(struct train_session *s)
{
    report_progress(s, true);
    if (!s->n_saved)
        return say_error(s->request->out,
                         "is not written: the model did not improve on this music");
    train_report_line(
        &s->report,
        "nats per note, before and now: this music %.3f %.3f, other music %.3f %.3f",
        s->first_loss.own, s->best_loss.own, s->first_loss.old, s->best_loss.old);
    return 0;
}

/* -- every run -- */

static int measure(struct train_session *s, const struct validation *v,
                   struct held_loss *l, const char *name)
{
    double nats[CORPUS_KINDS];
    const int64_t n_hole_tokens = v->n_counted[CORPUS_HOLE];
    if (!v->rows->n)
        return 0;
    enum model_status st = validation_measure(v, s->trainer, nats);
    if (st == MODEL_CANCELLED)
        return GIVEN_UP;
    if (st)
        return say_error("validation", model_strerror(st));
    *l = (struct held_loss){
        .token = nats[CORPUS_PLAIN] / (double)v->baseline.n_tokens,
        .hole = n_hole_tokens ? nats[CORPUS_HOLE] / (double)n_hole_tokens : NAN,
        .note = nats[CORPUS_PLAIN] / (double)v->baseline.n_notes,
    };
    int64_t step = trainer_steps(s->trainer);
    train_report_line(&s->report,
                      "%s at step %" PRId64 ": %.4f nats per token, %.4f per note",
                      name, step, l->token, l->note);
    if (n_hole_tokens)
        train_report_line(&s->report, "holes at step %" PRId64 ": %.4f nats per token",
                          step, l->hole);
    if (v == &s->held_out && v->n_counted[CORPUS_CHORDS])
        train_report_line(&s->report,
                          "over chords at step %" PRId64 ": %.4f nats per note", step,
                          nats[CORPUS_CHORDS] / (double)v->n_counted[CORPUS_CHORDS]);
    return 0;
}

static int validate(struct train_session *s)
{
    const double began = clock_now_seconds();
    int status = measure(s, &s->held_out, &s->own, "valid");
    if (!status)
        status = measure(s, &s->rehearsed, &s->old, "other music");
    s->check_seconds = clock_now_seconds() - began;
    return status;
}

static double score_of(const struct held_loss *l)
{
    return isnan(l->hole) ? l->token : (l->token + l->hole) / 2;
}

/* What the other music loses counts as much as what this music gains. */
static double score(const struct train_session *s)
{
    return score_of(&s->own) + (s->rehearsed.rows->n ? score_of(&s->old) : 0.0);
}

/* From the time that the steps since the last check took, and the checks among them, to the
 * number that the rest allows. */
static void renew_schedule(struct train_session *s)
{
    const double now = clock_now_seconds();
    const int64_t step = trainer_steps(s->trainer);
    if (step == s->checked_step)
        return;
    s->step_seconds = (now - s->checked) / (double)(step - s->checked_step);
    train_session_set_end(s);
}

static struct note_loss note_losses(const struct train_session *s)
{
    return (struct note_loss){s->held_out.rows->n ? s->own.note : NAN,
                              s->rehearsed.rows->n ? s->old.note : NAN};
}

/* Of a run that rehearses, a note of the user's music may not cost more than at first. A run with
 * nothing held out keeps its latest. */
static bool is_better(const struct train_session *s)
{
    if (!s->held_out.rows->n)
        return true;
    return score(s) < s->best && !(s->own.note > s->first_loss.own);
}

static int measure_and_save(struct train_session *s)
{
    int status = validate(s);
    s->n_checks++;
    if (!status && is_better(s)) {
        s->best = score(s);
        s->best_loss = note_losses(s);
        s->n_saved++;
        may_end = 0;
        status = train_session_save_model(s);
        may_end = s->request->rehearse > 0 && !stop_asked;
    }
    return status;
}

static int check(struct train_session *s)
{
    trainer_swap_mean(s->trainer);
    int status = measure_and_save(s);
    trainer_swap_mean(s->trainer);
    if (status == GIVEN_UP) /* the time it took says nothing of the run's end */
        return status;
    renew_schedule(s);
    s->checked = clock_now_seconds();
    s->checked_step = trainer_steps(s->trainer);
    if (status || s->request->rehearse > 0)
        return status;
    return train_session_save_state(s);
}

/* A run that rehearses ends in time for its last check, also while no step's speed is known,
 * but not before it has learnt anything. */
static bool is_over(const struct train_session *s)
{
    const struct train_request *q = s->request;
    const bool is_late =
        q->rehearse > 0 && q->minutes > 0 && has_learnt &&
        train_session_seconds(s) + s->check_seconds > q->minutes * 60.0;
    return is_late ||
           trainer_steps(s->trainer) >= trainer_options(s->trainer)->max_steps;
}

static void report_step(struct train_session *s, float loss)
{
    int64_t step = trainer_steps(s->trainer);
    int64_t end = trainer_options(s->trainer)->max_steps;
    int64_t since = step - s->checked_step;
    double pace =
        since ? (clock_now_seconds() - s->checked) / (double)since : s->step_seconds;
    bool known = s->request->minutes <= 0 || s->step_seconds > 0;
    struct train_progress p = {
        .step = step,
        .max_steps = known ? end : 0,
        .loss = loss,
        .rate = trainer_learning_rate(s->trainer),
        .norm = trainer_gradient_norm(s->trainer),
        .valid = s->own.token,
        .tokens_per_second = s->options.batch * s->options.length / pace,
        .seconds_left = known ? (double)(end - step) * pace : -1.0,
    };
    train_report_step(&s->report, &p);
}

static int step(struct train_session *s)
{
    float loss;
    enum midi_status drawn = train_music_sample(
        &s->music, s->options.seed, (uint64_t)trainer_steps(s->trainer), &s->rows);
    if (drawn)
        return say_midi_error(s->request->data, drawn);
    const struct train_batch b = train_batch_from(&s->rows, 0);
    trainer_set_length(s->trainer, s->rows.length);
    enum model_status st = trainer_step(s->trainer, &b, &loss);
    trainer_set_length(s->trainer, s->options.length);
    if (st == MODEL_CANCELLED)
        return 0;
    if (st)
        return say_error("training", model_strerror(st));
    report_step(s, loss);
    report_progress(s, false);
    return 0;
}

static bool is_check_due(const struct train_session *s, double last_check)
{
    if (s->request->rehearse > 0) /* and checks take less than half of the time */
        return share_done(s) * CHECKS >= s->n_checks &&
               clock_now_seconds() - last_check > s->check_seconds;
    return clock_now_seconds() - last_check >
           fmax(CHECK_SECONDS, s->check_seconds * CHECK_SHARE);
}

static int stop(struct train_session *s)
{
    if (s->request->rehearse > 0)
        return stop_asked == SIGINT ? check(s) : 0;
    train_report_line(&s->report,
                      "stopped at step %" PRId64 "; --resume continues from %s",
                      trainer_steps(s->trainer), s->state_path);
    return train_session_save_state(s);
}

/* Until the end of the schedule or a signal, at which the step or the check at work is given
 * up; the steps before it stay. */
static int take_steps(struct train_session *s)
{
    int64_t first = trainer_steps(s->trainer);
    double last_check = clock_now_seconds();
    int status = 0;
    trainer_set_cancel(s->trainer, &is_stopped);
    while (!status && !stop_asked && !is_over(s)) {
        status = step(s);
        has_learnt |= trainer_steps(s->trainer) > first;
        if (!status && trainer_steps(s->trainer) == first + SPEED_STEPS)
            renew_schedule(s);
        if (!status && !stop_asked && !is_over(s) && is_check_due(s, last_check)) {
            status = check(s);
            last_check = clock_now_seconds();
        }
    }
    trainer_set_cancel(s->trainer, NULL);
    return status == GIVEN_UP ? 0 : status;
}

/* At least half of the time that was asked for, on a slow machine, too. */
static void leave_time_to_learn(struct train_session *s)
{
    const double latest = clock_now_seconds() - s->request->minutes * 60.0 / 2;
    s->started = s->started > latest ? s->started : latest;
}

static int train(struct train_session *s)
{
    int status = 0;
    if (s->request->rehearse <= 0)
        s->started = clock_now_seconds();
    if (s->request->rehearse > 0) { /* the losses that it must improve on */
        status = validate(s);
        s->n_checks = 1;
        s->best = score(s);
        s->first_loss = s->best_loss = note_losses(s);
        leave_time_to_learn(s);
        report_progress(s, true);
    }
    s->checked = clock_now_seconds();
    s->checked_step = trainer_steps(s->trainer);
    if (!status)
        status = take_steps(s);
    s->is_finished = !status && !stop_asked && is_over(s);
    if (!status && (has_learnt || s->request->rehearse <= 0))
        status = s->is_finished ? check(s) : stop(s);
    return !status && s->request->rehearse > 0 ? close_rehearsal(s) : status;
}

int train_run(const struct train_request *request)
{
    struct sigaction action = {.sa_handler = ask_stop}, interrupt, terminate;
    struct train_session s;
    stop_asked = has_learnt = 0;
    atomic_store(&is_stopped, false);
    may_end = request->rehearse > 0;
    say_end_cleanly(); /* while it reads: there is nothing to save yet */
    int status = train_session_prepare(&s, request);
    sigaction(SIGINT, &action, &interrupt);
    sigaction(SIGTERM, &action, &terminate);
    if (!status)
        status = train(&s);
    train_session_release(&s);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    return status;
}
