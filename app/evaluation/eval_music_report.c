/* See eval_music.h. The text is printed from the JSON. */
#include "app/evaluation/eval_music.h"

#include "app/base/json_fields.h"
#include "app/base/report.h"
#include "app/base/say.h"
#include "app/evaluation/eval_music_excerpt.h"

#include <math.h>

static const char *const KINDS[MUSIC_KINDS] = {"generated", "held_out", "training"};

/* Six decimals, so that what is printed does not depend on the last bit; null if there is
 * no figure. */
static void add_kind(cJSON *to, const char *name, const struct music_sums *s,
                     enum music_kind k, const struct corpus *c)
{
    double values[MUSIC_FIGURES];
    music_figures(values, s, k);
    cJSON *j = json_nest(to, name, "notes %lld chords %lld",
                         (long long)s->statistics[k].n_notes,
                         (long long)s->voices[k].n_chords);
    for (int i = 0; i < MUSIC_FIGURES; i++)
        json_add(j, "%s %.6f", music_figure_names[i].name, values[i]);
    if (k == MUSIC_TRAINING || s->longest[k].n_notes == 0)
        return;
    const struct copied_run *run = &s->longest[k];
    const struct corpus_piece *p = &c->pieces[CORPUS_TRAIN][run->source];
    char path[512];
    json_nest(j, "longest_copied_from", "file %s track %d last_bar %d",
              say_copy(path, sizeof path, p->path), run->track + 1,
              (int)piece_bar_at(&p->piece, run->step) + 1);
}

static void add_sums(cJSON *j, const char *name, const struct music_sums *s,
                     const struct corpus *c)
{
    json_add(j, "corpus %s pieces %d", name, s->n_samples);
    for (int k = 0; k < MUSIC_KINDS; k++)
        add_kind(j, KINDS[k], s, (enum music_kind)k, c);
}

cJSON *music_json(const struct music *m, const struct music_request *q)
{
    struct music_sums sums;
    cJSON *j =
        json_add(cJSON_CreateObject(),
                 "context_bars %d bars %d seed %llu temperature %.6f top_p %.6f "
                 "remark %s interrupted %hhd tokens %lld masked %.6f",
                 MUSIC_CONTEXT_BARS, q->bars, (unsigned long long)q->sampling.seed,
                 (double)q->sampling.temperature, (double)q->sampling.top_p,
                 q->writer->remark, m->is_cancelled, (long long)m->n_tokens,
                 m->n_tokens ? m->masked / (double)m->n_tokens : NAN);
    cJSON *rows = cJSON_AddArrayToObject(j, "corpora");
    for (int g = 0; g <= q->corpus->n_groups; g++) {
        bool is_all = g == q->corpus->n_groups;
        if (!music_sum(&sums, m, q, is_all ? MUSIC_ALL : g)) {
            cJSON_Delete(j);
            return NULL;
        }
        if (is_all)
            add_sums(json_nest(j, "all", " "), "all", &sums, q->corpus);
        else if (sums.n_samples)
            add_sums(json_append(rows, " "), q->corpus->groups[g].name, &sums,
                     q->corpus);
    }
    return j;
}

/* Nothing if there is no such figure: few corpora have four voices. */
static void print_figure(const struct music_figure_name *figure, const cJSON *sums)
{
    char layout[256];
    bool any = false;
    for (int k = 0; k < MUSIC_KINDS; k++)
        any = any || isfinite(json_number(json_get(sums, KINDS[k]), figure->name));
    if (!any || !figure->label)
        return;
    printf("  %-36s", figure->label);
    for (int k = 0; k < MUSIC_KINDS; k++) {
        snprintf(layout, sizeof layout, " {%s.%s:10.%df}", KINDS[k], figure->name,
                 figure->decimals);
        report_print(sums, layout);
    }
    putchar('\n');
}

static void print_source(const char *label, const cJSON *kind)
{
    if (!json_get(kind, "longest_copied_from"))
        return;
    printf("  %s", label);
    report_print(kind,
                 ": {longest_copied_run:d} notes to bar "
                 "{longest_copied_from.last_bar:d} of track "
                 "{longest_copied_from.track:d} of {longest_copied_from.file:s}\n");
}

static void print_sums(const cJSON *sums)
{
    char title[96], safe[64];
    const double n = json_number(sums, "pieces");
    snprintf(title, sizeof title, "%s, %.0f piece%s",
             say_copy(safe, sizeof safe, json_text(sums, "corpus")), n,
             n == 1 ? "" : "s");
    printf("\n%-38s %10s %10s %10s\n", title, "generated", "held out", "training");
    for (int i = 0; i < MUSIC_FIGURES; i++)
        print_figure(&music_figure_names[i], sums);
    print_source("generated", json_get(sums, "generated"));
    print_source("held out", json_get(sums, "held_out"));
}

void music_print(const cJSON *j)
{
    const cJSON *corpora = json_get(j, "corpora"), *sums;
    report_print(j, "\nmusic: {context_bars:d} bars given, up to {bars:d} continued; "
                    "seed {seed:s}, temperature {temperature:g}, top-p {top_p:g}\n");
    report_print(j, json_number(j, "tokens") > 0
                        ? "{tokens:d} tokens generated; the grammar masked "
                          "{masked:.2g} of their probability\n"
                        : "no held-out piece is long enough\n");
    if (json_text(j, "remark"))
        report_print(j, "{remark:s}\n");
    cJSON_ArrayForEach(sums, corpora)
    {
        print_sums(sums);
    }
    if (cJSON_GetArraySize(corpora) > 1)
        print_sums(json_get(j, "all"));
}

/* -- the figures -- */

/* false: out of memory. */
static bool add_sample(struct music_sums *s, const struct music_sample *m,
                       uint64_t tracks)
{
    s->n_samples++;
    for (int k = 0; k < MUSIC_KINDS; k++) {
        struct piece written; /* of each kind the tracks that the model writes */
        if (m->bars[k].n_bars == 0)
            continue;
        if (excerpt_cut(&written, &m->bars[k], 0, m->bars[k].n_bars, tracks))
            return false;
        bool ok = statistics_add(&s->statistics[k], &written);
        piece_fini(&written);
        if (!ok)
            return false;
    }
    if (m->is_in_voices)
        voices_add(&s->voices[MUSIC_GENERATED], &m->bars[MUSIC_GENERATED], m->tracks);
    for (int k = 0; k < MUSIC_TRAINING; k++) {
        s->copied[k] += m->copied[k].n_notes;
        if (m->copied[k].n_notes > s->longest[k].n_notes)
            s->longest[k] = m->copied[k];
    }
    return true;
}

static bool is_of(int group, int wanted)
{
    return wanted == MUSIC_ALL || group == wanted;
}

/* Something was generated in four voices for the corpus. */
static bool is_compared(const struct music *m, int group)
{
    for (size_t i = 0; i < m->n_samples; i++)
        if (m->samples[i].group == group && m->samples[i].is_in_voices)
            return true;
    return false;
}

static void add_voices(struct voices *sum, const struct music *m,
                       const struct corpus *c, enum corpus_split split, int group)
{
    for (int i = 0; i < c->n_pieces[split]; i++) {
        const struct corpus_piece *p = &c->pieces[split][i];
        uint8_t tracks[VOICES];
        if (is_of(p->group, group) && is_compared(m, p->group) &&
            voices_find(&p->piece, tracks))
            voices_add(sum, &p->piece, tracks);
    }
}

bool music_sum(struct music_sums *sums, const struct music *m,
               const struct music_request *q, int group)
{
    *sums = (struct music_sums){0};
    for (size_t i = 0; i < m->n_samples; i++)
        if (is_of(m->samples[i].group, group) &&
            !add_sample(sums, &m->samples[i], q->writer->tracks))
            return false;
    add_voices(&sums->voices[MUSIC_HELD_OUT], m, q->corpus, q->split, group);
    add_voices(&sums->voices[MUSIC_TRAINING], m, q->corpus, CORPUS_TRAIN, group);
    return true;
}

/* The distance of one histogram between two kinds of music. */
static void compare(double values[MUSIC_FIGURES], int figure, int figure_js,
                    const int64_t *a, const int64_t *b, int n)
{
    values[figure] = statistics_total_variation(a, b, n);
    values[figure_js] = statistics_divergence(a, b, n);
}

static void compare_all(double values[MUSIC_FIGURES], const struct statistics *a,
                        const struct statistics *b)
{
    compare(values, FIGURE_PITCH_CLASSES, FIGURE_PITCH_CLASSES_JS, a->pitch_classes,
            b->pitch_classes, STATISTICS_PITCH_CLASSES);
    compare(values, FIGURE_DURATIONS, FIGURE_DURATIONS_JS, a->durations, b->durations,
            STATISTICS_DURATIONS);
    compare(values, FIGURE_INTERVALS, FIGURE_INTERVALS_JS, a->intervals, b->intervals,
            STATISTICS_INTERVALS);
}

void music_figures(double values[MUSIC_FIGURES], const struct music_sums *s,
                   enum music_kind k)
{
    const struct statistics *a = &s->statistics[k];
    const struct statistics_means means = statistics_means(a);
    const struct voices *v = &s->voices[k];
    for (int i = 0; i < MUSIC_FIGURES; i++)
        values[i] = NAN;
    values[FIGURE_DENSITY] = means.density;
    values[FIGURE_POLYPHONY] = means.polyphony;
    values[FIGURE_GROOVE] = means.groove;
    values[FIGURE_ENTROPY] = means.entropy;
    if (k != MUSIC_HELD_OUT)
        compare_all(values, a, &s->statistics[MUSIC_HELD_OUT]);
    values[FIGURE_FIFTHS] = voices_rate(v, v->fifths);
    values[FIGURE_OCTAVES] = voices_rate(v, v->octaves);
    values[FIGURE_OUT_OF_RANGE] = voices_rate(v, v->out_of_range);
    values[FIGURE_CROSSED] = voices_rate(v, v->crossed);
    if (k < MUSIC_TRAINING && s->n_samples) {
        values[FIGURE_LONGEST_COPY] = s->longest[k].n_notes;
        values[FIGURE_MEAN_COPY] = (double)s->copied[k] / s->n_samples;
    }
}

const struct music_figure_name music_figure_names[MUSIC_FIGURES] = {
    [FIGURE_DENSITY] = {"notes per quarter", "notes_per_quarter", 2},
    [FIGURE_POLYPHONY] = {"notes sounding per onset", "polyphony", 2},
    [FIGURE_GROOVE] = {"groove similarity, 0 to 1", "groove_similarity", 3},
    [FIGURE_ENTROPY] = {"pitch-class entropy of a bar, bits", "bar_entropy_bits", 2},
    [FIGURE_PITCH_CLASSES] = {"distance from held out: pitch classes",
                              "pitch_class_distance", 3},
    [FIGURE_DURATIONS] = {"                        durations", "duration_distance", 3},
    [FIGURE_INTERVALS] = {"                        intervals", "interval_distance", 3},
    [FIGURE_PITCH_CLASSES_JS] = {NULL, "pitch_class_divergence_nats", 4},
    [FIGURE_DURATIONS_JS] = {NULL, "duration_divergence_nats", 4},
    [FIGURE_INTERVALS_JS] = {NULL, "interval_divergence_nats", 4},
    [FIGURE_FIFTHS] = {"in 100 chords: parallel fifths", "parallel_fifths_per_100", 2},
    [FIGURE_OCTAVES] = {"               parallel octaves", "parallel_octaves_per_100",
                        2},
    [FIGURE_OUT_OF_RANGE] = {"               notes out of range",
                             "out_of_range_per_100", 2},
    [FIGURE_CROSSED] = {"               crossed", "crossed_per_100", 2},
    [FIGURE_LONGEST_COPY] = {"longest run copied, notes", "longest_copied_run", 0},
    [FIGURE_MEAN_COPY] = {"longest run, mean of the pieces", "mean_copied_run", 1},
};
