/* Two quick hashes, which do not protect against forgery: of bytes, and of a number. Pure, any
 * thread. */
#ifndef MIDI_HASH_H
#define MIDI_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Extends `hash` by `n` bytes: FNV-1a with 64 bits (Fowler, Noll & Vo 1991). */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < n; i++) {
        /* The analyzer takes all bytes of an integer but the first one for
         * uninitialised. */
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

#define HASH_STEP UINT64_C(0x9e3779b97f4a7c15)

/* Returns a number that looks like chance: SplitMix64 (Steele, Lea & Flood 2014). Its generator is
 * this function of x = seed + HASH_STEP, seed + 2 * HASH_STEP, ... */
static inline uint64_t hash_number(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

#endif
