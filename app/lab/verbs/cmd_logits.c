/* continuo logits: a model's logits after each of some tokens, to compare with other
 * programs that run the same weights. */
#include "app/lab/verbs/lab_verbs.h"

#include "app/base/say.h"
#include "app/decoding/metadata.h"
#include "model/decoder/decoder.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Numbers with spaces or commas between, from `least` on; -1: something else is
 * there, or more than `max`. */
static int read_numbers(const char *text, int32_t *numbers, long least, int max)
{
    int n = 0;
    for (;;) {
        char *end;
        while (*text == ' ' || *text == ',' || *text == '\n')
            text++;
        if (!*text)
            return n;
        errno = 0;
        long x = strtol(text, &end, 10);
        if (end == text || errno || x < least || x > INT32_MAX || n == max)
            return -1;
        numbers[n++] = (int32_t)x;
        text = end;
    }
}

/* Tokens, and their times behind them. */
struct sequence {
    int32_t *tokens, *times;
    int n; /* 0: not given */
};

/* 0, or the exit status after an error message. tokens NULL: none. */
static int sequence_read(struct sequence *s, const char *option, const char *tokens,
                         const char *times, int context)
{
    *s = (struct sequence){.tokens = calloc(2 * (size_t)context, sizeof *s->tokens)};
    if (!s->tokens)
        return say_model_error(option, MODEL_NO_MEMORY, NULL);
    s->times = s->tokens + context;
    if (!tokens && times)
        return say_wrong(option, "is missing, but its times are given");
    if (!tokens)
        return 0;
    int n = read_numbers(tokens, s->tokens, 0, context);
    if (n <= 0)
        return say_wrong(
            option,
            "must be one or more numbers, at most as many as the context holds");
    s->n = n;
    for (int i = 0; !times && i < n; i++)
        s->times[i] = i;
    if (times && read_numbers(times, s->times, INT32_MIN, context) != n)
        return say_wrong(option, "must have as many times as there are tokens");
    return 0;
}

static enum model_status print_logits(const struct model *m, struct pool *pool,
                                      const struct sequence *s,
                                      const struct sequence *source)
{
    struct decoder *d = NULL;
    size_t vocab = (size_t)m->config.vocab;
    float *logits = calloc((size_t)s->n + 1, vocab * sizeof *logits);
    enum model_status st =
        logits && pool ? decoder_create(&d, m, pool) : MODEL_NO_MEMORY;
    if (!st && source->n)
        st = decoder_encode(d, source->tokens, source->times, source->n);
    if (!st)
        st = decoder_prefill(d, s->tokens, s->times, s->n, true, logits);
    for (size_t i = 0; !st && i < (size_t)s->n * vocab; i++) {
        putchar(i % vocab ? ',' : '[');
        if (isfinite(logits[i]))
            printf("%.9g", (double)logits[i]);
        else
            fputs("null", stdout);
        if (i % vocab == vocab - 1)
            puts("]");
    }
    decoder_destroy(d);
    free(logits);
    return st;
}

static int run(const struct model *m, const struct options *o)
{
    int context = m->config.context;
    struct sequence s, source;
    int status = sequence_read(&s, "--tokens", o->tokens, o->times, context);
    int other = sequence_read(&source, "--source", o->source, o->source_times, context);
    status = status ? status : other;
    if (!status) {
        struct pool *pool = pool_create(o->threads);
        enum model_status st = print_logits(m, pool, &s, &source);
        pool_destroy(pool);
        status = st ? say_model_error(o->file, st, NULL) : 0;
    }
    free(s.tokens);
    free(source.tokens);
    return status;
}

static int cmd_logits(struct options *o)
{
    struct model *m = NULL;
    char path[4096];
    int status = verb_model_open(&m, o->file, path, sizeof path);
    if (!status)
        status = run(m, o);
    model_close(m);
    return status;
}

const struct verb VERB_LOGITS = {
    .name = "logits",
    .summary = "print a model's logits for given tokens",
    .run = cmd_logits,
    .arguments = "MODEL --tokens \"1 2 3\"",
    .about =
        "Prints the model's logits after each token, one line of JSON each. Unless\n"
        "times are given, a token's time is its index.",
    .n_files = 1,
    .takes = OPTION_TOKENS | OPTION_THREADS,
    .needs = OPTION_TOKENS,
};
