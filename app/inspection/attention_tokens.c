/* Attention by single tokens: what the query that chose each token gave to every token
 * before, or to what is heard. See attention_table.h. */
#include "app/inspection/attention_table_internal.h"

#include <math.h>

/* The first token is chosen by none. Where a note or a bar is named, its tokens alone. */
static bool is_asked(const struct attention_work *w, int token)
{
    if (token == 0)
        return false;
    if (!w->o->note && !w->o->bar)
        return true;
    for (int i = 0; i < w->n_asked; i++)
        if (w->tokens[token].note == w->asked[i])
            return true;
    return false;
}

/* "PITCH 60,pitch,12": what it is, what it says, and the number of its note. */
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
static void write_csv_row(const struct table *t, int token)
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

int tokens_write_csv(struct table *t)
{
    const struct attention_work *w = t->work;
    int status = 0;
    fprintf(t->file,
            "token,token_name,token_says,token_note,"
            "key,key_name,key_says,key_note,%s\n",
            attention_parts[w->part]);
    for (int k = 0; !status && k < w->n_tokens; k++) {
        if (!is_asked(w, k))
            continue;
        status = attention_token_row(t->work, k - 1, t->row);
        if (!status)
            write_csv_row(t, k);
    }
    return status;
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

int tokens_write_json(struct table *t)
{
    const struct attention_work *w = t->work;
    const char *separator = "";
    int status = 0;
    table_write_about(t);
    table_write_notes(t);
    write_list(t, "tokens", w->tokens, w->n_tokens);
    if (w->keys != w->tokens)
        write_list(t, "keys", w->keys, w->n_keys);
    fputs(" \"rows\": [", t->file);
    for (int k = 0; !status && k < w->n_tokens; k++) {
        if (!is_asked(w, k))
            continue;
        status = attention_token_row(t->work, k - 1, t->row);
        fprintf(t->file, "%s\n  {\"token\": %d, ", separator, k);
        table_write_numbers(t->file, attention_parts[w->part], t->row, w->n_keys);
        putc('}', t->file);
        separator = ",";
    }
    fputs("]}\n", t->file);
    return status;
}
