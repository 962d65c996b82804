/* Lines: of each track the highest note of each onset, and how they follow one another;
 * and tracks that go in parallel. See critic_facts.h. */
#include "app/critic/critic_facts.h"

#include <stdlib.h>

struct top {
    int pitch, before; /* -1: none */
    int32_t step;
    int direction;
};

enum { STEP = 2, LEAP = 4, WIDE = 12 };

static void add_interval(struct line_facts *l, int interval, int before)
{
    int size = abs(interval);
    l->n++;
    l->repeats += size == 0;
    l->steps += size > 0 && size <= STEP;
    l->leaps += size > LEAP;
    l->wide += size > WIDE;
    l->turns += interval * before < 0;
}

static void share(struct line_facts *l)
{
    double n = l->n ? l->n : 1;
    l->repeats /= n;
    l->steps /= n;
    l->leaps /= n;
    l->wide /= n;
    l->turns /= n;
}

/* Two tracks whose tops both move here: from a fifth or an octave to the same. */
static void pair(const struct top *a, const struct top *b, int *n, int *n_parallel)
{
    int now = abs(a->pitch - b->pitch), before = abs(a->before - b->before);
    if (a->before < 0 || b->before < 0 || a->pitch == a->before ||
        b->pitch == b->before)
        return;
    ++*n;
    *n_parallel += now == before && (now % 12 == 0 || now % 12 == 7);
}

struct moves {
    struct top tops[SCENE_TRACKS];
    int here[SCENE_TRACKS], n_here; /* tracks with a note at this onset */
    int n, n_parallel;
};

static void end_onset(struct facts *f, struct moves *m)
{
    for (int i = 0; i < m->n_here; i++) {
        struct top *t = &m->tops[m->here[i]];
        const bool moves = t->before >= 0;
        const int interval = moves ? t->pitch - t->before : 0;
        if (moves)
            add_interval(&f->lines, interval, t->direction);
        if (moves && m->here[i] == f->melody_track)
            add_interval(&f->melody, interval, t->direction);
        if (moves && m->here[i] == f->bass_track)
            add_interval(&f->bass, interval, t->direction);
        for (int k = 0; k < i; k++)
            pair(t, &m->tops[m->here[k]], &m->n, &m->n_parallel);
        t->direction = interval;
    }
    m->n_here = 0;
}

static void take(struct moves *m, const struct grid_note *n)
{
    struct top *t = &m->tops[n->track];
    if (t->step == n->step) {
        t->pitch = n->pitch > t->pitch ? n->pitch : t->pitch;
        return;
    }
    t->before = t->pitch;
    t->pitch = n->pitch;
    t->step = n->step;
    m->here[m->n_here++] = n->track;
}

void facts_lines(struct facts *f, const struct scene *c, const struct span *s)
{
    struct moves m = {.n_here = 0};
    for (int t = 0; t < SCENE_TRACKS; t++)
        m.tops[t] = (struct top){.pitch = -1, .before = -1, .step = -1};
    for (size_t i = s->first; i < s->end; i++) {
        const struct grid_note *n = &c->notes[i];
        if (i > s->first && n->step != c->notes[i - 1].step)
            end_onset(f, &m);
        if (!c->tracks[n->track].is_drums)
            take(&m, n);
    }
    end_onset(f, &m);
    share(&f->lines);
    share(&f->melody);
    share(&f->bass);
    f->parallels = m.n ? (double)m.n_parallel / m.n : 0;
}
