/* What rounding costs the shipped model: a piece it was not taught, read by single steps
 * as music is written, is to be about as likely in bf16 and in eight bits as in f32. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/likelihood.h"
#include "midi/clock.h"
#include "midi/piece.h"
#include "midi/smf.h"
#include "midi/tokens.h"
#include "model/decoder.h"

#include <math.h>
#include <stdlib.h>

static void encode(struct tokens *t)
{
    struct score *score = NULL;
    struct piece piece;
    assert_int_equal(smf_load(&score, "models/example.mid", NULL), MIDI_OK);
    assert_int_equal(piece_from_score(&piece, score, STYLE_ANY, NULL), MIDI_OK);
    assert_int_equal(tokens_encode(t, &piece, true), MIDI_OK);
    piece_fini(&piece);
    score_destroy(score);
}

/* Nats a token of those from the second on. */
static double read_all(struct decoder *d, int vocab, const int32_t *tokens,
                       const int32_t *times, int n)
{
    float *logits = calloc((size_t)vocab, sizeof *logits);
    double nats = 0;
    assert_non_null(logits);
    for (int i = 0; i + 1 < n; i++) {
        assert_int_equal(decoder_step(d, tokens[i], times[i], logits), MODEL_OK);
        nats -= likelihood_log(logits, vocab, tokens[i + 1]);
    }
    free(logits);
    return nats / (n - 1);
}

static double loss_at(struct model_precision precision, const struct tokens *t)
{
    char detail[96];
    struct model *m = NULL;
    struct decoder *d = NULL;
    struct pool *pool = pool_create(1);
    int32_t *times = calloc(t->n, sizeof *times);
    assert_non_null(pool);
    assert_non_null(times);
    assert_int_equal(
        model_open(&m, "models/continuo.safetensors", detail, sizeof detail), MODEL_OK);
    model_set_precision(m, precision);
    assert_int_equal(decoder_create(&d, m, pool), MODEL_OK);
    const struct model_config *c = model_config(m);
    const int n = t->n < (size_t)c->context ? (int)t->n : c->context;
    clock_times(t->id, t->n, times);
    const double loss = read_all(d, c->vocab, t->id, times, n);
    decoder_destroy(d);
    model_close(m);
    pool_destroy(pool);
    free(times);
    return loss;
}

static void rounding_costs_what_it_may(void **state)
{
    static const struct {
        struct model_precision precision;
        double bound; /* of the change, over the loss in f32 */
    } ROUNDINGS[] = {
        {{WEIGHTS_BF16, CACHE_BF16}, 0.001},
        {{WEIGHTS_INT8, CACHE_BF16}, 0.005},
    };
    struct tokens t;
    (void)state;
    encode(&t);
    const double f32 = loss_at((struct model_precision){WEIGHTS_F32, CACHE_F32}, &t);
    assert_true(f32 > 0.1 && f32 < 2.0); /* it does know what music is */
    for (size_t i = 0; i < sizeof ROUNDINGS / sizeof *ROUNDINGS; i++) {
        const double loss = loss_at(ROUNDINGS[i].precision, &t);
        if (fabs(loss / f32 - 1.0) > ROUNDINGS[i].bound)
            fail_msg("rounding %d: %.4f nats instead of %.4f", (int)i, loss, f32);
    }
    tokens_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_costs_what_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
