/* See score_report.h: reading, and the sums. */
#include "app/evaluation/score_report.h"

#include "app/base/say.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool grow(struct score_report *r, int n_more)
{
    size_t n = (size_t)r->n_notes + (size_t)n_more;
    struct scored_note *grown = realloc(r->notes, (n + 1) * sizeof *grown);
    if (grown)
        r->notes = grown;
    return grown != NULL;
}

static void add_note(struct score_report *r, struct attention_work *w, int note,
                     int most)
{
    struct scored_note *to = &r->notes[r->n_notes++];
    *to = (struct scored_note){.note = w->notes[note], .name = attention_name(w, note)};
    if (most > 0)
        to->n_alternatives = inspection_alternatives(
            w->inspection, note, INSPECTED_PITCH, to->alternatives, most);
}

/* What an earlier window had is told by that, and what is heard is not told. */
static int add_window(struct score_report *r, struct attention_work *w, int own,
                      int most)
{
    if (!grow(r, w->n_notes))
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    for (int i = own; i < w->n_notes; i++)
        if (attention_is_told(w, i))
            add_note(r, w, i, most);
    return 0;
}

/* Over itself, and nothing of it stays. */
static void show_progress(int n_done, int n_all)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (n_done < n_all)
        fprintf(stderr, "\rreading window %d of %d ", n_done + 1, n_all);
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

static int read_all(struct score_report *r, struct attention_work *w, int most)
{
    const struct inspection_request all = {.style = CONTINUATION_STYLE_GUESS};
    int status = 0, n_windows = 1;
    for (int index = 0; !status && index < n_windows; index++) {
        int own = 0;
        if (index > 0)
            show_progress(index, n_windows);
        if (inspection_read_window(w->inspection, w->score, &all, index, &own) !=
            INSPECTION_DONE)
            return attention_failed(w);
        n_windows = inspection_n_windows(w->inspection);
        w->notes = inspection_notes(w->inspection, &w->n_notes);
        status = add_window(r, w, own, most);
    }
    show_progress(n_windows, n_windows);
    if (!status && !r->n_notes)
        return say_error(w->o->file, "has no notes that this model tells");
    return status;
}

static bool make_room(struct score_report *r, const struct attention_work *w)
{
    for (int i = 0; i < r->n_notes; i++)
        if (r->notes[i].name.bar > r->n_bars)
            r->n_bars = (int)r->notes[i].name.bar;
    r->bars = calloc((size_t)r->n_bars + 1, sizeof *r->bars);
    r->worst = calloc((size_t)r->n_bars + 1, sizeof *r->worst);
    r->tracks = calloc(w->score->n_tracks + 1, sizeof *r->tracks);
    return r->bars && r->worst && r->tracks;
}

static void add(struct score_sum *s, double nats)
{
    s->nats += nats;
    s->n_notes++;
}

static void sum_up(struct score_report *r, const struct attention_work *w)
{
    for (int i = 0; i < r->n_notes; i++) {
        const struct inspected_note *n = &r->notes[i].note;
        double nats = (double)n->surprise;
        add(&r->all, nats);
        add(&r->bars[r->notes[i].name.bar - 1], nats);
        if (n->track >= 0 && n->track < (int)w->score->n_tracks)
            add(&r->tracks[n->track], nats);
        r->pitch_nats += (double)n->surprise_of[INSPECTED_PITCH];
    }
}

static double mean_of(const struct score_sum *s)
{
    return s->n_notes ? s->nats / s->n_notes : -1;
}

static int higher_first(const void *a, const void *b, void *context)
{
    const struct score_sum *bars = context;
    int i = *(const int *)a, k = *(const int *)b;
    double x = mean_of(&bars[i]), y = mean_of(&bars[k]);
    return x != y ? (x < y ? 1 : -1) : i - k;
}

int score_report_make(struct score_report *r, struct attention_work *w,
                      int n_alternatives)
{
    *r = (struct score_report){0};
    int status = read_all(r, w, n_alternatives);
    if (status)
        return status;
    if (!make_room(r, w))
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    sum_up(r, w);
    for (int i = 0; i < r->n_bars; i++)
        r->worst[i] = i;
    qsort_r(r->worst, (size_t)r->n_bars, sizeof *r->worst, higher_first, r->bars);
    return 0;
}

void score_report_fini(struct score_report *r)
{
    free(r->notes);
    free(r->bars);
    free(r->tracks);
    free(r->worst);
    *r = (struct score_report){0};
}
