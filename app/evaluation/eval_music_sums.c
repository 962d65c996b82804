/* See eval_music_sums.h. */
#include "app/evaluation/eval_music_sums.h"

#include "app/evaluation/eval_music_excerpt.h"

#include <math.h>

/* Of each kind the tracks that the model writes. false: out of memory. */
static bool add_statistics(struct statistics *sum, const struct piece *bars,
                           uint64_t tracks)
{
    struct piece written;
    if (bars->n_bars == 0)
        return true;
    if (excerpt_cut(&written, bars, 0, bars->n_bars, tracks))
        return false;
    bool ok = statistics_add(sum, &written);
    piece_fini(&written);
    return ok;
}

static bool add_sample(struct music_sums *s, const struct music_sample *m,
                       uint64_t tracks)
{
    s->n_samples++;
    for (int k = 0; k < MUSIC_KINDS; k++)
        if (!add_statistics(&s->statistics[k], &m->bars[k], tracks))
            return false;
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

/* How far one histogram of two kinds of music is apart. */
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
    const struct voices *v = &s->voices[k];
    for (int i = 0; i < MUSIC_FIGURES; i++)
        values[i] = NAN;
    values[FIGURE_DENSITY] = statistics_density(a);
    values[FIGURE_POLYPHONY] = statistics_polyphony(a);
    values[FIGURE_GROOVE] = statistics_groove(a);
    values[FIGURE_ENTROPY] = statistics_entropy(a);
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
    [FIGURE_DENSITY] = {"notes a quarter", "notes_per_quarter", 2},
    [FIGURE_POLYPHONY] = {"notes sounding at an onset", "polyphony", 2},
    [FIGURE_GROOVE] = {"groove similarity, 0 to 1", "groove_similarity", 3},
    [FIGURE_ENTROPY] = {"pitch-class entropy of a bar, bits", "bar_entropy_bits", 2},
    [FIGURE_PITCH_CLASSES] = {"from held out, 0 to 1: pitch classes",
                              "pitch_class_distance", 3},
    [FIGURE_DURATIONS] = {"                       durations", "duration_distance", 3},
    [FIGURE_INTERVALS] = {"                       intervals", "interval_distance", 3},
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
