/* A barely trained model of grid tokens: its output does not matter, only that it is legal. */
#ifndef TESTS_APP_TINY_GRID_MODEL_H
#define TESTS_APP_TINY_GRID_MODEL_H

#include "app/lab/training/train_run.h"

/* Trains on a file of grid_data.h; hears: with an encoder and hold. Returns the exit status. */
static inline int tiny_grid_train(const char *data, const char *out, bool hears)
{
    const struct train_request request = {
        .data = data,
        .out = out,
        .hold = hears,
        .threads = 1,
        .config = {.context = 96,
                   .d_model = 16,
                   .n_heads = 2,
                   .n_layers = 1,
                   .d_ff = 32,
                   .n_encoder_layers = hears,
                   .relative = RELATIVE_ROTARY,
                   .time = TIME_ROTARY,
                   .tied = true},
        .options = {.batch = 2,
                    .max_steps = 20,
                    .warmup_steps = 2,
                    .lr = 1e-3f,
                    .beta1 = 0.9f,
                    .beta2 = 0.95f,
                    .eps = 1e-8f,
                    .clip = 1.0f,
                    .seed = 1},
    };
    return train_run(&request);
}

#endif
