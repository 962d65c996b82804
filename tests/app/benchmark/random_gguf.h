/* A model file as llama.cpp reads it, with random weights: GGUF version 3, architecture
 * "gpt2", which has our decoder's shape (learned places, LayerNorm, biases, GELU, tied
 * embeddings), so that both do the same work. The format: ggml's docs/gguf.md. */
#ifndef TESTS_APP_RANDOM_GGUF_H
#define TESTS_APP_RANDOM_GGUF_H

#include "model/weights/model.h"

/* Of the matrices; places, norms and biases are f32. The values are GGUF's type numbers. */
enum gguf_type { GGUF_F32 = 0, GGUF_Q8_0 = 8, GGUF_BF16 = 30 };

/* Writes path; d_model and d_ff are multiples of 32. false: it could not be written. */
bool random_gguf_write(const char *path, const struct model_config *c,
                       enum gguf_type type);

#endif
