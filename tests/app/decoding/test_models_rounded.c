/* What rounding costs trained models: music read by single steps, as it is written, is
 * to be about as likely in bf16 and in eight bits as in f32. The shipped model reads a
 * piece it was not taught; models of four voices that relate tokens by tables, which are
 * rounded as well, read what they write themselves. */
#include "tests/check.h"
#include "app/base/draw.h"
#include "midi/tokens/token_time.h"
#include "midi/smf/smf.h"
#include "tests/app/tiny_model.h"

static void encode(struct tokens *t)
{
    auto_score *score = NULL;
    auto_piece piece;
    assert_ok(smf_load(&score, "models/example.mid", NULL));
    assert_ok(piece_from_score(&piece, score, STYLE_ANY, NULL, 0));
    assert_ok(tokens_encode(t, &piece, true));
}

struct rounding {
    struct model_precision precision;
    double bound; /* of the change, over the loss in f32 */
};

static const struct rounding ROUNDINGS[] = {
    {{WEIGHTS_BF16, CACHE_INT8}, 0.001},
    {{WEIGHTS_INT8, CACHE_INT8}, 0.005},
};
enum { N_ROUNDINGS = sizeof ROUNDINGS / sizeof *ROUNDINGS };
static const struct model_precision F32 = {WEIGHTS_F32, CACHE_F32};

/* A model and the tokens to read; drawn: they are the model's own in f32, so that its
 * loss on them is what it does not know. */
struct reading {
    const char *path;
    int32_t *ids, *times;
    int n;
    bool drawn;
    uint64_t seed;
};

struct reader {
    struct model *model;
    struct pool *pool;
    struct decoder *decoder;
    float *logits;
    int vocab, context;
};

static void open_reader(struct reader *r, const char *path,
                        struct model_precision precision)
{
    *r = (struct reader){.model = bundled_model(path), .pool = pool_create(1)};
    assert_non_null(r->pool);
    r->model->precision = precision;
    assert_ok(decoder_create(&r->decoder, r->model, r->pool));
    r->vocab = r->model->config.vocab;
    r->context = r->model->config.context;
    r->logits = calloc((size_t)r->vocab, sizeof *r->logits);
    assert_non_null(r->logits);
}

static void close_reader(struct reader *r)
{
    decoder_destroy(r->decoder);
    model_close(r->model);
    pool_destroy(r->pool);
    free(r->logits);
}

/* Nats a token of those from the second on; with a sampler they are drawn here. */
static double read_all(const struct reader *r, const struct reading *x,
                       struct sampler *sampler)
{
    double nats = 0;
    for (int i = 0; i + 1 < x->n; i++) {
        assert_ok(decoder_step(r->decoder, x->ids[i], x->times[i], r->logits));
        if (sampler)
            x->ids[i + 1] = sampler_draw(sampler, r->logits, NULL).token;
        nats -= likelihood_log(r->logits, r->vocab, x->ids[i + 1]);
    }
    return nats / (x->n - 1);
}

static double loss_at(struct model_precision precision, struct reading *x, bool draw)
{
    const struct sampling as_it_is = {.temperature = 1, .top_p = 1, .seed = x->seed};
    struct reader r;
    open_reader(&r, x->path, precision);
    x->n = x->n < r.context ? x->n : r.context;
    struct sampler *sampler = draw ? sampler_create(r.vocab, &as_it_is) : NULL;
    assert_true(!draw || sampler);
    const double loss = read_all(&r, x, sampler);
    sampler_destroy(sampler);
    close_reader(&r);
    return loss;
}

/* Adds the losses of one reading: in f32, and after each rounding. */
static void add_losses(double losses[1 + N_ROUNDINGS], struct reading *x)
{
    losses[0] += loss_at(F32, x, x->drawn);
    for (int i = 0; i < N_ROUNDINGS; i++)
        losses[1 + i] += loss_at(ROUNDINGS[i].precision, x, false);
}

static void check_losses(const char *what, const double losses[1 + N_ROUNDINGS])
{
    for (int i = 0; i < N_ROUNDINGS; i++)
        if (fabs(losses[1 + i] / losses[0] - 1.0) > ROUNDINGS[i].bound)
            fail_msg("%s, rounding %d: %.4f nats instead of %.4f", what, i,
                     losses[1 + i], losses[0]);
}

TEST(rounding_costs_what_it_may)
{
    auto_tokens t;
    double losses[1 + N_ROUNDINGS] = {0};
    encode(&t);
    struct reading x = {.path = "models/continuo.safetensors",
                        .ids = t.id,
                        .times = calloc(t.n, sizeof(int32_t)),
                        .n = (int)t.n};
    assert_non_null(x.times);
    token_times(t.id, t.n, x.times);
    add_losses(losses, &x);
    assert_true(losses[0] > 0.1 && losses[0] < 2.0); /* it does know what music is */
    check_losses(x.path, losses);
    free(x.times);
}

TEST(rounded_tables_cost_as_little)
{
    enum { N = 512, PIECES = 2 };
    static const char *const PATHS[] = {"models/chorales/music.safetensors",
                                        "models/chorales/shaw.safetensors",
                                        "models/chorales/music+time.safetensors"};
    static int32_t ids[N] = {GRID_BOS}, times[N];
    grid_times(GRID_ALL, N, times);
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
        double losses[1 + N_ROUNDINGS] = {0};
        for (uint64_t seed = 1; seed <= PIECES; seed++)
            add_losses(losses, &(struct reading){PATHS[i], ids, times, N, true, seed});
        assert_true(losses[0] / PIECES > 0.1 && losses[0] / PIECES < 2.0);
        check_losses(PATHS[i], losses);
    }
}
