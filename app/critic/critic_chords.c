/* Chords: the notes that sound where a note begins. See critic_facts.h.
 *
 * harsh: with a second, a tritone or a seventh; clashes: on a beat, with a semitone or its
 * inversion between two tracks; close: with neighbours a second apart; full: of three pitch
 * classes or more. */
#include "app/critic/critic_facts.h"

#include <math.h>

enum { MOST_SOUNDING = 128 };

struct sounding {
    const struct grid_note *notes[MOST_SOUNDING];
    int n, n_chords, n_beats;
    double sum, squares;
};

static unsigned turned(unsigned classes, int by)
{
    return (classes << by | classes >> (12 - by)) & 0xfff;
}

static bool any_pair(const struct sounding *s, bool (*is_it)(const struct grid_note *a,
                                                             const struct grid_note *b))
{
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < i; k++)
            if (is_it(s->notes[i], s->notes[k]))
                return true;
    return false;
}

static bool is_close(const struct grid_note *a, const struct grid_note *b)
{
    int d = a->pitch - b->pitch;
    return d * d == 1 || d * d == 4;
}

static bool is_clash(const struct grid_note *a, const struct grid_note *b)
{
    int d = (a->pitch - b->pitch + 132) % 12;
    return a->track != b->track && (d == 1 || d == 11);
}

static void judge(struct facts *f, struct sounding *s, int32_t step)
{
    unsigned classes = 0;
    for (int i = 0; i < s->n; i++)
        classes |= 1u << s->notes[i]->pitch % 12;
    bool is_beat = step % STEPS_PER_QUARTER == 0;
    s->n_chords++;
    s->n_beats += is_beat;
    s->sum += s->n;
    s->squares += (double)s->n * s->n;
    f->harsh +=
        (classes & (turned(classes, 1) | turned(classes, 2) | turned(classes, 6))) != 0;
    f->full += __builtin_popcount(classes) >= 3;
    f->close += any_pair(s, is_close);
    f->clashes += is_beat && any_pair(s, is_clash);
}

static void average(struct facts *f, const struct sounding *s)
{
    double n = s->n_chords ? s->n_chords : 1;
    f->voices = s->sum / n;
    f->voices_spread = sqrt(fmax(0, s->squares / n - f->voices * f->voices));
    f->harsh /= n;
    f->close /= n;
    f->full /= n;
    f->clashes /= s->n_beats ? s->n_beats : 1;
    for (int t = 0; t < SCENE_TRACKS; t++)
        f->tracks[t].voices /= f->tracks[t].n ? f->tracks[t].n : 1;
}

void facts_chords(struct facts *f, const struct scene *c, const struct span *s)
{
    struct sounding now = {.n = 0};
    for (size_t i = s->first; i < s->end; i++) {
        const struct grid_note *n = &c->notes[i];
        if (c->tracks[n->track].is_drums)
            continue;
        int n_sounding = 0;
        for (int k = 0; k < now.n; k++)
            if (now.notes[k]->step + now.notes[k]->length > n->step)
                now.notes[n_sounding++] = now.notes[k];
        if (n_sounding < MOST_SOUNDING)
            now.notes[n_sounding++] = n;
        now.n = n_sounding;
        for (int k = 0; k < now.n; k++) /* of its own track, itself included */
            f->tracks[n->track].voices += now.notes[k]->track == n->track;
        bool is_last = i + 1 == s->end || c->notes[i + 1].step != n->step;
        if (is_last)
            judge(f, &now, n->step);
    }
    average(f, &now);
}
