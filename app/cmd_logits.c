/* continuo logits: what the model says after each of some tokens, to compare
 * with other programs that run the same weights. */
#include "app/commands.h"

#include "app/options.h"
#include "app/paths.h"
#include "app/say.h"
#include "model/decoder.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const struct verb VERB = {
    .name = "logits",
    .arguments = "MODEL --tokens \"1 2 3\"",
    .about = "Prints one line of JSON for each token: the model's logits after it.",
    .n_files = 1,
    .takes = OPTION_TOKENS | OPTION_THREADS,
    .needs = OPTION_TOKENS,
};

/* Numbers with spaces or commas between; -1: something else is there, or more
 * than `max`. */
static int read_tokens(const char *text, int32_t *ids, int max)
{
    int n = 0;
    for (;;) {
        char *end;
        while (*text == ' ' || *text == ',' || *text == '\n')
            text++;
        if (!*text)
            return n;
        errno = 0;
        long id = strtol(text, &end, 10);
        if (end == text || errno || id < 0 || id > INT32_MAX || n == max)
            return -1;
        ids[n++] = (int32_t)id;
        text = end;
    }
}

static void print_row(const float *logits, int n)
{
    for (int i = 0; i < n; i++) {
        putchar(i ? ',' : '[');
        if (isfinite(logits[i]))
            printf("%.9g", (double)logits[i]);
        else
            fputs("null", stdout);
    }
    puts("]");
}

static enum model_status print_logits(const struct model *m, struct pool *pool,
                                      const int32_t *ids, int n)
{
    struct decoder *d = NULL;
    size_t vocab = (size_t)model_config(m)->vocab;
    float *logits = calloc((size_t)n * vocab, sizeof *logits);
    enum model_status st =
        logits && pool ? decoder_create(&d, m, pool) : MODEL_NO_MEMORY;
    if (!st)
        st = decoder_prefill(d, ids, NULL, n, true, logits);
    for (int i = 0; !st && i < n; i++)
        print_row(logits + (size_t)i * vocab, (int)vocab);
    decoder_destroy(d);
    free(logits);
    return st;
}

static int run(const struct model *m, const struct options *o)
{
    int context = model_config(m)->context;
    int32_t *ids = calloc((size_t)context, sizeof *ids);
    int n = ids ? read_tokens(o->tokens, ids, context) : 0;
    int status = 0;
    if (!ids) {
        status = say_model_error(o->file, MODEL_NO_MEMORY, NULL);
    } else if (n <= 0) {
        say_error("--tokens",
                  "wants numbers, at least one, that fit the model's context");
        status = 2;
    } else {
        struct pool *pool = pool_create(o->threads);
        enum model_status st = print_logits(m, pool, ids, n);
        pool_destroy(pool);
        status = st ? say_model_error(o->file, st, NULL) : 0;
    }
    free(ids);
    return status;
}

int cmd_logits(int argc, char **argv)
{
    struct options o;
    struct model *m = NULL;
    char path[4096], detail[96] = "";
    int status = options_parse(&o, &VERB, argc, argv);
    if (status >= 0)
        return status;
    if (!paths_model(path, sizeof path, o.file))
        return say_error(o.file, "the name is too long");
    errno = 0;
    enum model_status st = model_open(&m, path, detail, sizeof detail);
    if (st)
        return say_model_error(path, st, detail);
    status = run(m, &o);
    model_close(m);
    return status;
}
