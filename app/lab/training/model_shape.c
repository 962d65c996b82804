#include "app/lab/training/model_shape.h"

#include "midi/tokens/token_state.h"
#include "midi/tokens/tokens.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const struct preset {
    const char *name;
    struct sizes {
        int context, d_model, n_heads, n_layers;
    } sizes[2]; /* by shape_music */
} PRESETS[] = {
    {"tiny", {{512, 128, 4, 4}, {512, 128, 4, 4}}},
    {"lite", {{2048, 256, 8, 6}, {1024, 256, 8, 4}}},
    {"small", {{2048, 320, 8, 8}, {1024, 256, 8, 6}}},
    {"base", {{2048, 512, 8, 8}, {1024, 512, 8, 8}}},
};
enum { N_PRESETS = sizeof PRESETS / sizeof PRESETS[0] };

const char *const model_shape_truths[] = {"no", "yes", NULL};

static const struct preset *find_preset(const char *name)
{
    for (int i = 0; i < N_PRESETS; i++)
        if (!strcmp(name, PRESETS[i].name))
            return &PRESETS[i];
    return NULL;
}

struct model_shape model_shape_default(void)
{
    static_assert(SHAPE_UNSAID == -1, "all bits are set");
    struct model_shape s;
    memset(&s, 0xff, sizeof s);
    s.preset = "small";
    return s;
}

bool model_shape_set_preset(struct model_shape *s, const char *name)
{
    const struct preset *p = find_preset(name);
    if (p)
        s->preset = p->name;
    return p != NULL;
}

bool model_shape_is_plain(const struct model_shape *s)
{
    const struct model_shape plain = model_shape_default();
    const size_t n = offsetof(struct model_shape, tied) + sizeof s->tied -
                     offsetof(struct model_shape, context);
    return !memcmp(&s->context, &plain.context, n);
}

static int or_else(int said, int otherwise)
{
    return said == SHAPE_UNSAID ? otherwise : said;
}

struct model_config model_shape_config(const struct model_shape *s,
                                       enum shape_music music)
{
    const struct preset *preset = find_preset(s->preset);
    assert(preset); /* that is how the name was set */
    const struct sizes *p = &preset->sizes[music];
    const int width = or_else(s->width, p->d_model);
    const bool is_score = music == SHAPE_SCORE;
    const bool attends = or_else(s->mixing, MIXING_ATTENTION) == MIXING_ATTENTION;
    const bool turns = is_score && attends;
    struct model_config c = {
        .vocab = TOKEN_COUNT,
        .context = or_else(s->context, p->context),
        .d_model = width,
        .n_heads = or_else(s->heads, p->n_heads),
        .n_layers = or_else(s->layers, p->n_layers),
        .d_ff = or_else(s->ff, 4 * width),
        .activation = (enum model_activation)or_else(s->activation, ACTIVATION_RELU),
        .norm = (enum model_norm)or_else(s->norm, NORM_PRE),
        .position = (enum model_position)or_else(s->position, turns ? POSITION_NONE
                                                                    : POSITION_LEARNED),
        .relative = (enum model_relative)or_else(s->relative, turns ? RELATIVE_ROTARY
                                                                    : RELATIVE_NONE),
        .time = (enum model_time)or_else(s->time, turns ? TIME_BUCKETS : TIME_NONE),
        .mixing = (enum model_mixing)or_else(s->mixing, MIXING_ATTENTION),
        .max_distance = or_else(s->max_distance, 0),
        .block = or_else(s->block, 0),
        .n_encoder_layers = or_else(s->encoder_layers, 0),
        .state = is_score && or_else(s->state, 1) ? TOKEN_STATE_ROWS : 0,
        .values = or_else(s->values, turns),
        .tied = or_else(s->tied, 1),
    };
    model_shape_suit(&c);
    return c;
}

static bool has_max_distance(const struct model_config *c)
{
    return c->relative == RELATIVE_SHAW || c->relative == RELATIVE_MUSIC;
}

void model_shape_suit(struct model_config *c)
{
    if (has_max_distance(c) && c->max_distance == 0)
        c->max_distance = c->context;
    if (c->mixing == MIXING_FOURIER && c->block == 0)
        c->block = c->context;
}

const char *model_shape_fault(const struct model_config *c)
{
    const bool is_fourier = c->mixing == MIXING_FOURIER,
               by_index = c->relative == RELATIVE_ROTARY,
               by_time = c->time == TIME_ROTARY;
    /* The turns of rotary positions are of pairs, and two kinds of them share. */
    const int of = by_index && by_time ? 4 : by_index || by_time ? 2 : 1;
    if (c->n_heads < 1 || c->d_model % c->n_heads)
        return "--width is not a multiple of --heads";
    if (is_fourier && (c->relative != RELATIVE_NONE || c->time != TIME_NONE))
        return "--mixing fourier cannot have --relative or --time";
    if (is_fourier && c->values)
        return "--mixing fourier has no --values";
    if (c->max_distance && !has_max_distance(c))
        return "--reach is only for --relative shaw and music";
    if (c->max_distance > c->context)
        return "--reach is longer than the context";
    if (!is_fourier && c->block % MODEL_LOCAL_BLOCK)
        return "--block must be a multiple of 64";
    if (c->d_model / c->n_heads % of)
        return "--width divided by --heads must be a multiple of 2 with rotary "
               "positions, of 4 with both kinds";
    return model_config_valid(c) ? NULL : "these sizes do not fit together";
}
