/* How often each piece is drawn, and in rows of which length. Requests are of eight bars after
 * eight or sixteen. Rows of 512 tokens hold three or four bars of a band, ten of a quartet and
 * twenty-two of a reel (models/README.md), so dense music is learnt in longer ones. Within a
 * corpus, pieces are drawn by their size, the longest capped. */
#include "app/lab/dataset/corpus.h"

#include "app/base/draw.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAP_TOKENS = 16384, BARS_HELD = 16, LENGTH_ROW = -1 /* of draw_rng */ };

/* -- the table of parts -- */

/* false: not a share and a name. Nothing but a remark adds no part. */
static bool read_part(struct corpus_mixture *m, char *line)
{
    char *end;
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t")] == '\0')
        return true;
    if (m->n_parts == (int)(sizeof m->parts / sizeof *m->parts))
        return false;
    struct mixture_part *p = &m->parts[m->n_parts];
    p->share = strtod(line, &end);
    bool is_share = end != line && p->share >= 0 && p->share <= 1;
    end += strspn(end, " \t");
    int n = snprintf(p->names, sizeof p->names, "%s", end);
    m->n_parts++;
    return is_share && n > 0 && n < (int)sizeof p->names;
}

int mixture_read_parts(struct corpus_mixture *m, const char *path)
{
    char line[1024];
    double sum = 0.0;
    int number = 0, wrong = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    m->n_parts = 0;
    while (!wrong && fgets(line, sizeof line, f)) {
        const int n_before = m->n_parts;
        number++;
        if (!read_part(m, line))
            wrong = number;
        else if (m->n_parts > n_before)
            sum += m->parts[n_before].share;
        if (sum > 1.0 + 1e-9)
            wrong = number;
    }
    if (ferror(f))
        wrong = -1;
    fclose(f);
    return wrong;
}

/* Returns n_parts if none names the corpus. */
static int part_of(const struct corpus_mixture *m, const char *name)
{
    for (int i = 0; i < m->n_parts; i++) {
        char names[sizeof m->parts[i].names], *rest = NULL;
        memcpy(names, m->parts[i].names, sizeof names);
        for (char *word = strtok_r(names, " \t", &rest); word;
             word = strtok_r(NULL, " \t", &rest))
            if (!fnmatch(word, name, 0))
                return i;
    }
    return m->n_parts;
}

/* -- the chance of each piece -- */

static double capped_tokens(const struct corpus_piece *p)
{
    return (double)(p->n_tokens < CAP_TOKENS ? p->n_tokens : CAP_TOKENS);
}

/* weight [n]: the chance of each training piece. A part without music leaves its share to the
 * others; if no share is left for the music that there is, its parts share alike. */
static void weigh_pieces(const struct corpus *c, const struct corpus_mixture *m,
                         double *weight)
{
    enum { PARTS = sizeof m->parts / sizeof *m->parts };
    double groups[CORPUS_MOST_GROUPS] = {0}, sums[PARTS + 1] = {0},
           shares[PARTS + 1] = {0};
    int parts[CORPUS_MOST_GROUPS] = {0};
    double given = 0.0, all = 0.0;
    for (int g = 0; g < c->n_groups; g++) {
        parts[g] = part_of(m, c->groups[g].name);
        groups[g] = pow((double)c->groups[g].n_tokens[CORPUS_TRAIN], m->power - 1);
    }
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++) {
        const struct corpus_piece *p = &c->pieces[CORPUS_TRAIN][i];
        weight[i] = capped_tokens(p) * groups[p->group];
        sums[parts[p->group]] += weight[i];
    }
    for (int i = 0; i < m->n_parts; i++)
        given += shares[i] = m->parts[i].share;
    shares[m->n_parts] = m->n_parts ? fmax(1.0 - given, 0.0) : 1.0;
    for (int i = 0; i <= m->n_parts; i++)
        all += sums[i] > 0 ? shares[i] : 0.0;
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++) {
        const int part = parts[c->pieces[CORPUS_TRAIN][i].group];
        weight[i] *= all > 0 ? shares[part] / (sums[part] * all) : 1.0 / sums[part];
    }
}

/* -- and the length of its rows -- */

/* The index of the shortest length that holds BARS_HELD bars of a piece, or all of it. */
static int home_length(const struct corpus *c, const struct corpus_piece *p)
{
    const double bars = fmin(p->piece.n_bars, BARS_HELD);
    const double tokens = (double)p->n_tokens * bars / p->piece.n_bars;
    int i = c->n_lengths - 1;
    while (i > 0 && c->lengths[i].tokens < tokens)
        i--;
    return i;
}

/* The chance of each piece in rows of length k, from `weight` [n]. Returns their sum. */
static double fill_length(struct corpus *c, int k, const double *weight)
{
    double sum = 0.0;
    double *cumulative = c->lengths[k].cumulative;
    const int n = c->n_pieces[CORPUS_TRAIN], shortest = c->n_lengths - 1;
    for (int i = 0; i < n; i++) {
        const int home = home_length(c, &c->pieces[CORPUS_TRAIN][i]);
        sum += weight[i] * ((home == k) + (shortest == k)) / 2;
        cumulative[i] = sum;
    }
    for (int i = 0; i < n && sum > 0; i++)
        cumulative[i] /= sum;
    return sum;
}

/* Makes the lengths of a mixture of n pieces, longest first. Returns their number. */
static int make_lengths(struct corpus_length lengths[CORPUS_LENGTHS],
                        const struct corpus_mixture *m, int n)
{
    int count = 0, tokens = m->shortest ? m->longest : 0;
    do {
        lengths[count++] = (struct corpus_length){
            .tokens = tokens, .cumulative = calloc((size_t)n, sizeof(double))};
        tokens /= 2;
    } while (count < CORPUS_LENGTHS && tokens > 0 && tokens >= m->shortest);
    return count;
}

enum midi_status corpus_mix(struct corpus *c, const struct corpus_mixture *m)
{
    const int n = c->n_pieces[CORPUS_TRAIN];
    struct corpus_length lengths[CORPUS_LENGTHS] = {0}, *old = c->lengths;
    const int n_lengths = make_lengths(lengths, m, n);
    double *weight = calloc((size_t)n, sizeof *weight), share = 0.0;
    bool ok = weight != NULL;
    for (int k = 0; k < n_lengths; k++)
        ok = ok && lengths[k].cumulative;
    for (int k = 0; k < CORPUS_LENGTHS; k++)
        free(ok ? old[k].cumulative : lengths[k].cumulative);
    if (ok) {
        memcpy(c->lengths, lengths, sizeof lengths);
        c->n_lengths = n_lengths;
        weigh_pieces(c, m, weight);
        for (int k = 0; k < n_lengths; k++)
            c->lengths[k].share = share += fill_length(c, k, weight);
    }
    free(weight);
    return ok ? MIDI_OK : MIDI_NO_MEMORY;
}

int corpus_row_length(const struct corpus *c, uint64_t seed, uint64_t step)
{
    struct rng r = draw_rng(seed, step, LENGTH_ROW);
    const double at = (double)rng_uniform(&r);
    int k = 0;
    while (k + 1 < c->n_lengths && at >= c->lengths[k].share)
        k++;
    return c->lengths[k].tokens;
}
