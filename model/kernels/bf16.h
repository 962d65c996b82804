/* bf16 numbers: the upper half of an f32, so 8 bits of exponent and 7 of fraction. Pure
 * functions, any thread. */
#ifndef MODEL_BF16_H
#define MODEL_BF16_H

#include <stdint.h>
#include <string.h>

/* Rounds to the nearest bf16, ties to even. A finite number beyond the largest bf16
 * becomes the largest. Infinities stay infinite. NaN stays NaN, even if only its low bits
 * are set. */
static inline uint16_t bf16_round(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7f800000u) == 0x7f800000u)
        return (uint16_t)(bits >> 16 | (bits & 0x7fffffu ? 0x40u : 0u));
    uint32_t rounded = bits + 0x7fffu + (bits >> 16 & 1u);
    if ((rounded & 0x7f800000u) == 0x7f800000u)
        rounded = bits; /* cut instead, since rounding would give infinity */
    return (uint16_t)(rounded >> 16);
}

/* The same number as an f32. */
static inline float bf16_widen(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
