/* Rows of attention by note, and their titles. */
#include "app/inspection/attention_work.h"

#include "app/decoding/metadata.h"
#include "app/base/paths.h"
#include "app/base/say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums and counts of scores, by note and by other token. */
struct sums {
    float *sum[2]; /* per note, per kind */
    int *count[2];
};

/* One row's scores are added to what its keys are of. */
static void add_scores(const struct attention_work *w, const float *scores, int first,
                       int end, struct sums *s)
{
    for (int k = first; k < end; k++) {
        const struct inspected_token *key = &w->keys[k];
        int other = key->note < 0;
        int at = other ? (int)key->part - (int)INSPECTED_NOTE_PARTS : key->note;
        s->sum[other][at] += scores[k];
        s->count[other][at]++;
    }
}

/* parts [2, n_keys]: content, and the requested part. */
static int add_row(struct attention_work *w, int query, float *parts, struct sums *s)
{
    struct decoder *d = inspection_decoder(w->inspection);
    const struct attention_head h = {w->look.of, w->look.layer, w->look.head};
    float *other = parts + w->n_keys;
    int first, end;
    attention_visible(d, h, query, &first, &end);
    if (attention_scores(d, h, query, parts, w->part == PART_INDEX ? other : NULL,
                         w->part == PART_TIME ? other : NULL))
        return 1;
    add_scores(w, w->part == PART_CONTENT ? parts : other, first, end, s);
    return 0;
}

static void to_means(float *x, const int *count, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = count[i] ? x[i] / (float)count[i] : NAN;
}

/* Over the rows that choose its tokens. */
static int mean_scores(struct attention_work *w, int note, float *per_note,
                       float *other)
{
    int n_other[INSPECTED_KINDS] = {0}, failed = 0;
    int *n_notes = calloc((size_t)w->n_notes + 1, sizeof *n_notes);
    float *parts = calloc((size_t)w->n_keys + 1, 2 * sizeof *parts);
    struct sums s = {{per_note, other}, {n_notes, n_other}};
    memset(per_note, 0, (size_t)w->n_notes * sizeof *per_note);
    memset(other, 0, INSPECTED_KINDS * sizeof *other);
    for (int t = 1; n_notes && parts && !failed && t < w->n_tokens; t++)
        if (w->tokens[t].note == note)
            failed = add_row(w, t - 1, parts, &s);
    if (n_notes) {
        to_means(per_note, n_notes, w->n_notes);
        to_means(other, n_other, INSPECTED_KINDS);
    }
    failed = failed || !n_notes || !parts;
    free(n_notes);
    free(parts);
    return failed;
}

int attention_row(struct attention_work *w, int note, float *per_note, float *other)
{
    if (w->part != PART_WEIGHT)
        return mean_scores(w, note, per_note, other) ? attention_failed(w) : 0;
    return inspection_weights(w->inspection, note, &w->look, per_note, other) ==
                   INSPECTION_DONE
               ? 0
               : attention_failed(w);
}

/* row [n_keys] has the scores of visible keys, all others NAN. */
static enum model_status score_keys(struct attention_work *w, int query, float *row)
{
    struct decoder *d = inspection_decoder(w->inspection);
    const struct attention_head h = {w->look.of, w->look.layer, w->look.head};
    int first, end;
    attention_visible(d, h, query, &first, &end);
    enum model_status st = attention_scores(
        d, h, query, w->part == PART_CONTENT ? row : NULL,
        w->part == PART_INDEX ? row : NULL, w->part == PART_TIME ? row : NULL);
    for (int k = 0; k < w->n_keys; k++)
        if (k < first || k >= end)
            row[k] = NAN;
    return st;
}

/* row [n_keys] += share of what each head that is looked at gives; one [n_keys]. */
static enum model_status add_heads(struct attention_work *w, int query, float *row,
                                   float *one)
{
    const struct model_config *c = &w->model->config;
    const int layer = w->look.layer, head = w->look.head;
    const int n_layers = layer < 0 ? c->n_layers : 1,
              n_heads = head < 0 ? c->n_heads : 1;
    const float share = 1.0f / (float)(n_layers * n_heads);
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n_layers * n_heads; i++) {
        struct attention_head h = {w->look.of, layer < 0 ? i / n_heads : layer,
                                   head < 0 ? i % n_heads : head};
        st = attention_rows(inspection_decoder(w->inspection), h, query, 1, one,
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

/* Weights that several notes get from others add up; weights that they give are averaged. */
int attention_mean_row(struct attention_work *w, float *per_note, float *other)
{
    const size_t n = (size_t)w->n_notes;
    const float share = w->look.way == LOOKS_AT ? 1.0f / (float)w->n_asked : 1.0f;
    float kinds[INSPECTED_KINDS], *row = calloc(n + 1, sizeof *row);
    int status = 0;
    if (!row)
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    memset(per_note, 0, n * sizeof *per_note);
    memset(other, 0, sizeof kinds);
    for (int i = 0; !status && i < w->n_asked; i++) {
        status = attention_row(w, w->asked[i], row, kinds);
        for (size_t k = 0; !status && k < n; k++)
            per_note[k] += share * row[k];
        for (int k = 0; !status && k < INSPECTED_KINDS; k++)
            other[k] += share * kinds[k];
    }
    free(row);
    return status;
}

const char *attention_pitch_name(char *buf, size_t n, int pitch)
{
    static const char *const names[] = {"C",  "C#", "D",  "D#", "E",  "F",
                                        "F#", "G",  "G#", "A",  "A#", "B"};
    snprintf(buf, n, "%s%d", names[pitch % 12], (pitch & 127) / 12 - 1);
    return buf;
}

struct note_name attention_name(const struct attention_work *w, int note)
{
    const struct inspected_note *n = &w->notes[note];
    const struct timeline *t = &w->score->timeline;
    const struct bar bar = timeline_bar_at(t, n->tick);
    const int64_t beat = timeline_beat_ticks(t, bar.start);
    struct note_name name = {
        .number = note_order_find(w->numbers, w->n_order, n->id) + 1,
        .bar = bar.index + 1,
        .beat = 1 + (double)(n->tick - bar.start) / (double)(beat > 0 ? beat : 1),
    };
    attention_pitch_name(name.pitch, sizeof name.pitch, n->pitch);
    return name;
}

static const char *way_of(const struct attention_work *w)
{
    return w->look.way == LOOKS_AT ? "" : ", attended to by";
}

const char *attention_title(const struct attention_work *w, char *buf, size_t n)
{
    const int layer = w->look.layer, head = w->look.head;
    const char *name = w->look.of == ATTENTION_SELF && layer >= 0 && head >= 0
                           ? head_names_of(&w->names, layer, head)
                           : "";
    if (w->is_fixed)
        snprintf(buf, n, "Fourier mixing");
    else if (layer >= 0 && head >= 0)
        snprintf(buf, n, "layer %d head %d%s%s%s", layer + 1, head + 1,
                 *name ? ": " : "", name, way_of(w));
    else if (layer >= 0)
        snprintf(buf, n, "layer %d, mean of its heads%s", layer + 1, way_of(w));
    else if (head >= 0)
        snprintf(buf, n, "head %d, mean of all layers%s", head + 1, way_of(w));
    else
        snprintf(buf, n, "mean of all heads%s", way_of(w));
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
