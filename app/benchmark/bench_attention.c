/* What observing attention costs: decoding with attention recorded, and with the newest token's
 * row read besides; maps of the longest music; and the inspector's work when it opens. In the
 * shape of the bundled model (or of --model), with random weights if its own context is too
 * short. */
#include "midi/base/clock.h"
#include "app/benchmark/bench.h"
#include "app/benchmark/bench_race.h"
#include "model/decoder/attention_probe.h"
#include "app/base/json_fields.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LONG = 4000, /* tokens of a map, */
    CONTEXT = 4096,
    SHORT = 1000,  /* of the open piece, */
    DECODED = 900, /* and before those that are decoded */
    STEPS = 32,
    COLUMNS = 200, /* of a map that fills a wide screen */
    ROWS = 100,
    SMALL = 24, /* the sides of a head's thumbnail */
};

struct scene;
struct act {
    const char *name, *text;
    enum model_status (*run)(const struct scene *s);
    enum { NOTHING, SHOWS_ROW, QUERIES, QUERIES_AND_ROW } looks;
    enum { NO_MAP, MAP, MAPS, LONG_MAP, LONG_MAPS } draws; /* maps: of each head one */
    int beside; /* the act that it is held against; itself: none */
};

/* Decoders that have read, of one model: short ones, which watch or not, and a long
 * one. */
struct stage {
    struct decoder *plain, *watching, *reader, *longest;
    float *logits; /* [SHORT, vocab] */
    float row[CONTEXT], cells[ROWS * COLUMNS];
    int32_t tokens[LONG], times[LONG];
    const struct model_config *c;
};

struct scene {
    struct stage *stage;
    const struct act *act;
};

static enum model_status decode(const struct scene *s)
{
    struct stage *g = s->stage;
    struct decoder *d = s->act->looks < QUERIES ? g->plain : g->watching;
    const struct attention_head h = {ATTENTION_SELF, g->c->n_layers - 1, 0};
    enum model_status st =
        decoder_show_row(d, h, s->act->looks == SHOWS_ROW ? g->row : NULL);
    decoder_truncate(d, DECODED);
    for (int i = DECODED; !st && i < DECODED + STEPS; i++) {
        st = decoder_step(d, g->tokens[i], g->times[i], g->logits);
        if (!st && s->act->looks == QUERIES_AND_ROW)
            st = attention_rows(d, h, i, 1, g->row, CONTEXT);
    }
    return st;
}

static void set_edges(int *edges, int n, int length)
{
    for (int i = 0; i <= n; i++)
        edges[i] = (int)((int64_t)length * i / n);
}

/* Of one head, or a thumbnail of each. */
static enum model_status map(const struct scene *s)
{
    struct stage *g = s->stage;
    struct decoder *d = s->act->draws >= LONG_MAP ? g->longest : g->reader;
    const bool of_all = s->act->draws == MAPS || s->act->draws == LONG_MAPS;
    const int n_heads = g->c->n_heads, n_all = g->c->n_layers * n_heads;
    const int first = of_all ? 0 : n_all - n_heads, end = of_all ? n_all : first + 1;
    const int n_rows = of_all ? SMALL : ROWS, n_columns = of_all ? SMALL : COLUMNS;
    int rows[COLUMNS + 1], columns[COLUMNS + 1];
    enum model_status st = MODEL_OK;
    set_edges(rows, n_rows, decoder_length(d));
    set_edges(columns, n_columns, decoder_length(d));
    for (int i = first; !st && i < end; i++) {
        const struct attention_head h = {ATTENTION_SELF, i / n_heads, i % n_heads};
        st = attention_pool(d, h, rows, n_rows, columns, n_columns, g->cells);
    }
    return st;
}

static enum model_status read_all(const struct scene *s)
{
    struct stage *g = s->stage;
    decoder_truncate(g->reader, 0);
    return decoder_prefill(g->reader, g->tokens, g->times, SHORT, true, g->logits);
}

static const struct act ACTS[] = {
    {"decode", "a token after 900, attention not shown", decode, NOTHING, NO_MAP, 0},
    {"decode_shown", "  the same, one head's row shown", decode, SHOWS_ROW, NO_MAP, 0},
    {"decode_watched", "  or its queries kept", decode, QUERIES, NO_MAP, 0},
    {"decode_read", "  and the row computed from them", decode, QUERIES_AND_ROW, NO_MAP,
     0},
    {"read", "reading 1000 tokens, logits of all", read_all, QUERIES, NO_MAP, 4},
    {"grid", "  thumbnails of all their heads", map, QUERIES, MAPS, 5},
    {"map", "  the map of one head", map, QUERIES, MAP, 6},
    {"long_grid", "thumbnails of all heads, 4000 tokens", map, QUERIES, LONG_MAPS, 7},
    {"long_map", "  the map of one head", map, QUERIES, LONG_MAP, 8},
};
enum { N_ACTS = sizeof ACTS / sizeof *ACTS };

static enum model_status run(void *arg, double *seconds)
{
    const struct scene *s = arg;
    const bool decodes = s->act->run == decode;
    enum model_status st = decodes ? decode(s) : MODEL_OK; /* for the caches */
    double start = clock_now_seconds();
    if (!st)
        st = s->act->run(s);
    *seconds = (clock_now_seconds() - start) / (decodes ? STEPS : 1);
    return st;
}

static enum model_status make_reader(struct decoder **d, const struct bench *b,
                                     const struct model *m, bool watches, int n,
                                     const struct stage *g)
{
    enum model_status st = decoder_create(d, m, b->pool);
    if (!st)
        st = decoder_keep_queries(*d, watches);
    return st ? st : decoder_prefill(*d, g->tokens, g->times, n, false, NULL);
}

static enum model_status stage_init(struct stage *g, const struct bench *b,
                                    const struct model *m)
{
    g->c = &m->config;
    g->logits = calloc((size_t)SHORT * (size_t)g->c->vocab, sizeof *g->logits);
    if (!g->logits)
        return MODEL_NO_MEMORY;
    for (int i = 0; i < LONG; i++) {
        g->tokens[i] = subject_token(g->c, i);
        g->times[i] = subject_time(i);
    }
    enum model_status st = make_reader(&g->plain, b, m, false, DECODED, g);
    if (!st)
        st = make_reader(&g->watching, b, m, true, DECODED, g);
    if (!st)
        st = make_reader(&g->reader, b, m, true, SHORT, g);
    return st ? st : make_reader(&g->longest, b, m, true, LONG, g);
}

static void report(const struct bench *b, const struct turn_runner *r)
{
    cJSON *list = report_list(b->json, "attention");
    if (!list)
        printf("The cost of showing attention, in the shape of the bundled model, %d "
               "threads.\n"
               "\n"
               "%-38s  %10s  %s\n",
               pool_n_threads(b->pool), "", "median", "quartiles");
    for (int i = 0; i < N_ACTS; i++) {
        const struct turn_spread *s = &r[i].spread;
        const double beside = r[ACTS[i].beside].spread.median;
        if (list) {
            json_append(list, "what %s seconds %g", ACTS[i].name, s->median);
            continue;
        }
        printf("%-38s  %7.3f ms  %.3f to %.3f", ACTS[i].text, 1e3 * s->median,
               1e3 * s->low, 1e3 * s->high);
        if (ACTS[i].beside != i)
            printf("  %+.1f %%", 100 * (s->median / beside - 1));
        puts("");
    }
}

static enum model_status measure(const struct bench *b, const struct model *m)
{
    struct stage g = {0};
    struct scene scenes[N_ACTS];
    struct turn_runner runners[N_ACTS];
    enum model_status st = stage_init(&g, b, m);
    for (int i = 0; i < N_ACTS; i++) {
        scenes[i] = (struct scene){&g, &ACTS[i]};
        runners[i] = (struct turn_runner){.run = run, .arg = &scenes[i]};
    }
    if (!st)
        st = turns_run(runners, N_ACTS, &b->budget);
    if (!st)
        report(b, runners);
    decoder_destroy(g.plain);
    decoder_destroy(g.watching);
    decoder_destroy(g.reader);
    decoder_destroy(g.longest);
    free(g.logits);
    return st;
}

int bench_attention(const struct bench *b)
{
    struct model *m = NULL;
    const struct model_precision f32 = {WEIGHTS_F32, CACHE_F32};
    if (subject_open(&m, b, SUBJECT_FILE, f32))
        return 1;
    struct model_config c = m->config;
    const struct model_state_kind *state_kind = m->state_kind;
    model_close(m);
    m = NULL;
    c.context = CONTEXT;
    enum model_status st = model_random(&m, &c, 1);
    if (!st) {
        m->state_kind = state_kind;
        st = measure(b, m);
    }
    model_close(m);
    return report_status("attention", st);
}
