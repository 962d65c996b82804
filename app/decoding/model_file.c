/* See model_file.h. */
#include "app/decoding/model_file.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/decoding/metadata.h"
#include "midi/tokens/token_state.h"

#include <errno.h>

static void start(void *state)
{
    token_state_start(state);
}

static int next(void *state, int32_t token, uint16_t *rows)
{
    return token_state_next(state, token, rows);
}

const struct model_state_kind *model_file_score_state(void)
{
    static const struct model_state_kind kind = {
        .size = sizeof(struct token_state),
        .n_rows = TOKEN_STATE_ROWS,
        .start = start,
        .next = next,
    };
    return &kind;
}

enum model_status model_file_open(struct model **out, const char *path, char *detail,
                                  size_t n_detail)
{
    enum model_status st = model_open(out, path, detail, n_detail);
    if (!st && metadata_fits_score(*out))
        (*out)->state_kind = model_file_score_state();
    return st;
}

/* -- for the verbs -- */

int verb_model_open(struct model **out, const char *wanted, char *path, size_t n_path)
{
    char detail[96] = "";
    *out = NULL;
    if (!paths_model(path, n_path, wanted))
        return wanted ? say_error(wanted, "the name is too long")
                      : say_error("no model was found", "name one by --model FILE");
    errno = 0;
    enum model_status st = model_file_open(out, path, detail, sizeof detail);
    return st ? say_model_error(path, st, detail) : 0;
}
