/* The shape of a model to train: a preset, changed by options. Pure. */
#ifndef APP_MODEL_SHAPE_H
#define APP_MODEL_SHAPE_H

#include "model/weights/model.h"

enum { SHAPE_UNSAID = -1 };

struct model_shape {
    const char *preset;
    int context, width, heads, layers;
    int ff;                                                 /* unsaid: 4 widths */
    int activation, norm, position, relative, time, mixing; /* enums of model.h */
    int max_distance, block; /* not given: see model_shape_suit */
    int encoder_layers;      /* unsaid: none */
    int state, values, tied; /* 0 or 1 */
};

/* The kind of tokens: presets and defaults differ. */
enum shape_music { SHAPE_SCORE, SHAPE_GRID };
extern const char *const model_shape_truths[]; /* the words for 0 and 1, then NULL */

/* Everything unsaid, of the preset "small". */
struct model_shape model_shape_default(void);
bool model_shape_set_preset(struct model_shape *s, const char *name);
bool model_shape_is_plain(const struct model_shape *s); /* nothing besides a preset */

/* The configuration, of the score tokenizer's vocabulary. By default four voices have only
 * learned positions. Scores have rotary positions, time buckets, the state if there is one
 * and value embeddings; with Fourier mixing, positions and state. */
struct model_config model_shape_config(const struct model_shape *s,
                                       enum shape_music music);

/* Gives a configuration that needs a reach, or a block, and has none the one that
 * sees the whole context; a reach is at most the context. */
void model_shape_suit(struct model_config *c);

/* One plain phrase on what does not fit together; NULL: it all does. */
const char *model_shape_fault(const struct model_config *c);

#endif
