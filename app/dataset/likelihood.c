#include "app/dataset/likelihood.h"

#include <math.h>

double likelihood_log(const float *logits, int vocab, int32_t token)
{
    float peak = logits[0];
    for (int i = 1; i < vocab; i++)
        peak = logits[i] > peak ? logits[i] : peak;
    double sum = exp((double)(logits[0] - peak));
    for (int i = 1; i < vocab; i++)
        sum += exp((double)(logits[i] - peak));
    return (double)(logits[token] - peak) - log(sum);
}
