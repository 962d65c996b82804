/* Every published variant, small and of odd sizes, for tests of the decoder and of
 * the trainer; and times for their tokens. */
#ifndef TESTS_MODEL_VARIANTS_H
#define TESTS_MODEL_VARIANTS_H

#include "tests/model/toy_state.h"

struct variant {
    const char *name;
    struct model_config config;
};

#define SIZES(n_tokens, n_context, width, heads, layers, ff)                           \
    .vocab = n_tokens, .context = n_context, .d_model = width, .n_heads = heads,       \
    .n_layers = layers, .d_ff = ff
#define VARIANT_SIZES SIZES(29, 300, 36, 3, 2, 70)

static const struct variant VARIANTS[] = {
    {"sinusoidal, post-norm",
     {VARIANT_SIZES, .position = POSITION_SINUSOIDAL, .norm = NORM_POST}},
    {"Shaw",
     {VARIANT_SIZES, .relative = RELATIVE_SHAW, .max_distance = 9, .tied = true}},
    {"Shaw, learned, local, post-norm",
     {VARIANT_SIZES, .position = POSITION_LEARNED, .relative = RELATIVE_SHAW,
      .max_distance = 100, .block = 64, .norm = NORM_POST}},
    {"music, every distance",
     {VARIANT_SIZES, .relative = RELATIVE_MUSIC, .max_distance = 300}},
    {"music, clipped, sinusoidal, GELU",
     {VARIANT_SIZES, .relative = RELATIVE_MUSIC, .max_distance = 40,
      .position = POSITION_SINUSOIDAL, .activation = ACTIVATION_GELU}},
    {"music, local",
     {VARIANT_SIZES, .relative = RELATIVE_MUSIC, .max_distance = 128, .block = 64}},
    {"rotary", {VARIANT_SIZES, .relative = RELATIVE_ROTARY}},
    {"time in buckets",
     {VARIANT_SIZES, .time = TIME_BUCKETS, .position = POSITION_LEARNED}},
    {"time turns", {VARIANT_SIZES, .time = TIME_ROTARY, .tied = true}},
    {"index and time turn",
     {VARIANT_SIZES, .relative = RELATIVE_ROTARY, .time = TIME_ROTARY}},
    {"music and time in buckets",
     {VARIANT_SIZES, .relative = RELATIVE_MUSIC, .max_distance = 50,
      .time = TIME_BUCKETS}},
    {"rotary and time in buckets, local, post-norm",
     {VARIANT_SIZES, .relative = RELATIVE_ROTARY, .time = TIME_BUCKETS, .block = 128,
      .norm = NORM_POST}},
    {"local", {VARIANT_SIZES, .position = POSITION_LEARNED, .block = 64}},
    {"Fourier", {VARIANT_SIZES, .mixing = MIXING_FOURIER, .block = 50}},
    {"Fourier, post-norm, GELU, learned",
     {VARIANT_SIZES, .mixing = MIXING_FOURIER, .block = 64, .norm = NORM_POST,
      .activation = ACTIVATION_GELU, .position = POSITION_LEARNED}},
    {"state", {VARIANT_SIZES, .state = TOY_ROWS, .tied = true}},
    {"values, music, local",
     {VARIANT_SIZES, .values = true, .relative = RELATIVE_MUSIC, .max_distance = 30,
      .block = 64}},
    {"state, values, rotary and time in buckets",
     {VARIANT_SIZES, .state = TOY_ROWS, .values = true, .relative = RELATIVE_ROTARY,
      .time = TIME_BUCKETS}},
    {"state, values, Shaw, learned, post-norm, GELU",
     {VARIANT_SIZES, .state = TOY_ROWS, .values = true, .relative = RELATIVE_SHAW,
      .max_distance = 20, .position = POSITION_LEARNED, .norm = NORM_POST,
      .activation = ACTIVATION_GELU, .tied = true}},
    {"state, Fourier",
     {VARIANT_SIZES, .state = TOY_ROWS, .mixing = MIXING_FOURIER, .block = 40}},
    {"encoder, state, values, sinusoidal",
     {VARIANT_SIZES, .state = TOY_ROWS, .values = true, .time = TIME_BUCKETS,
      .position = POSITION_SINUSOIDAL, .n_encoder_layers = 1}},
    {"encoder, sinusoidal, post-norm",
     {VARIANT_SIZES, .position = POSITION_SINUSOIDAL, .norm = NORM_POST,
      .n_encoder_layers = 2}},
    {"encoder, music and time in buckets",
     {VARIANT_SIZES, .relative = RELATIVE_MUSIC, .max_distance = 20,
      .time = TIME_BUCKETS, .n_encoder_layers = 1, .tied = true}},
    {"encoder, Shaw, local",
     {VARIANT_SIZES, .relative = RELATIVE_SHAW, .max_distance = 12, .block = 64,
      .n_encoder_layers = 2, .position = POSITION_LEARNED}},
    {"encoder, index and time turn, post-norm, GELU",
     {VARIANT_SIZES, .relative = RELATIVE_ROTARY, .time = TIME_ROTARY,
      .activation = ACTIVATION_GELU, .norm = NORM_POST, .n_encoder_layers = 1}},
};
enum { N_VARIANTS = sizeof VARIANTS / sizeof VARIANTS[0] };

/* Mostly onwards, now and then back, and far enough for the last bucket. */
static inline void variant_times(int32_t *times, int n)
{
    for (int i = 0; i < n; i++)
        times[i] = i * 3 + i * i * 7 % 90 + (i % 50 == 49 ? 20000 : 0) - 400;
}

#endif
