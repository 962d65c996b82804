/* See attention_work.h: opening, and the choices. */
#include "app/inspection/attention_work.h"

#include "app/base/say.h"
#include "app/base/values.h"
#include "app/decoding/model_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_score(struct attention_work *w)
{
    w->score = say_load(w->o->file);
    if (!w->score)
        return 1;
    w->n_order = score_n_notes(w->score);
    if (!w->n_order)
        return say_error(w->o->file, "has no notes");
    w->order = note_order(w->score);
    w->numbers = w->order ? note_order_index(w->order, w->n_order) : NULL;
    return w->numbers ? 0 : say_midi_error(w->o->file, MIDI_NO_MEMORY);
}

static int open_model(struct attention_work *w)
{
    int status =
        verb_model_open(&w->model, w->o->model, w->model_path, sizeof w->model_path);
    if (status)
        return status;
    w->pool = pool_create(w->o->threads);
    enum model_status st = w->pool
                               ? inspection_create(&w->inspection, w->model, w->pool)
                               : MODEL_NO_THREAD;
    if (st)
        return say_model_error(w->model_path, st, NULL);
    w->is_fixed = attention_is_fixed(inspection_decoder(w->inspection));
    head_names_find(&w->names, model_hash(w->model));
    return 0;
}

int attention_open(struct attention_work *w, const struct options *o)
{
    *w = (struct attention_work){.o = o};
    int status = open_score(w);
    return status ? status : open_model(w);
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
    free(w->asked);
    *w = (struct attention_work){0};
}

/* "3", "all" or NULL: from 0, or -1 for all. */
static bool read_choice(const char *text, int n, int *choice)
{
    *choice = -1;
    if (!text || strcmp(text, "all") == 0)
        return true;
    if (!value_count(text, 1, n, choice))
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

static int say_count(const char *option, int value, int64_t most, const char *more)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    return say_range(option, text, (int)most, more);
}

static int choose_head(struct attention_work *w)
{
    const struct model_config *c = &w->model->config;
    w->look = (struct inspected_look){
        .of = w->o->heard ? ATTENTION_CROSS : ATTENTION_SELF,
        .many = LOOK_MEAN,
        .way = w->o->by ? IS_LOOKED_AT_BY : LOOKS_AT,
    };
    if (!read_choice(w->o->layer, c->n_layers, &w->look.layer))
        return say_range("--layer", w->o->layer, c->n_layers, ", or all");
    if (!read_choice(w->o->head, c->n_heads, &w->look.head))
        return say_range("--head", w->o->head, c->n_heads, ", or all");
    if (w->o->heard && !c->n_encoder_layers)
        return say_wrong("--heard", "this model has no encoder");
    if (w->is_fixed)
        w->look.layer = w->look.head = 0; /* any one will do */
    return 0;
}

static int choose_part(struct attention_work *w)
{
    w->part = (enum attention_part)w->o->part;
    w->shade = (enum heat_kind)w->o->shade;
    if (w->part == PART_WEIGHT)
        return 0;
    if (w->look.layer < 0 || w->look.head < 0)
        return say_wrong("--part", "needs one head: name it by --layer and --head");
    return w->o->by ? say_wrong("--part", "cannot be used with --by") : 0;
}

static int check_place(const struct attention_work *w)
{
    if (w->o->note && w->o->bar)
        return say_wrong("--note", "and --bar cannot be used together");
    if (w->o->by && !w->o->note && !w->o->bar)
        return say_wrong("--by", "needs --note or --bar");
    if (w->o->note > 0 && (size_t)w->o->note > w->n_order)
        return say_count("--note", w->o->note, (int64_t)w->n_order,
                         "; continuo score shows the numbers of notes");
    const int64_t end = score_end_tick(w->score);
    const int64_t bars =
        timeline_bar_at(&w->score->timeline, end > 0 ? end - 1 : 0).index + 1;
    return w->o->bar > bars ? say_count("--bar", w->o->bar, bars, "") : 0;
}

/* Reads the bar and the bars before it by reading for the bar's last note. */
static struct inspection_request place_of(const struct attention_work *w)
{
    struct inspection_request r = {.style = CONTINUATION_STYLE_GUESS};
    if (w->o->note)
        r.note = w->order[w->o->note - 1].note->id;
    if (w->o->bar)
        r.tick = timeline_bar(&w->score->timeline, w->o->bar - 1).start;
    return r;
}

bool attention_is_asked(const struct attention_work *w, int note)
{
    for (int i = 0; i < w->n_asked; i++)
        if (w->asked[i] == note)
            return true;
    return false;
}

static bool is_asked(const struct attention_work *w, int note)
{
    const struct inspected_note *n = &w->notes[note];
    bool is_side = w->look.way == LOOKS_AT || w->look.of == ATTENTION_SELF
                       ? !n->is_source
                       : n->is_source;
    if (w->o->note)
        return is_side && n->id == w->order[w->o->note - 1].note->id;
    return is_side &&
           (!w->o->bar ||
            timeline_bar_at(&w->score->timeline, n->tick).index == w->o->bar - 1);
}

static const char *why_none(const struct attention_work *w)
{
    bool is_heard = w->look.way != LOOKS_AT && w->look.of == ATTENTION_CROSS;
    if (w->model->config.n_encoder_layers && (w->o->note || w->o->bar))
        return is_heard ? "has no such note in the melody"
                        : "has no such note below the melody";
    return w->o->note  ? "this model does not read that note"
           : w->o->bar ? "no note that this model reads begins in that bar"
                       : "has no note that this model writes in the bars that were "
                         "read; --bar chooses other bars";
}

static int list_asked(struct attention_work *w)
{
    w->asked = calloc((size_t)w->n_notes + 1, sizeof *w->asked);
    if (!w->asked)
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    for (int i = 0; i < w->n_notes; i++)
        if (is_asked(w, i))
            w->asked[w->n_asked++] = i;
    if (w->n_asked)
        return 0;
    return say_error(w->o->file, why_none(w));
}

int attention_failed(const struct attention_work *w)
{
    return say_error(w->o->file, inspection_error(w->inspection));
}

int attention_read(struct attention_work *w)
{
    int status = choose_head(w);
    if (!status)
        status = choose_part(w);
    if (!status)
        status = check_place(w);
    if (status)
        return status;
    const struct inspection_request r = place_of(w);
    if (inspection_read(w->inspection, w->score, &r) != INSPECTION_DONE)
        return attention_failed(w);
    w->tokens = inspection_tokens(w->inspection, &w->n_tokens);
    w->notes = inspection_notes(w->inspection, &w->n_notes);
    w->keys = w->look.of == ATTENTION_CROSS
                  ? inspection_source(w->inspection, &w->n_keys)
                  : inspection_tokens(w->inspection, &w->n_keys);
    return list_asked(w);
}
