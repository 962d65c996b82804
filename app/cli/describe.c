#include "app/cli/describe.h"

#include "app/base/say.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_METADATA = 1 << 20 };

static void add_text(cJSON *j, const char *name, const char *text)
{
    char safe[4096];
    cJSON_AddStringToObject(j, name, say_copy(safe, sizeof safe, text));
}

/* A JSON object of the metadata; NULL: none, or not JSON. */
static cJSON *parse_metadata(const struct model *m, const char *key)
{
    const char *text = model_metadata(m, key);
    return text && strlen(text) < MAX_METADATA ? cJSON_Parse(text) : NULL;
}

static void add_metadata(cJSON *j, const struct model *m, const char *key)
{
    cJSON *parsed = parse_metadata(m, key);
    if (parsed)
        cJSON_AddItemToObject(j, key, parsed);
}

cJSON *describe_model(const struct model *m, const char *path)
{
    const struct model_config *c = model_config(m);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, model_hash(m));
    cJSON *j = cJSON_CreateObject();
    add_text(j, "file", path);
    cJSON_AddStringToObject(j, "kind", "model");
    cJSON_AddStringToObject(j, "hash", hash);
    cJSON_AddNumberToObject(j, "parameters", (double)model_n_parameters(m));
    cJSON_AddNumberToObject(j, "vocab", c->vocab);
    cJSON_AddNumberToObject(j, "context", c->context);
    cJSON_AddNumberToObject(j, "d_model", c->d_model);
    cJSON_AddNumberToObject(j, "n_heads", c->n_heads);
    cJSON_AddNumberToObject(j, "n_layers", c->n_layers);
    cJSON_AddNumberToObject(j, "d_ff", c->d_ff);
    add_metadata(j, m, "config");
    add_metadata(j, m, "provenance");
    return j;
}

const char *describe_model_size(const struct model *m, char *buf, size_t n_buf)
{
    const struct model_config *c = model_config(m);
    double millions = (double)model_n_parameters(m) / 1e6;
    snprintf(buf, n_buf, "%d layers of %d, %.*f million parameters, context %d%s%s",
             c->n_layers, c->d_model, millions < 1 ? 2 : 1, millions, c->context,
             c->state ? ", state" : "", c->values ? ", value embeddings" : "");
    return buf;
}

static double number(const cJSON *j, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(j, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static const char *text(const cJSON *j, const char *name)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(j, name));
    return value ? value : "";
}

/* Appends to buf, as much as fits. */
__attribute__((format(printf, 3, 4))) static void append(char *buf, size_t n_buf,
                                                         const char *format, ...)
{
    size_t used = strlen(buf);
    va_list args;
    va_start(args, format);
    vsnprintf(buf + used, n_buf - used, format, args);
    va_end(args);
}

static void append_corpora(char *buf, size_t n_buf, const cJSON *provenance)
{
    const cJSON *corpus;
    const char *between = "";
    cJSON_ArrayForEach(corpus, cJSON_GetObjectItemCaseSensitive(provenance, "corpora"))
    {
        char name[64];
        append(buf, n_buf, "%s%s", between,
               say_copy(name, sizeof name, text(corpus, "name")));
        between = ", ";
    }
}

static void append_validation(char *buf, size_t n_buf, const cJSON *provenance)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(provenance, "validation");
    double nats = number(v, "nats_per_token");
    if (isfinite(nats))
        append(buf, n_buf, "; %.3f nats a token held out (unigram %.2f, bigram %.2f)",
               nats, number(v, "unigram_nats_per_token"),
               number(v, "bigram_nats_per_token"));
}

const char *describe_provenance(const struct model *m, char *buf, size_t n_buf)
{
    cJSON *p = parse_metadata(m, "provenance");
    char licence[96];
    buf[0] = '\0';
    append_corpora(buf, n_buf, p);
    append_validation(buf, n_buf, p);
    if (*text(p, "licence"))
        append(buf, n_buf, "; %s",
               say_copy(licence, sizeof licence, text(p, "licence")));
    cJSON_Delete(p);
    return buf;
}

static cJSON *describe_track(const struct track *t)
{
    cJSON *j = cJSON_CreateObject();
    add_text(j, "name", t->name);
    cJSON_AddNumberToObject(j, "channel", t->channel + 1);
    cJSON_AddNumberToObject(j, "program", t->program + 1);
    cJSON_AddNumberToObject(j, "notes", (double)t->n_notes);
    int low = 127, high = 0;
    for (size_t i = 0; i < t->n_notes; i++) {
        low = t->notes[i].pitch < low ? t->notes[i].pitch : low;
        high = t->notes[i].pitch > high ? t->notes[i].pitch : high;
    }
    if (t->n_notes) {
        cJSON_AddNumberToObject(j, "lowest", low);
        cJSON_AddNumberToObject(j, "highest", high);
    }
    return j;
}

static void add_tempos(cJSON *j, const struct timeline *t)
{
    cJSON *list = cJSON_AddArrayToObject(j, "tempos");
    for (size_t i = 0; i < t->n_tempos; i++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddNumberToObject(one, "tick", (double)t->tempos[i].tick);
        cJSON_AddNumberToObject(one, "bpm",
                                round(6e10 / t->tempos[i].us_per_quarter) / 1e3);
        cJSON_AddItemToArray(list, one);
    }
}

static void add_meters(cJSON *j, const struct timeline *t)
{
    cJSON *list = cJSON_AddArrayToObject(j, "meters");
    for (size_t i = 0; i < t->n_meters; i++) {
        char meter[24];
        cJSON *one = cJSON_CreateObject();
        snprintf(meter, sizeof meter, "%d/%d", t->meters[i].numerator,
                 t->meters[i].denominator);
        cJSON_AddNumberToObject(one, "tick", (double)t->meters[i].tick);
        cJSON_AddNumberToObject(one, "bar", (double)t->meters[i].bar + 1);
        cJSON_AddStringToObject(one, "meter", meter);
        cJSON_AddItemToArray(list, one);
    }
}

static void add_warnings(cJSON *j, const struct smf_report *r)
{
    cJSON_AddNumberToObject(j, "n_warnings", r->n_warnings);
    cJSON *list = cJSON_AddArrayToObject(j, "warnings");
    int n_kept = (int)(sizeof r->warnings / sizeof r->warnings[0]);
    for (int i = 0; i < r->n_warnings && i < n_kept; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(r->warnings[i]));
}

cJSON *describe_score(const struct score *s, const char *path,
                      const struct smf_report *report)
{
    int64_t end = score_end_tick(s);
    size_t n_events = 0;
    for (size_t i = 0; i < s->n_chunks; i++)
        n_events += s->chunks[i].n_events;
    cJSON *j = cJSON_CreateObject();
    add_text(j, "file", path);
    cJSON_AddStringToObject(j, "kind", "midi");
    cJSON_AddNumberToObject(j, "format", s->format);
    cJSON_AddNumberToObject(j, "ticks_per_quarter", s->ticks_per_quarter);
    cJSON_AddNumberToObject(j, "end_tick", (double)end);
    cJSON_AddNumberToObject(j, "seconds", timeline_seconds(&s->timeline, (double)end));
    struct bar last = timeline_bar_at(&s->timeline, end > 0 ? end - 1 : 0);
    cJSON_AddNumberToObject(j, "bars", (double)last.index + 1);
    cJSON_AddNumberToObject(j, "notes", (double)score_n_notes(s));
    cJSON_AddNumberToObject(j, "other_events", (double)n_events);
    cJSON *tracks = cJSON_AddArrayToObject(j, "tracks");
    for (size_t i = 0; i < s->n_tracks; i++)
        cJSON_AddItemToArray(tracks, describe_track(&s->tracks[i]));
    add_tempos(j, &s->timeline);
    add_meters(j, &s->timeline);
    add_warnings(j, report);
    return j;
}
