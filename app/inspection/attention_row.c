/* Rows of attention by note, and their titles. */
#include "app/inspection/attention_work.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/decoding/metadata.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a row's scores, where there are any, to what their keys are of: a note, or a kind of
 * other token. */
static void add_scores(const struct attention_work *w, const float *row,
                       float *per_note, int *n_notes, float *other, int *n_other)
{
    for (int k = 0; k < w->n_keys; k++) {
        const int note = w->keys[k].note;
        const int kind = (int)w->keys[k].part - (int)INSPECTED_NOTE_PARTS;
        if (isnan(row[k]))
            continue;
        *(note >= 0 ? &per_note[note] : &other[kind]) += row[k];
        ++*(note >= 0 ? &n_notes[note] : &n_other[kind]);
    }
}

/* Over the rows that choose its tokens. */
static int mean_scores(struct attention_work *w, int note, float *per_note,
                       float *other)
{
    int n_other[INSPECTED_KINDS] = {0}, status = 0;
    int *n_notes = calloc((size_t)w->n_notes + 1, sizeof *n_notes);
    float *row = calloc((size_t)w->n_keys + 1, sizeof *row);
    if (!n_notes || !row) {
        free(n_notes);
        free(row);
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    }
    memset(per_note, 0, (size_t)w->n_notes * sizeof *per_note);
    memset(other, 0, INSPECTED_KINDS * sizeof *other);
    for (int t = 1; !status && t < w->n_tokens; t++) {
        if (w->tokens[t].note != note)
            continue;
        status = attention_token_row(w, t - 1, row);
        if (!status)
            add_scores(w, row, per_note, n_notes, other, n_other);
    }
    for (int k = 0; !status && k < w->n_notes; k++)
        per_note[k] = n_notes[k] ? per_note[k] / (float)n_notes[k] : NAN;
    for (int k = 0; k < INSPECTED_KINDS; k++)
        other[k] = n_other[k] ? other[k] / (float)n_other[k] : NAN;
    free(n_notes);
    free(row);
    return status;
}

int attention_row(struct attention_work *w, int note, float *per_note, float *other)
{
    if (w->part != PART_WEIGHT)
        return mean_scores(w, note, per_note, other);
    return inspection_weights(w->inspection, note, &w->look, per_note, other) ==
                   INSPECTION_DONE
               ? 0
               : attention_failed(w);
}

void attention_sees(const struct attention_work *w, int query, int *first, int *end)
{
    attention_visible(inspection_decoder(w->inspection),
                      inspected_head(w->inspection, &w->look, 0), query, first, end);
}

/* row [n_keys] has the scores of visible keys, all others NAN. */
static enum model_status score_keys(struct attention_work *w, int query, float *row)
{
    int first, end;
    attention_sees(w, query, &first, &end);
    enum model_status st = attention_scores(
        inspection_decoder(w->inspection), inspected_head(w->inspection, &w->look, 0),
        query, w->part == PART_CONTENT ? row : NULL, w->part == PART_INDEX ? row : NULL,
        w->part == PART_TIME ? row : NULL);
    for (int k = 0; k < w->n_keys; k++)
        if (k < first || k >= end)
            row[k] = NAN;
    return st;
}

/* row [n_keys] += share of what each head that is looked at gives; one [n_keys]. */
static enum model_status add_heads(struct attention_work *w, int query, float *row,
                                   float *one)
{
    const int n_heads = inspected_n_heads(w->inspection, &w->look);
    const float share = 1.0f / (float)n_heads;
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n_heads; i++) {
        st = attention_rows(inspection_decoder(w->inspection),
                            inspected_head(w->inspection, &w->look, i), query, 1, one,
                            (size_t)w->n_keys);
        for (int k = 0; !st && k < w->n_keys; k++)
            row[k] += share * one[k];
    }
    return st;
}

int attention_token_row(struct attention_work *w, int query, float *row)
{
    enum model_status st;
    if (w->part != PART_WEIGHT) {
        st = score_keys(w, query, row);
    } else {
        float *one = calloc((size_t)w->n_keys + 1, sizeof *one);
        memset(row, 0, (size_t)w->n_keys * sizeof *row);
        st = one ? add_heads(w, query, row, one) : MODEL_NO_MEMORY;
        free(one);
    }
    return st ? say_model_error(w->o->file, st, NULL) : 0;
}

const char *attention_title(const struct attention_work *w, char *buf, size_t n)
{
    const int layer = w->look.layer, head = w->look.head;
    const char *way = w->look.way == LOOKS_AT ? "" : ", attended to by";
    const char *name =
        w->look.of == ATTENTION_SELF ? head_names_of(&w->names, layer, head) : "";
    if (w->is_fixed)
        snprintf(buf, n, "Fourier mixing");
    else if (layer >= 0 && head >= 0)
        snprintf(buf, n, "layer %d head %d%s%s%s", layer + 1, head + 1,
                 *name ? ": " : "", name, way);
    else if (layer >= 0)
        snprintf(buf, n, "layer %d, mean of its heads%s", layer + 1, way);
    else if (head >= 0)
        snprintf(buf, n, "head %d, mean of all layers%s", head + 1, way);
    else
        snprintf(buf, n, "mean of all heads%s", way);
    return buf;
}

const char *attention_style(const struct attention_work *w)
{
    return w->model->config.vocab == GRID_COUNT
               ? ""
               : style_name(inspection_style(w->inspection));
}

/* What is unlike other models in how this one attends. */
static const char *manner_of(const struct attention_work *w)
{
    const struct model_config *c = &w->model->config;
    if (w->is_fixed)
        return "\n"
               "no heads: weights are |cos| of the positions' angle over their sum, "
               "the same in every layer";
    if (w->look.of == ATTENTION_CROSS)
        return "\n"
               "cross-attention: columns are the melody";
    if (c->block)
        return "\n"
               "local: a row sees its own block and the one before; both are outlined";
    return "";
}

const char *attention_about(const struct attention_work *w, char *buf, size_t n)
{
    const struct timeline *t = &w->score->timeline;
    const char *style = attention_style(w);
    int64_t from, to, end = score_end_tick(w->score);
    inspection_span(w->inspection, &from, &to);
    snprintf(buf, n, "%s read by %s%s%s, bars %lld to %lld of %lld, %d tokens%s",
             file_base_name(w->o->file), file_base_name(w->model_path),
             *style ? " as " : "", style, (long long)timeline_bar_at(t, from).index + 1,
             (long long)timeline_bar_at(t, to > from ? to - 1 : from).index + 1,
             (long long)timeline_bar_at(t, end > 0 ? end - 1 : 0).index + 1,
             w->n_tokens, manner_of(w));
    return buf;
}
