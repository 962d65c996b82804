/* Values as people write them, on the command line and after `:`. Each function returns
 * false for an invalid value, and then stores nothing. Pure functions. */
#ifndef APP_VALUES_H
#define APP_VALUES_H

#include "midi/score/timeline.h"
#include "model/weights/model.h"

#include <stdbool.h>
#include <stdint.h>

bool value_real(const char *text, double low, double high, double *x);
bool value_count(const char *text, int low, int high, int *n); /* a whole number */
/* Splits "96-72" or "3/2" at the first of these signs: copies the part before; *rest is the part
 * after, NULL if there is no sign. false: the first part is too long for a value. */
enum { VALUE_BYTES = 32 };
bool value_split(const char *text, const char *signs, char first[VALUE_BYTES],
                 const char **rest);
/* *which: the index of the text in a list of words that ends with NULL. */
bool value_word(const char *text, const char *const *words, int *which);
/* "3/4": 1 to 64 beats, and a note value to 128 that is a power of two. */
bool value_meter(const char *text, int *numerator, int *denominator);
bool value_seed(const char *text, uint64_t *seed);
/* "12" or "12:3.5": a bar and a beat, both from 1. The beat is 1 if it is not given. */
bool value_place(const char *text, int64_t *bar, double *beat);
/* "C3-G5", "48-79", or one pitch alone; both ends are included. C4 is 60; # and b follow the
 * letter. */
bool value_pitches(const char *text, uint8_t *low, uint8_t *high);
bool value_pitch(const char *text, int *pitch); /* "G4" or "67" */
/* "1,3": tracks 1 to 64 as bits; at least one. */
bool value_tracks(const char *text, uint64_t *tracks);
/* Returns whether `name` is in a list with commas; NULL has every name. */
bool value_is_named(const char *names, const char *name);
/* The precision of weights: f32, bf16 or int8. The cache is f32 with f32, else bf16. Music
 * is written with the default; models/README.md has its loss. */
#define PRECISION_DEFAULT ((struct model_precision){WEIGHTS_INT8, CACHE_INT8})
bool value_precision(const char *text, struct model_precision *precision);
const char *value_precision_name(enum model_weights_kind kind);

/* Appends to the text in buf, as much as fits. */
__attribute__((format(printf, 3, 4))) void text_append(char *buf, size_t n_buf,
                                                       const char *format, ...);
/* Writes a tick in words: "bar 3", "bar 3, beat 2", "bar 3, beat 2.5". Returns buf. */
enum { PLACE_BYTES = 64 };
const char *place_name(const struct timeline *t, int64_t tick, char buf[PLACE_BYTES]);

#endif
