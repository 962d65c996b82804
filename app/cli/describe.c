#include "app/cli/verbs.h"

#include "app/decoding/styles.h"

#include "midi/edit/held.h"
#include "tui/base/names.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "app/decoding/metadata.h"
#include "app/base/json_fields.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/chord.h"

#include <math.h>
#include <string.h>

enum { MAX_METADATA = 1 << 20 };

/* Parses a value of the metadata; NULL: there is none, or it is not JSON. */
static cJSON *parse_metadata(const struct model *m, const char *key)
{
    const char *text = model_metadata(m, key);
    return text && strlen(text) < MAX_METADATA ? cJSON_Parse(text) : NULL;
}

cJSON *describe_model(const struct model *m, const char *path)
{
    const struct model_config *c = &m->config;
    cJSON *j = json_add(cJSON_CreateObject(),
                        "file %s kind %s hash %016llx parameters %lld vocab %d "
                        "context %d d_model %d n_heads %d n_layers %d d_ff %d",
                        path, "model", (unsigned long long)model_hash(m),
                        (long long)m->n_parameters, c->vocab, c->context, c->d_model,
                        c->n_heads, c->n_layers, c->d_ff);
    cJSON_AddItemToObject(j, "config", parse_metadata(m, "config")); /* NULL: none */
    cJSON_AddItemToObject(j, "provenance", parse_metadata(m, "provenance"));
    return j;
}

const char *describe_model_size(const struct model *m, char *buf, size_t n_buf)
{
    const struct model_config *c = &m->config;
    double millions = (double)m->n_parameters / 1e6;
    snprintf(buf, n_buf, "%d layers of %d, %.*f million parameters, context %d%s%s",
             c->n_layers, c->d_model, millions < 1 ? 2 : 1, millions, c->context,
             c->state ? ", state" : "", c->values ? ", value embeddings" : "");
    return buf;
}

static const char *text_of(const cJSON *from, const char *name)
{
    const char *text = json_text(from, name);
    return text ? text : "";
}

/* Returns the style of a corpus; -1: it has none that we know. */
static int find_style(const cJSON *corpus)
{
    for (int s = 0; s < STYLE_COUNT; s++)
        if (!strcmp(text_of(corpus, "style"), style_name((enum style)s)))
            return s;
    return -1;
}

/* Appends "folk: ceol-rince, oldtime-tunes; hymn: open-hymnal". */
static void append_corpora(char *buf, size_t n_buf, const cJSON *corpora)
{
    const cJSON *corpus;
    char name[64];
    for (int s = -1; s < STYLE_COUNT; s++) {
        bool is_first = true;
        cJSON_ArrayForEach(corpus, corpora)
        {
            if (find_style(corpus) != s)
                continue;
            text_append(buf, n_buf, "%s", !is_first ? ", " : *buf ? "; " : "");
            if (is_first && s >= 0)
                text_append(buf, n_buf, "%s: ", style_name((enum style)s));
            text_append(buf, n_buf, "%s",
                        say_copy(name, sizeof name, text_of(corpus, "name")));
            is_first = false;
        }
    }
}

const char *describe_provenance(const struct model *m, char *buf, size_t n_buf)
{
    cJSON *p = parse_metadata(m, "provenance");
    const cJSON *v = json_get(p, "validation");
    char licence[96];
    buf[0] = '\0';
    append_corpora(buf, n_buf, json_get(p, "corpora"));
    double nats = json_number(v, "nats_per_token");
    if (isfinite(nats))
        text_append(buf, n_buf,
                    "; %.3f nats per token held out (unigram %.2f, bigram %.2f)", nats,
                    json_number(v, "unigram_nats_per_token"),
                    json_number(v, "bigram_nats_per_token"));
    if (*text_of(p, "licence"))
        text_append(buf, n_buf, "; %s",
                    say_copy(licence, sizeof licence, text_of(p, "licence")));
    cJSON_Delete(p);
    return buf;
}

/* Adds a track. Its instrument is "Church Organ, String Ensemble 1 from bar 3", its place "1" or "1 of
 * port 2". */
static void add_track(cJSON *list, size_t index, const struct score *s)
{
    enum { MOST = 8 };
    const struct track *t = &s->tracks[index];
    struct control_point programs[MOST];
    char instruments[512], where[32];
    const int channel = track_sound_channel(t), port = s->chunks[t->chunk].port,
              n_programs = held_programs(s, (int)index, programs, MOST);
    snprintf(instruments, sizeof instruments, "%s",
             program_name(channel, programs[0].value));
    for (int i = 1; i < n_programs; i++)
        text_append(instruments, sizeof instruments, ", %s from bar %lld",
                    program_name(channel, programs[i].value),
                    (long long)timeline_bar_at(&s->timeline, programs[i].tick).index +
                        1);
    snprintf(where, sizeof where, port ? "%d of port %d" : "%d", t->channel + 1,
             port + 1);
    int low = 127, high = 0;
    for (size_t i = 0; i < t->n_notes; i++) {
        low = t->notes[i].pitch < low ? t->notes[i].pitch : low;
        high = t->notes[i].pitch > high ? t->notes[i].pitch : high;
    }
    cJSON *j =
        json_add(json_item(list), "track %zu name %s channel %d program %d notes %zu",
                 index + 1, t->name, t->channel + 1, programs[0].value + 1, t->n_notes);
    json_add(j, "instrument %s", instruments);
    if (port)
        json_add(j, "port %d", port);
    json_add(j, "where %s", where);
    if (t->n_notes)
        json_add(j, "lowest %d highest %d", low, high);
}

/* Adds the list `name` of the keys or the chords, with their texts in `field`. */
static void add_events(cJSON *j, const struct score *s, enum timeline_kind kind,
                       const char *name, const char *field)
{
    struct timeline_events all;
    cJSON *list = cJSON_AddArrayToObject(j, name);
    if (timeline_events_collect(&all, s, TIMELINE_BIT(kind)))
        return;
    for (size_t i = 0; i < all.n; i++) {
        const struct timeline_event *e = &all.list[i];
        char symbol[CHORD_TEXT];
        json_add(json_item(list), "tick %lld bar %lld %s %s", (long long)e->tick,
                 (long long)timeline_bar_at(&s->timeline, e->tick).index + 1, field,
                 kind == TIMELINE_KEY
                     ? key_signature_name(e->sharps, e->minor)
                     : timeline_event_copy_text(s, e, symbol, sizeof symbol));
    }
    timeline_events_fini(&all);
}

cJSON *describe_score(const struct score *s, const char *path,
                      const struct smf_report *report)
{
    const struct timeline *t = &s->timeline;
    const int n_warnings = (int)(sizeof report->warnings / sizeof report->warnings[0]);
    struct piece p = {0};
    double x[N_STYLE_FEATURES];
    int64_t end = score_end_tick(s);
    size_t n_events = 0;
    for (size_t i = 0; i < s->n_chunks; i++)
        n_events += s->chunks[i].n_events;
    struct bar last = timeline_bar_at(t, end > 0 ? end - 1 : 0);
    cJSON *j = json_add(cJSON_CreateObject(),
                        "file %s kind %s format %d ticks_per_quarter %d end_tick %lld "
                        "seconds %g bars %lld notes %zu other_events %zu",
                        path, "midi", s->format, s->ticks_per_quarter, (long long)end,
                        timeline_seconds(t, (double)end), (long long)last.index + 1,
                        score_n_notes(s), n_events);
    cJSON *tracks = cJSON_AddArrayToObject(j, "tracks");
    for (size_t i = 0; i < s->n_tracks; i++)
        add_track(tracks, i, s);
    cJSON *list = cJSON_AddArrayToObject(j, "tempos");
    for (size_t i = 0; i < t->n_tempos; i++)
        json_add(json_item(list), "tick %lld bpm %.3f", (long long)t->tempos[i].tick,
                 6e7 / t->tempos[i].us_per_quarter);
    list = cJSON_AddArrayToObject(j, "meters");
    for (size_t i = 0; i < t->n_meters; i++) {
        char meter[24];
        snprintf(meter, sizeof meter, "%d/%d", t->meters[i].numerator,
                 t->meters[i].denominator);
        json_add(json_item(list), "tick %lld bar %lld meter %s",
                 (long long)t->meters[i].tick, (long long)t->meters[i].bar + 1, meter);
    }
    add_events(j, s, TIMELINE_KEY, "keys", "key");
    add_events(j, s, TIMELINE_CHORD, "chords", "symbol");
    /* The guessed style, but not of music that models cannot read. */
    if (!piece_from_score(&p, s, STYLE_ANY, NULL, 0) && p.n_notes &&
        !style_features(x, &p)) {
        const enum style style = style_likeliest(x, &p, ~UINT64_C(0));
        cJSON *o = json_add(cJSON_AddObjectToObject(j, "style"), "guess %s",
                            style_name(style));
        cJSON *features = cJSON_AddObjectToObject(o, "features");
        for (int f = 0; f < N_STYLE_FEATURES; f++)
            cJSON_AddNumberToObject(features, style_feature_name(f), x[f]);
    }
    piece_fini(&p);
    json_add(j, "n_warnings %d", report->n_warnings);
    list = cJSON_AddArrayToObject(j, "warnings");
    for (int i = 0; i < report->n_warnings && i < n_warnings; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(report->warnings[i]));
    return j;
}
