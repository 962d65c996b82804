/* See verb_score.h. */
#include "app/cli/verb_score.h"

#include "app/base/say.h"

int verb_on_score(const struct verb *v, int argc, char **argv,
                  int (*run)(struct options *o, struct score *s))
{
    struct options o;
    int status = options_parse(&o, v, argc, argv);
    if (status >= 0)
        return status;
    struct score *s = say_load(o.file);
    if (!s)
        return 1;
    status = run(&o, s);
    score_destroy(s);
    return status;
}
