/* See eval_loss_report.h. */
#include "app/evaluation/eval_loss_report.h"

#include "app/decoding/metadata.h"
#include "app/base/say.h"

#include <math.h>

enum { NAME_WIDTH = 26 };

static void print_row(const char *name, const struct loss_sums *s)
{
    const struct baseline *b = &s->baseline;
    if (b->n_tokens == 0)
        return;
    double tokens = (double)b->n_tokens, notes = b->n_notes ? (double)b->n_notes : NAN;
    char safe[32];
    printf("%-*s %8lld %7lld   %7.4f %7.4f %7.4f   %7.3f %7.3f %7.3f\n", NAME_WIDTH,
           say_copy(safe, sizeof safe, name), (long long)b->n_tokens,
           (long long)b->n_notes, s->nats / tokens, b->unigram / tokens,
           b->bigram / tokens, s->nats / notes, b->unigram / notes, b->bigram / notes);
}

void eval_loss_print(const struct eval_loss *l, const struct corpus *c)
{
    printf("%-*s %8s %7s   %-23s   %-23s\n", NAME_WIDTH, "", "", "", "nats a token",
           "nats a note");
    printf("%-*s %8s %7s   %7s %7s %7s   %7s %7s %7s\n", NAME_WIDTH, "corpus", "tokens",
           "notes", "model", "unigram", "bigram", "model", "unigram", "bigram");
    for (int g = 0; g < c->n_groups; g++)
        print_row(c->groups[g].name, &l->groups[g]);
    puts("style");
    for (int s = 0; s < STYLE_COUNT; s++)
        print_row(style_name((enum style)s), &l->styles[s]);
    print_row("all", &l->all);
    fflush(stdout); /* there may be minutes before the rest */
}

/* kind: "corpus" or "style". */
static cJSON *row_json(const char *kind, const char *name, const struct loss_sums *s)
{
    const struct baseline *b = &s->baseline;
    double tokens = (double)b->n_tokens, notes = b->n_notes ? (double)b->n_notes : 1;
    char safe[128];
    cJSON *j = cJSON_CreateObject();
    cJSON_AddStringToObject(j, kind, say_copy(safe, sizeof safe, name));
    cJSON_AddNumberToObject(j, "tokens", tokens);
    cJSON_AddNumberToObject(j, "notes", (double)b->n_notes);
    cJSON_AddNumberToObject(j, "nats_per_token", s->nats / tokens);
    cJSON_AddNumberToObject(j, "nats_per_note", s->nats / notes);
    cJSON_AddNumberToObject(j, "unigram_nats_per_token", b->unigram / tokens);
    cJSON_AddNumberToObject(j, "unigram_nats_per_note", b->unigram / notes);
    cJSON_AddNumberToObject(j, "bigram_nats_per_token", b->bigram / tokens);
    cJSON_AddNumberToObject(j, "bigram_nats_per_note", b->bigram / notes);
    return j;
}

static void add_row(cJSON *rows, const char *kind, const char *name,
                    const struct loss_sums *s)
{
    if (s->baseline.n_tokens)
        cJSON_AddItemToArray(rows, row_json(kind, name, s));
}

void eval_loss_add_json(const struct eval_loss *l, const struct corpus *c, cJSON *j)
{
    cJSON *rows = cJSON_AddArrayToObject(j, "corpora");
    for (int g = 0; g < c->n_groups; g++)
        add_row(rows, "corpus", c->groups[g].name, &l->groups[g]);
    rows = cJSON_AddArrayToObject(j, "styles");
    for (int s = 0; s < STYLE_COUNT; s++)
        add_row(rows, "style", style_name((enum style)s), &l->styles[s]);
    cJSON_AddItemToObject(j, "all", row_json("corpus", "all", &l->all));
}
