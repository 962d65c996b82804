/* Where a model's weights come from; models/FORMAT.md explains the fields. */
#include "app/lab/training/train_session.h"

#include "app/base/json_fields.h"
#include "app/decoding/metadata.h"

#include <math.h>
#include <time.h>

/* NULL: none. */
static void add_corpora(cJSON *list, const struct corpus *c)
{
    const enum corpus_split train = CORPUS_TRAIN;
    for (int i = 0; c && i < c->n_groups; i++) {
        const struct corpus_group *g = &c->groups[i];
        if (g->n_pieces[train])
            json_add(json_item(list),
                     "name %s style %s pieces %d notes %lld tokens %lld", g->name,
                     style_name(g->style), g->n_pieces[train],
                     (long long)g->n_notes[train], (long long)g->n_tokens[train]);
    }
}

static void add_training(cJSON *j, const struct train_session *s)
{
    const struct train_options *o = &s->options;
    json_add(j, "steps %lld tokens_seen %g minutes %.4f batch %d length %d",
             (long long)trainer_steps(s->trainer), train_session_tokens(s),
             train_session_seconds(s) / 60.0, o->batch, o->length);
    if (o->source_length)
        json_add(j, "source_length %d", o->source_length);
    json_add(j,
             "optimiser %s schedule %s learning_rate %.4f dropout %.4f weight_decay "
             "%.4f",
             train_optimisers[o->optimiser], train_schedules[o->schedule],
             (double)o->lr, (double)o->dropout, (double)o->weight_decay);
    cJSON_AddNumberToObject(j, "seed", (double)o->seed);
}

/* Four decimals are more than a loss is good for. Losses are null where nothing is held out. */
static void add_validation(cJSON *j, const struct train_session *s)
{
    const struct baseline *b = &s->held_out.baseline;
    cJSON *v = cJSON_AddObjectToObject(j, "validation");
    double tokens = (double)b->n_tokens, notes = (double)b->n_notes;
    const double nats = s->own.token * tokens;
    json_add(v, "windows %d tokens %g notes %g nats_per_token %.4f nats_per_note %.4f",
             s->held_out.rows->n, tokens, notes, nats / tokens, nats / notes);
    if (!isnan(s->own.hole))
        json_add(v, "nats_per_hole_token %.4f", s->own.hole);
    json_add(v,
             "unigram_nats_per_token %.4f unigram_nats_per_note %.4f "
             "bigram_nats_per_token %.4f bigram_nats_per_note %.4f",
             b->unigram / tokens, b->unigram / notes, b->bigram / tokens,
             b->bigram / notes);
}

char *train_session_provenance(const struct train_session *s)
{
    const struct train_request *q = s->request;
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
    cJSON_AddStringToObject(j, "licence", q->licence ? q->licence : "not stated");
    if (q->from)
        cJSON_AddStringToObject(j, "from", q->from);
    cJSON *corpora = cJSON_AddArrayToObject(j, "corpora");
    add_corpora(corpora, s->music.corpus);
    add_corpora(corpora, s->music.rehearsal);
    add_training(j, s);
    add_validation(j, s);
    char *text = cJSON_PrintUnformatted(j);
    cJSON_Delete(j);
    return text;
}
