/* See attention_work.h. JSON is written as it is computed: there may be much of it. */
#include "app/inspection/attention_work.h"

#include "app/base/say.h"
#include "app/base/paths.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A table that is being written; row has room for all notes, and for all keys. */
struct table {
    struct attention_work *work;
    FILE *file;
    float *row;
    float other[INSPECTED_KINDS];
    const char *separator; /* before the next row of JSON */
};

static const char *kind_name(int kind)
{
    return inspected_part_name((enum inspected_part)(INSPECTED_NOTE_PARTS + kind));
}

static void write_note(FILE *f, const struct attention_work *w, int note)
{
    struct note_name n = attention_name(w, note);
    if (n.number)
        fprintf(f, "%lld", (long long)n.number);
    fprintf(f, ",%lld,%.6g,%d,%s", (long long)n.bar, n.beat, w->notes[note].track + 1,
            n.pitch);
}

/* What there is nothing of is left out. */
static void write_csv_row(struct table *t, int note)
{
    const struct attention_work *w = t->work;
    for (int k = 0; k < w->n_notes + INSPECTED_KINDS; k++) {
        int kind = k - w->n_notes;
        float x = kind < 0 ? t->row[k] : t->other[kind];
        if (!isfinite(x) || x == 0)
            continue;
        write_note(t->file, w, note);
        putc(',', t->file);
        if (kind < 0)
            write_note(t->file, w, k);
        else
            fprintf(t->file, ",,,,(%s)", kind_name(kind));
        fprintf(t->file, ",%.7g\n", (double)x);
    }
}

/* A string of JSON. */
static void table_write_text(FILE *f, const char *text)
{
    char safe[4096];
    cJSON *item = cJSON_CreateString(say_copy(safe, sizeof safe, text));
    char *printed = item ? cJSON_PrintUnformatted(item) : NULL;
    fputs(printed ? printed : "\"\"", f);
    cJSON_free(printed);
    cJSON_Delete(item);
}

/* "name": [x, ...], with null for values that are not finite. */
static void table_write_numbers(FILE *f, const char *name, const float *x, int n)
{
    fprintf(f, "\"%s\": [", name);
    for (int i = 0; i < n; i++)
        if (isfinite(x[i]))
            fprintf(f, "%s%.7g", i ? ", " : "", (double)x[i]);
        else
            fprintf(f, "%snull", i ? ", " : "");
    putc(']', f);
}

static void write_choice(FILE *f, const char *name, int choice)
{
    if (choice < 0)
        fprintf(f, "\"%s\": \"all\", ", name);
    else
        fprintf(f, "\"%s\": %d, ", name, choice + 1);
}

/* The beginning of the JSON object, up to "part". */
static void table_write_about(const struct table *t)
{
    const struct attention_work *w = t->work;
    const struct model_config *c = &w->model->config;
    const char *name = w->look.of == ATTENTION_SELF
                           ? head_names_of(&w->names, w->look.layer, w->look.head)
                           : "";
    fputs("{\"file\": ", t->file);
    table_write_text(t->file, w->o->file);
    fputs(", \"model\": {\"file\": ", t->file);
    table_write_text(t->file, w->model_path);
    fprintf(t->file,
            ", \"hash\": \"%016llx\", \"layers\": %d, \"heads\": %d, \"mixing\": "
            "\"%s\", \"block\": %d},\n \"style\": \"%s\", ",
            (unsigned long long)model_hash(w->model), c->n_layers, c->n_heads,
            model_mixings[c->mixing], c->block, attention_style(w));
    write_choice(t->file, "layer", w->look.layer);
    write_choice(t->file, "head", w->look.head);
    fputs("\"name\": ", t->file);
    table_write_text(t->file, name);
    fprintf(t->file, ", \"of\": \"%s\", \"way\": \"%s\", \"part\": \"%s\",\n",
            w->look.of == ATTENTION_SELF ? "past" : "source",
            w->look.way == LOOKS_AT ? "looks at" : "is looked at by",
            OPTION_PARTS[w->part]);
}

static void table_write_notes(const struct table *t)
{
    const struct attention_work *w = t->work;
    fputs(" \"notes\": [", t->file);
    for (int i = 0; i < w->n_notes; i++) {
        const struct inspected_note *n = &w->notes[i];
        struct note_name name = attention_name(w, i);
        fprintf(t->file,
                "%s\n  {\"number\": %lld, \"bar\": %lld, \"beat\": %.6g, \"track\": "
                "%d, \"name\": \"%s\", \"pitch\": %d, \"tick\": %lld, \"length\": "
                "%lld, \"heard\": %s}",
                i ? "," : "", (long long)name.number, (long long)name.bar, name.beat,
                n->track + 1, name.pitch, n->pitch, (long long)n->tick,
                (long long)n->length, n->is_source ? "true" : "false");
    }
    fputs("],\n", t->file);
}

/* -- by single tokens: what the query that chose each token gave to every key -- */

/* "PITCH 60,pitch,12": the token, its part, and the number of its note. */
static void write_token(FILE *f, const struct attention_work *w,
                        const struct inspected_token *t)
{
    char name[32];
    fprintf(f, "%s,%s,",
            inspection_token_name(w->inspection, t->token, name, sizeof name),
            inspected_part_name(t->part));
    int64_t number = t->note >= 0 ? attention_name(w, t->note).number : 0;
    if (number)
        fprintf(f, "%lld", (long long)number);
}

/* What there is nothing of is left out. */
static void write_csv_token(struct table *t, int token)
{
    const struct attention_work *w = t->work;
    for (int k = 0; k < w->n_keys; k++) {
        if (!isfinite(t->row[k]) || t->row[k] == 0)
            continue;
        fprintf(t->file, "%d,", token);
        write_token(t->file, w, &w->tokens[token]);
        fprintf(t->file, ",%d,", k);
        write_token(t->file, w, &w->keys[k]);
        fprintf(t->file, ",%.7g\n", (double)t->row[k]);
    }
}

static void write_list(const struct table *t, const char *list,
                       const struct inspected_token *tokens, int n)
{
    char name[32];
    fprintf(t->file, " \"%s\": [", list);
    for (int i = 0; i < n; i++) {
        const struct inspected_token *k = &tokens[i];
        fprintf(t->file,
                "%s\n  {\"token\": %d, \"name\": \"%s\", \"says\": \"%s\", \"note\": ",
                i ? "," : "", (int)k->token,
                inspection_token_name(t->work->inspection, k->token, name, sizeof name),
                inspected_part_name(k->part));
        if (k->note >= 0)
            fprintf(t->file, "%d", k->note);
        else
            fputs("null", t->file);
        fprintf(t->file, ", \"time\": %d}", (int)k->time);
    }
    fputs("],\n", t->file);
}

static void write_json_row(struct table *t, int at)
{
    const struct attention_work *w = t->work;
    fprintf(t->file, "%s\n  {\"%s\": %d, ", t->separator,
            w->o->by_token ? "token" : "note", at);
    if (w->o->by_token) {
        table_write_numbers(t->file, OPTION_PARTS[w->part], t->row, w->n_keys);
    } else {
        table_write_numbers(t->file, "notes", t->row, w->n_notes);
        fputs(", ", t->file);
        table_write_numbers(t->file, "other", t->other, INSPECTED_KINDS);
    }
    putc('}', t->file);
    t->separator = ",";
}

/* Computes and writes each requested row, of a note or of a single token. */
static int each_row(struct table *t, void (*write)(struct table *t, int at))
{
    const struct attention_work *w = t->work;
    const bool by_token = w->o->by_token, is_all = !w->o->note && !w->o->bar;
    const int n = by_token ? w->n_tokens : w->n_asked;
    int status = 0;
    for (int i = by_token; !status && i < n; i++) { /* none chose the first token */
        if (by_token && !is_all && !attention_is_asked(w, w->tokens[i].note))
            continue; /* where a note or a bar is named, its tokens alone */
        const int at = by_token ? i : w->asked[i];
        status = by_token ? attention_token_row(t->work, at - 1, t->row)
                          : attention_row(t->work, at, t->row, t->other);
        if (!status)
            write(t, at);
    }
    return status;
}

static void write_csv_head(const struct table *t)
{
    const bool by_token = t->work->o->by_token;
    fprintf(t->file, "%s%s\n",
            by_token ? "token,token_name,token_says,token_note,"
                       "key,key_name,key_says,key_note,"
                     : "query,query_bar,query_beat,query_track,query_pitch,"
                       "key,key_bar,key_beat,key_track,key_pitch,",
            OPTION_PARTS[t->work->part]);
}

static void write_json_head(const struct table *t)
{
    const struct attention_work *w = t->work;
    table_write_about(t);
    table_write_notes(t);
    if (w->o->by_token)
        write_list(t, "tokens", w->tokens, w->n_tokens);
    else
        fputs(" \"other\": [", t->file);
    for (int k = 0; !w->o->by_token && k < INSPECTED_KINDS; k++)
        fprintf(t->file, "%s\"%s\"%s", k ? ", " : "", kind_name(k),
                k + 1 < INSPECTED_KINDS ? "" : "],\n");
    if (w->o->by_token && w->keys != w->tokens)
        write_list(t, "keys", w->keys, w->n_keys);
    fputs(" \"rows\": [", t->file);
}

/* -- the file -- */

int attention_write(struct attention_work *w, const char *path, bool is_csv)
{
    struct table t = {.work = w, .separator = ""};
    const int n = w->n_notes > w->n_keys ? w->n_notes : w->n_keys;
    t.row = calloc((size_t)n + 1, sizeof *t.row);
    errno = 0;
    struct output_file out;
    if (!t.row || !output_file_open(&out, path)) {
        free(t.row);
        return say_midi_error(path, MIDI_CANNOT_WRITE);
    }
    t.file = out.stream;
    (is_csv ? write_csv_head : write_json_head)(&t);
    int status = each_row(&t, !is_csv          ? write_json_row
                              : w->o->by_token ? write_csv_token
                                               : write_csv_row);
    if (!is_csv)
        fputs("]}\n", t.file);
    if (!output_file_close(&out, !status) && !status)
        status = say_midi_error(path, MIDI_CANNOT_WRITE);
    free(t.row);
    return status;
}
