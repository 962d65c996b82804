/* The loop around the trainer: draws a batch, steps, reports, and every few minutes validates
 * and saves. One thread; the trainer's pool does the work.
 *
 * What a step learns is a function of the seed and the step's number alone, so
 * a resumed run goes on as if it had never stopped. With a budget of minutes
 * the end of the schedule is an estimate, renewed at every check from the
 * speed since the last; a resumed run begins with the speed that its state holds. */
#include "app/training/train_run.h"

#include "midi/base/clock.h"
#include "app/base/say.h"
#include "app/training/train_session.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>

enum { SPEED_STEPS = 20 };
static const double CHECK_SECONDS = 300.0;

static volatile sig_atomic_t stop_asked;

static void ask_stop(int signal_number)
{
    (void)signal_number;
    stop_asked = 1;
}

/* For the time of a run; what the signals did before comes back after it. */
struct handlers {
    struct sigaction interrupt, terminate;
};

static void catch_signals(struct handlers *before)
{
    struct sigaction action = {.sa_handler = ask_stop};
    stop_asked = 0;
    sigaction(SIGINT, &action, &before->interrupt);
    sigaction(SIGTERM, &action, &before->terminate);
}

static void release_signals(const struct handlers *before)
{
    sigaction(SIGINT, &before->interrupt, NULL);
    sigaction(SIGTERM, &before->terminate, NULL);
}

static void tell_nats(struct train_session *s, const struct validation_nats *nats)
{
    const struct validation *v = &s->held_out;
    int64_t step = trainer_steps(s->trainer);
    train_report_line(&s->report,
                      "valid at step %" PRId64 ": %.4f nats per token, %.4f per note",
                      step, s->valid, nats->plain / (double)v->baseline.n_notes);
    if (v->n_hole_tokens)
        train_report_line(&s->report, "holes at step %" PRId64 ": %.4f nats per token",
                          step, s->valid_holes);
    if (v->n_chord_notes)
        train_report_line(&s->report,
                          "over chords at step %" PRId64 ": %.4f nats per note", step,
                          nats->chords / (double)v->n_chord_notes);
}

static int validate(struct train_session *s)
{
    struct validation_nats nats;
    const struct validation *v = &s->held_out;
    enum model_status st = validation_measure(v, s->trainer, &nats);
    if (st)
        return say_error("validation", model_strerror(st));
    s->valid = nats.plain / (double)v->baseline.n_tokens;
    s->valid_holes = v->n_hole_tokens ? nats.holes / (double)v->n_hole_tokens : NAN;
    tell_nats(s, &nats);
    return 0;
}

static double score(const struct train_session *s)
{
    return isnan(s->valid_holes) ? s->valid : (s->valid + s->valid_holes) / 2;
}

/* From the time the last steps took to the number that the rest allows. */
static void renew_schedule(struct train_session *s)
{
    double now = clock_now_seconds();
    int64_t step = trainer_steps(s->trainer);
    if (step == s->checked_step)
        return;
    s->step_seconds = (now - s->checked) / (double)(step - s->checked_step);
    s->checked = now;
    s->checked_step = step;
    train_session_set_end(s);
}

/* Validates, keeps the best model, and leaves a state to resume from. A run
 * with nothing held out keeps its latest. */
static int check(struct train_session *s)
{
    bool held_out = s->held_out.rows.n > 0;
    int status = held_out ? validate(s) : 0;
    if (!status && (!held_out || score(s) < s->best)) {
        s->best = score(s);
        status = train_session_save_model(s);
    }
    renew_schedule(s);
    return status ? status : train_session_save_state(s);
}

static bool is_over(const struct train_session *s)
{
    return trainer_steps(s->trainer) >= trainer_options(s->trainer)->max_steps;
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
        .valid = s->valid,
        .tokens_per_second = s->options.batch * s->options.length / pace,
        .seconds_left = known ? (double)(end - step) * pace : -1.0,
    };
    train_report_step(&s->report, &p);
}

static int step(struct train_session *s)
{
    float loss;
    enum midi_status drawn = train_music_draw(
        &s->music, s->options.seed, (uint64_t)trainer_steps(s->trainer), &s->rows);
    if (drawn)
        return say_midi_error(s->request->data, drawn);
    const struct train_batch b = train_rows_batch(&s->rows, 0);
    enum model_status st = trainer_step(s->trainer, &b, &loss);
    if (st)
        return say_error("training", model_strerror(st));
    report_step(s, loss);
    return 0;
}

static int train(struct train_session *s)
{
    int64_t first = trainer_steps(s->trainer);
    double last_check = clock_now_seconds();
    int status = 0;

    s->started = s->checked = last_check;
    s->checked_step = first;
    while (!status && !stop_asked && !is_over(s)) {
        status = step(s);
        if (!status && trainer_steps(s->trainer) == first + SPEED_STEPS)
            renew_schedule(s);
        if (!status && !is_over(s) &&
            clock_now_seconds() - last_check > CHECK_SECONDS) {
            status = check(s);
            last_check = clock_now_seconds();
        }
    }
    if (status)
        return status;
    s->is_finished = is_over(s);
    if (s->is_finished)
        return check(s);
    train_report_line(&s->report,
                      "stopped at step %" PRId64 "; --resume goes on from %s",
                      trainer_steps(s->trainer), s->state_path);
    return train_session_save_state(s);
}

static struct train_result result_of(const struct train_session *s)
{
    return (struct train_result){
        .is_finished = s->is_finished,
        .steps = trainer_steps(s->trainer),
        .seconds = train_session_seconds(s),
    };
}

int train_run(const struct train_request *request, struct train_result *result)
{
    struct train_session s;
    struct handlers before;
    catch_signals(&before);
    int status = train_session_prepare(&s, request);
    if (!status)
        status = train(&s);
    if (!status && result)
        *result = result_of(&s);
    train_session_release(&s);
    release_signals(&before);
    return status;
}
