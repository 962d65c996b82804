/* See inspection.h. Life, errors, and which heads are left out. */
#include "app/inspection/inspection_internal.h"

#include "app/decoding/metadata.h"
#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_CONTEXT = 16 };

enum inspection_state inspection_fail(struct inspection *i, const char *why)
{
    i->error = why;
    return INSPECTION_FAILED;
}

enum inspection_state inspection_end(struct inspection *i, enum model_status st)
{
    if (st == MODEL_CANCELLED)
        return INSPECTION_CANCELLED;
    return st ? inspection_fail(i, model_strerror(st)) : INSPECTION_DONE;
}

enum inspection_state inspection_end_midi(struct inspection *i, enum midi_status st)
{
    if (st == MIDI_EMPTY)
        return inspection_fail(i, "there is no music to read there");
    if (st == MIDI_BAD_TOKEN)
        return inspection_fail(i, "that take cannot be read again");
    return st ? inspection_fail(i, midi_strerror(st)) : INSPECTION_DONE;
}

bool inspection_is_cancelled(const struct inspection *i)
{
    return i->cancel && atomic_load_explicit(i->cancel, memory_order_relaxed);
}

enum model_status inspection_create(struct inspection **out, const struct model *model,
                                    struct pool *pool)
{
    struct inspection *i = calloc(1, sizeof *i);
    if (!i)
        return MODEL_NO_MEMORY;
    i->model = model;
    i->pool = pool;
    i->c = model->config;
    i->error = "";
    i->is_grid = metadata_grid_lesson(model, &i->lesson);
    i->row = calloc(2 * (size_t)i->c.context, sizeof *i->row);
    enum model_status st = i->row ? MODEL_OK : MODEL_NO_MEMORY;
    if (!i->is_grid && (!metadata_fits_score(model) || i->c.n_encoder_layers))
        st = MODEL_OTHER_TOKENS;
    if (i->c.context < LEAST_CONTEXT)
        st = MODEL_BAD_CONFIG;
    if (!st)
        st = read_so_far_init(&i->main, model, pool, true);
    if (st) {
        inspection_destroy(i);
        return st;
    }
    *out = i;
    return MODEL_OK;
}

void inspection_destroy(struct inspection *i)
{
    if (!i)
        return;
    read_so_far_fini(&i->main);
    read_so_far_fini(&i->other);
    style_guess_destroy(i->guess);
    inspection_windows_fini(&i->windows);
    reading_fini(&i->now);
    replay_fini(&i->take);
    free(i->row);
    free(i->muted);
    free(i);
}

void inspection_set_cancel(struct inspection *i, const atomic_bool *flag)
{
    i->cancel = flag;
    decoder_set_cancel(i->main.decoder, flag);
}

void inspection_forget(struct inspection *i)
{
    i->style_is_known = false;
    i->windows_of = 0;
    i->stood = (struct inspection_window){0};
}

enum inspection_state inspection_mute_heads(struct inspection *i,
                                            const struct attention_head *heads,
                                            size_t n)
{
    if (n == i->n_muted && (n == 0 || !memcmp(heads, i->muted, n * sizeof *heads)))
        return INSPECTION_DONE;
    struct attention_head *own = array_copy(heads, n, sizeof *own);
    if (!own)
        return inspection_end(i, MODEL_NO_MEMORY);
    read_so_far_mute(&i->main, i, false);
    read_so_far_mute(&i->other, i, false);
    free(i->muted);
    i->muted = own;
    i->n_muted = n;
    read_so_far_mute(&i->main, i, true);
    read_so_far_mute(&i->other, i, true);
    return INSPECTION_DONE;
}
