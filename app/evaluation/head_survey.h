/* What the attention heads of a model attend to, and what each is worth. Windows spread over
 * the pieces of a corpus are read once for profiles (app/inspection/head_profile.h), and once
 * for each head with that head muted, which shows the nats a token lost without it. The same
 * music, model and number of windows give the same figures. One thread. */
#ifndef APP_HEAD_SURVEY_H
#define APP_HEAD_SURVEY_H

#include "app/dataset/corpus.h"
#include "app/inspection/head_profile.h"
#include "app/generation/options.h"

/* Sums over the n windows of a style: the nats each lost or cost, and its tokens. */
struct window_sums {
    double nats, tokens;
    double nats2, tokens2, product; /* sums of squares and of products, for errors */
    int n;
};
void window_sums_add(struct window_sums *s, double nats, double tokens);
/* Nats a token, and the standard error over windows (ratio estimator, Cochran 1977, 6.4); NAN
 * for fewer than two windows. */
double window_sums_mean(const struct window_sums *s);
double window_sums_error(const struct window_sums *s);

struct surveyed_head {
    struct attention_head head;
    struct head_profile profile;
    struct window_sums lost[STYLE_COUNT + 1]; /* when muted; the last: all styles */
    /* On the tokens of this part, all styles. */
    struct window_sums lost_on[INSPECTED_PARTS];
};

struct head_survey {
    const struct options *o;
    char model_path[4096];
    struct model *model;
    struct pool *pool;
    struct inspection *inspection;
    struct decoder *decoder; /* for muted heads */
    struct corpus *corpus;
    enum corpus_split split;

    struct head_profile chance[2]; /* by enum attention_kind */
    struct surveyed_head *heads;   /* [n_heads] layer by layer, then of the source */
    int n_heads;
    struct window_sums plain[STYLE_COUNT + 1]; /* nothing muted */
    struct window_sums plain_on[INSPECTED_PARTS];
    int n_windows, n_rows;
};

/* Surveys as the options say, writes JSON to o->output and prints a table. Returns the exit
 * status, after saying what went wrong. */
int head_survey_run(const struct options *o);

/* head_survey_report.c. The exit status. */
int head_survey_write(const struct head_survey *s, const char *path);
void head_survey_print(const struct head_survey *s);
/* head_survey_window.c. Adds the figures of one window of a score, read around a tick. */
int head_survey_window(struct head_survey *s, const struct score *score, int64_t tick,
                       enum style style, const char *name);

#endif
