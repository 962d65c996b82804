/* What a training run tells: a bar that is drawn over itself on a terminal,
 * lines otherwise and in the log. */
#ifndef APP_TRAIN_REPORT_H
#define APP_TRAIN_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct train_report {
    FILE *log;       /* owned, or NULL */
    bool terminal;   /* standard error is one */
    double loss_sum; /* since the last line */
    int n_losses;
    double last_line, last_bar; /* seconds on the monotonic clock */
};

struct train_progress {
    int64_t step, max_steps; /* max_steps 0: not known yet */
    float loss, rate, norm;
    double valid; /* nats per token; 0: not yet */
    double tokens_per_second;
    double seconds_left; /* negative: not known yet */
};

double monotonic_seconds(void);

/* false: the log cannot be opened; errno says why. */
bool train_report_open(struct train_report *r, const char *log);
void train_report_close(struct train_report *r);

/* After every step; says something when it is time to. */
void train_report_step(struct train_report *r, const struct train_progress *p);
/* A line of its own, to the log and to the terminal. */
void train_report_line(struct train_report *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
