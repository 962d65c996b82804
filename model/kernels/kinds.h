/* How a running model stores the weights that single steps read (model/kernels/packed.h),
 * and how it stores keys and values. Both are independent of the number types in the
 * model's file. */
#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H

enum model_weights_kind { WEIGHTS_F32, WEIGHTS_BF16, WEIGHTS_INT8 };
enum model_cache_kind { CACHE_F32, CACHE_INT8 };

#endif
