/* What tests/auto.h says, of models: auto_pool *p = pool_create(2). */
#ifndef TESTS_MODEL_AUTO_H
#define TESTS_MODEL_AUTO_H

#include "model/decoder/decoder.h"
#include "model/train/train.h"
#include "model/weights/safetensors.h"
#include "tests/auto.h"

#define auto_pool        __attribute__((cleanup(free_pool))) struct pool
#define auto_model       __attribute__((cleanup(free_model))) struct model
#define auto_decoder     __attribute__((cleanup(free_decoder))) struct decoder
#define auto_trainer     __attribute__((cleanup(free_trainer))) struct trainer
#define auto_safetensors __attribute__((cleanup(free_safetensors))) struct safetensors

FREES(pool, pool_destroy)
FREES(model, model_close)
FREES(decoder, decoder_destroy)
FREES(trainer, trainer_destroy)
FREES(safetensors, safetensors_close)

#endif
