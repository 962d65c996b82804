/* Names of a model's heads, by what a survey of music found that they attend to. models/heads.py
 * writes MODEL.heads.json beside the model's file:
 *
 *   {"model": {"hash": "16 hex digits", "layers": 4, "heads": 8, ...},
 *    "heads": [{"layer": 1, "head": 1, "name": "previous note", ...}, ...], ...}
 *
 * Such a file belongs to the model whose weights have that hash, wherever it lies.
 * Plain data of one owner; the functions read files, so not on the ui thread. */
#ifndef APP_HEAD_NAMES_H
#define APP_HEAD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { HEAD_NAME_BYTES = 48 };

struct head_names {
    uint64_t hash; /* model_hash */
    int n_layers, n_heads;
    char (*names)[HEAD_NAME_BYTES]; /* [n_layers * n_heads], safe to show; or NULL */
};

/* Finds the names of the model with this hash, in the folders of models that come with the program
 * (app/base/paths.h). false: nobody has surveyed it, and *out is empty. */
bool head_names_find(struct head_names *out, uint64_t hash);
/* Reads the names in one file. false: it is missing or malformed, and *out is empty. */
bool head_names_read(struct head_names *out, const char *path);
void head_names_fini(struct head_names *n); /* also when empty */

/* "previous note", counted from 0; "" where there is none. Any thread. */
const char *head_names_of(const struct head_names *n, int layer, int head);
/* Returns what a head of that name attends to, "the note written just before"; "": models/heads.py
 * gives no such name. Any thread. */
const char *head_name_meaning(const char *name);

#endif
