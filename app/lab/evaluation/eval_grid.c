#include "app/lab/evaluation/eval_loss.h"

#include "app/base/json_fields.h"
#include "app/base/say.h"

#include <math.h>

static enum midi_status count_baselines(struct eval_grid *e,
                                        const struct grid_score_request *q)
{
    const struct grid_form told = q->lesson.told;
    enum midi_status st =
        grid_corpus_baseline(q->corpus, told, q->split, &e->all.baseline);
    for (int v = told.first; !st && v < told.first + told.n; v++) {
        const struct grid_form one = {v, 1, told.hold};
        st = grid_corpus_baseline(q->corpus, one, q->split, &e->voices[v].baseline);
    }
    return st;
}

int eval_grid_measure(struct eval_grid *e, const struct grid_score_request *q,
                      const char *data_name, const char *model_name)
{
    struct grid_score score;
    *e = (struct eval_grid){0};
    if (q->corpus->n_pieces[q->split] == 0)
        return say_error(data_name, "holds no pieces of that split");
    enum model_status st = grid_score_measure(&score, q);
    if (st)
        return say_model_error(model_name, st, NULL);
    for (int v = 0; v < GRID_VOICES; v++) {
        e->voices[v].n_cells = score.n_cells[v];
        e->voices[v].nats = score.nats[v];
    }
    e->all.nats = grid_score_sum(&score, &e->all.n_cells);
    enum midi_status counted = count_baselines(e, q);
    return counted ? say_midi_error(data_name, counted) : 0;
}

/* Columns of a line, or fields of an object. */
static void report(cJSON *to, const char *name, const struct eval_grid_row *r,
                   bool is_all)
{
    const double cells = (double)r->n_cells;
    report_columns(to,
                   "voice %-10s cells %8lld nats_per_cell %10.4f "
                   "unigram_nats_per_cell %9.4f",
                   name, (long long)r->n_cells, r->nats / cells,
                   r->baseline.unigram / cells);
    if (is_all || !to)
        report_columns(to, " bigram_nats_per_cell %9.4f",
                       is_all ? r->baseline.bigram / cells : NAN);
    report_columns(to, " own_voice_nats_per_cell %9.4f\n", r->baseline.voice / cells);
}

void eval_grid_report(const struct eval_grid *e, cJSON *j)
{
    cJSON *voices = cJSON_AddArrayToObject(j, "voices");
    if (!j)
        printf("%-10s %8s   nats per cell\n"
               "%-10s %8s  %9s %9s %9s %9s\n",
               "", "", "voice", "cells", "model", "unigram", "bigram", "own voice");
    for (int v = 0; v < GRID_VOICES; v++)
        if (e->voices[v].n_cells)
            report(json_append(voices, " "), grid_voice_names[v], &e->voices[v], false);
    report(cJSON_AddObjectToObject(j, "all"), "all", &e->all, true);
    if (!j)
        puts("unigram, bigram (the cell before) and own voice (the step before) are "
             "counted\n"
             "in the training pieces: for one voice in that voice, for all in all "
             "voices");
    fflush(stdout); /* there may be minutes before the rest */
}
