/* The roll, tinted by what the requested notes attend to, or by what attends to them. */
#include "app/inspection/attention_work.h"

#include "app/base/say.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT = 2048 };

/* The weights without colour: on the notes' own tokens and on tokens that are not notes. */
static void say_others(const struct attention_work *w, const float *per_note,
                       const float *other, char *text, size_t n)
{
    double own = 0;
    size_t at = 0;
    for (int i = 0; i < w->n_asked; i++)
        own += (double)per_note[w->asked[i]];
    snprintf(text, n, "nothing");
    if (own > 0)
        at = (size_t)snprintf(text, n, "%s %.3f",
                              w->n_asked > 1 ? "these notes" : "the note itself", own);
    for (int k = 0; k < INSPECTED_KINDS; k++)
        if (other[k] >= 0.0005f)
            at += (size_t)snprintf(
                text + at, n - at, "%s%s %.3f", at ? ", " : "",
                inspected_part_name((enum inspected_part)(INSPECTED_NOTE_PARTS + k)),
                (double)other[k]);
}

static const char *say_who(const struct attention_work *w, char *text, size_t n)
{
    const bool looks = w->look.way == LOOKS_AT;
    const struct note_name name = attention_name(w, w->asked[0]);
    if (w->o->note)
        snprintf(text, n, "white: note %d, %s of track %d at %lld:%.3g; tinted: %s",
                 w->o->note, name.pitch, w->notes[w->asked[0]].track + 1,
                 (long long)name.bar, name.beat,
                 looks ? "what it attends to" : "what attends to it");
    else
        snprintf(text, n, "white: the %d notes of bar %d; tinted: %s", w->n_asked,
                 w->o->bar,
                 looks ? "what they attend to, on average" : "what attends to them");
    return text;
}

/* All notes of the score: those that were read have weights. */
static struct wash_note *list_notes(const struct attention_work *w,
                                    const float *per_note, int *n)
{
    struct wash_note *list = calloc((size_t)w->n_notes + w->n_order + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; list && i < w->n_order; i++) {
        const struct ordered_note *o = &w->order[i];
        list[(*n)++] = (struct wash_note){.start = o->note->start,
                                          .length = o->note->length,
                                          .pitch = o->note->pitch,
                                          .track = o->track};
    }
    for (int i = 0; list && i < w->n_notes; i++) {
        const struct inspected_note *note = &w->notes[i];
        list[(*n)++] = (struct wash_note){.start = note->tick,
                                          .length = note->length,
                                          .pitch = note->pitch,
                                          .track = note->track,
                                          .weight = per_note[i],
                                          .is_chosen = attention_is_asked(w, i),
                                          .is_read = true};
    }
    return list;
}

static int draw(struct attention_work *w, const float *per_note, const float *other,
                const char *path)
{
    char title[128], who[128], about[1024], others[512], all[TEXT];
    struct wash_picture p = {.title = attention_title(w, title, sizeof title),
                             .about = all,
                             .timeline = &w->score->timeline,
                             .shade = w->shade};
    struct wash_note *notes = list_notes(w, per_note, &p.n_notes);
    if (!notes)
        return say_midi_error(path, MIDI_NO_MEMORY);
    say_others(w, per_note, other, others, sizeof others);
    snprintf(all, sizeof all, "%s\n%s\nnot tinted: %s",
             attention_about(w, about, sizeof about), say_who(w, who, sizeof who),
             others);
    p.notes = notes;
    inspection_span(w->inspection, &p.from, &p.to);
    enum midi_status st = wash_picture_save(&p, path);
    free(notes);
    return st ? say_midi_error(path, st) : 0;
}

/* The mean of the requested rows. Weights that several notes get from others add up;
 * weights that they give are averaged. row [n_notes] is scratch. */
static int mean_row(struct attention_work *w, float *per_note, float *other, float *row)
{
    const float share = w->look.way == LOOKS_AT ? 1.0f / (float)w->n_asked : 1.0f;
    float kinds[INSPECTED_KINDS];
    int status = 0;
    for (int i = 0; !status && i < w->n_asked; i++) {
        status = attention_row(w, w->asked[i], row, kinds);
        for (int k = 0; !status && k < w->n_notes; k++)
            per_note[k] += share * row[k];
        for (int k = 0; !status && k < INSPECTED_KINDS; k++)
            other[k] += share * kinds[k];
    }
    return status;
}

int attention_draw_wash(struct attention_work *w, const char *path)
{
    float other[INSPECTED_KINDS] = {0};
    float *per_note = calloc((size_t)w->n_notes + 1, 2 * sizeof *per_note);
    if (!per_note)
        return say_midi_error(path, MIDI_NO_MEMORY);
    int status = mean_row(w, per_note, other, per_note + w->n_notes);
    if (!status)
        status = draw(w, per_note, other, path);
    free(per_note);
    return status;
}
