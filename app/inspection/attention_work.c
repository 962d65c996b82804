/* See attention_work.h: opening, and the choices. */
#include "app/inspection/attention_work.h"

#include "app/base/say.h"
#include "app/base/values.h"
#include "app/decoding/metadata.h"
#include "app/decoding/model_file.h"
#include "midi/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_start(const void *a, const void *b)
{
    const struct ordered_note *x = a, *y = b;
    if (x->note->start != y->note->start)
        return x->note->start < y->note->start ? -1 : 1;
    if (x->track != y->track)
        return x->track - y->track;
    if (x->note->pitch != y->note->pitch)
        return x->note->pitch - y->note->pitch;
    return (x->note->id > y->note->id) - (x->note->id < y->note->id);
}

static int by_id(const void *a, const void *b)
{
    const struct note_number *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

struct note_name note_name_of(const struct timeline *t, int64_t tick, int pitch)
{
    const struct bar bar = timeline_bar_at(t, tick);
    const int64_t beat = timeline_beat_ticks(t, bar.start);
    struct note_name name = {
        .bar = bar.index + 1,
        .beat = 1 + (double)(tick - bar.start) / (double)(beat > 0 ? beat : 1),
    };
    inspected_pitch_name(name.pitch, sizeof name.pitch, pitch);
    return name;
}

struct note_name attention_name(const struct attention_work *w, int note)
{
    const struct inspect_note *n = &w->now.notes[note];
    struct note_name name =
        note_name_of(&w->score->timeline, n->note.start, n->note.pitch);
    const struct note_number key = {.id = n->id};
    const struct note_number *found =
        bsearch(&key, w->numbers, w->n_order, sizeof key, by_id);
    name.number = found ? (int64_t)found->at + 1 : 0;
    return name;
}

int attention_open(struct attention_work *w, const struct options *o)
{
    *w = (struct attention_work){.o = o, .score = say_load(o->file, NULL)};
    const size_t n = w->score ? score_n_notes(w->score) : 0;
    if (!n)
        return w->score ? say_error(o->file, "has no notes") : 1;
    w->order = calloc(n, sizeof *w->order);
    w->numbers = calloc(n, sizeof *w->numbers);
    if (!w->order || !w->numbers)
        return say_midi_error(o->file, MIDI_NO_MEMORY);
    for (size_t t = 0; t < w->score->n_tracks; t++)
        for (size_t i = 0; i < w->score->tracks[t].n_notes; i++)
            w->order[w->n_order++] =
                (struct ordered_note){&w->score->tracks[t].notes[i], (int)t};
    qsort(w->order, n, sizeof *w->order, by_start);
    for (size_t i = 0; i < n; i++)
        w->numbers[i] = (struct note_number){w->order[i].note->id, i};
    qsort(w->numbers, n, sizeof *w->numbers, by_id);
    int status =
        verb_model_open(&w->model, o->model, w->model_path, sizeof w->model_path);
    if (status)
        return status;
    w->pool = pool_create(o->threads);
    enum model_status st = w->pool
                               ? inspection_create(&w->inspection, w->model, w->pool)
                               : MODEL_NO_THREAD;
    if (st)
        return say_model_error(w->model_path, st, NULL);
    w->is_fixed = attention_is_fixed(inspection_now(w->inspection).decoder);
    head_names_find(&w->names, model_hash(w->model));
    return 0;
}

void attention_close(struct attention_work *w)
{
    inspection_destroy(w->inspection);
    pool_destroy(w->pool);
    model_close(w->model);
    score_destroy(w->score);
    head_names_fini(&w->names);
    free(w->order);
    free(w->numbers);
    free(w->notes);
    *w = (struct attention_work){0};
}

/* "3", "all" or NULL: from 0, or -1 for all. */
static bool read_choice(const char *text, int n, int *choice)
{
    *choice = 0;
    if (text && strcmp(text, "all") != 0 && !value_count(text, 1, n, choice))
        return false;
    --*choice;
    return true;
}

/* "--layer 99: wants 1 to 6, or all": option and range. */
static int say_range(const char *option, const char *value, int most, const char *more)
{
    char subject[80], what[128];
    snprintf(subject, sizeof subject, "%s %s", option, value);
    snprintf(what, sizeof what, "must be a number from 1 to %d%s", most, more);
    return say_wrong(subject, what);
}

/* Layer and head, part and shade. */
static int choose_look(struct attention_work *w)
{
    const struct model_config *c = &w->model->config;
    w->look = (struct inspected_look){
        .of = w->o->heard ? ATTENTION_CROSS : ATTENTION_SELF,
        .many = LOOK_MEAN,
        .way = w->o->by ? IS_LOOKED_AT_BY : LOOKS_AT,
        .amount = w->o->part,
    };
    if (!read_choice(w->o->layer, c->n_layers, &w->look.layer))
        return say_range("--layer", w->o->layer, c->n_layers, ", or all");
    if (!read_choice(w->o->head, c->n_heads, &w->look.head))
        return say_range("--head", w->o->head, c->n_heads, ", or all");
    if (w->o->heard && !c->n_encoder_layers)
        return say_wrong("--heard", "this model has no encoder");
    if (w->is_fixed)
        w->look.layer = w->look.head = 0; /* any one will do */
    if (w->look.amount != LOOK_WEIGHT && (w->look.layer < 0 || w->look.head < 0))
        return say_wrong("--part", "needs one head: name it by --layer and --head");
    if (w->look.amount != LOOK_WEIGHT && w->o->by)
        return say_wrong("--part", "cannot be used with --by");
    return 0;
}

static int check_place(const struct attention_work *w)
{
    char text[16];
    if (w->o->note && w->o->bar)
        return say_wrong("--note", "and --bar cannot be used together");
    if (w->o->by && !w->o->note && !w->o->bar)
        return say_wrong("--by", "needs --note or --bar");
    snprintf(text, sizeof text, "%d", w->o->note ? w->o->note : w->o->bar);
    if (w->o->note > 0 && (size_t)w->o->note > w->n_order)
        return say_range("--note", text, (int)w->n_order,
                         "; continuo score shows the numbers of notes");
    const int64_t end = score_end_tick(w->score);
    const int64_t bars =
        timeline_bar_at(&w->score->timeline, end > 0 ? end - 1 : 0).index + 1;
    return w->o->bar > bars ? say_range("--bar", text, (int)bars, "") : 0;
}

static bool is_wanted(const struct attention_work *w, int note)
{
    const struct inspect_note *n = &w->now.notes[note];
    bool is_side = w->look.way == LOOKS_AT || w->look.of == ATTENTION_SELF
                       ? !n->is_source
                       : n->is_source;
    if (w->o->note)
        return is_side && n->id == w->order[w->o->note - 1].note->id;
    return is_side &&
           (!w->o->bar ||
            timeline_bar_at(&w->score->timeline, n->note.start).index == w->o->bar - 1);
}

static int choose_notes(struct attention_work *w)
{
    const struct options *o = w->o;
    w->notes = array_copy(w->now.notes, (size_t)w->now.n_notes, sizeof *w->notes);
    if (!w->notes)
        return say_midi_error(o->file, MIDI_NO_MEMORY);
    for (int i = w->now.n_notes; i-- > 0;)
        if (is_wanted(w, i)) {
            w->notes[i].is_chosen = true;
            w->first = i;
            w->n_chosen++;
        }
    if (w->n_chosen)
        return 0;
    const char *why = o->note  ? "this model does not read that note"
                      : o->bar ? "no note that this model reads begins in that bar"
                               : "has no note that this model writes in the bars that "
                                 "were read; --bar chooses other bars";
    if (w->model->config.n_encoder_layers && (o->note || o->bar))
        why = w->look.way != LOOKS_AT && w->look.of == ATTENTION_CROSS
                  ? "has no such note in the melody"
                  : "has no such note below the melody";
    return say_error(o->file, why);
}

const char *attention_style(const struct attention_work *w)
{
    return w->model->config.vocab == GRID_COUNT ? "" : style_name(w->now.style);
}

const char *attention_head_name(const struct attention_work *w, int layer, int head)
{
    return w->look.of == ATTENTION_SELF ? head_names_of(&w->names, layer, head) : "";
}

int attention_failed(const struct attention_work *w)
{
    return say_error(w->o->file, inspection_now(w->inspection).error);
}

int attention_read(struct attention_work *w)
{
    int status = choose_look(w);
    if (!status)
        status = check_place(w);
    if (status)
        return status;
    /* Reads the bar and the bars before it by reading for the bar's last note. */
    struct inspection_request r = {.style = CONTINUATION_STYLE_GUESS};
    if (w->o->note)
        r.note = w->order[w->o->note - 1].note->id;
    if (w->o->bar)
        r.tick = timeline_bar(&w->score->timeline, w->o->bar - 1).start;
    if (inspection_read(w->inspection, w->score, &r) != INSPECTION_DONE)
        return attention_failed(w);
    w->now = inspection_now(w->inspection);
    w->keys = w->o->heard ? w->now.source : w->now.tokens;
    w->n_keys = w->o->heard ? w->now.n_source : w->now.n_tokens;
    return choose_notes(w);
}
