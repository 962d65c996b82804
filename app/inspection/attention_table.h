/* Rows of attention as text. Each returns the exit status, and has said what went wrong;
 * nothing is left at path then.
 *
 * CSV: a line for each note and each note or kind of token that it gives anything to:
 *   query, its bar, beat, track and pitch; the same of the key, or "(bar line)"; weight
 * JSON: the notes that were read, and a row for each that was asked for, of weights to
 * each note and to each kind of token that is of none; the weights of a row sum to one,
 * where a row is what a note looked at. */
#ifndef APP_ATTENTION_TABLE_H
#define APP_ATTENTION_TABLE_H

#include "app/inspection/attention_work.h"

/* With options->by_token by single tokens instead, each told by its place, from 0:
 * CSV: place, name, what it says and the number of its note; the same of the key; weight
 * JSON: the tokens, and what is heard as "keys"; a row for each token that was asked for,
 * but for the first, of what the query before it, which chose it, gave to each key. Each
 * sums to one. */
int attention_write_csv(struct attention_work *w, const char *path);
int attention_write_json(struct attention_work *w, const char *path);

#endif
