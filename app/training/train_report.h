/* Reports a training run's progress: a bar that redraws itself on a terminal, else lines; the
 * log has lines. */
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

/* false: the log cannot be opened; errno says why. */
bool train_report_open(struct train_report *r, const char *log);
void train_report_close(struct train_report *r);

/* Call after every step; it prints when it is time to. */
void train_report_step(struct train_report *r, const struct train_progress *p);
/* Prints a line to the log and to the terminal. */
void train_report_line(struct train_report *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
