/* See attention_work.h: opening, the choices, and rows of attention as text. Rows are written as
 * they are computed: there may be much of them. */
#include "app/inspection/attention_work.h"

#include "app/base/json_fields.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "app/decoding/metadata.h"
#include "midi/base/array.h"

#include <errno.h>
#include <math.h>
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
    const struct inspect_note *n = &w->now->notes[note];
    struct note_name name =
        note_name_of(&w->score->timeline, n->note.start, n->note.pitch);
    name.number = n->id < w->score->next_id ? (int64_t)w->number_of[n->id] : 0;
    return name;
}

int attention_open(struct attention_work *w, const struct options *o)
{
    *w = (struct attention_work){.o = o, .score = say_load(o->file, NULL)};
    const size_t n = w->score ? score_n_notes(w->score) : 0;
    if (!n)
        return w->score ? say_error(o->file, "has no notes") : 1;
    w->order = calloc(n, sizeof *w->order);
    w->number_of = calloc(w->score->next_id, sizeof *w->number_of);
    if (!w->order || !w->number_of)
        return say_midi_error(o->file, MIDI_NO_MEMORY);
    for (size_t t = 0; t < w->score->n_tracks; t++)
        for (size_t i = 0; i < w->score->tracks[t].n_notes; i++)
            w->order[w->n_order++] =
                (struct ordered_note){&w->score->tracks[t].notes[i], (int)t};
    qsort(w->order, n, sizeof *w->order, by_start);
    for (size_t i = 0; i < n; i++)
        w->number_of[w->order[i].note->id] = i + 1;
    int status =
        verb_model_open(&w->model, o->model, w->model_path, sizeof w->model_path);
    if (status)
        return status;
    w->pool = pool_create(o->threads);
    enum model_status st =
        w->pool ? inspection_create(&w->inspection, w->model, w->pool, NULL)
                : MODEL_NO_THREAD;
    if (st)
        return say_model_error(w->model_path, st, NULL);
    w->now = &w->inspection->now;
    w->is_fixed = attention_is_fixed(model_reader_decoder(w->inspection->main));
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
    free(w->number_of);
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

const char *attention_style(const struct attention_work *w)
{
    return w->model->config.vocab == GRID_COUNT ? "" : style_name(w->inspection->style);
}

const char *attention_head_name(const struct attention_work *w, int layer, int head)
{
    return w->look.of == ATTENTION_SELF ? head_names_of(&w->names, layer, head) : "";
}

int attention_failed(const struct attention_work *w)
{
    return say_error(w->o->file, w->inspection->error);
}

int attention_read(struct attention_work *w)
{
    const struct model_config *c = &w->model->config;
    const struct options *o = w->o;
    char text[16];
    w->look = (struct inspected_look){
        .of = o->heard ? ATTENTION_CROSS : ATTENTION_SELF,
        .many = LOOK_MEAN,
        .way = o->by ? IS_LOOKED_AT_BY : LOOKS_AT,
        .amount = o->part,
    };
    if (!read_choice(o->layer, c->n_layers, &w->look.layer))
        return say_range("--layer", o->layer, c->n_layers, ", or all");
    if (!read_choice(o->head, c->n_heads, &w->look.head))
        return say_range("--head", o->head, c->n_heads, ", or all");
    if (o->heard && !c->n_encoder_layers)
        return say_wrong("--heard", "this model has no encoder");
    if (w->is_fixed)
        w->look.layer = w->look.head = 0; /* any one will do */
    if (w->look.amount != LOOK_WEIGHT && (w->look.layer < 0 || w->look.head < 0))
        return say_wrong("--part", "needs one head: name it by --layer and --head");
    if (w->look.amount != LOOK_WEIGHT && o->by)
        return say_wrong("--part", "cannot be used with --by");
    if (o->note && o->bar)
        return say_wrong("--note", "and --bar cannot be used together");
    if (o->by && !o->note && !o->bar)
        return say_wrong("--by", "needs --note or --bar");
    snprintf(text, sizeof text, "%d", o->note ? o->note : o->bar);
    if (o->note > 0 && (size_t)o->note > w->n_order)
        return say_range("--note", text, (int)w->n_order,
                         "; continuo score shows the numbers of notes");
    const struct timeline *t = &w->score->timeline;
    const int64_t end = score_end_tick(w->score),
                  bars = timeline_bar_at(t, end > 0 ? end - 1 : 0).index + 1;
    if (o->bar > bars)
        return say_range("--bar", text, (int)bars, "");
    /* Reads the bar and the bars before it by reading for the bar's last note. */
    struct inspection_request r = {.style = CONTINUATION_STYLE_GUESS};
    if (o->note)
        r.note = w->order[o->note - 1].note->id;
    if (o->bar)
        r.tick = timeline_bar(t, o->bar - 1).start;
    if (inspection_read(w->inspection, w->score, &r) != INSPECTION_DONE)
        return attention_failed(w);
    w->keys = o->heard ? w->now->tokens + w->now->n_tokens : w->now->tokens;
    w->n_keys = o->heard ? w->now->n_source : w->now->n_tokens;
    w->notes = array_copy(w->now->notes, (size_t)w->now->n_notes, sizeof *w->notes);
    if (!w->notes)
        return say_midi_error(o->file, MIDI_NO_MEMORY);
    const bool of_source = o->by && o->heard;
    for (int i = w->now->n_notes; i-- > 0;) {
        struct inspect_note *n = &w->notes[i];
        const int64_t bar = timeline_bar_at(t, n->note.start).index + 1;
        n->is_chosen = n->is_source == of_source && (o->note  ? n->id == r.note
                                                     : o->bar ? bar == o->bar
                                                              : true);
        w->first = n->is_chosen ? i : w->first;
        w->n_chosen += n->is_chosen;
    }
    if (w->n_chosen)
        return 0;
    const char *why = o->note  ? "this model does not read that note"
                      : o->bar ? "no note that this model reads begins in that bar"
                               : "has no note that this model writes in the bars that "
                                 "were read; --bar chooses other bars";
    if (c->n_encoder_layers && (o->note || o->bar))
        why = of_source ? "has no such note in the melody"
                        : "has no such note below the melody";
    return say_error(o->file, why);
}

/* -- rows of attention as text -- */

struct table {
    struct attention_work *work;
    FILE *file;
    bool by_token; /* else by note */
    float *row; /* of all keys, or of all notes and then of the kinds of other tokens */
};

static const char *kind_name(int kind)
{
    return inspected_part_name((enum inspected_part)(INSPECTED_NOTE_PARTS + kind));
}

/* -- CSV -- */

/* Writes a column's worth of a row: of a token its place, name, part, and the number of its note; of a
 * note what names it; of a kind of other tokens, which come after the notes, the kind. */
static void write_item(const struct table *t, const struct inspected_token *tokens,
                       int at)
{
    const struct attention_work *w = t->work;
    FILE *f = t->file;
    const int note = t->by_token ? tokens[at].note : at < w->now->n_notes ? at : -1;
    const struct note_name n =
        note >= 0 ? attention_name(w, note) : (struct note_name){0};
    char name[32], number[24] = "";
    if (n.number)
        snprintf(number, sizeof number, "%lld", (long long)n.number);
    if (t->by_token)
        fprintf(
            f, "%d,%s,%s,%s", at,
            inspection_token_name(w->inspection, tokens[at].token, name, sizeof name),
            inspected_part_name(tokens[at].part), number);
    else if (note >= 0)
        fprintf(f, "%s,%lld,%.6g,%d,%s", number, (long long)n.bar, n.beat,
                w->now->notes[note].track + 1, n.pitch);
    else
        fprintf(f, ",,,,(%s)", kind_name(at - w->now->n_notes));
}

/* -- JSON -- */

/* "name": [x, ...], with null for values that are not finite. */
static void write_numbers(FILE *f, const char *name, const float *x, int n)
{
    fprintf(f, "\"%s\": [", name);
    for (int i = 0; i < n; i++)
        if (isfinite(x[i]))
            fprintf(f, "%s%.7g", i ? ", " : "", (double)x[i]);
        else
            fprintf(f, "%snull", i ? ", " : "");
    putc(']', f);
}

static void add_choice(cJSON *j, const char *name, int choice)
{
    if (choice < 0)
        json_add(j, "%s %s", name, "all");
    else
        json_add(j, "%s %d", name, choice + 1);
}

static void add_tokens(cJSON *j, const char *list, const struct attention_work *w,
                       const struct inspected_token *tokens, int n)
{
    char name[32];
    cJSON *to = cJSON_AddArrayToObject(j, list);
    for (const struct inspected_token *k = tokens; k < tokens + n; k++)
        json_add(json_item(to), "token %d name %s says %s note %g time %d",
                 (int)k->token,
                 inspection_token_name(w->inspection, k->token, name, sizeof name),
                 inspected_part_name(k->part), k->note < 0 ? (double)NAN : k->note,
                 (int)k->time);
}

/* Writes all but the rows, and begins their list. false: out of memory. */
static bool write_json_head(const struct table *t)
{
    const struct attention_work *w = t->work;
    const struct model_config *c = &w->model->config;
    cJSON *j = json_add(cJSON_CreateObject(), "file %s", w->o->file);
    json_add(cJSON_AddObjectToObject(j, "model"),
             "file %s hash %016llx layers %d heads %d mixing %s block %d",
             w->model_path, (unsigned long long)model_hash(w->model), c->n_layers,
             c->n_heads, model_mixings[c->mixing], c->block);
    json_add(j, "style %s", attention_style(w));
    add_choice(j, "layer", w->look.layer);
    add_choice(j, "head", w->look.head);
    json_add(j, "name %s of %s way %s part %s",
             attention_head_name(w, w->look.layer, w->look.head),
             w->look.of == ATTENTION_SELF ? "past" : "source",
             w->look.way == LOOKS_AT ? "looks at" : "is looked at by",
             OPTION_PARTS[w->look.amount]);
    cJSON *notes = cJSON_AddArrayToObject(j, "notes");
    for (int i = 0; i < w->now->n_notes; i++) {
        const struct inspect_note *n = &w->now->notes[i];
        const struct note_name name = attention_name(w, i);
        json_add(json_item(notes),
                 "number %lld bar %lld beat %.6f track %d name %s pitch %d tick %lld "
                 "length %lld heard %hhd",
                 (long long)name.number, (long long)name.bar, name.beat, n->track + 1,
                 name.pitch, n->note.pitch, (long long)n->note.start,
                 (long long)n->note.length, n->is_source);
    }
    if (t->by_token)
        add_tokens(j, "tokens", w, w->now->tokens, w->now->n_tokens);
    if (t->by_token && w->keys != w->now->tokens)
        add_tokens(j, "keys", w, w->keys, w->n_keys);
    cJSON *other = t->by_token ? NULL : cJSON_AddArrayToObject(j, "other");
    for (int k = 0; other && k < INSPECTED_KINDS; k++)
        json_append_text(other, kind_name(k));
    char *text = j ? cJSON_PrintUnformatted(j) : NULL;
    const bool ok = text != NULL;
    if (ok) /* its last brace comes after the rows */
        fprintf(t->file, "%.*s, \"rows\": [", (int)strlen(text) - 1, text);
    cJSON_free(text);
    cJSON_Delete(j);
    return ok;
}

/* -- the file -- */

int attention_write(struct attention_work *w, const char *path, bool is_csv)
{
    struct table t = {.work = w, .by_token = w->o->by_token};
    struct output_file out;
    t.row =
        calloc((size_t)(w->now->n_notes + w->n_keys) + INSPECTED_KINDS, sizeof *t.row);
    if (!t.row)
        return say_midi_error(path, MIDI_NO_MEMORY);
    errno = 0;
    if (!output_file_open(&out, path)) {
        free(t.row);
        return say_midi_error(path, MIDI_CANNOT_WRITE);
    }
    t.file = out.stream;
    if (is_csv)
        fprintf(t.file, "%s%s\n",
                t.by_token ? "token,token_name,token_says,token_note,"
                             "key,key_name,key_says,key_note,"
                           : "query,query_bar,query_beat,query_track,query_pitch,"
                             "key,key_bar,key_beat,key_track,key_pitch,",
                OPTION_PARTS[w->look.amount]);
    int status =
        is_csv || write_json_head(&t) ? 0 : say_midi_error(path, MIDI_NO_MEMORY);
    /* Each requested row is computed and written, of a note or of a single token. If a note or a bar is
     * named, its tokens alone have rows; the first token has none, since nothing chose it. */
    const int n = t.by_token ? w->now->n_tokens : w->now->n_notes,
              n_kinds = t.by_token ? 0 : INSPECTED_KINDS,
              n_columns = t.by_token ? w->n_keys : w->now->n_notes + n_kinds;
    float *other = t.row + w->now->n_notes;
    const char *separator = "";
    for (int at = t.by_token; !status && at < n; at++) {
        const int note = t.by_token ? w->now->tokens[at].note : at;
        const bool is_all = t.by_token && !w->o->note && !w->o->bar;
        if (!is_all && (note < 0 || !w->notes[note].is_chosen))
            continue;
        say_progress("rows written:", at, n);
        const enum inspection_state state =
            t.by_token ? inspection_row(w->inspection, at - 1, &w->look, t.row)
                       : inspection_weights(w->inspection, at, &w->look, t.row, other);
        if (state) {
            status = attention_failed(w);
            continue;
        }
        for (int k = 0; is_csv && k < n_columns; k++)
            if (isfinite(t.row[k]) && t.row[k] != 0) {
                write_item(&t, w->now->tokens, at);
                putc(',', t.file);
                write_item(&t, w->keys, k);
                fprintf(t.file, ",%.7g\n", (double)t.row[k]);
            }
        if (is_csv)
            continue;
        fprintf(t.file, "%s\n  {\"%s\": %d, ", separator, t.by_token ? "token" : "note",
                at);
        write_numbers(t.file, t.by_token ? OPTION_PARTS[w->look.amount] : "notes",
                      t.row, n_columns - n_kinds);
        if (!t.by_token)
            fputs(", ", t.file);
        if (!t.by_token)
            write_numbers(t.file, "other", other, n_kinds);
        putc('}', t.file);
        separator = ",";
    }
    if (!status)
        say_progress("", 1, 1);
    if (!is_csv)
        fputs("]}\n", t.file);
    if (!output_file_close(&out, !status) && !status)
        status = say_midi_error(path, MIDI_CANNOT_WRITE);
    free(t.row);
    return status;
}
