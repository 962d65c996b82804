#include "app/model_file.h"

#include "app/metadata.h"

const struct model_state_kind *model_file_score_state(void)
{
    return NULL;
}

enum model_status model_file_open(struct model **out, const char *path, char *detail,
                                  size_t n_detail)
{
    enum model_status st = model_open(out, path, detail, n_detail);
    if (!st && metadata_fits_score(*out))
        model_set_state_kind(*out, model_file_score_state());
    return st;
}
