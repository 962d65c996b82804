/* A head that is muted gives nothing, for one decoder alone and until it is heard again. */
#include "tests/check.h"
#include "tests/model/decoder/attention_fixture.h"

/* The columns of the output projection that a head's values meet. */
static void silence_weights(struct model *m, struct attention_head h)
{
    const struct layer_weights *l = &m->weights.layers[h.layer];
    const int n = m->config.d_model, width = n / HEADS;
    float *w =
        (float *)(uintptr_t)(h.kind == ATTENTION_SELF ? l->out_w : l->cross_out_w);
    for (int r = 0; r < n; r++)
        memset(w + (size_t)r * (size_t)n + (size_t)(h.head * width), 0,
               (size_t)width * sizeof *w);
}

static void read_all(const struct fixture *b, struct decoder *d, float *logits)
{
    decoder_truncate(d, 0);
    read_at_once(b, d, 0, 100, true, logits);
    read_in_steps(b, d, 100, 110, row_of(b, logits, 100));
}

static double distance(const float *a, const float *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs((double)(a[i] - b[i])));
    return most;
}

static void compare_muted(const struct model_config *c, int which)
{
    enum { ALL = 110 };
    struct attention_head h;
    auto_fixture b = set_up(c, 2);
    auto_model *silent = make_model(c);
    auto_decoder *d = NULL;
    assert_true(nth_head(&b, which, &h));
    silence_weights(silent, h);
    assert_ok(decoder_create(&d, silent, b.pool));
    if (c->n_encoder_layers)
        decoder_encode(d, b.source, b.source_times, SOURCE);
    float *wanted = make_logits(&b, ALL), *got = make_logits(&b, ALL),
          *heard = make_logits(&b, ALL);
    read_all(&b, d, wanted);
    read_all(&b, b.decoder, heard);
    assert_ok(decoder_mute_heads(b.decoder, &h, 1));
    read_all(&b, b.decoder, got);
    assert_true(distance(got, wanted, ALL * b.vocab) < 1e-5);
    assert_true(distance(got, heard, ALL * b.vocab) > 1e-2);
    assert_ok(decoder_mute_heads(b.decoder, NULL, 0));
    read_all(&b, b.decoder, got);
    assert_same_logits(&b, got, heard, ALL);
}

TEST(a_muted_head_gives_nothing)
{
    for (int v = 0; v < N_VARIANTS; v++) {
        const struct model_config *c = &VARIANTS[v].config;
        if (c->mixing == MIXING_FOURIER)
            continue;
        compare_muted(c, v % (LAYERS * HEADS));
        if (c->n_encoder_layers)
            compare_muted(c, LAYERS * HEADS + 4);
    }
}

/* Of two that go together, one may do without a head. */
TEST(heads_are_muted_for_one_alone)
{
    struct decoder *takes[2];
    int32_t tokens[] = {3, 3}, times[] = {900, 900};
    auto_fixture b = set_up(&VARIANTS[1].config, 2);
    float *one = make_logits(&b, 1), *other = make_logits(&b, 1),
          *alone = make_logits(&b, 1);
    read_at_once(&b, b.decoder, 0, 70, false, NULL);
    for (int r = 0; r < 2; r++) {
        takes[r] = make_decoder(&b);
        decoder_copy(takes[r], b.decoder, 70);
    }
    decoder_mute_heads(takes[1], &(struct attention_head){ATTENTION_SELF, 1, 2}, 1);
    decoder_step_many(takes, 2, tokens, times, (float *[]){one, other});
    decoder_step(b.decoder, 3, 900, alone);
    assert_same_logits(&b, one, alone, 1);
    assert_true(distance(other, alone, b.vocab) > 1e-3);
}
