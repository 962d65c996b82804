#include "app/inspection/verb_model.h"

#include "app/decoding/model_file.h"
#include "app/base/paths.h"
#include "app/base/say.h"

#include <errno.h>

int verb_model_open(struct model **out, const char *wanted, char *path, size_t n_path)
{
    char detail[96] = "";
    *out = NULL;
    if (!paths_model(path, n_path, wanted))
        return say_no_model(wanted);
    errno = 0;
    enum model_status st = model_file_open(out, path, detail, sizeof detail);
    return st ? say_model_error(path, st, detail) : 0;
}
