/* How likely a model found a token. Pure. */
#ifndef APP_LIKELIHOOD_H
#define APP_LIKELIHOOD_H

#include <stdint.h>

/* log softmax(logits)[token], in nats; logits [vocab]. */
double likelihood_log(const float *logits, int vocab, int32_t token);

#endif
