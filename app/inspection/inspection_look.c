/* See inspection.h. Rows and columns of attention, of one head or of many, are summed from tokens to
 * notes; then come the attention of one note to another, heads as pictures, and how a note's
 * probability changes when something is missing. */
#include "app/inspection/inspection.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int inspected_n_heads(const struct inspection *i, const struct inspected_look *l)
{
    return (l->layer < 0 ? i->c.n_layers : 1) * (l->head < 0 ? i->c.n_heads : 1);
}

struct attention_head inspected_head(const struct inspection *i,
                                     const struct inspected_look *l, int k)
{
    const int n_heads = l->head < 0 ? i->c.n_heads : 1;
    return (struct attention_head){l->of, l->layer < 0 ? k / n_heads : l->layer,
                                   l->head < 0 ? k % n_heads : l->head};
}

/* The keys that are looked at: the same tokens, or the source's. */
static const struct inspected_token *keys_of(const struct inspection *i,
                                             const struct inspected_look *l, int *n)
{
    *n = l->of == ATTENTION_CROSS ? i->now.n_source : i->now.n_tokens;
    return l->of == ATTENTION_CROSS ? i->now.tokens + i->now.n_tokens : i->now.tokens;
}

/* The query of a token: the one that chose it, or its own. */
static int row_of(const struct inspected_look *l, int token)
{
    return l->row == LOOK_CHOOSING ? token - 1 : token;
}

/* Whether the token is of the note and counts, if only some parts are requested. */
static bool counts_for(const struct inspected_token *t, int note, unsigned parts)
{
    return t->note == note && (!parts || parts >> t->part & 1);
}

/* The query of a token of that note; -1: there is none, or the token does not count. */
static int row_of_note(const struct inspection *i, const struct inspected_look *l,
                       int token, int note)
{
    return counts_for(&i->now.tokens[token], note, l->parts) ? row_of(l, token) : -1;
}

/* LOOKS_AT: the row `first`, of n keys; else what n rows from it on give to keys [from, to). */
struct row_span {
    int first, n, from, to;
};

/* together [n]: the sum of the heads, each times `share`, or their largest weights. */
static enum model_status join_heads(struct inspection *i,
                                    const struct inspected_look *l,
                                    const struct row_span *s, float share,
                                    float *together)
{
    struct decoder *d = model_reader_decoder(i->main);
    enum model_status st = MODEL_OK;
    memset(together, 0, (size_t)s->n * sizeof *together);
    for (int k = 0; !st && k < inspected_n_heads(i, l); k++) {
        const struct attention_head h = inspected_head(i, l, k);
        if (inspection_is_cancelled(i))
            return MODEL_CANCELLED;
        st = l->way == LOOKS_AT
                 ? attention_rows(d, h, s->first, 1, i->row, (size_t)s->n)
                 : attention_column(d, h, s->from, s->to, s->first, s->n, i->row);
        for (int at = 0; !st && at < s->n; at++)
            together[at] = l->many == LOOK_STRONGEST
                               ? fmaxf(together[at], i->row[at])
                               : together[at] + share * i->row[at];
    }
    return st;
}

/* row [n keys]: the scores of the keys that are visible from that place; of others NAN. */
static enum model_status score_row(struct inspection *i, const struct inspected_look *l,
                                   int place, int n, float *row)
{
    const struct attention_head h = inspected_head(i, l, 0);
    struct decoder *d = model_reader_decoder(i->main);
    int first, end;
    attention_visible(d, h, place, &first, &end);
    enum model_status st = attention_scores(
        d, h, place, l->amount == LOOK_CONTENT ? row : NULL,
        l->amount == LOOK_INDEX ? row : NULL, l->amount == LOOK_TIME ? row : NULL);
    for (int k = 0; k < n; k++)
        if (k < first || k >= end)
            row[k] = NAN;
    return st;
}

enum inspection_state inspection_row(struct inspection *i, int place,
                                     const struct inspected_look *look, float *row)
{
    const float share = 1.0f / (float)inspected_n_heads(i, look);
    struct row_span s = {.first = place};
    keys_of(i, look, &s.n);
    return inspection_end(i, look->amount == LOOK_WEIGHT
                                 ? join_heads(i, look, &s, share, row)
                                 : score_row(i, look, place, s.n, row));
}

/* Returns the sum that a key belongs to: that of its note, or of a kind of other token. */
static float *amount_of(const struct inspected_token *key, float *per_note,
                        float *other)
{
    return key->note >= 0 ? &per_note[key->note]
                          : &other[key->part - INSPECTED_NOTE_PARTS];
}

/* weights [n keys] is scratch, zeroed. Each row is scaled to sum to one. */
static enum model_status add_weights(struct inspection *i, int note,
                                     const struct inspected_look *look, float *weights,
                                     float *per_note, float *other)
{
    float *row = i->row + i->c.context;
    enum model_status st = MODEL_OK;
    int n, n_places = 0;
    const struct inspected_token *keys = keys_of(i, look, &n);
    for (int t = 0; !st && t < i->now.n_tokens; t++) {
        const struct row_span s = {.first = row_of_note(i, look, t, note), .n = n};
        double sum = 0;
        if (s.first < 0)
            continue;
        st = join_heads(i, look, &s, 1, row);
        for (int k = 0; k < n; k++)
            sum += (double)row[k];
        for (int k = 0; !st && k < n; k++)
            weights[k] += sum > 0 ? (float)((double)row[k] / sum) : row[k];
        n_places++;
    }
    for (int k = 0; !st && n_places && k < n; k++)
        *amount_of(&keys[k], per_note, other) += weights[k] / (float)n_places;
    return st;
}

/* The mean over the rows of the note's tokens and the keys that they see; NAN: they see none.
 * pairs [n notes] is scratch, zeroed. */
static enum model_status mean_scores(struct inspection *i, int note,
                                     const struct inspected_look *look, float *pairs,
                                     float *per_note, float *other)
{
    float *row = i->row, n_other[INSPECTED_KINDS] = {0};
    enum model_status st = MODEL_OK;
    int n;
    const struct inspected_token *keys = keys_of(i, look, &n);
    for (int t = 0; !st && t < i->now.n_tokens; t++) {
        const int place = row_of_note(i, look, t, note);
        if (place >= 0)
            st = score_row(i, look, place, n, row);
        for (int k = 0; !st && place >= 0 && k < n; k++)
            if (!isnan(row[k])) {
                *amount_of(&keys[k], per_note, other) += row[k];
                ++*amount_of(&keys[k], pairs, n_other);
            }
    }
    for (int k = 0; k < i->now.n_notes; k++)
        per_note[k] = pairs[k] > 0 ? per_note[k] / pairs[k] : NAN;
    for (int k = 0; k < INSPECTED_KINDS; k++)
        other[k] = n_other[k] > 0 ? other[k] / n_other[k] : NAN;
    return st;
}

/* Adds what each row gives to the note's tokens, as means for each note and each kind of other token.
 * mass [n tokens] is scratch, zeroed. */
static enum model_status add_mass(struct inspection *i, int note,
                                  const struct inspected_look *look, float *mass,
                                  float *per_note, float *other)
{
    const float share =
        look->many == LOOK_MEAN ? 1.0f / (float)inspected_n_heads(i, look) : 1.0f;
    float *together = i->row + i->c.context;
    enum model_status st = MODEL_OK;
    int n, n_other[INSPECTED_KINDS] = {0};
    const struct inspected_token *keys = keys_of(i, look, &n);
    for (int from = 0, to; !st && from < n;
         from = to + 1) { /* run by run of its tokens */
        for (to = from; to < n && counts_for(&keys[to], note, look->parts);)
            to++;
        const int first = look->of == ATTENTION_CROSS ? 0 : from;
        const struct row_span s = {first, i->now.n_tokens - first, from, to};
        if (to > from)
            st = join_heads(i, look, &s, 1, together);
        for (int k = 0; !st && to > from && k < s.n; k++)
            mass[first + k] += share * together[k];
    }
    for (int t = 0; !st && t < i->now.n_tokens; t++) {
        const struct inspected_token *token = &i->now.tokens[t];
        const int place = row_of(look, t);
        const float given = place >= 0 ? mass[place] : 0;
        if (token->note >= 0)
            per_note[token->note] += given / (float)i->now.notes[token->note].n_tokens;
        else
            other[token->part - INSPECTED_NOTE_PARTS] += given;
        if (token->note < 0)
            n_other[token->part - INSPECTED_NOTE_PARTS]++;
    }
    for (int k = 0; k < INSPECTED_KINDS; k++)
        other[k] = n_other[k] ? other[k] / (float)n_other[k] : 0;
    return st;
}

enum inspection_state inspection_weights(struct inspection *i, int note,
                                         const struct inspected_look *look,
                                         float *per_note, float other[INSPECTED_KINDS])
{
    memset(per_note, 0, (size_t)i->now.n_notes * sizeof *per_note);
    memset(other, 0, INSPECTED_KINDS * sizeof *other);
    if (note < 0 || note >= i->now.n_notes || look->layer >= i->c.n_layers ||
        look->head >= i->c.n_heads || (look->of == ATTENTION_CROSS && !i->now.n_source))
        return inspection_end(i, MODEL_NO_HEAD);
    float *scratch =
        calloc((size_t)i->c.context + (size_t)i->now.n_notes, sizeof *scratch);
    enum model_status st = MODEL_NO_MEMORY;
    if (scratch)
        st = (look->way != LOOKS_AT ? add_mass
              : look->amount == LOOK_WEIGHT
                  ? add_weights
                  : mean_scores)(i, note, look, scratch, per_note, other);
    free(scratch);
    return inspection_end(i, st);
}

/* -- two notes: by which single weight one looked at the other most -- */

enum inspection_state inspection_pair(struct inspection *i, int note, int other,
                                      const struct inspected_look *look,
                                      struct inspected_pair *out)
{
    struct decoder *d = model_reader_decoder(i->main);
    int n;
    const struct inspected_token *keys = keys_of(i, look, &n);
    const int n_heads = inspected_n_heads(i, look);
    enum model_status st = MODEL_OK;
    *out = (struct inspected_pair){0};
    if (other < 0 || other >= i->now.n_notes)
        return inspection_end(i, MODEL_NO_HEAD);
    for (int k = 0; !st && k < i->now.n_tokens * n_heads; k++) {
        const int place = row_of_note(i, look, k / n_heads, note);
        const struct attention_head h = inspected_head(i, look, k % n_heads);
        if (place < 0)
            continue;
        st = inspection_is_cancelled(i)
                 ? MODEL_CANCELLED
                 : attention_rows(d, h, place, 1, i->row, (size_t)n);
        for (int key = 0; !st && key < n; key++)
            if (keys[key].note == other && i->row[key] > out->largest) {
                out->largest = i->row[key];
                out->head = h;
                out->query = place;
                out->key = key;
            }
    }
    if (st || out->largest <= 0)
        return inspection_end(i, st);
    /* The largest weight's score, part by part, and its row's entropy. */
    double bits = 0;
    float *parts = calloc(3 * (size_t)n + 1, sizeof *parts);
    st = parts ? attention_rows(d, out->head, out->query, 1, i->row, (size_t)n)
               : MODEL_NO_MEMORY;
    for (int k = 0; !st && k < n; k++)
        if (i->row[k] > 0)
            bits -= (double)i->row[k] * log2((double)i->row[k]);
    if (!st)
        st =
            attention_scores(d, out->head, out->query, parts, parts + n, parts + 2 * n);
    if (!st) {
        out->entropy = (float)bits;
        out->content = parts[out->key];
        out->index = parts[n + out->key];
        out->time = parts[2 * n + out->key];
    }
    free(parts);
    return inspection_end(i, st);
}

/* -- pictures: tiles of a size that can be drawn, each the largest weight in it -- */

/* [n_parts + 1] edges of n in parts that differ by one at most, malloc'd. NULL: no
 * memory. */
static int *make_edges(int n, int n_parts)
{
    int *edges = calloc((size_t)n_parts + 1, sizeof *edges);
    for (int k = 0; edges && k <= n_parts; k++)
        edges[k] = (int)((int64_t)n * k / n_parts);
    return edges;
}

/* Whether a query of [row, end_row) sees a key of [column, end_column). */
static bool is_seen(const struct decoder *d, struct attention_head h, int row,
                    int end_row, int column, int end_column)
{
    bool is_seen = false;
    for (int query = row; !is_seen && query < end_row; query++) {
        int first, end;
        attention_visible(d, h, query, &first, &end);
        is_seen = first < end_column && end > column;
    }
    return is_seen;
}

/* Row k is of token k, as the look that chose it has it. All heads see the same. */
enum inspection_state inspection_pool(struct inspection *i, struct attention_head first,
                                      int n_heads, int n_rows, int n_columns,
                                      float *cells)
{
    const size_t size = (size_t)n_rows * (size_t)n_columns;
    const int n_tokens = i->now.n_tokens;
    struct decoder *d = model_reader_decoder(i->main);
    if (n_rows < 1 || n_columns < 1 || !n_tokens)
        return inspection_end(i, MODEL_NO_HEAD);
    int *rows = make_edges(n_tokens, n_rows);
    int *columns = make_edges(
        first.kind == ATTENTION_CROSS ? i->now.n_source : n_tokens, n_columns);
    enum model_status st = rows && columns ? MODEL_OK : MODEL_NO_MEMORY;
    for (int k = 0; !st && k < n_heads; k++) {
        const int at = first.layer * i->c.n_heads + first.head + k;
        const struct attention_head h = {first.kind, at / i->c.n_heads,
                                         at % i->c.n_heads};
        st = inspection_is_cancelled(i)
                 ? MODEL_CANCELLED
                 : attention_pool(d, h, rows, n_rows, columns, n_columns,
                                  cells + (size_t)k * size);
    }
    for (size_t at = 0; !st && at < size; at++) {
        const int *r = rows + at / (size_t)n_columns,
                  *c = columns + at % (size_t)n_columns;
        const bool sees = is_seen(d, first, r[0], r[1], c[0], c[1]);
        for (size_t k = 0; !sees && k < (size_t)n_heads; k++)
            cells[k * size + at] = -1;
    }
    free(rows);
    free(columns);
    return inspection_end(i, st);
}

bool inspection_marks(const struct inspection *i, const struct timeline *t,
                      const struct inspected_token *tokens, int n_tokens, bool notes,
                      struct inspect_axis *out)
{
    const struct reading *now = &i->now;
    int64_t last_bar = -1;
    int last_note = -1;
    struct inspect_mark *marks = calloc((size_t)n_tokens + 1, 2 * sizeof *marks);
    *out = (struct inspect_axis){.n_tokens = n_tokens, .marks = marks};
    for (int k = 0; marks && k < n_tokens; k++) {
        const struct inspected_token *token = &tokens[k];
        const int64_t after = tick_from_step(token->time, now->ticks_per_quarter),
                      tick = now->from_tick + (after > 0 ? after : 0),
                      bar = timeline_bar_at(t, tick).index;
        /* A grid has no tokens of bars. */
        if (i->is_grid ? bar > last_bar : token->part == INSPECTED_BAR)
            marks[out->n_marks++] =
                (struct inspect_mark){k, (int)smaller(bar, INT32_MAX - 1), ""};
        last_bar = bar;
        if (!notes || token->note <= last_note)
            continue;
        last_note = token->note;
        struct inspect_mark *m = &marks[out->n_marks++];
        *m = (struct inspect_mark){.token = k, .bar = -1};
        inspected_pitch_name(m->note, sizeof m->note,
                             now->notes[token->note].note.pitch);
    }
    return marks;
}

/* -- cause, in contrast to attention: another decoder reads the changed music from the first
 * difference on, so that the first one keeps its tokens -- */

bool inspection_mutes(const struct inspection *i, const struct inspected_mute *m,
                      int note)
{
    const struct inspect_note *n = &i->now.notes[note];
    switch (m->what) {
    case MUTE_NOTE:
        return n->id == m->note && n->id;
    case MUTE_SPAN:
        return n->note.start >= m->from && n->note.start < m->to;
    case MUTE_TRACK:
        return n->track == m->track;
    default:
        return false;
    }
}

/* The log probability of the note's tokens, in nats. */
static float sum_log_p(const struct inspection *i, const struct model_reader *r,
                       const struct reading *what, int note)
{
    double sum = 0;
    for (int t = 1; t < what->n_tokens; t++)
        if (what->tokens[t].note == note)
            sum -= inspection_nats(i, r, what, t);
    return (float)sum;
}

enum inspection_state inspection_mute(struct inspection *i, int note,
                                      const struct inspected_mute *m,
                                      struct inspected_effect *out)
{
    const bool is_head = m->what == MUTE_HEAD;
    struct reading less = {0};
    *out = (struct inspected_effect){0};
    if (note < 0 || note >= i->now.n_notes || i->now.notes[note].is_source)
        return inspection_fail(i, "the model did not write that note");
    size_t n_muted;
    const struct attention_head *muted = model_reader_muted(i->main, &n_muted);
    struct attention_head *heads = array_copy(muted, n_muted, sizeof *heads);
    bool *goes = calloc((size_t)i->now.n_notes + 1, sizeof *goes);
    enum model_status st = heads && goes ? MODEL_OK : MODEL_NO_MEMORY;
    enum midi_status made = MIDI_OK;
    int at = note; /* its index without those that go */
    for (int k = 0; goes && k < i->now.n_notes; k++) {
        goes[k] = k != note && inspection_mutes(i, m, k);
        at -= k < note && goes[k];
    }
    if (!st && is_head)
        heads[n_muted++] = m->head;
    if (!st && !i->other) {
        st = model_reader_create(&i->other, i->model, i->pool, i->cancel);
        if (!st)
            st = model_reader_keep_all(i->other, false);
        if (st)
            model_reader_destroy(i->other);
        i->other = st ? NULL : i->other;
    }
    if (!st)
        st = model_reader_mute(i->other, heads, n_muted);
    if (!st && !is_head)
        made = reading_without(&less, &i->now, goes);
    if (!st && !made) {
        const struct reading *what = is_head ? &i->now : &less;
        int end = what->n_tokens; /* of the note's tokens */
        while (end > 0 && what->tokens[end - 1].note != at)
            end--;
        /* Tokens that the first reader has read are copied, if they are more and the same heads are
         * muted. */
        const struct model_input in = reading_input(what, end);
        const int common = is_head ? 0 : model_reader_n_known(i->main, &in);
        if (common > model_reader_n_known(i->other, &in))
            st = model_reader_copy(i->other, i->main, common);
        if (!st)
            st = model_reader_read_input(i->other, &in);
        if (!st)
            *out = (struct inspected_effect){sum_log_p(i, i->main, &i->now, note),
                                             sum_log_p(i, i->other, what, at)};
    }
    free(heads);
    free(goes);
    reading_fini(&less);
    return made ? inspection_end_midi(i, made) : inspection_end(i, st);
}
