#include "app/document/state_rows.h"

#include "app/dataset/tokens_array.h"

#include <endian.h>
#include <stdlib.h>

bool state_rows_open(struct state_rows *s, const struct model_state_kind *kind,
                     const char *path, int windows, int length)
{
    const int shape[3] = {windows, length, MODEL_STATE_MOST};
    *s = (struct state_rows){.kind = kind};
    if (!kind)
        return true;
    s->state = malloc(kind->size);
    s->file = s->state ? fopen(path, "wb") : NULL;
    return s->file && tokens_array_write_header(s->file, shape);
}

static bool put_token(struct state_rows *s, int32_t token)
{
    uint16_t rows[MODEL_STATE_MOST], line[MODEL_STATE_MOST];
    int n = s->kind->next(s->state, token, rows);
    for (int i = 0; i < MODEL_STATE_MOST; i++)
        line[i] = htole16(i < n ? rows[i] : (uint16_t)-1);
    return fwrite(line, sizeof line, 1, s->file) == 1;
}

void state_rows_put(struct state_rows *s, const int32_t *tokens, int length)
{
    if (!s->kind)
        return;
    s->kind->start(s->state);
    for (int i = 0; i < length; i++)
        s->has_failed |= !put_token(s, tokens[i]);
}

bool state_rows_close(struct state_rows *s)
{
    bool ok = !s->has_failed;
    if (s->file && fclose(s->file))
        ok = false;
    free(s->state);
    *s = (struct state_rows){.kind = s->kind};
    return ok;
}
