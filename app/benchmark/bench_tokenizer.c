/* Notes to tokens and back, on one thread. */
#include "midi/base/clock.h"
#include "app/benchmark/bench.h"

#include "app/benchmark/bench_race.h"
#include "midi/tokens/tokens.h"
#include "app/base/json_fields.h"

#include <stdio.h>

enum { TRACKS = 4, NOTES = 4000, TICKS_PER_QUARTER = 480 };

struct text {
    struct score *score;
    struct tokens tokens;
};

/* Four voices in step, lengths from a sixteenth to a quarter: many chords, as in music.
 * NULL: out of memory. */
static struct score *make_score(void)
{
    struct score *s = score_create(TICKS_PER_QUARTER);
    for (int track = 0; s && track < TRACKS; track++) {
        int64_t at = 0;
        bool ok = score_add_track(s, "voice", (uint8_t)track, 0) == track;
        for (unsigned i = 0; ok && i < NOTES; i++) {
            unsigned draw = (i * TRACKS + (unsigned)track) * 2654435761u >> 16;
            int64_t length = TICKS_PER_QUARTER / 4 * (1 + draw % 4);
            struct note n = {.start = at,
                             .length = length,
                             .pitch = (uint8_t)(72 - 8 * track + (int)(draw >> 2) % 8),
                             .velocity = (uint8_t)(60 + (draw >> 5) % 40)};
            ok = score_add_note(s, track, n) != 0;
            at += length;
        }
        if (!ok) {
            score_destroy(s);
            s = NULL;
        }
    }
    return s;
}

/* Our own score is within every limit, so what fails is memory. */
static enum model_status run_encode(void *arg, double *seconds)
{
    struct text *t = arg;
    struct piece p;
    double start = clock_now_seconds();
    enum midi_status st = piece_from_score(&p, t->score, STYLE_ANY, NULL, 0);
    if (!st) {
        tokens_fini(&t->tokens);
        st = tokens_encode(&t->tokens, &p, true);
        piece_fini(&p);
    }
    *seconds = clock_now_seconds() - start;
    return st ? MODEL_NO_MEMORY : MODEL_OK;
}

static enum model_status run_decode(void *arg, double *seconds)
{
    const struct text *t = arg;
    struct piece p;
    double start = clock_now_seconds();
    enum midi_status st = tokens_decode(&p, t->tokens.id, t->tokens.n);
    if (!st)
        piece_fini(&p);
    *seconds = clock_now_seconds() - start;
    return st ? MODEL_NO_MEMORY : MODEL_OK;
}

static void report_way(cJSON *to, const char *title, const char *name, double tokens,
                       const struct turn_spread *s)
{
    report_columns(to, "-title %-24s %s %'11.0f -low %'12.0f_- -high %'.0f\n", title,
                   name, tokens / s->median, tokens / s->high, tokens / s->low);
}

static void report(const struct bench *b, double tokens, const struct turn_runner *r)
{
    cJSON *to = cJSON_AddObjectToObject(b->json, "tokenizer");
    if (!b->json)
        printf("\nTokenizer: %d notes in %d voices are %.0f tokens, one thread\n\n"
               "%-24s %11s  %s\n",
               TRACKS * NOTES, TRACKS, tokens, "", "tokens/s", "  quartiles");
    report_way(to, "score to tokens", "encode_tokens_per_second", tokens, &r[0].spread);
    report_way(to, "tokens to notes", "decode_tokens_per_second", tokens, &r[1].spread);
    fflush(stdout);
}

int bench_tokenizer(const struct bench *b)
{
    struct text t = {.score = make_score()};
    struct turn_runner r[] = {{.run = run_encode, .arg = &t},
                              {.run = run_decode, .arg = &t}};
    enum model_status st = t.score ? turns_run(r, 2, &b->budget) : MODEL_NO_MEMORY;
    if (!st)
        report(b, (double)t.tokens.n, r);
    tokens_fini(&t.tokens);
    score_destroy(t.score);
    return report_status("bench tokenizer", st);
}
