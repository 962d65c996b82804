/* See attention_work.h. Rows are written as they are computed: there may be much of them. */
#include "app/inspection/attention_work.h"

#include "app/base/json_fields.h"
#include "app/base/paths.h"
#include "app/base/say.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    struct attention_work *work;
    FILE *file;
    bool by_token;         /* else by note */
    float *row;            /* of all keys, or of all notes */
    float *other;          /* and then of the kinds of other tokens */
    const char *separator; /* before the next row of JSON */
};

static const char *kind_name(int kind)
{
    return inspected_part_name((enum inspected_part)(INSPECTED_NOTE_PARTS + kind));
}

/* -- CSV -- */

static void write_note(FILE *f, const struct attention_work *w, int note)
{
    struct note_name n = attention_name(w, note);
    if (n.number)
        fprintf(f, "%lld", (long long)n.number);
    fprintf(f, ",%lld,%.6g,%d,%s", (long long)n.bar, n.beat,
            w->now.notes[note].track + 1, n.pitch);
}

/* "17,PITCH 60,pitch,12": its place, the token, its part, and the number of its note. */
static void write_token(FILE *f, const struct attention_work *w, int place,
                        const struct inspected_token *t)
{
    char name[32];
    fprintf(f, "%d,%s,%s,", place,
            inspection_token_name(w->inspection, t->token, name, sizeof name),
            inspected_part_name(t->part));
    int64_t number = t->note >= 0 ? attention_name(w, t->note).number : 0;
    if (number)
        fprintf(f, "%lld", (long long)number);
}

/* What there is nothing of is left out. */
static void write_csv_row(struct table *t, int at)
{
    const struct attention_work *w = t->work;
    const int n = t->by_token ? w->n_keys : w->now.n_notes + INSPECTED_KINDS;
    for (int k = 0; k < n; k++) {
        if (!isfinite(t->row[k]) || t->row[k] == 0)
            continue;
        if (t->by_token)
            write_token(t->file, w, at, &w->now.tokens[at]);
        else
            write_note(t->file, w, at);
        putc(',', t->file);
        if (t->by_token)
            write_token(t->file, w, k, &w->keys[k]);
        else if (k < w->now.n_notes)
            write_note(t->file, w, k);
        else
            fprintf(t->file, ",,,,(%s)", kind_name(k - w->now.n_notes));
        fprintf(t->file, ",%.7g\n", (double)t->row[k]);
    }
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
        json_append(to, "token %d name %s says %s note %g time %d", (int)k->token,
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
    json_nest(j, "model", "file %s hash %016llx layers %d heads %d mixing %s block %d",
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
    for (int i = 0; i < w->now.n_notes; i++) {
        const struct inspect_note *n = &w->now.notes[i];
        const struct note_name name = attention_name(w, i);
        json_append(
            notes,
            "number %lld bar %lld beat %.6f track %d name %s pitch %d tick %lld "
            "length %lld heard %hhd",
            (long long)name.number, (long long)name.bar, name.beat, n->track + 1,
            name.pitch, n->note.pitch, (long long)n->note.start,
            (long long)n->note.length, n->is_source);
    }
    if (t->by_token)
        add_tokens(j, "tokens", w, w->now.tokens, w->now.n_tokens);
    if (t->by_token && w->keys != w->now.tokens)
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

static void write_json_row(struct table *t, int at)
{
    const struct attention_work *w = t->work;
    fprintf(t->file, "%s\n  {\"%s\": %d, ", t->separator,
            t->by_token ? "token" : "note", at);
    if (t->by_token) {
        write_numbers(t->file, OPTION_PARTS[w->look.amount], t->row, w->n_keys);
    } else {
        write_numbers(t->file, "notes", t->row, w->now.n_notes);
        fputs(", ", t->file);
        write_numbers(t->file, "other", t->other, INSPECTED_KINDS);
    }
    putc('}', t->file);
    t->separator = ",";
}

/* -- the file -- */

/* Computes and writes each requested row, of a note or of a single token. Where a note or a
 * bar is named, its tokens alone; none chose the first token. */
static int write_rows(struct table *t, void (*write)(struct table *t, int at))
{
    struct attention_work *w = t->work;
    const bool is_all = !w->o->note && !w->o->bar;
    const int n = t->by_token ? w->now.n_tokens : w->now.n_notes;
    for (int at = t->by_token; at < n; at++) {
        const int note = t->by_token ? w->now.tokens[at].note : at;
        if (!(t->by_token && is_all) && (note < 0 || !w->notes[note].is_chosen))
            continue;
        say_progress("rows written:", at, n);
        if ((t->by_token ? inspection_row(w->inspection, at - 1, &w->look, t->row)
                         : inspection_weights(w->inspection, at, &w->look, t->row,
                                              t->other)) != INSPECTION_DONE)
            return attention_failed(w);
        write(t, at);
    }
    say_progress("", 1, 1);
    return 0;
}

int attention_write(struct attention_work *w, const char *path, bool is_csv)
{
    struct table t = {.work = w, .by_token = w->o->by_token, .separator = ""};
    struct output_file out;
    t.row =
        calloc((size_t)(w->now.n_notes + w->n_keys) + INSPECTED_KINDS, sizeof *t.row);
    if (!t.row)
        return say_midi_error(path, MIDI_NO_MEMORY);
    errno = 0;
    if (!output_file_open(&out, path)) {
        free(t.row);
        return say_midi_error(path, MIDI_CANNOT_WRITE);
    }
    t.other = t.row + w->now.n_notes;
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
    if (!status)
        status = write_rows(&t, is_csv ? write_csv_row : write_json_row);
    if (!is_csv)
        fputs("]}\n", t.file);
    if (!output_file_close(&out, !status) && !status)
        status = say_midi_error(path, MIDI_CANNOT_WRITE);
    free(t.row);
    return status;
}
