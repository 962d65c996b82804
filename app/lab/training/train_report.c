/* Progress in one line: a bar, the step, the losses, the speed, the time. */
#include "app/lab/training/train_run.h"

#include "midi/base/clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

enum { SECONDS_PER_LINE = 30, BAR_WIDTH = 24 };

bool train_report_open(struct train_report *r, const char *log)
{
    *r = (struct train_report){.terminal = isatty(STDERR_FILENO) == 1};
    r->last_line = clock_now_seconds();
    if (log)
        r->log = fopen(log, "a");
    return !log || r->log;
}

void train_report_close(struct train_report *r)
{
    if (r->terminal)
        fputc('\n', stderr);
    if (r->log)
        fclose(r->log);
    r->log = NULL;
}

void train_report_line(struct train_report *r, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s%s\n", r->terminal ? "\r\033[K" : "", line);
    if (r->log) {
        fprintf(r->log, "%s\n", line);
        fflush(r->log);
    }
}

static const char *time_left(char *text, size_t n, double seconds)
{
    long s = (long)seconds;
    if (seconds < 0)
        snprintf(text, n, "measuring speed");
    else if (s >= 3600)
        snprintf(text, n, "%ld h %02ld min left", s / 3600, s / 60 % 60);
    else
        snprintf(text, n, "%ld min %02ld s left", s / 60, s % 60);
    return text;
}

static void print_bar(const struct train_progress *p, double loss)
{
    char bar[BAR_WIDTH + 1], left[40], valid[24] = "";
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = p->step * BAR_WIDTH > i * p->max_steps && p->max_steps ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    if (p->valid > 0)
        snprintf(valid, sizeof valid, "  valid %.3f", p->valid);
    fprintf(stderr, "\r[%s] step %" PRId64 "  loss %.3f%s  %.0f tokens/s  %s\033[K",
            bar, p->step, loss, valid, p->tokens_per_second,
            time_left(left, sizeof left, p->seconds_left));
    fflush(stderr);
}

static void write_line(struct train_report *r, const struct train_progress *p)
{
    char left[40];
    FILE *to = r->log ? r->log : stderr;
    fprintf(to,
            "step %" PRId64 "/%" PRId64
            "  loss %.4f  rate %.2e  norm %.2f  %.0f tokens/s  "
            "%s\n",
            p->step, p->max_steps, r->loss_sum / r->n_losses, (double)p->rate,
            (double)p->norm, p->tokens_per_second,
            time_left(left, sizeof left, p->seconds_left));
    fflush(to);
}

void train_report_step(struct train_report *r, const struct train_progress *p)
{
    double now = clock_now_seconds();
    r->loss_sum += (double)p->loss;
    r->n_losses++;
    if (r->terminal && now - r->last_bar > 0.2) {
        print_bar(p, r->loss_sum / r->n_losses);
        r->last_bar = now;
    }
    if (now - r->last_line < SECONDS_PER_LINE)
        return;
    if (r->log || !r->terminal)
        write_line(r, p);
    r->last_line = now;
    r->loss_sum = 0.0;
    r->n_losses = 0;
}
