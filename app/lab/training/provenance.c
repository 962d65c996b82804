/* Where a model's weights come from; models/FORMAT.md explains the fields. */
#include "app/lab/training/train_session.h"

#include "app/base/json_fields.h"
#include "app/decoding/metadata.h"

#include <math.h>
#include <time.h>

/* Four decimals are more than a loss is good for. */
static void add_rounded(cJSON *j, const char *name, double x)
{
    cJSON_AddNumberToObject(j, name, isfinite(x) ? round(x * 1e4) / 1e4 : 0.0);
}

/* NULL: none. */
static void add_corpora(cJSON *list, const struct corpus *c)
{
    const enum corpus_split train = CORPUS_TRAIN;
    for (int i = 0; c && i < c->n_groups; i++) {
        const struct corpus_group *g = &c->groups[i];
        if (g->n_pieces[train])
            json_append(list, "name %s style %s pieces %d notes %lld tokens %lld",
                        g->name, style_name(g->style), g->n_pieces[train],
                        (long long)g->n_notes[train], (long long)g->n_tokens[train]);
    }
}

static void add_training(cJSON *j, const struct provenance *p)
{
    const struct train_options *o = &p->options;
    json_add(j, "steps %lld tokens_seen %g", (long long)p->steps, p->tokens);
    add_rounded(j, "minutes", p->minutes);
    json_add(j, "batch %d length %d", o->batch, o->length);
    if (o->source_length)
        cJSON_AddNumberToObject(j, "source_length", o->source_length);
    json_add(j, "optimiser %s schedule %s", train_optimisers[o->optimiser],
             train_schedules[o->schedule]);
    add_rounded(j, "learning_rate", (double)o->lr);
    add_rounded(j, "dropout", (double)o->dropout);
    add_rounded(j, "weight_decay", (double)o->weight_decay);
    cJSON_AddNumberToObject(j, "seed", (double)o->seed);
}

static void add_validation(cJSON *j, const struct provenance *p)
{
    const struct baseline *b = &p->baseline;
    cJSON *v = cJSON_AddObjectToObject(j, "validation");
    double tokens = (double)b->n_tokens, notes = (double)b->n_notes;
    json_add(v, "windows %d tokens %g notes %g", p->n_windows, tokens, notes);
    add_rounded(v, "nats_per_token", p->nats / tokens);
    add_rounded(v, "nats_per_note", p->nats / notes);
    if (!isnan(p->hole_nats))
        add_rounded(v, "nats_per_hole_token", p->hole_nats);
    add_rounded(v, "unigram_nats_per_token", b->unigram / tokens);
    add_rounded(v, "unigram_nats_per_note", b->unigram / notes);
    add_rounded(v, "bigram_nats_per_token", b->bigram / tokens);
    add_rounded(v, "bigram_nats_per_note", b->bigram / notes);
}

char *provenance_json(const struct provenance *p)
{
    char date[16] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%d", &utc);

    cJSON *j = cJSON_CreateObject();
    cJSON_AddStringToObject(j, "program", "continuo");
    cJSON_AddStringToObject(j, "date", date);
#ifdef CONTINUO_COMMIT
    cJSON_AddStringToObject(j, "commit", CONTINUO_COMMIT);
#endif
    cJSON_AddStringToObject(j, "licence", p->licence ? p->licence : "not stated");
    if (p->from)
        cJSON_AddStringToObject(j, "from", p->from);
    cJSON *corpora = cJSON_AddArrayToObject(j, "corpora");
    add_corpora(corpora, p->corpus);
    add_corpora(corpora, p->rehearsal);
    add_training(j, p);
    add_validation(j, p);
    char *text = cJSON_PrintUnformatted(j);
    cJSON_Delete(j);
    return text;
}
